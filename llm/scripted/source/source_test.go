package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"kingdom/llm/scripted/source"
	"kingdom/wire"
	"kingdom/world/forge/program"
)

// bounties are the numbers of the system bounties, in the order of the tasks.
var bounties = []string{"001", "002", "003", "004", "005", "007"}

const steps, memory = 400_000, 1 << 20

func compile(t *testing.T, text string) *program.Program {
	t.Helper()
	p, err := program.Compile([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// passes says whether a program passes the test of a system bounty.
func passes(t *testing.T, bounty, text string) (bool, program.Result) {
	t.Helper()
	test, err := os.ReadFile(filepath.Join("..", "..", "..", "world", "agora", "tests", "bounty_"+bounty+".star"))
	if err != nil {
		t.Fatal(err)
	}
	r := program.Run(program.Input{
		Program: compile(t, string(test)), Stdin: []byte(text), Steps: steps, Memory: memory,
		Bind: map[string]*program.Program{"submission": compile(t, text)},
	})
	return r.State == program.Halted, r
}

// tries says whether a program passes the test of its own author.
func tries(t *testing.T, task *source.Task, text string) bool {
	t.Helper()
	id := wire.ObjectID(wire.ObjectAtom, []byte(text))
	r := program.Run(program.Input{
		Program: compile(t, task.Try(id)), Steps: steps, Memory: memory,
		Load: func(asked wire.Hash) ([]byte, error) {
			if asked != id {
				return nil, program.ErrAbsent
			}
			return []byte(text), nil
		},
	})
	return r.State == program.Halted && string(r.Output) == "ok"
}

// The right programs pass the tests of their bounties and the wrong ones do not. The authors' own tests find some of
// the mistakes, not all.
func TestTasks_RightProgramsPassWrongOnesFail(t *testing.T) {
	found, hidden := 0, 0
	for i := range source.Tasks() {
		task := &source.Tasks()[i]
		if len(task.Right) < 2 || len(task.Wrong) < 3 {
			t.Errorf("%s has %d right and %d wrong programs, want at least 2 and 3", task.Name, len(task.Right), len(task.Wrong))
		}
		for n, text := range task.Right {
			if ok, r := passes(t, bounties[i], text); !ok {
				t.Errorf("%s: right program %d does not pass: %s %s, %d steps", task.Name, n, r.Fault, r.Message, r.Steps)
			}
			if !tries(t, task, text) {
				t.Errorf("%s: right program %d does not pass its author's test", task.Name, n)
			}
			if m := source.FindMistake([]byte(text)); m != nil {
				t.Errorf("%s: right program %d is taken for a wrong one: %s", task.Name, n, m.Why)
			}
		}
		for _, m := range task.Wrong {
			if ok, _ := passes(t, bounties[i], m.Text); ok {
				t.Errorf("%s: the test of the bounty does not find: %s", task.Name, m.Why)
			}
			if source.FindMistake([]byte("# by somebody\n"+m.Text)) == nil {
				t.Errorf("%s: a reader does not find: %s", task.Name, m.Why)
			}
			if tries(t, task, m.Text) {
				hidden++
			} else {
				found++
			}
		}
	}
	if found < 3 || hidden < 3 {
		t.Errorf("the authors' own tests find %d mistakes and miss %d; want some of each", found, hidden)
	}
}

// TestModules_CanBeLoadedByTheirDescription: who reads what the registry says of a module can load it.
func TestModules_CanBeLoadedByTheirDescription(t *testing.T) {
	for _, m := range source.Modules() {
		id := wire.ObjectID(wire.ObjectAtom, []byte(m.Text))
		line := source.LoadLine([]byte(m.Describe(id)))
		r := program.Run(program.Input{
			Program: compile(t, line+"\nemit(\"ok\")\n"), Steps: steps, Memory: memory,
			Load: func(wire.Hash) ([]byte, error) { return []byte(m.Text), nil },
		})
		if len(m.Symbols) == 0 || r.State != program.Halted {
			t.Errorf("%s with %v by %q: %s %s", m.Name, m.Symbols, line, r.State, r.Message)
		}
	}
}

func TestServices_AnswerACall(t *testing.T) {
	for _, m := range source.Services() {
		r := program.Run(program.Input{
			Program: compile(t, m.Text), Steps: steps, Memory: memory, Call: &program.Call{Name: "serve", Data: []byte("a few words")},
		})
		if r.State != program.Halted || len(r.Reply) == 0 {
			t.Errorf("%s: %s %s, reply %q", m.Name, r.State, r.Message, r.Reply)
		}
	}
}

func TestForTitle(t *testing.T) {
	for title, want := range map[string]string{
		"Slot allocator": "slots", "Integers as text in any base": "base", "Equality of byte sequences": "equal", "Text builder": "builder",
		"Persistent vector": "vector", "Test framework": "cases", "Document 3 common Starlark patterns": "",
	} {
		got := ""
		if task := source.ForTitle([]byte(title)); task != nil {
			got = task.Name
		}
		if got != want {
			t.Errorf("ForTitle(%q) is %q, want %q", title, got, want)
		}
	}
}

func TestLoadLine_RefusesOtherText(t *testing.T) {
	id := wire.ObjectID(wire.ObjectAtom, nil).String()
	for _, bad := range []string{
		"", "a module", `load("vault:12", "x")`, `load("vault:` + id + `")`, `load("vault:` + id + `", "x"`,
		`load("vault:` + id + `", "x", fail("no"))`, `load("vault:` + id + `", "1x")`,
	} {
		if got := source.LoadLine([]byte(bad)); got != "" {
			t.Errorf("LoadLine(%q) is %q", bad, got)
		}
	}
}
