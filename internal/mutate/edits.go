package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// change is one way to break the package.
type change struct {
	id   int
	pos  token.Position
	what string // "a < b → a <= b"
}

// source is one file with its changes written in, each behind a switch. Nothing is
// inserted but text within lines, so that lines keep their numbers.
type source struct {
	pkg     *packages.Package
	text    []byte
	file    *token.File
	next    *int         // the package's next number of a change
	refused map[int]bool // lines on which changes did not compile
	skipped map[ast.Node]bool

	changes []change
	opens   map[int]string // at an offset, outer ones first
	closes  map[int]string // at an offset, inner ones first
	instead map[int]span   // what stands in the place of an operator
}

type span struct {
	length int
	text   string
}

// rewrite finds the changes of a file.
func rewrite(p *packages.Package, f *ast.File, text []byte, next *int, refused map[int]bool) *source {
	s := &source{
		pkg: p, text: text, file: p.Fset.File(f.Pos()), next: next, refused: refused,
		skipped: make(map[ast.Node]bool), opens: make(map[int]string), closes: make(map[int]string), instead: make(map[int]span),
	}
	ast.Inspect(f, s.visit)
	return s
}

// add numbers a change; on a line that did not compile there is none.
func (s *source) add(at token.Pos, what string) (int, bool) {
	pos := s.pkg.Fset.Position(at)
	if s.refused[pos.Line] {
		return 0, false
	}
	id := *s.next
	*s.next++
	s.changes = append(s.changes, change{id: id, pos: pos, what: strings.Join(strings.Fields(what), " ")})
	return id, true
}

func (s *source) wrap(n ast.Node, before, after string) {
	from, to := s.file.Offset(n.Pos()), s.file.Offset(n.End())
	s.opens[from] += before
	s.closes[to] = after + s.closes[to]
}

func (s *source) replace(at token.Pos, length int, text string) {
	s.instead[s.file.Offset(at)] = span{length: length, text: text}
}

// textOf is a node's text as it was.
func (s *source) textOf(n ast.Node) string {
	return string(s.text[s.file.Offset(n.Pos()):s.file.Offset(n.End())])
}

// firstLine is the first line of a node's text, for the list.
func (s *source) firstLine(n ast.Node) string {
	t, more, _ := strings.Cut(s.textOf(n), "\n")
	if more != "" {
		t += " …"
	}
	return t
}

// String is the file with its changes.
func (s *source) String() string {
	var b strings.Builder
	at := make(map[int]bool)
	for o := range s.opens {
		at[o] = true
	}
	for o := range s.closes {
		at[o] = true
	}
	for o := range s.instead {
		at[o] = true
	}
	done := 0
	for _, o := range slices.Sorted(maps.Keys(at)) {
		b.Write(s.text[done:o])
		done = o
		b.WriteString(s.closes[o])
		b.WriteString(s.opens[o])
		if r, ok := s.instead[o]; ok {
			b.WriteString(r.text)
			done += r.length
		}
	}
	b.Write(s.text[done:])
	return b.String()
}

func (s *source) isNumber(e ast.Expr) bool {
	b, ok := s.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func (s *source) isBool(e ast.Expr) bool {
	b, ok := s.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// builtin tells whether a call is of the language's own function of this name.
func (s *source) builtin(c *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = s.pkg.TypesInfo.Uses[id].(*types.Builtin)
	return ok
}

// switchedOn is the text that asks whether a change is switched on.
func switchedOn(id int) string { return fmt.Sprintf("mutantOn(%d)", id) }
