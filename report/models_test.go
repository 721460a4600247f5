package report

import (
	"slices"
	"strings"
	"testing"

	"kingdom/llm"
)

// The page warns of models that brought no answer or were replaced, and of nothing else.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		run  Run
		want string
	}{
		{Run{}, ""},
		{Run{Models: []Model{{Name: "m", Calls: 10}}, Thoughts: &Thoughts{}}, ""},
		{Run{Models: []Model{{Name: "m", Calls: 10, Failed: 5}}, Thoughts: &Thoughts{Answered: 5, Idle: llm.Unanswered{TimedOut: 2}}}, ""},
		{Run{Models: []Model{{Name: "spare"}, {Name: "m", Calls: 10}}}, ""},
		{Run{Models: []Model{{Name: "m", Calls: 10, Failed: 6}}, Thoughts: &Thoughts{Idle: llm.Unanswered{TimedOut: 1}}}, "6 of 10 calls to m brought no answer; 1 slot passed without an answer of a model (1 timed out)"},
		{Run{Models: []Model{{Name: "m", Calls: 1, Failed: 1}, {Name: "n", Calls: 9}}}, "no call to m brought an answer"},
		{Run{Models: []Model{{Name: "m"}}, Thoughts: &Thoughts{Answered: 9, Idle: llm.Unanswered{TimedOut: 1}}}, ""}, // recorded answers
		{Run{Models: []Model{{Name: "m", Calls: 9}}, Thoughts: &Thoughts{Answered: 9, Replaced: 1}}, "the scripted mind thought in place of the models 1 time"},
		{Run{Models: []Model{{Name: "m"}}, Thoughts: &Thoughts{Idle: llm.Unanswered{TimedOut: 3}}}, "no model answered; 3 slots passed without an answer of a model (3 timed out)"},
		{
			Run{Models: []Model{{Name: "m", Calls: 3, Answers: 3}}, Thoughts: &Thoughts{Answered: 3, Idle: llm.Unanswered{TimedOut: 1, RefusedBudget: 8}}},
			"a cap of what may be spent was reached; 9 slots passed without an answer of a model (8 refused by a cap, 1 timed out)",
		},
		{ // an outage is found by few calls
			Run{Models: []Model{{Name: "m", Calls: 302, Failed: 3, Answers: 299}}, Thoughts: &Thoughts{Answered: 299, Idle: llm.Unanswered{ProviderError: 622}}},
			"most thoughts got no answer; 622 slots passed without an answer of a model (622 failed at the endpoint)",
		},
		{Run{Models: []Model{{Name: "m", Calls: 9, Answers: 9, Unusable: 9}, {Name: "n", Calls: 9, Answers: 9, Unusable: 4}}, Thoughts: &Thoughts{Answered: 18}}, "no answer of m could be used"},
		{Run{Models: []Model{{Name: "m", Calls: 9, Answers: 9, Unusable: 5}}, Thoughts: &Thoughts{Answered: 9}}, "5 of 9 answers of m could not be used"},
	} {
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if got := (&Report{Arms: []Arm{{Name: "a", Runs: []Run{c.run}}}}).Warnings(); !slices.Equal(got, want) {
			t.Errorf("%+v warns %q; want %q", c.run, got, want)
		}
	}
	bad := Run{Seed: "7", Models: []Model{{Name: "m", Calls: 1, Failed: 1}}}
	r := Report{Arms: []Arm{{Name: "a", Runs: []Run{{}, bad}}, {Name: "b", Runs: []Run{bad}}}}
	if got, want := r.Warnings(), []string{"a, seed 7: no call to m brought an answer", "b: no call to m brought an answer"}; !slices.Equal(got, want) {
		t.Errorf("two arms warn %q; want %q", got, want)
	}
}

// The notes say what the figures of the models contain and what they leave out.
func TestModelNotes(t *testing.T) {
	m := []Model{{Name: "m", Calls: 99, Failed: 2, MicroUSD: 98_420}}
	rough := []Model{{Name: "m", Calls: 1, MicroUSD: 80, Estimated: true}}
	a := Arm{Runs: []Run{
		{Models: m, Thoughts: &Thoughts{Answered: 94, Replaced: 1, Idle: llm.Unanswered{TimedOut: 2}}, Unstored: 2, LostCalls: 1, LostMicroUSD: 4500},
		{Models: rough, Taken: 1},
	}}
	got := strings.Join(a.ModelNotes(), "\n")
	for _, want := range []string{
		"94 answers came from models, 1 from the scripted mind in place of a model, and 2 slots passed without an answer of a model (2 timed out).",
		"is not known of 1 run, whose journal is missing.",
		"2 of the calls are only in the ledger, because the cycle is not finished or the answer was not used; the charts leave them out.",
		"$0.0045 is the most that 1 call whose process was killed can have cost, and counts as what it did.",
		"1 of the calls is in no ledger here: the run whose answers were used again paid for it",
		"≈ stands for",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the notes lack %q:\n%s", want, got)
		}
	}
	if sums := a.ModelSums(); len(sums) != 1 || sums[0].Calls != 100 || sums[0].Failed != 2 || sums[0].Paid() != "≈ $0.0985" {
		t.Errorf("sums %+v", sums)
	}
	if got := (&Arm{Runs: []Run{{Models: []Model{{Name: "m"}}, Thoughts: &Thoughts{Answered: 7}}}}).ModelNotes(); len(got) != 2 || !strings.Contains(got[1], "recorded answers of another run") {
		t.Errorf("a run that called nobody has the notes %q", got)
	}
	if sober := (&Arm{Runs: []Run{{Models: m, Thoughts: &Thoughts{}}}}).ModelNotes(); len(sober) != 1 {
		t.Errorf("a run without peculiarities has the notes %q", sober)
	}
}
