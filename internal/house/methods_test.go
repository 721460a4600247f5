//go:build !race

package house

import (
	"go/ast"
	"go/types"
	"testing"
)

// maxMethods is where a type does more than one thing: a part of it has a name and a
// state of its own.
const maxMethods = 40

// No type has more methods than a reader can keep in mind.
func TestTypes_MethodCountIsBounded(t *testing.T) {
	for _, p := range product(t) {
		count := map[types.Object]int{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil {
					continue
				}
				if o := receiverOf(p.TypesInfo.Defs[fn.Name]); o != nil {
					count[o]++
				}
			}
		}
		for o, n := range count {
			if n > maxMethods {
				t.Errorf("%s.%s has %d methods, at most %d: a part of it has a name and a state of its own", p.PkgPath, o.Name(), n, maxMethods)
			}
		}
	}
}

// receiverOf is the type that a method belongs to.
func receiverOf(method types.Object) types.Object {
	sig, ok := method.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return nil
	}
	t := sig.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}
