package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"kingdom/sql/table"
	"kingdom/sql/views"
)

// Found is what a statement found.
type Found struct {
	Columns []string
	Rows    [][]any // int64, float64, string, []byte, time.Time or nil
	More    bool    // there are further rows
	Cut     bool    // some values are longer than what is returned of them
}

const (
	mostOfValue = 4 << 10 // bytes that are returned of a value
	mostOfFound = 1 << 20 // bytes after which no further row is returned
)

// StatementError says that a statement is none that QueryForeign runs.
type StatementError struct{ Wrong string }

// Error says what is wrong, and what can be done.
func (e *StatementError) Error() string {
	return e.Wrong + "; want one SELECT (or WITH … SELECT, or VALUES), which only reads"
}

// QueryForeign runs a statement that somebody else wrote, such as a language model, and returns at most limit rows. It must be a
// single statement that reads; anything else is a [*StatementError]. Names of tables may be in both forms, v.acts and v_acts. The
// end of ctx ends the statement.
//
// The text alone is not trusted: the connection can read this file only. SQLite could otherwise open further files, even to write
// them (ATTACH, VACUUM INTO).
func (s *Store) QueryForeign(ctx context.Context, stmt string, limit int) (*Found, error) {
	stmt, err := readingStatement(stmt)
	if err != nil {
		return nil, err
	}
	conn, err := s.foreignConn(ctx)
	if err != nil {
		return nil, s.named(err)
	}
	defer func() { _ = conn.Close() }() // it was only read
	// The driver ends a statement with its context only until the first row is there, so that one is made last: all rows are put
	// into a table in memory before.
	rows, err := conn.QueryContext(ctx, fmt.Sprintf("WITH found AS MATERIALIZED (SELECT * FROM (%s) LIMIT %d) SELECT * FROM found", stmt, limit+1))
	if err != nil {
		return nil, ofContext(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	found, err := readFound(rows, limit)
	return found, ofContext(ctx, err)
}

// foreignConn returns a connection for statements that somebody else wrote.
func (s *Store) foreignConn(ctx context.Context) (*sql.Conn, error) {
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range []struct{ id, most int }{
		{codes.SQLITE_LIMIT_ATTACHED, 0},      // VACUUM INTO attaches a file, too
		{codes.SQLITE_LIMIT_LENGTH, 64 << 20}, // bytes of a value: zeroblob(1000000000) would take as much memory
		{codes.SQLITE_LIMIT_COLUMN, 200},
	} {
		if _, err := sqlite.Limit(conn, l.id, l.most); err != nil {
			return nil, errors.Join(fmt.Errorf("limit what a statement can do: %w", err), conn.Close())
		}
	}
	return conn, nil
}

// ofContext returns why the context has ended, if it has: the error of SQLite says only that it was interrupted.
func ofContext(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func readFound(rows *sql.Rows, limit int) (*Found, error) {
	f := &Found{Rows: [][]any{}}
	var err error
	if f.Columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	size := 0
	for rows.Next() {
		if f.More = len(f.Rows) == limit || size > mostOfFound; f.More {
			return f, nil
		}
		values, into := make([]any, len(f.Columns)), make([]any, len(f.Columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for i := range values {
			switch v := values[i].(type) {
			case string:
				if len(v) > mostOfValue {
					values[i], f.Cut = strings.ToValidUTF8(v[:mostOfValue], ""), true
				}
				size += min(len(v), mostOfValue)
			case []byte:
				if len(v) > mostOfValue {
					values[i], f.Cut = v[:mostOfValue:mostOfValue], true
				}
				size += min(len(v), mostOfValue)
			}
			size += 8
		}
		f.Rows = append(f.Rows, values)
	}
	return f, rows.Err()
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
			return nil, &StatementError{"the statement contains a zero byte"}
		default:
			at++
			continue
		}
		code(at)
		n := strings.Index(stmt[at+open:], end)
		switch {
		case n < 0 && !comment:
			return nil, &StatementError{fmt.Sprintf("a quoted text or name has no end: %.40q", stmt[at:])}
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

// readingStatement returns a statement with the names of tables that SQLite has. It refuses one that does more than read, and
// several at once.
func readingStatement(stmt string) (string, error) {
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
		whole.WriteString(flatViews(table.Flat(own)))
	}
	first, rest, _ := strings.Cut(code.String(), ";")
	begin := beginning.FindString(first)
	switch {
	case strings.TrimSpace(first) == "":
		return "", &StatementError{"the statement is empty"}
	case strings.Trim(rest, "; \t\r\n") != "":
		return "", &StatementError{"there is more than one statement"}
	case !slices.Contains([]string{"SELECT", "WITH", "VALUES"}, strings.ToUpper(strings.TrimSpace(begin))):
		return "", &StatementError{fmt.Sprintf("the statement begins with %.40q", strings.TrimSpace(cmp.Or(begin, first)))}
	case !balanced(first):
		return "", &StatementError{"the parentheses of the statement do not match"}
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

// flatViews gives views the names that they have in SQLite, as [table.Flat] does with tables.
func flatViews(code string) string { return viewName.ReplaceAllString(code, "v_$1") }

// viewName matches the name of a view. Columns of something else that is called v have other names.
var viewName = func() *regexp.Regexp {
	var names []string
	for _, v := range views.All() {
		names = append(names, v.Name)
	}
	return regexp.MustCompile(`\bv\.(` + strings.Join(names, "|") + `)\b`)
}()

// filledLater are the tables that are empty, or show an earlier cycle, before the plain tables are filled (docs/STORE.md).
var filledLater = []string{
	"agent_experiences", "agent_beliefs", "agent_plans", "agent_goals", "world_records", "agora_messages", "mint_transactions", "observer_events",
}

// NeedsTables reports whether a statement names a table that is empty before the plain tables are filled, or a view of one.
func (s *Store) NeedsTables(ctx context.Context, stmt string) (bool, error) {
	needing := map[string]bool{}
	for _, name := range filledLater {
		needing[name] = true
	}
	made := map[string]string{} // views, and how they are made
	err := query(s.read)(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'view'`, nil, func(c table.Cursor) error {
		for c.Next() {
			var name, text string
			if err := c.Scan(&name, &text); err != nil {
				return err
			}
			made[name] = text
		}
		return c.Err()
	})
	for more := true; more; { // a view may be of other views
		more = false
		for name, text := range made {
			if !needing[name] && namesAny(text, needing) {
				needing[name], more = true, true
			}
		}
	}
	return namesAny(flatViews(table.Flat(stmt)), needing), s.named(err)
}

// word matches a name.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// namesAny reports whether a statement contains one of the names.
func namesAny(stmt string, names map[string]bool) bool {
	return slices.ContainsFunc(word.FindAllString(stmt, -1), func(w string) bool { return names[strings.ToLower(w)] })
}
