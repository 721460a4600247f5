package program

import (
	"slices"
	"testing"

	"go.starlark.net/lib/json"
	"go.starlark.net/starlark"
)

// TestTables_CoverAllBuiltinsOfTheInterpreter fails when an upgrade of the interpreter brings a
// builtin or a method that nobody has given a cost.
func TestTables_CoverAllBuiltinsOfTheInterpreter(t *testing.T) {
	for name, v := range starlark.Universe {
		if _, isFunction := v.(*starlark.Builtin); isFunction != (universe[name] != nil) {
			t.Errorf("%s: in the universe, not in the table of functions", name)
		}
		if !inUniverse(name) {
			t.Errorf("%s: in the universe, unknown to the guards", name)
		}
	}
	for name := range universe {
		if starlark.Universe[name] == nil {
			t.Errorf("%s: in the table, no longer in the universe", name)
		}
	}
	for name := range json.Module.Members {
		if jsonMembers[name] == nil {
			t.Errorf("json.%s: not in the table", name)
		}
	}
	types := map[string]starlark.HasAttrs{
		"string": starlark.String(""), "bytes": starlark.Bytes(""), "list": new(starlark.List), "dict": new(starlark.Dict), "set": new(starlark.Set),
	}
	for name := range methods {
		if types[name] == nil {
			t.Errorf("type %s: in the table, not in this test", name)
		}
	}
	for name, v := range types {
		for _, m := range v.AttrNames() {
			if methods[name][m] == nil {
				t.Errorf("%s.%s: not in the table", name, m)
			}
		}
		for m := range methods[name] {
			if !slices.Contains(v.AttrNames(), m) {
				t.Errorf("%s.%s: in the table, no longer a method", name, m)
			}
		}
	}
	for _, v := range []starlark.Value{starlark.None, starlark.True, starlark.MakeInt(1), starlark.Float(1), starlark.Tuple{}} {
		if a, ok := v.(starlark.HasAttrs); ok {
			t.Errorf("%s has attributes %v now", v.Type(), a.AttrNames())
		}
	}
}
