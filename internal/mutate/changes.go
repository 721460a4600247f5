package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// visit writes the changes of a node in and tells whether to look inside it.
func (s *source) visit(n ast.Node) bool {
	if n == nil || s.skipped[n] {
		return false
	}
	if e, ok := n.(ast.Expr); ok {
		t := s.pkg.TypesInfo.Types[e]
		switch {
		case t.IsType():
			return false
		case t.Value != nil:
			s.number(e, t)
			return false
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.BlockStmt:
		s.statements(n.List)
	case *ast.CaseClause:
		for _, e := range n.List {
			s.skipped[e] = s.pkg.TypesInfo.Types[e].Value != nil
		}
		s.statements(n.Body)
	case *ast.CommClause:
		s.statements(n.Body)
	case *ast.IfStmt:
		s.condition(n.Cond)
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if s.isBool(e) {
				s.condition(e)
			}
		}
	case *ast.KeyValueExpr:
		s.skipped[n.Key] = s.pkg.TypesInfo.Types[n.Key].Value != nil
	case *ast.IndexExpr:
		s.skipped[n.Index] = s.pkg.TypesInfo.Types[n.Index].Value != nil
	case *ast.CallExpr:
		if s.builtin(n, "make") || s.builtin(n, "panic") {
			for _, a := range n.Args {
				s.skipped[a] = true
			}
		}
	case *ast.UnaryExpr:
		s.sign(n)
	case *ast.BinaryExpr:
		s.binary(n)
	}
	return true
}

// condition turns round what is no comparison and not composed of some.
func (s *source) condition(e ast.Expr) {
	if _, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		return
	}
	if id, ok := s.add(e.Pos(), s.textOf(e)+" turned round"); ok {
		s.wrap(e, "((", ") != "+switchedOn(id)+")")
	}
}

// binary turns comparisons round and moves their bounds, drops operands, and exchanges
// operators of arithmetic.
func (s *source) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		s.comparison(e)
	case token.LAND, token.LOR:
		for _, o := range []ast.Expr{e.X, e.Y} {
			if b, ok := ast.Unparen(o).(*ast.BinaryExpr); ok && b.Op == e.Op {
				continue // its own operands are dropped
			}
			id, ok := s.add(o.Pos(), s.firstLine(o)+" dropped from "+e.Op.String())
			if !ok {
				continue
			}
			if e.Op == token.LAND {
				s.wrap(o, "((", ") || "+switchedOn(id)+")")
			} else {
				s.wrap(o, "((", ") && !"+switchedOn(id)+")")
			}
		}
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		if !s.isNumber(e) {
			return
		}
		x := exchanged[e.Op]
		if id, ok := s.add(e.OpPos, s.firstLine(e)+": "+e.Op.String()+" → "+x.op.String()); ok {
			s.wrap(e, fmt.Sprintf("%s(%d, ", x.helper, id), ")")
			s.replace(e.OpPos, len(e.Op.String()), ",")
		}
	}
}

// exchanged are the operators that stand in for others, and the functions that do so.
var exchanged = map[token.Token]struct {
	op     token.Token
	helper string
}{
	token.ADD: {token.SUB, "mutantAdd"},
	token.SUB: {token.ADD, "mutantSub"},
	token.MUL: {token.QUO, "mutantMul"},
	token.QUO: {token.MUL, "mutantQuo"},
	token.REM: {token.MUL, "mutantRem"},
}

func (s *source) comparison(e *ast.BinaryExpr) {
	x, y := s.textOf(e.X), s.textOf(e.Y)
	before, after := "((", ")"
	if moved, ok := bounds[e.Op]; ok && !strings.Contains(x+y, "\n") {
		if id, ok := s.add(e.OpPos, s.textOf(e)+": → "+moved.String()); ok {
			before = "((("
			if e.Op == token.LSS || e.Op == token.GTR {
				after = ") || " + switchedOn(id) + " && (" + x + ") == (" + y + "))"
			} else {
				after = ") && !(" + switchedOn(id) + " && (" + x + ") == (" + y + ")))"
			}
		}
	}
	if id, ok := s.add(e.OpPos, s.firstLine(e)+" turned round"); ok {
		s.wrap(e, before, after+" != "+switchedOn(id)+")")
	}
}

var bounds = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

func (s *source) sign(e *ast.UnaryExpr) {
	if e.Op != token.SUB {
		return
	}
	if id, ok := s.add(e.OpPos, s.firstLine(e)+": - dropped"); ok {
		s.wrap(e, fmt.Sprintf("mutantNeg(%d, ", id), ")")
		s.replace(e.OpPos, 1, "")
	}
}

// number raises a whole number by one, lowers the greatest of its type, and raises another one by an eighth. Zero and one are left
// to the changes of comparisons and arithmetic, and so are names of kinds.
func (s *source) number(e ast.Expr, t types.TypeAndValue) {
	b, ok := types.Unalias(t.Type).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 || b.Info()&types.IsUntyped != 0 {
		return
	}
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && !s.pkg.TypesInfo.Types[c.Fun].IsType() {
		return // the length of an array
	}
	if _, named := types.Unalias(t.Type).(*types.Named); named && !literal(e) {
		return
	}
	v := constant.ToFloat(t.Value)
	if f, _ := constant.Float64Val(v); f == 0 || f == 1 || f == -1 {
		return
	}
	other, how := "("+s.textOf(e)+")+1", " + 1"
	switch {
	case constant.ToInt(t.Value).Kind() != constant.Int:
		other, how = "("+s.textOf(e)+")*1.125", " * 1.125"
	case isGreatest(t.Value, b):
		other, how = "("+s.textOf(e)+")-1", " - 1"
	}
	if strings.Contains(other, "\n") {
		return
	}
	if id, ok := s.add(e.Pos(), s.textOf(e)+" → "+s.textOf(e)+how); ok {
		name := types.TypeString(t.Type, func(p *types.Package) string {
			if p == s.pkg.Types {
				return ""
			}
			return p.Name()
		})
		s.wrap(e, fmt.Sprintf("mutantNumber[%s](%d, %s, ", name, id, other), ")")
	}
}

// isGreatest reports whether a whole number is the greatest of its type, so that one more would not compile.
func isGreatest(v constant.Value, b *types.Basic) bool {
	bits := 8 * types.SizesFor("gc", "amd64").Sizeof(b)
	if b.Info()&types.IsUnsigned == 0 {
		bits--
	}
	limit := constant.Shift(constant.MakeInt64(1), token.SHL, uint(bits))
	return constant.Compare(constant.BinaryOp(constant.ToInt(v), token.ADD, constant.MakeInt64(1)), token.EQL, limit)
}

func literal(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok
}

// statements leaves statements out, and turns steps and sums round.
func (s *source) statements(list []ast.Stmt) {
	for _, st := range list {
		switch st := st.(type) {
		case *ast.ExprStmt:
			if c, ok := st.X.(*ast.CallExpr); ok && !s.builtin(c, "panic") {
				s.leaveOut(st)
			}
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE || s.textOf(st.Lhs[0]) == "_" {
				continue
			}
			s.leaveOut(st)
			s.sum(st)
		case *ast.IncDecStmt:
			s.leaveOut(st)
			s.step(st)
		case *ast.BranchStmt:
			if st.Tok == token.BREAK || st.Tok == token.CONTINUE {
				s.leaveOut(st)
			}
		}
	}
}

func (s *source) leaveOut(st ast.Stmt) {
	if id, ok := s.add(st.Pos(), s.firstLine(st)+" left out"); ok {
		s.wrap(st, "if !"+switchedOn(id)+" { ", " }")
	}
}

func (s *source) sum(st *ast.AssignStmt) {
	var other string
	switch st.Tok {
	case token.ADD_ASSIGN:
		other = "-="
	case token.SUB_ASSIGN:
		other = "+="
	case token.MUL_ASSIGN:
		other = "/="
	case token.QUO_ASSIGN:
		other = "*="
	default:
		return
	}
	if !s.isNumber(st.Lhs[0]) {
		return
	}
	s.either(st, s.textOf(st.Lhs[0])+" "+other+" "+s.textOf(st.Rhs[0]))
}

func (s *source) step(st *ast.IncDecStmt) {
	if st.Tok == token.INC {
		s.either(st, s.textOf(st.X)+"--")
	} else {
		s.either(st, s.textOf(st.X)+"++")
	}
}

func (s *source) either(st ast.Stmt, other string) {
	if strings.Contains(other, "\n") {
		return
	}
	if id, ok := s.add(st.Pos(), s.firstLine(st)+" → "+other); ok {
		s.wrap(st, "if "+switchedOn(id)+" { "+other+" } else { ", " }")
	}
}
