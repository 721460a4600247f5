package program

import (
	"slices"

	"go.starlark.net/syntax"
)

// expr rewrites an expression.
func (w *rewriter) expr(e syntax.Expr) syntax.Expr {
	w.enter(e)
	defer w.leave()
	switch e := e.(type) {
	case *syntax.Ident:
		if _, known := w.first[e.Name]; !known {
			w.first[e.Name] = e.NamePos
		}
		if w.reach += 1 + w.around; w.reach > maxReach {
			refuse(e, "too many names within functions within functions")
		}
		return e
	case *syntax.Literal:
		if bigLiteral(e.Value) {
			refuse(e, "integer of more than %d bits", intBits)
		}
		return e
	case *syntax.ParenExpr:
		return w.expr(e.X)
	case *syntax.UnaryExpr:
		return w.unary(e)
	case *syntax.BinaryExpr:
		return w.binary(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = w.expr(e.Cond), w.expr(e.True), w.expr(e.False)
		return e
	case *syntax.DotExpr:
		return w.call(guardAttr, e.Dot, w.expr(e.X), w.text(e.Dot, e.Name.Name))
	case *syntax.IndexExpr:
		return w.call(guardIndex, e.Lbrack, w.expr(e.X), w.expr(e.Y))
	case *syntax.SliceExpr:
		args := []syntax.Expr{w.expr(e.X)}
		for _, b := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
			if b == nil {
				args = append(args, w.none(e.Lbrack))
			} else {
				args = append(args, w.expr(b))
			}
		}
		return w.call(guardSlice, e.Lbrack, args...)
	case *syntax.CallExpr:
		return w.calls(e)
	case *syntax.ListExpr:
		return w.literal(e, e.List, e.Lbrack, guardList)
	case *syntax.TupleExpr:
		return w.literal(e, e.List, startOfTuple(e), guardTuple)
	case *syntax.DictExpr:
		return w.dict(e)
	case *syntax.Comprehension:
		return w.comprehension(e)
	case *syntax.LambdaExpr:
		w.function(e, e.Params, func() []syntax.Stmt {
			e.Body = w.root(e.Body)
			if w.fn.slots() > plainSlots {
				refuse(e, "lambda of more than %d variables and operands: use def", plainSlots)
			}
			return nil
		})
		if w.inside > 0 {
			return w.call(guardMade, e.Lambda, e)
		}
		return e
	}
	refuse(e, "%T is not part of the dialect", e)
	return nil
}

func startOfTuple(e *syntax.TupleExpr) syntax.Position {
	if e.Lparen.IsValid() || len(e.List) == 0 {
		return e.Lparen
	}
	return startOf(e.List[0])
}

func (w *rewriter) unary(e *syntax.UnaryExpr) syntax.Expr {
	switch e.Op {
	case syntax.NOT:
		e.X = w.expr(e.X)
		return e
	case syntax.PLUS, syntax.MINUS, syntax.TILDE:
		x := w.expr(e.X)
		if l, ok := x.(*syntax.Literal); ok && isShort(l) {
			e.X = x
			return e
		}
		return w.call(guardUnary(e.Op), e.OpPos, x)
	}
	refuse(e, "%s is not part of the dialect", e.Op)
	return nil
}

func (w *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	x, y := w.expr(e.X), w.expr(e.Y)
	switch {
	case e.Op == syntax.AND || e.Op == syntax.OR:
		e.X, e.Y = x, y
		return e
	case slices.Contains(comparisons, e.Op):
		// Comparing with a short literal costs no more than a step, whatever it is compared with.
		if short := isShortLiteral(x) || isShortLiteral(y); short {
			e.X, e.Y = x, y
			return e
		}
	case !slices.Contains(operators, e.Op):
		refuse(e, "%s is not part of the dialect", e.Op)
	}
	return w.call(guardBinary(e.Op), e.OpPos, x, y)
}

func isShortLiteral(e syntax.Expr) bool {
	l, ok := e.(*syntax.Literal)
	return ok && isShort(l) && l.Token != syntax.FLOAT
}

// isShort reports a literal that costs nothing to work on.
func isShort(l *syntax.Literal) bool {
	switch v := l.Value.(type) {
	case int64:
		return v == int64(int32(v))
	case float64:
		return true
	case string:
		return len(v) <= shortText
	}
	return false
}

func (w *rewriter) calls(e *syntax.CallExpr) syntax.Expr {
	fn, ok := e.Fn.(*syntax.DotExpr)
	if ok && methodNames[fn.Name.Name] && len(e.Args) < maxParams {
		args := []syntax.Expr{w.expr(fn.X)}
		return w.call(guardMethod(fn.Name.Name), e.Lparen, append(args, w.args(e.Args)...)...)
	}
	e.Fn = w.expr(e.Fn)
	e.Args = w.args(e.Args)
	return e
}

func (w *rewriter) args(args []syntax.Expr) []syntax.Expr {
	out := make([]syntax.Expr, len(args))
	for i, a := range args {
		switch x := a.(type) {
		case *syntax.UnaryExpr:
			if x.Op == syntax.STAR {
				x.X = w.call(guardStar, x.OpPos, w.expr(x.X))
				out[i] = x
				continue
			} else if x.Op == syntax.STARSTAR {
				x.X = w.call(guardStarStar, x.OpPos, w.expr(x.X))
				out[i] = x
				continue
			}
		case *syntax.BinaryExpr:
			if x.Op == syntax.EQ {
				x.Y = w.expr(x.Y)
				out[i] = x
				continue
			}
		}
		out[i] = w.expr(a)
	}
	return out
}

// literal rewrites a list or a tuple. A long one is made of parts, so that a frame need not
// hold all of its elements; one within another or within a comprehension is charged for.
func (w *rewriter) literal(e syntax.Expr, elems []syntax.Expr, at syntax.Position, long string) syntax.Expr {
	w.inside++
	for i, x := range elems {
		elems[i] = w.expr(x)
	}
	w.inside--
	if len(elems) > wideLiteral {
		return w.call(long, at, w.parts(elems, at)...)
	}
	if w.inside > 0 {
		return w.call(guardMade, at, e)
	}
	return e
}

// parts returns at most wideLiteral lists that hold the elements.
func (w *rewriter) parts(elems []syntax.Expr, at syntax.Position) []syntax.Expr {
	var parts []syntax.Expr
	for part := range slices.Chunk(elems, wideLiteral) {
		parts = append(parts, &syntax.ListExpr{Lbrack: at, List: part, Rbrack: at})
	}
	if len(parts) <= wideLiteral {
		return parts
	}
	var lists []syntax.Expr
	for part := range slices.Chunk(parts, wideLiteral) {
		lists = append(lists, w.call(guardList, at, part...))
	}
	return lists
}

// dict rewrites a dict: keys are the host's to put in.
func (w *rewriter) dict(e *syntax.DictExpr) syntax.Expr {
	var kv []syntax.Expr
	w.inside++
	for _, entry := range e.List {
		entry := entry.(*syntax.DictEntry)
		kv = append(kv, w.expr(entry.Key), w.expr(entry.Value))
	}
	w.inside--
	if len(kv) <= wideLiteral {
		return w.call(guardDict, e.Lbrace, kv...)
	}
	all := w.call(guardList, e.Lbrace, w.parts(kv, e.Lbrace)...)
	return w.call(guardDict, e.Lbrace, &syntax.UnaryExpr{OpPos: e.Lbrace, Op: syntax.STAR, X: all})
}

// comprehension rewrites one. That of a dict becomes a list of pairs, which the host puts into
// a dict.
func (w *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	w.around++
	w.inside++
	names := w.fn.names
	w.fn.names = map[string]bool{}
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.X = w.expr(c.X)
			c.Vars = w.target(c.Vars)
		case *syntax.IfClause:
			c.Cond = w.expr(c.Cond)
		default:
			refuse(e, "%T is not part of the dialect", c)
		}
	}
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		pair := &syntax.TupleExpr{Lparen: entry.Colon, List: []syntax.Expr{w.expr(entry.Key), w.expr(entry.Value)}, Rparen: entry.Colon}
		e.Body = w.call(guardMade, entry.Colon, pair)
	} else {
		e.Body = w.expr(e.Body)
	}
	w.fn.extra += len(w.fn.names)
	w.fn.names = names
	w.inside--
	w.around--
	if e.Curly {
		e.Curly = false
		return w.call(guardPairs, e.Lbrack, e)
	}
	return e
}

// need is how many operands a rewritten expression has on the stack, at most.
func need(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.CallExpr:
		most, have := need(e.Fn), 1
		for _, a := range e.Args {
			switch x := a.(type) {
			case *syntax.BinaryExpr:
				if x.Op == syntax.EQ {
					have++
					a = x.Y
				}
			case *syntax.UnaryExpr:
				if x.Op == syntax.STAR || x.Op == syntax.STARSTAR {
					a = x.X
				}
			}
			most = max(most, have+need(a))
			have++
		}
		return max(most, have)
	case *syntax.ListExpr:
		return needAll(e.List)
	case *syntax.TupleExpr:
		return needAll(e.List)
	case *syntax.BinaryExpr:
		return max(need(e.X), 1+need(e.Y))
	case *syntax.CondExpr:
		return max(need(e.Cond), need(e.True), need(e.False))
	case *syntax.UnaryExpr:
		return need(e.X)
	case *syntax.IndexExpr:
		return 1 + max(need(e.X), 1+need(e.Y))
	case *syntax.LambdaExpr:
		return 2*len(e.Params) + 2
	case *syntax.Comprehension:
		most := 2 + need(e.Body)
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				most = max(most, 2+need(c.X))
			case *syntax.IfClause:
				most = max(most, 2+need(c.Cond))
			}
		}
		return most
	}
	return 1
}

func needAll(list []syntax.Expr) int {
	most := len(list)
	for i, x := range list {
		most = max(most, i+need(x))
	}
	return most
}
