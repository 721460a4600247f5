package scenarios

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const forkable = "name: x\ncycles: 30\nminds:\n  models:\n    small: {endpoint: 'http://localhost:1/v1', model: m}\n" +
	"inputs:\n  - {cycle: 9, do: grant, agent: 1, amount: 5}\n" +
	"population:\n  - {role: EXPLORER, count: 2}\n"

func forkOf(t *testing.T, text string, f Fork) (*Scenario, error) {
	t.Helper()
	s, err := Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Fork(&f)
}

// The changes of a fork hold from the cycle after the common ones on, also when its scenario is written and read again,
// and after a fork of the fork.
func TestFork_ChangesHoldFromTheNextCycle(t *testing.T) {
	s, err := forkOf(t, forkable, Fork{At: 10, Set: []string{"minds.blind=[peers]", "population[0].persona=brave"}, Inputs: []string{"{cycle: 11, do: take, agent: 2, amount: 1}"}, Cycles: 40})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Fork(&Fork{At: 5, Set: []string{"population[0].mind=small"}}); err != nil {
		t.Fatal(err)
	}
	if s, err = s.Fork(&Fork{At: 10, Set: []string{"minds.scripted.nop_rate=0.5"}}); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", s.Show())
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest() != s.Digest() {
		t.Error("the scenario is another one after it was written")
	}
	if again.Cycles != 40 || len(again.Inputs) != 2 || again.Inputs[1].Do != DoTake {
		t.Errorf("cycles %d, inputs %+v", again.Cycles, again.Inputs)
	}
	for _, c := range []struct {
		cycle                uint64
		mind, persona, blind string
		nop                  float64
	}{
		{1, "", "", "", 0},
		{5, "", "", "", 0},
		{6, "small", "", "", 0},
		{10, "small", "", "", 0},
		{11, "small", "brave", "peers", 0.5},
		{40, "small", "brave", "peers", 0.5},
	} {
		in := again.In(c.cycle)
		g := &in.Population[0]
		if g.Mind != c.mind || g.Persona != c.persona || strings.Join(in.Minds.Blind, " ") != c.blind || in.Minds.Scripted.NOPRate != c.nop {
			t.Errorf("cycle %d: mind %q, persona %q, blind %v, nop_rate %v; want %+v", c.cycle, g.Mind, g.Persona, in.Minds.Blind, in.Minds.Scripted.NOPRate, c)
		}
	}
}

// A second change of a cycle is added to the first, also if that is the scenario's first change, and changes of later
// cycles follow.
func TestFork_AddsToTheChangeOfItsCycle(t *testing.T) {
	s, err := forkOf(t, forkable, Fork{At: 10, Set: []string{"minds.blind=[peers]"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Fork{{At: 10, Set: []string{"population[0].persona=brave"}}, {At: 20, Set: []string{"population[0].persona=shy"}}} {
		if s, err = s.Fork(&f); err != nil {
			t.Fatal(err)
		}
	}
	want := []Change{{11, []string{"minds.blind=[peers]", "population[0].persona=brave"}}, {21, []string{"population[0].persona=shy"}}}
	if d := cmp.Diff(want, s.Changes); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
}

// A fork may differ in its length alone, and then has no changes.
func TestFork_WithoutChanges(t *testing.T) {
	s, err := forkOf(t, forkable, Fork{At: 3, Cycles: 35})
	if err != nil || s.Cycles != 35 || len(s.Changes) > 0 {
		t.Errorf("%v, %+v", err, s)
	}
}

// What a fork sets may need a value that the scenario itself changes in the first cycle of the fork.
func TestFork_ChangesTheScenarioOfItsFirstCycle(t *testing.T) {
	s, err := forkOf(t, changing, Fork{At: 3, Set: []string{"population[0].mind=large"}})
	if err != nil {
		t.Fatal(err)
	}
	if s.In(3).Population[0].Mind != "" || s.In(4).Population[0].Mind != "large" {
		t.Errorf("minds %q, %q", s.In(3).Population[0].Mind, s.In(4).Population[0].Mind)
	}
}

// A template that is no file is kept as it was written, and so is an empty text, with which the built-in one returns.
func TestFork_KeepsTextsAsWritten(t *testing.T) {
	sets := []string{`prompts.identity="{{.Me.Persona}}"`, "prompts.rules="}
	s, err := forkOf(t, forkable, Fork{At: 3, Set: sets})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Changes[0].Set; !slices.Equal(got, sets) {
		t.Errorf("changes %q, want %q", got, sets)
	}
}

// A change may hold for the last cycle alone.
func TestChanges_InTheLastCycle(t *testing.T) {
	s := must(Parse("x.yaml", []byte("changes: [{cycle: 30, set: ['minds.blind=[peers]']}]\n"+forkable)))(t)
	if len(s.In(29).Minds.Blind) != 0 || len(s.In(30).Minds.Blind) != 1 {
		t.Errorf("blind in cycle 29: %v, in cycle 30: %v", s.In(29).Minds.Blind, s.In(30).Minds.Blind)
	}
}

// The file of a template is read when the fork is made.
func TestFork_KeepsTemplateText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.txt")
	if err := os.WriteFile(file, []byte("Be kind: always."), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := forkOf(t, forkable, Fork{At: 2, Set: []string{"prompts.rules=" + file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", s.Show())
	if err != nil {
		t.Fatal(err)
	}
	if got := again.In(3).Prompts.Rules; got != "Be kind: always.\n" || again.In(2).Templates() != nil || again.In(3).Templates() == nil {
		t.Errorf("rules are %q, templates before %v", got, again.In(2).Templates())
	}
}

func TestFork_Problems(t *testing.T) {
	for _, c := range []struct {
		fork Fork
		want []string
	}{
		{Fork{At: 3, Set: []string{"mint.initial_balance=3"}}, []string{"--set mint.initial_balance=3", "cannot change while a run goes on", "--input"}},
		{Fork{At: 3, Set: []string{"minds.caps.run_usd=3"}}, []string{"is the cap of a whole run", "want --budget"}},
		{Fork{At: 3, Set: []string{"population[0].count=3"}}, []string{"cannot change while a run goes on"}},
		{Fork{At: 3, Set: []string{"minds.blind=[pers]"}}, []string{"--set minds.blind=[pers]", "did you mean peers"}},
		{Fork{At: 3, Set: []string{"minds.blind"}}, []string{"has no ="}},
		{Fork{At: 3, Set: []string{"prompts.rules=none.txt"}}, []string{"names none.txt, which does not exist"}},
		{Fork{At: 3, Set: []string{"population[0].mind=large"}}, []string{"population[0].mind", "large"}},
		{Fork{At: 3, Inputs: []string{"{cycle: 3, do: wake, agent: 1}"}}, []string{"for cycle 3, which both runs have in common", "from 4 on"}},
		{Fork{At: 3, Inputs: []string{"{cycle: 5, do: grnt, agent: 1}"}}, []string{"--input {cycle: 5, do: grnt, agent: 1}", "did you mean grant"}},
		{Fork{At: 3, Inputs: []string{"{do: wake, agent: 1, cycle: 3}"}}, []string{"for cycle 3, which both runs have in common"}},
		{Fork{At: 3, Inputs: []string{"{do: wake, agent: 1}"}}, []string{"inputs[1].cycle: is missing"}},
		{Fork{At: 3, Inputs: []string{"{"}}, []string{"--input {", "is not a YAML mapping"}},
		{Fork{At: 3, Inputs: []string{"wake"}}, []string{"--input wake", "is not a YAML mapping"}},
		{Fork{At: 3, Inputs: []string{"{cycle: 31, do: wake, agent: 1}"}}, []string{"is for cycle 31, after the last cycle, 30; want an earlier cycle, or --cycles 31"}},
		{Fork{At: 3, Inputs: []string{"{cycle: 5, do: grant, agent: 1, amount: 5, amount: 6}"}}, []string{"is written twice; keep one$"}},
	} {
		_, err := forkOf(t, forkable, c.fork)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error()+"$", want) { // $ is the end
				t.Errorf("%+v: %v; want %q in it", c.fork, err, want)
			}
		}
	}
}

func TestChanges_Problems(t *testing.T) {
	for _, c := range []struct{ changes, want string }{
		{"[{cycle: 4, set: ['minds.blind=[peers]']}, {cycle: 4, set: ['minds.blind=[]']}]", "changes[1].cycle: is 4, not after the cycle of the change before, 4"},
		{"[{cycle: 4}]", "changes[0].set"},
		{"[{cycle: 4, set: ['seed=3']}]", `changes[0].set[0]: is "seed=3", which cannot change while a run goes on`},
		{"[{cycle: 4, set: ['seed']}]", `changes[0].set[0]: is "seed", which has no =; want path=value`},
		{"[{cycle: 4, set: ['prompts.rules={']}]", `changes[0].set[0]: is "prompts.rules={": prompts.rules: has a value that is not YAML: did not find expected node content; add the missing } at its end; if it is text, put double quotes`},
		{"[{cycle: 4, set: ['minds.blnd=[peers]']}]", "cannot change while a run goes on"},
		{"[{cycle: 4, set: ['minds.scripted.nop=3']}]", "minds.scripted.nop: unknown key; did you mean"},
		{"[{cycle: 4, set: ['prompts.rules=rules.txt']}]", "which names a file; want the text itself"},
		{"[{cycle: 4, set: ['population[0].mind=large']}]", "makes the scenario invalid: population[0].mind"},
	} {
		_, err := Parse("x.yaml", []byte("changes: "+c.changes+"\n"+forkable))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.changes, err, c.want)
		}
	}
}

// All that is wrong with changes is told at once, with what is wrong elsewhere, and each thing once.
func TestChanges_AllProblems(t *testing.T) {
	_, err := Parse("x.yaml", []byte(`name: x
cycles: 30
population: [{role: EXPLORER, count: 0}]
changes:
  - {cycle: 40, set: ['seed=3', 'minds.blind=[peer]']}
  - {cycle: 5, set: ['minds.scripted.nop_rate=2', 'minds.scripted.nop=1']}
  - {cycle: 6, set: []}
  - {cycle: 7, set: ['population[0].persona=calm']}
`))
	wrong, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("%v", err)
	}
	var got []string
	for _, p := range wrong.Problems {
		got = append(got, fmt.Sprintf("%d %s %s", p.Line, p.Field, p.Wrong))
	}
	want := []string{
		"3 population[0].count is 0",
		`5 changes[0].set makes the scenario invalid: minds.blind[0] is "peer", which is not a layer of memory`,
		`5 changes[0].set[0] is "seed=3", which cannot change while a run goes on`,
		"6 changes[1].cycle is 5, not after the cycle of the change before, 40",
		"6 changes[1].set makes the scenario invalid: minds.scripted.nop_rate is 2",
		`6 changes[1].set[1] is "minds.scripted.nop=1": minds.scripted.nop: unknown key`,
		"7 changes[2].set has 0 items",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDifferences(t *testing.T) {
	a, err := Parse("x.yaml", []byte(forkable))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse("x.yaml", []byte(forkable))
	if err != nil {
		t.Fatal(err)
	}
	if got := Differences(a, b); len(got) != 0 {
		t.Errorf("of equal ones: %v", got)
	}
	if err := b.Override("seed=7", "minds.blind=[money]", "population[0].count=3"); err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"seed", "42", "7"}, {"population[0].count", "2", "3"}, {"minds.blind[0]", "", `"money"`}}
	if got := Differences(a, b); len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %v, want %v", got, want)
	}
	// of a value that one of them leaves at its default
	c := must(Parse("x.yaml", []byte(forkable+"time: {base_budget: 32}\n")))(t)
	plain := must(Parse("x.yaml", []byte(forkable)))(t)
	if got, want := Differences(plain, c), []Difference{{"time.base_budget", "64", "32"}}; !slices.Equal(got, want) {
		t.Errorf("of a default: %v, want %v", got, want)
	}
	// of an input that one of them has, what was left out is no difference
	if err := a.Override("seed=7", "minds.blind=[money]", "population[0].count=3", "inputs=[{cycle: 2, agent: 1, do: grant, amount: 4}]"); err != nil {
		t.Fatal(err)
	}
	if err := b.Override("inputs=[]"); err != nil {
		t.Fatal(err)
	}
	want = []Difference{{"inputs[0].cycle", "2", ""}, {"inputs[0].agent", "1", ""}, {"inputs[0].do", "grant", ""}, {"inputs[0].amount", "4", ""}}
	if got := Differences(a, b); !slices.Equal(got, want) {
		t.Errorf("of an input more: %v, want %v", got, want)
	}
	want = []Difference{{"inputs[0].cycle", "", "2"}, {"inputs[0].agent", "", "1"}, {"inputs[0].do", "", "grant"}, {"inputs[0].amount", "", "4"}}
	if got := Differences(b, a); !slices.Equal(got, want) {
		t.Errorf("of an input less: %v, want %v", got, want)
	}
	// the name of an agent is in quotes, unlike its number
	lettered := strings.Replace(forkable, "agent: 1", "agent: a", 1) + "  - {role: EXPLORER, name: a}\n"
	numbered := forkable + "  - {role: EXPLORER, name: a}\n"
	want = []Difference{{"inputs[0].agent", "1", `"a"`}}
	if got := Differences(must(Parse("x.yaml", []byte(numbered)))(t), must(Parse("x.yaml", []byte(lettered)))(t)); !slices.Equal(got, want) {
		t.Errorf("of the agent of an input: %v, want %v", got, want)
	}
}

// A parameter that is set to 0 is shown with its value, though 0 is the default of the key; digests stay as they were.
func TestDifferences_OfAParameterSetToZero(t *testing.T) {
	plan := strings.Replace(forkable, "population:", "  - {cycle: 2, do: param, param: mint.reward.review, value: %d}\npopulation:", 1)
	zero, three := must(Parse("x.yaml", []byte(fmt.Sprintf(plan, 0))))(t), must(Parse("x.yaml", []byte(fmt.Sprintf(plan, 3))))(t)
	without := must(Parse("x.yaml", []byte(forkable)))(t)
	if got := Differences(without, zero); !slices.Contains(got, Difference{"inputs[1].value", "", "0"}) {
		t.Errorf("of an input more: %v", got)
	}
	if got, want := Differences(zero, three), []Difference{{"inputs[1].value", "0", "3"}}; !slices.Equal(got, want) {
		t.Errorf("of its value: %v, want %v", got, want)
	}
}

// Caps are no part of a digest, so they are compared beside it.
func TestCapDifferences(t *testing.T) {
	a, b := must(Parse("x.yaml", []byte(forkable)))(t), must(Parse("x.yaml", []byte(forkable)))(t)
	if err := a.Override("minds.caps.run_usd=2", "minds.caps.agent_usd=0.5", "minds.caps.model_usd={small: 1}"); err != nil {
		t.Fatal(err)
	}
	if err := b.Override("minds.caps.run_usd=2", "minds.caps.model_usd={small: 3}", "minds.caps.tier_usd={2: 0}"); err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"minds.caps.agent_usd", "0.5", ""}, {"minds.caps.model_usd.small", "1", "3"}, {"minds.caps.tier_usd.2", "", "0"}}
	if got := CapDifferences(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if a.Digest() != b.Digest() {
		t.Error("caps change the digest")
	}
}

// A fork of a run that has left epoch 0 is not warned of the limit of epoch 0, also after it gets a cap.
func TestFork_KnowsTheEpoch(t *testing.T) {
	s := must(Parse("x.yaml", []byte(forkable)))(t)
	for epoch, want := range map[uint64]int{0: 1, 3: 0} {
		f := must(s.Fork(&Fork{At: 5, Epoch: epoch, Cycles: 9, Inputs: []string{"{cycle: 7, do: spawn}"}}))(t)
		if err := f.Override("minds.caps.run_usd=-1"); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, w := range f.Warnings() {
			if strings.Contains(w.Wrong, "epoch 0") {
				n++
			}
		}
		if n != want {
			t.Errorf("in epoch %d: %d warnings of epoch 0, want %d: %v", epoch, n, want, f.Warnings())
		}
	}
}

// A comment in a change that was recorded does not make its run unreadable.
func TestParse_ReadsARecordedChangeWithAComment(t *testing.T) {
	s := must(Parse("f.yaml", []byte("name: x\ncycles: 9\npopulation: [{role: EXPLORER}]\nchanges: [{cycle: 4, set: ['population[0].persona=Doubt # all']}]\n")))(t)
	if got := s.In(4).Population[0].Persona; got != "Doubt" {
		t.Errorf("the persona is %q", got)
	}
}
