package program

import (
	"fmt"
	"math/big"
	"slices"
	"unicode"

	"go.starlark.net/syntax"
)

// The rewrite replaces every construct with which the interpreter would work on values by itself by a guard, a call of a
// host function. The names of guards begin with $, which no program can write. The rewrite refuses every construct that
// it does not know.
//
// and, or, not, conditions, loops, assignments to names, calls of functions and small literals
// stay: each of their steps costs as much as a step.

const (
	maxLevels   = 1_000   // of the syntax tree; the resolver and the compiler recurse
	maxParams   = 255     // of a function: each argument given by name is compared with all of them
	maxSlots    = 1_024   // of a frame: variables and operands
	plainSlots  = 64      // of a frame that needs no charge of its own
	maxReach    = 262_144 // Σ over the names used of the functions and comprehensions around them
	wideLiteral = 96      // elements of a literal that is made in one piece
	shortText   = 64      // bytes of a literal that guards need not look at
)

// operators that have a guard, in the order of the tokens.
var operators = []syntax.Token{
	syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.SLASHSLASH, syntax.PERCENT, syntax.AMP, syntax.PIPE,
	syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT, syntax.IN, syntax.NOT_IN,
}

var comparisons = []syntax.Token{syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE}

// augmented operators and what they are without the assignment.
var augmented = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR, syntax.SLASH_EQ: syntax.SLASH,
	syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT, syntax.AMP_EQ: syntax.AMP, syntax.PIPE_EQ: syntax.PIPE,
	syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX, syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT,
}

// Names of guards that are not made of an operator.
const (
	guardAttr     = "$."    // (x, name)
	guardIndex    = "$[]"   // (x, i)
	guardSetIndex = "$[]="  // (v, x, i)
	guardSlot     = "$slot" // (x), the x of a target x[i]
	guardRef      = "$ref"  // (x, i), of x[i] op= y
	guardSlice    = "$[:]"  // (x, lo, hi, step)
	guardDict     = "$dict" // (k, v, k, v, …)
	guardPairs    = "$pairs"
	guardList     = "$list"  // (part, …), each a list
	guardTuple    = "$tuple" // (part, …)
	guardMade     = "$made"  // (list or tuple), within another
	guardStar     = "$args"
	guardStarStar = "$kwargs"
	guardEnter    = "$enter" // (slots)
	guardNone     = "$None"
)

func guardUnary(op syntax.Token) string   { return "$u" + op.String() }
func guardBinary(op syntax.Token) string  { return "$" + op.String() }
func guardAugment(op syntax.Token) string { return "$" + op.String() + "=" }
func guardStore(op syntax.Token) string   { return "$[]" + op.String() + "=" } // (ref, y)
func guardMethod(name string) string      { return "$." + name }

// rewriter rewrites one file. The first error stops it.
type rewriter struct {
	level int
	reach int // Σ of around over the names used
	// around counts the functions and comprehensions that the current place is in.
	around int
	// inside counts the literals and comprehensions that the current place is in, within one
	// function.
	inside int
	fn     *frameSize                 // of the current function
	used   map[string]bool            // guards
	first  map[string]syntax.Position // of each name that is used
	funcs  []syntax.Node              // functions and lambdas
}

// frameSize is what a call of a function allocates.
type frameSize struct {
	names map[string]bool // variables by name
	extra int             // variables of comprehensions, each its own
	need  int             // operands
}

func (f *frameSize) slots() int { return len(f.names) + f.extra + f.need }

// refuse ends the rewrite; rewrite recovers it.
func refuse(n syntax.Node, format string, args ...any) {
	pos := startOf(n)
	panic(&SyntaxError{uint32(pos.Line), uint32(pos.Col), fmt.Sprintf(format, args...)})
}

// startOf is syntax.Start without its recursion.
func startOf(n syntax.Node) syntax.Position {
	for {
		switch x := n.(type) {
		case *syntax.BinaryExpr:
			return x.OpPos
		case *syntax.CallExpr:
			return x.Lparen
		case *syntax.DotExpr:
			return x.Dot
		case *syntax.IndexExpr:
			return x.Lbrack
		case *syntax.SliceExpr:
			return x.Lbrack
		case *syntax.CondExpr:
			return x.If
		case *syntax.AssignStmt:
			return x.OpPos
		case *syntax.ExprStmt:
			n = x.X
			continue
		}
		pos, _ := n.Span()
		return pos
	}
}

// rewrite guards a file in place.
func rewrite(file *syntax.File) (w *rewriter, err error) {
	defer func() {
		if e, ok := recover().(*SyntaxError); ok {
			err = e
		} else if e != nil {
			panic(e)
		}
	}()
	w = &rewriter{used: map[string]bool{}, first: map[string]syntax.Position{}}
	w.fn = &frameSize{names: map[string]bool{}}
	w.stmts(file.Stmts)
	if w.fn.extra+w.fn.need > maxSlots {
		return nil, &SyntaxError{Text: fmt.Sprintf("the top level has expressions of more than %d operands", maxSlots)}
	}
	file.Stmts = append(w.prologue(), file.Stmts...)
	return w, nil
}

// prologue gives each guard in use a global variable, which is faster to read than a name
// that the host defines.
func (w *rewriter) prologue() []syntax.Stmt {
	names, stmts := make([]string, 0, len(w.used)), []syntax.Stmt(nil)
	for name := range w.used { //house:sorted sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		stmts = append(stmts, &syntax.AssignStmt{Op: syntax.EQ, LHS: &syntax.Ident{Name: name}, RHS: &syntax.Ident{Name: hostPrefix + name}})
	}
	return stmts
}

// hostPrefix begins the name under which the host defines a guard.
const hostPrefix = "$$"

func (w *rewriter) enter(n syntax.Node) {
	if w.level++; w.level > maxLevels {
		refuse(n, "nests too deeply: at most %d levels", maxLevels)
	}
}

func (w *rewriter) leave() { w.level-- }

func (w *rewriter) stmts(list []syntax.Stmt) {
	for i, s := range list {
		list[i] = w.stmt(s)
	}
}

func (w *rewriter) stmt(s syntax.Stmt) syntax.Stmt {
	w.enter(s)
	defer w.leave()
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return w.assign(s)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		w.bind(s.Name)
		s.Body = w.function(s, s.Params, func() []syntax.Stmt {
			w.stmts(s.Body)
			return s.Body
		})
	case *syntax.ExprStmt:
		s.X = w.root(s.X)
	case *syntax.ForStmt:
		s.X = w.root(s.X)
		s.Vars = w.target(s.Vars)
		w.stmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = w.root(s.Cond)
		w.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = w.root(s.Cond)
		w.stmts(s.True)
		w.stmts(s.False)
	case *syntax.LoadStmt:
		if len(s.To) > maxParams {
			refuse(s, "load of more than %d names", maxParams)
		}
		for i, to := range s.To { // they are texts, and may be anything
			if !isName(to.Name) || !isName(s.From[i].Name) {
				refuse(s, "load of %q, which is no name", truncate(s.From[i].Name))
			}
			w.bind(to)
		}
		w.fn.need = max(w.fn.need, len(s.From)+1)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = w.root(s.Result)
		}
	default:
		refuse(s, "%T is not part of the dialect", s)
	}
	return s
}

// root rewrites a whole expression and notes the operands that it needs.
func (w *rewriter) root(e syntax.Expr) syntax.Expr {
	e = w.expr(e)
	w.fn.need = max(w.fn.need, need(e)+1)
	return e
}

func (w *rewriter) assign(s *syntax.AssignStmt) syntax.Stmt {
	if s.Op == syntax.EQ {
		s.RHS = w.root(s.RHS)
		if x, ok := unparen(s.LHS).(*syntax.IndexExpr); ok {
			call := w.call(guardSetIndex, x.Lbrack, s.RHS, w.expr(x.X), w.expr(x.Y))
			w.fn.need = max(w.fn.need, need(call)+1)
			return &syntax.ExprStmt{X: call}
		}
		s.LHS = w.target(s.LHS)
		return s
	}
	op, ok := augmented[s.Op]
	if !ok {
		refuse(s, "%s is not part of the dialect", s.Op)
	}
	switch x := unparen(s.LHS).(type) {
	case *syntax.Ident:
		w.bind(x)
		s.LHS, s.Op = x, syntax.EQ
		s.RHS = w.root(w.call(guardAugment(op), s.OpPos, &syntax.Ident{NamePos: x.NamePos, Name: x.Name}, w.expr(s.RHS)))
		return s
	case *syntax.IndexExpr:
		if hasCall(x) {
			refuse(s, "a target of %s that calls a function: give what it returns a name first", s.Op)
		}
		ref := w.call(guardRef, x.Lbrack, w.expr(x.X), w.expr(x.Y))
		return &syntax.ExprStmt{X: w.root(w.call(guardStore(op), s.OpPos, ref, w.expr(s.RHS)))}
	}
	refuse(s, "can't use %s with this target", s.Op)
	return nil
}

// target rewrites what is assigned to.
func (w *rewriter) target(e syntax.Expr) syntax.Expr {
	w.enter(e)
	defer w.leave()
	switch e := e.(type) {
	case *syntax.Ident:
		w.bind(e)
	case *syntax.IndexExpr:
		e.X = w.call(guardSlot, e.Lbrack, w.expr(e.X))
		e.Y = w.expr(e.Y)
		w.fn.need = max(w.fn.need, need(e)+2)
	case *syntax.TupleExpr:
		w.targets(e.List)
	case *syntax.ListExpr:
		w.targets(e.List)
	case *syntax.ParenExpr:
		e.X = w.target(e.X)
	case *syntax.DotExpr:
		refuse(e, "can't assign to .%s: no value has fields that can be set", truncate(e.Name.Name))
	default:
		refuse(e, "can't assign to this expression")
	}
	return e
}

func (w *rewriter) targets(list []syntax.Expr) {
	for i, e := range list {
		list[i] = w.target(e)
	}
	w.fn.need += len(list)
}

// bind notes a variable of the current function, or of a comprehension within it.
func (w *rewriter) bind(id *syntax.Ident) {
	w.reach++
	w.fn.names[id.Name] = true
}

// function rewrites a function: params in its surroundings, what body returns within it.
func (w *rewriter) function(n syntax.Node, params []syntax.Expr, body func() []syntax.Stmt) []syntax.Stmt {
	if len(params) > maxParams {
		refuse(n, "function of more than %d parameters", maxParams)
	}
	for _, p := range params {
		if b, ok := p.(*syntax.BinaryExpr); ok {
			b.Y = w.root(b.Y)
		}
	}
	w.funcs = append(w.funcs, n)
	w.fn.need = max(w.fn.need, 2*len(params)+2)
	outer, inside := w.fn, w.inside
	w.fn, w.inside = &frameSize{names: map[string]bool{}}, 0
	w.around++
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			w.bind(p)
		case *syntax.BinaryExpr:
			w.bind(p.X.(*syntax.Ident))
		case *syntax.UnaryExpr:
			if p.X != nil {
				w.bind(p.X.(*syntax.Ident))
			}
		}
	}
	stmts := body()
	w.around--
	slots := w.fn.slots()
	if slots > maxSlots {
		refuse(n, "function of more than %d variables and operands", maxSlots)
	}
	if slots > plainSlots {
		enter := w.call(guardEnter, startOf(n), &syntax.Literal{Token: syntax.INT, TokenPos: startOf(n), Value: int64(slots)})
		stmts = append([]syntax.Stmt{&syntax.ExprStmt{X: enter}}, stmts...)
	}
	w.fn, w.inside = outer, inside
	return stmts
}

// isName reports whether s is an identifier.
func isName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// hasCall reports whether an expression calls a function as it was written.
func hasCall(e syntax.Expr) bool {
	found, level := false, 0
	syntax.Walk(e, func(n syntax.Node) bool {
		if n == nil {
			level--
			return true
		}
		if level > maxLevels {
			refuse(e, "nests too deeply: at most %d levels", maxLevels)
		}
		if _, ok := n.(*syntax.CallExpr); ok {
			found = true
		}
		level++
		return true
	})
	return found
}

// call makes the call of a guard.
func (w *rewriter) call(name string, at syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	w.used[name] = true
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

func (w *rewriter) none(at syntax.Position) syntax.Expr {
	w.used[guardNone] = true
	return &syntax.Ident{NamePos: at, Name: guardNone}
}

func (w *rewriter) text(at syntax.Position, s string) syntax.Expr {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: at, Value: s}
}

// bigLiteral reports an integer literal beyond the greatest integer.
func bigLiteral(v any) bool {
	i, ok := v.(*big.Int)
	return ok && i.BitLen() > intBits
}
