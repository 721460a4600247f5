//go:build !race

package house

import (
	"go/ast"
	"go/types"
	"strings"
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

// maxReachable is how many methods of this module may be called on a value, with those of what it embeds. Embedding
// hides a large type behind many small names.
const maxReachable = 60

// reachable lists the types that exceed maxReachable, with how many methods may be called on them. The numbers may only
// fall.
var reachable = map[string]int{
	"world/mint.Daemon":  103,
	"world/nexus.Daemon": 92,
	"ooda.scribe":        70,
	"ooda.life":          66,
	"ooda.programmer":    63,
	"llm/adversary.slot": 63,
}

func TestTypes_ReachableMethodsAreBounded(t *testing.T) {
	for _, p := range product(t) {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			o, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || o.IsAlias() || types.IsInterface(o.Type()) {
				continue
			}
			n := 0
			set := types.NewMethodSet(types.NewPointer(o.Type()))
			for m := range set.Methods() {
				if in := m.Obj().Pkg(); in != nil && strings.HasPrefix(in.Path(), "kingdom/") {
					n++
				}
			}
			key := short(p.PkgPath) + "." + name
			switch most, listed := reachable[key]; {
			case n > max(maxReachable, most):
				t.Errorf("%d methods may be called on %s, at most %d: hold what it needs in fields with names instead of embedding it", n, key, max(maxReachable, most))
			case listed && n < most:
				t.Errorf("%d methods may be called on %s: lower its number in this file from %d", n, key, most)
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
