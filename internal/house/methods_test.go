package house

import (
	"go/ast"
	"go/types"
	"testing"
)

// maxMethods is where a type does more than one thing: a part of it has a name and a
// state of its own.
const maxMethods = 40

// No type has more methods than a reader keeps in mind. The handlers of a daemon, one per
// message, are its table of contents and do not count.
func TestTypes_OwnOneThing(t *testing.T) {
	for _, p := range product(t) {
		count := map[types.Object]int{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil || isHandler(p.TypesInfo.Defs[fn.Name]) {
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

// isHandler says whether a method serves one message: it takes a context and a request and
// returns a reply.
func isHandler(method types.Object) bool {
	sig, ok := method.Type().(*types.Signature)
	return ok && sig.Params().Len() == 2 && sig.Results().Len() == 1 &&
		sig.Params().At(0).Type().String() == "*"+module+"/world.Context" && sig.Results().At(0).Type().String() == module+"/wire.Reply"
}
