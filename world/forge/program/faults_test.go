package program_test

import (
	"errors"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world/forge/program"
)

// TestRun_Faults provokes each row of the table, and each text of the interpreter that a
// fault is read from.
func TestRun_Faults(t *testing.T) {
	id := wire.Hash{9}.String()
	for _, c := range []struct {
		source string
		want   program.Fault
	}{
		{"while True: pass", program.OutOfTicks},
		{`x = "x" * 2000000`, program.OutOfMemory},
		{"x = 1 // 0", program.DivideByZero},
		{"x = 1 % 0", program.DivideByZero},
		{"x = 1 / 0", program.DivideByZero},
		{"x = 1.5 // 0", program.DivideByZero},
		{"x = 1.5 % 0", program.DivideByZero},
		{"x = 1.5 / 0.0", program.DivideByZero},
		{"x = 1 // 0.0", program.DivideByZero},
		{"x = 1 % 0.0", program.DivideByZero},
		{"x = (1 << 100) // 0", program.DivideByZero},
		{"x = 1\nx //= 0", program.DivideByZero},
		{"x = [1][1]", program.InvalidAddress},
		{"x = [1][-2]", program.InvalidAddress},
		{`x = "a"[1]`, program.InvalidAddress},
		{"x = (1,)[1 << 70]", program.InvalidAddress},
		{"l = [1]\nl[1] = 2", program.InvalidAddress},
		{"l = [1]\nl[1] += 2", program.InvalidAddress},
		{`x = {}["k"]`, program.InvalidAddress},
		{`x = {}.pop("k")`, program.InvalidAddress},
		{"x = {}.popitem()", program.InvalidAddress},
		{"x = set().pop()", program.InvalidAddress},
		{"x = set().remove(1)", program.InvalidAddress},
		{"x = [].pop()", program.InvalidAddress},
		{"x = [].remove(1)", program.InvalidAddress},
		{"x = [].index(1)", program.InvalidAddress},
		{`x = "a".index("b")`, program.InvalidAddress},
		{`x = "%(k)s" % {}`, program.InvalidAddress},
		{`x = "{k}".format()`, program.InvalidAddress},
		{`x = "".nothing`, program.InvalidAddress},
		{`x = "".nothing()`, program.InvalidAddress},
		{`x = getattr([], "nothing")`, program.InvalidAddress},
		{"def f():\n  x = y\n  y = 1\nf()", program.InvalidAddress},
		{"def f(): return y\nf()\ny = 1", program.InvalidAddress},
		{`x = 1 + "a"`, program.InvalidInstruction},
		{"x = 3()", program.InvalidInstruction},
		{"x = len(3)", program.InvalidInstruction},
		{"x = {[]: 1}", program.InvalidInstruction},
		{"x = [] < {}", program.InvalidInstruction},
		{`x = int("z")`, program.InvalidInstruction},
		{"def f(a): pass\nf()", program.InvalidInstruction},
		{"def f(n): return f(n) + 1\nf(0)", program.StackOverflow},
		{`emit("x" * 65537)`, program.ChannelError},
		{"emit([])", program.ChannelError},
		{"emit()", program.ChannelError},
		{`load("vault:` + id + `", "x")`, program.ChannelError},
		{`load("elsewhere", "x")`, program.ChannelError},
		{`load("submission", "nothing")`, program.ChannelError},
		{`vault_get("` + id + `")`, program.ChannelError},
		{`vault_get("short")`, program.ChannelError},
		{`oracle_get("` + id + `")`, program.ChannelError},
		{`emit("x", 5)`, program.PermissionDenied},
		{`emit("x", 15)`, program.PermissionDenied},
		{`fail("a", 1)`, program.UserFault},
		{`fail("division by zero")`, program.UserFault},
		{`fault("index out of range")`, program.UserFault},
		{"fault()", program.UserFault},
	} {
		in := input(compile(t, c.source))
		in.Bind = map[string]*program.Program{"submission": compile(t, "x = 1")}
		r := program.Run(in)
		if r.State != program.Faulted || r.Fault != c.want {
			t.Errorf("%s: %s %s %q, want %s", c.source, r.State, r.Fault, r.Message, c.want)
		}
		if strings.Contains(r.Message, "panic") {
			t.Errorf("%s: %s", c.source, r.Message)
		}
	}
}

func TestRun_UnreadableObjectsAreDenied(t *testing.T) {
	denied := func(wire.Hash) ([]byte, error) { return nil, program.ErrUnreadable }
	id := wire.Hash{9}.String()
	for _, source := range []string{`load("vault:` + id + `", "x")`, `vault_get("` + id + `")`, `oracle_get("` + id + `")`} {
		in := input(compile(t, source))
		in.Load, in.Vault, in.Oracle = denied, denied, denied
		if r := program.Run(in); r.Fault != program.PermissionDenied {
			t.Errorf("%s: %s %q", source, r.Fault, r.Message)
		}
	}
}

// TestRun_Loads holds what modules may do: cycles, how many, how deep, frozen.
func TestRun_Loads(t *testing.T) {
	texts := map[wire.Hash]string{}
	name := func(i int) string { return `"vault:` + (wire.Hash{byte(i)}).String() + `"` }
	texts[wire.Hash{1}] = "load(" + name(2) + `, "x")` + "\ny = 1"
	texts[wire.Hash{2}] = "load(" + name(1) + `, "y")` + "\nx = 1"
	texts[wire.Hash{3}] = "l = [1]\ndef f(): l.append(2)"
	texts[wire.Hash{4}] = "emit(\"once \")\nx = 1"
	texts[wire.Hash{5}] = "x = ("
	many := ""
	for i := 20; i < 40; i++ {
		texts[wire.Hash{byte(i)}] = "x = 1"
		many += "load(" + name(i) + `, x` + string(rune('a'+i-20)) + `="x")` + "\n"
	}
	for _, c := range []struct {
		name, source string
		want         program.Fault
		output       string
	}{
		{"cycle", "load(" + name(1) + `, "y")`, program.ChannelError, ""},
		{"frozen", "load(" + name(3) + `, "f")` + "\nf()", program.InvalidInstruction, ""},
		{"twice", "load(" + name(4) + `, "x")` + "\nload(" + name(4) + `, y="x")`, program.NoFault, "once "},
		{"broken", "load(" + name(5) + `, "x")`, program.ChannelError, ""},
		{"many", many, program.ChannelError, ""},
	} {
		in := input(compile(t, c.source))
		in.Load = sourceReader(texts)
		if r := program.Run(in); r.Fault != c.want || string(r.Output) != c.output {
			t.Errorf("%s: %s %q, output %q", c.name, r.Fault, r.Message, r.Output)
		}
	}
}

func TestCompile_ErrorNamesLineAndColumn(t *testing.T) {
	for _, c := range []struct {
		source    string
		line, col uint32
	}{
		{"x = 1\ny = (", 2, 6},
		{"x = 1\n  y = 2", 2, 3},
		{"x = 1\nz = x + nothing", 2, 9},
		{"def f():\n    return undefined\n", 2, 12},
		{"x = 1\nbreak", 2, 1},
	} {
		_, err := program.Compile([]byte(c.source))
		var at *program.SyntaxError
		if !errors.As(err, &at) || at.Line != c.line || at.Col != c.col {
			t.Errorf("%q: %v, want line %d, column %d", c.source, err, c.line, c.col)
		}
	}
	if _, err := program.Compile(make([]byte, program.MaxSource+1)); err == nil {
		t.Error("a source that is too large compiles")
	}
}

func TestProgram_SymbolsAndLoads(t *testing.T) {
	a, b := wire.Hash{1}, wire.Hash{2}
	p := compile(t, `load("vault:`+b.String()+`", "p", q="r")
load("vault:`+a.String()+`", "s")
load("vault:`+b.String()+`", "t")
x, (y, _z) = 1, (2, 3)
l = [0]
l[0] = 4
if x:
    def f(inner): pass
for i in l:
    while False:
        w = 1
`)
	if got, want := strings.Join(p.Symbols(), " "), "_z f i l w x y"; got != want {
		t.Errorf("symbols %q, want %q", got, want)
	}
	if p.Exports("_z") || p.Exports("p") || !p.Exports("f") {
		t.Error("exports")
	}
}

func TestLink_PrependsLoadLines(t *testing.T) {
	lib := compile(t, "def f(): return \"f\"\n_hidden = 1")
	id := wire.Hash{3}
	text, err := program.Link(new(program.Cache), []byte("emit(f())"), []program.Import{{ID: id, Symbols: []string{"f"}, Module: lib}})
	if err != nil {
		t.Fatal(err)
	}
	in := input(compile(t, string(text)))
	in.Load = sourceReader(map[wire.Hash]string{id: "def f(): return \"f\""})
	if r := program.Run(in); string(r.Output) != "f" {
		t.Errorf("%s %q, output %q", r.Fault, r.Message, r.Output)
	}
	for _, symbols := range [][]string{{}, {"g"}, {"_hidden"}, {"f", "f"}} {
		if _, err := program.Link(new(program.Cache), nil, []program.Import{{ID: id, Symbols: symbols, Module: lib}}); err == nil {
			t.Errorf("linked %v", symbols)
		}
	}
}
