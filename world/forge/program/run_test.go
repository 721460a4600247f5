package program_test

import (
	"reflect"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world/forge/program"
)

// compile fails the test if the text is no program.
func compile(t testing.TB, source string) *program.Program {
	t.Helper()
	p, err := program.Compile([]byte(source))
	if err != nil {
		t.Fatalf("compile: %v\n%s", err, source)
	}
	return p
}

// input is a run with room for what ordinary programs do.
func input(p *program.Program) program.Input {
	return program.Input{Program: p, Steps: 500_000, Memory: 1 << 20}
}

func sourceReader(texts map[wire.Hash]string) program.Reader {
	return func(id wire.Hash) ([]byte, error) {
		if s, ok := texts[id]; ok {
			return []byte(s), nil
		}
		return nil, program.ErrAbsent
	}
}

func TestRun_MainGetsStdinAndItsResultIsOutput(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"string", `def main(stdin): return "got " + str(stdin)`, "got in"},
		{"bytes", `def main(stdin): return stdin`, "in"},
		{"none", "def main(stdin): emit(\"x\")", "x"},
		{"json", `def main(stdin): return {"b": [1, 2.5, None], "a": True}`, `{"a":true,"b":[1,2.5,null]}`},
		{"emit first", "emit(\"1\")\ndef main(stdin): return b\"2\"", "12"},
		{"env", `emit(env["k"])`, "v"},
		{"main is no function", `main = 3`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(compile(t, c.source))
			in.Stdin, in.Env = []byte("in"), map[string][]byte{"k": []byte("v")}
			r := program.Run(in)
			if r.State != program.Halted || string(r.Output) != c.want {
				t.Errorf("%v %v %q, output %q, want %q", r.State, r.Fault, r.Message, r.Output, c.want)
			}
		})
	}
}

func TestRun_ExampleOfTheDocs(t *testing.T) {
	lib := `
def to_base(n, b):
    digits = []
    while n > 0:
        digits.append(str(n % b))
        n = n // b
    return "".join(reversed(digits)) or "0"
`
	id := wire.Hash{7}
	in := input(compile(t, `load("vault:`+id.String()+`", "to_base")

def main(stdin):
    return to_base(int(str(stdin)), 2)
`))
	in.Stdin, in.Load = []byte("10"), sourceReader(map[wire.Hash]string{id: lib})
	if r := program.Run(in); r.State != program.Halted || string(r.Output) != "1010" {
		t.Errorf("%v %v %q, output %q", r.State, r.Fault, r.Message, r.Output)
	}
}

// TestRun_CompilesAModuleOnce: a run that is made again takes modules as they were compiled, and comes to the same.
func TestRun_CompilesAModuleOnce(t *testing.T) {
	id := wire.Hash{7}
	in := input(compile(t, `load("vault:`+id.String()+`", "one")

def main(stdin):
    return one()
`))
	text := "def one():\n    return 1\n"
	in.Load = func(wire.Hash) ([]byte, error) { return []byte(text), nil }
	without := program.Run(in)
	in.Compiled = map[string]*program.Program{}
	first := program.Run(in)
	text = strings.Repeat("?", len(text)) // no program: whoever compiles it faults
	if second := program.Run(in); !reflect.DeepEqual(without, first) || !reflect.DeepEqual(first, second) || string(second.Output) != "1" {
		t.Errorf("without %+v\nfirst %+v\nsecond %+v", without, first, second)
	}
	in.Compiled = nil
	if r := program.Run(in); r.Fault != program.ChannelError {
		t.Errorf("compiled anew: %v %q", r.Fault, r.Message)
	}
}

func TestRun_CallOfAService(t *testing.T) {
	const source = `
def add(data, state):
    n = (state or 0) + int(str(data))
    return str(n), n

def peek(data, state):
    return {"n": state}
`
	in := input(compile(t, source))
	in.Call = &program.Call{Name: "add", Data: []byte("4"), State: []byte("38")}
	if r := program.Run(in); r.State != program.Halted || string(r.Reply) != "42" || string(r.NewState) != "42" {
		t.Errorf("add: %v %q, reply %q, state %q", r.Fault, r.Message, r.Reply, r.NewState)
	}
	in.Call = &program.Call{Name: "peek", State: []byte("42")}
	if r := program.Run(in); r.State != program.Halted || string(r.Reply) != `{"n":42}` || r.NewState != nil {
		t.Errorf("peek: %v %q, reply %q, state %q", r.Fault, r.Message, r.Reply, r.NewState)
	}
	in.Call = &program.Call{Name: "no_such"}
	if r := program.Run(in); r.Fault != program.InvalidAddress {
		t.Errorf("no_such: %v", r.Fault)
	}
}

func TestRun_MissingContentStopsTheRun(t *testing.T) {
	id := wire.Hash{1}
	missing := func(wire.Hash) ([]byte, error) { return nil, program.ErrMissing }
	for _, c := range []struct {
		kind   program.Kind
		source string
	}{
		{program.KindLoad, `load("vault:` + id.String() + `", "x")`},
		{program.KindVault, `vault_get("` + id.String() + `")`},
		{program.KindOracle, `oracle_get("` + id.String() + `")`},
	} {
		in := input(compile(t, c.source))
		in.Load, in.Vault, in.Oracle = missing, missing, missing
		r := program.Run(in)
		if r.State != program.Stopped || r.Missing == nil || *r.Missing != (program.Missing{Kind: c.kind, ID: id}) {
			t.Errorf("%s: %v %v", c.source, r.State, r.Missing)
		}
	}
}
