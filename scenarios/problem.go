package scenarios

import (
	"fmt"
	"strings"
)

// Problem is one problem of a scenario.
type Problem struct {
	File   string // path, or "--set path=value" for an override
	Line   int    // from 1; 0 when the place is a whole file or an override
	Column int    // from 1
	Field  string // dotted path, such as population[2].traits.risk_tolerance
	Wrong  string // what is there
	Right  string // what would be right
}

func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Wrong)
	if p.Right != "" {
		b.WriteString("; " + p.Right)
	}
	return b.String()
}

// Wrong returns an error about a well-formed value of the scenario which only the program that uses it finds to be
// wrong. path is dotted, as in Problem.Field; the file need not contain it.
func (s *Scenario) Wrong(path, wrong, right string) *Error {
	p := Problem{Field: path, Wrong: wrong, Right: right}
	p.File, p.Line, p.Column = s.files.position(nearest(s.nodes, path))
	return &Error{Problems: []Problem{p}}
}

// Error has all problems of a scenario, in file order.
type Error struct {
	Problems []Problem
	Partial  bool // something was not checked, since it depends on what these problems are about
}

// Error lists one problem per line, and says in a last one if there may be more.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems), len(e.Problems)+1)
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	switch {
	case e.Partial && len(lines) == 1:
		lines = append(lines, "more may follow once this is mended")
	case e.Partial:
		lines = append(lines, "more may follow once these are mended")
	}
	return strings.Join(lines, "\n")
}
