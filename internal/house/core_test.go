//go:build !race

package house

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// portable lists what the core may use of package math: these give the same bits
// on every architecture.
var portable = []string{
	"Abs", "Floor", "Ceil", "Trunc", "Sqrt", "Min", "Max", "Ldexp", "IsNaN", "IsInf", "Inf", "NaN",
	"Float64bits", "Float32bits", "Float64frombits", "Float32frombits",
}

// sorted marks a range over a map whose order cannot reach a result; the comment
// says why.
const sorted = "//house:sorted"

func TestCore_UsesOnlyDeterministicCalls(t *testing.T) {
	for _, p := range product(t) {
		if !slices.Contains(pure, short(p.PkgPath)) {
			continue
		}
		for _, f := range p.Syntax {
			excused := excusedLines(p, f)
			inspect(f, func(n ast.Node, stack []ast.Node) {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: go statement: the core starts no goroutine; only engine does", where(p, n))
				case *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
					t.Errorf("%s: channel: the core waits for nothing", where(p, n))
				case *ast.SelectorExpr:
					checkSelector(t, p, n)
				case *ast.RangeStmt:
					if _, isMap := p.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); isMap && !excused[p.Fset.Position(n.Pos()).Line] {
						t.Errorf("%s: range over a map: its order is random; range over det.SortedKeys, or write %s and why the order cannot matter", where(p, n), sorted)
					}
				case *ast.BinaryExpr:
					if n.Op == token.MUL && isFloat(p, n) && !converted(p, n, stack) {
						t.Errorf("%s: float product that is not float64(a*b): arm64 and GOAMD64=v3 may fuse it with an addition and round once instead of twice", where(p, n))
					}
					if n.Op == token.QUO && isFloat(p, n) && powerOfTwo(p, n.Y) {
						t.Errorf("%s: float quotient by a power of two: the compiler makes a product of it that no conversion guards; write float64(a*(1/c))", where(p, n))
					}
				case *ast.AssignStmt:
					if n.Tok == token.MUL_ASSIGN && isFloat(p, n.Lhs[0]) {
						t.Errorf("%s: float *=: write x = float64(x*y), a product that is not converted may be fused", where(p, n))
					}
				}
			})
		}
	}
}

func checkSelector(t *testing.T, p *packages.Package, n *ast.SelectorExpr) {
	obj := p.TypesInfo.Uses[n.Sel]
	if obj == nil || obj.Pkg() == nil {
		return
	}
	switch obj.Pkg().Path() {
	case "math":
		if _, isFunc := obj.(*types.Func); isFunc && !slices.Contains(portable, obj.Name()) {
			t.Errorf("%s: math.%s differs between architectures; use det, or one of %s", where(p, n), obj.Name(), strings.Join(portable, " "))
		}
	case "sync":
		if short(p.PkgPath) != "wire/codec" || obj.Name() != "Pool" && obj.Name() != "Get" && obj.Name() != "Put" && obj.Name() != "New" {
			t.Errorf("%s: sync.%s: the core holds no lock (wire/codec alone pools its coders)", where(p, n), obj.Name())
		}
	}
}

func powerOfTwo(p *packages.Package, e ast.Expr) bool {
	v := p.TypesInfo.Types[e].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	m, _ := math.Frexp(f)
	return math.Abs(m) == 0.5
}

func isFloat(p *packages.Package, e ast.Expr) bool {
	tv := p.TypesInfo.Types[e]
	if tv.Value != nil { // constants are exact
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// converted says whether the expression on top of the stack is the argument of a
// conversion to a float type.
func converted(p *packages.Package, n ast.Node, stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch parent := stack[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			tv := p.TypesInfo.Types[parent.Fun]
			return tv.IsType()
		default:
			return false
		}
	}
	return false
}

func excusedLines(p *packages.Package, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, g := range f.Comments {
		for _, c := range g.List {
			if rest, ok := strings.CutPrefix(c.Text, sorted); ok && strings.TrimSpace(rest) != "" {
				l := p.Fset.Position(c.Pos()).Line
				lines[l], lines[l+1] = true, true
			}
		}
	}
	return lines
}

// inspect walks f and gives every node with its ancestors.
func inspect(f *ast.File, visit func(n ast.Node, stack []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		visit(n, stack)
		stack = append(stack, n)
		return true
	})
}
