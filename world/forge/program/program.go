package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"kingdom/wire"
)

// vaultPrefix begins the name of a module that lies in Vault; 64 hex digits follow.
const vaultPrefix = "vault:"

// Program is a compiled text.
type Program struct {
	code      *starlark.Program
	size      int
	functions int
	symbols   []string
	loads     []loadLine
}

type loadLine struct {
	module  string
	symbols []string
	line    uint32
}

// SyntaxError says why and where a text is not a program.
type SyntaxError struct {
	Line, Col uint32 // from 1; 0 unknown
	Text      string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Text)
}

// dialect is the language: everything that Starlark has, also at the top level.
var dialect = syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// Compile compiles a text. The error is a [*SyntaxError].
func Compile(source []byte) (*Program, error) { return compile("", source) }

// CompileAs is [Compile] for a program that is loaded under a name (Input.Bind). The name is reported with its faults
// (Result.Module).
func CompileAs(name string, source []byte) (*Program, error) { return compile(name, source) }

func compile(name string, source []byte) (*Program, error) {
	if len(source) > MaxSource {
		return nil, &SyntaxError{Text: fmt.Sprintf("source of %d bytes, at most %d", len(source), MaxSource)}
	}
	file, err := dialect.Parse(name, source, 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	p := &Program{size: len(source), loads: loadLines(file.Stmts)}
	own := slices.Clone(file.Stmts)
	w, err := rewrite(file)
	if err != nil {
		return nil, err
	}
	p.symbols = bindings(own)
	// Every name counts as defined for now: the resolver would compare one that is not with all
	// that are.
	var unknown []string
	p.code, err = starlark.FileProgram(file, func(name string) bool {
		if !isPredeclared(name) {
			unknown = append(unknown, name)
		}
		return true
	})
	if err != nil {
		return nil, syntaxError(err)
	}
	if err := w.checkUndefined(unknown); err != nil {
		return nil, err
	}
	if err := w.checkFrames(); err != nil {
		return nil, err
	}
	p.functions = len(w.funcs)
	return p, nil
}

// checkUndefined returns an error for the first use of one of these names.
func (w *rewriter) checkUndefined(names []string) error {
	var first *SyntaxError
	for _, name := range names {
		at := w.first[name]
		e := &SyntaxError{uint32(at.Line), uint32(at.Col), "undefined: " + truncate(name)}
		if first == nil || e.Line < first.Line || e.Line == first.Line && e.Col < first.Col {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// checkFrames refuses functions that share too many variables with those around them.
func (w *rewriter) checkFrames() error {
	for _, n := range w.funcs {
		f := functionInfo(n)
		if len(f.Locals)+len(f.FreeVars) > maxSlots {
			at := startOf(n)
			return &SyntaxError{uint32(at.Line), uint32(at.Col), fmt.Sprintf("function of more than %d variables", maxSlots)}
		}
	}
	return nil
}

func functionInfo(n syntax.Node) *resolve.Function {
	switch n := n.(type) {
	case *syntax.DefStmt:
		return n.Function.(*resolve.Function)
	case *syntax.LambdaExpr:
		return n.Function.(*resolve.Function)
	}
	panic("function is neither def nor lambda")
}

// Symbols returns the global names of the program, sorted. Names that begin with _ are included, although they cannot
// be loaded.
func (p *Program) Symbols() []string { return slices.Clone(p.symbols) }

// Exports reports whether another program can load name from this one.
func (p *Program) Exports(name string) bool {
	_, found := slices.BinarySearch(p.symbols, name)
	return found && !strings.HasPrefix(name, "_")
}

// VaultID reads the id out of "vault:<64 hex digits>", the name of a module; ok is false for another name.
func VaultID(module string) (id wire.Hash, ok bool) {
	digits, ok := strings.CutPrefix(module, vaultPrefix)
	if !ok {
		return wire.Hash{}, false
	}
	id, err := wire.ParseHash(digits)
	return id, err == nil
}

func loadLines(stmts []syntax.Stmt) []loadLine {
	var lines []loadLine
	for _, s := range stmts {
		if l, ok := s.(*syntax.LoadStmt); ok {
			line := loadLine{module: l.ModuleName(), line: uint32(l.Load.Line)}
			for _, from := range l.From {
				line.symbols = append(line.symbols, from.Name)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// bindings returns what statements of the top level bind, sorted: assignments, functions and
// loops, also within if, for and while; not what load lines bind, which is local to the file.
func bindings(stmts []syntax.Stmt) []string {
	var names []string
	target := func(x syntax.Expr) {
		syntax.Walk(x, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Ident:
				names = append(names, n.Name)
			case *syntax.IndexExpr, *syntax.DotExpr:
				return false
			}
			return true
		})
	}
	var walk func(stmts []syntax.Stmt)
	walk = func(stmts []syntax.Stmt) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *syntax.AssignStmt:
				target(s.LHS)
			case *syntax.DefStmt:
				names = append(names, s.Name.Name)
			case *syntax.ForStmt:
				target(s.Vars)
				walk(s.Body)
			case *syntax.WhileStmt:
				walk(s.Body)
			case *syntax.IfStmt:
				walk(s.True)
				walk(s.False)
			}
		}
	}
	walk(stmts)
	slices.Sort(names)
	return slices.Compact(names)
}

func syntaxError(err error) error {
	var parse syntax.Error
	if errors.As(err, &parse) {
		return &SyntaxError{uint32(parse.Pos.Line), uint32(parse.Pos.Col), truncate(parse.Msg)}
	}
	var list resolve.ErrorList
	if errors.As(err, &list) {
		return &SyntaxError{uint32(list[0].Pos.Line), uint32(list[0].Pos.Col), truncate(list[0].Msg)}
	}
	return &SyntaxError{Text: truncate(err.Error())}
}

// truncate cuts a message of the interpreter, which may quote whole values, to the length that a reply may have.
func truncate(s string) string {
	if len(s) > maxMessage {
		s = s[:maxMessage]
	}
	return strings.ToValidUTF8(s, "")
}
