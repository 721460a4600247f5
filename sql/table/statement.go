package table

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// StatementError says that a statement of a user's cannot be run.
type StatementError struct {
	Wrong string
	Want  string // "": one statement that reads
}

// Error says what is wrong, and what would be right.
func (e *StatementError) Error() string {
	return e.Wrong + "; want " + cmp.Or(e.Want, "one SELECT (or WITH … SELECT, or VALUES), which only reads")
}

// Unknown returns the error for a statement that the database does not understand, for the reason that it gives.
func Unknown(reason string) error {
	return &StatementError{Wrong: reason, Want: "tables, views and columns of docs/STORE.md, in the SQL of the database"}
}

// piece is a part of a statement.
type piece struct {
	text   string
	quoted bool // a text or a name in quotes
}

// piecesOf splits a statement. Comments become blanks.
func piecesOf(stmt string) (pieces []piece, err error) {
	from := 0 // of the piece that is not quoted
	code := func(to int) { pieces = append(pieces, piece{text: stmt[from:to]}) }
	for at := 0; at < len(stmt); {
		open, end, comment := 1, "", false
		switch c := stmt[at]; {
		case strings.HasPrefix(stmt[at:], "--"):
			open, end, comment = 2, "\n", true
		case strings.HasPrefix(stmt[at:], "/*"):
			open, end, comment = 2, "*/", true
		case c == '\'' || c == '"' || c == '`':
			end = string(c)
		case c == '[':
			end = "]"
		case c == 0: // the statement ends here for SQLite, and would not for the check
			return nil, &StatementError{Wrong: "the statement contains a zero byte"}
		default:
			at++
			continue
		}
		code(at)
		n := strings.Index(stmt[at+open:], end)
		switch {
		case n < 0 && !comment:
			return nil, &StatementError{Wrong: fmt.Sprintf("a quoted text or name has no end: %.40q", stmt[at:])}
		case n < 0: // a comment may last to the end
			n = len(stmt) - at - open - len(end)
		}
		if from = at + open + n + len(end); comment {
			pieces = append(pieces, piece{text: " "})
		} else {
			pieces = append(pieces, piece{stmt[at:from], true})
		}
		at = from
	}
	code(len(stmt))
	return pieces, nil
}

// ReadingStatement returns a statement that a user or a language model wrote, with the names of tables as rename gives them in what
// is no text, no comment and no name in quotes. It refuses one that does not begin like one that reads, and several at once, with a
// [*StatementError]; the connection must see to it that nothing else can happen.
func ReadingStatement(stmt string, rename func(code string) string) (string, error) {
	pieces, err := piecesOf(stmt)
	if err != nil {
		return "", err
	}
	var code, whole strings.Builder // the second without what follows the statement
	ended := false
	for _, p := range pieces {
		if p.quoted {
			code.WriteString(`""`)
		} else {
			code.WriteString(p.text)
		}
		if ended {
			continue
		}
		if p.quoted {
			whole.WriteString(p.text)
			continue
		}
		var own string
		own, _, ended = strings.Cut(p.text, ";")
		whole.WriteString(rename(own))
	}
	first, rest, _ := strings.Cut(code.String(), ";")
	begin := beginning.FindString(first)
	switch {
	case strings.TrimSpace(first) == "":
		return "", &StatementError{Wrong: "the statement is empty"}
	case strings.Trim(rest, "; \t\r\n") != "":
		return "", &StatementError{Wrong: "there is more than one statement"}
	case !slices.Contains([]string{"SELECT", "WITH", "VALUES"}, strings.ToUpper(strings.TrimSpace(begin))):
		return "", &StatementError{Wrong: fmt.Sprintf("the statement begins with %.40q", strings.TrimSpace(cmp.Or(begin, first)))}
	case !balanced(first):
		return "", &StatementError{Wrong: "the parentheses of the statement do not match"}
	}
	return whole.String(), nil
}

// balanced reports whether each parenthesis is closed, and none is closed before it is opened.
func balanced(code string) bool {
	open := 0
	for _, c := range code {
		switch c {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// beginning matches the first word of a statement.
var beginning = regexp.MustCompile(`^\s*[A-Za-z]+`)
