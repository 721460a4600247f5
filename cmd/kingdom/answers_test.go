//go:build !race

package main

import (
	"strconv"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// A sweep, and all that compares runs, say that answers of models were of no use, and what the models took.
func TestSweep_SaysWhatModelsTookAndWhatCameOfIt(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: fakellm.Babble(1)})
	writeMixed(t)
	r := must(t, in(t, "run", "mixed.yaml", "--cycles", "1", "--no-preflight", "--seeds", "1..2", "--out", "s"))
	if !strings.Contains(r.out, "\nmodels       108 calls, ") || !strings.Contains(r.out, " USD, 108 of 108 answers unusable\n") || !strings.Contains(r.out, "ENTRIES  BOUNTIES  ") {
		t.Errorf("the sweep says\n%s", r.out)
	}
	row, spent := results(t, "s")["1"], inspectOf(t, "s/seed-1").Spend
	for name, want := range map[string]uint64{"calls": spent.Calls, "prompt_tokens": spent.Prompt, "output_tokens": spent.Output, "cost_micro_usd": spent.Cost, "unusable": 54, "fallbacks": 0, "unanswered": 0} {
		if got := row["total_"+name]; got != strconv.FormatUint(want, 10) {
			t.Errorf("total_%s is %q, want %d", name, got, want)
		}
	}
	must(t, in(t, "run", "mixed.yaml", "--cycles", "1", "--no-preflight", "--seeds", "1..2", "--out", "b", "--set", "mint.initial_balance=20"))
	for line, times := range map[string]int{"society|s": 1, "society|s/seed-1": 1, "society|s|--by|mind": 1, "compare|s": 1, "compare|s|b": 2, "compare|s|b|--society": 2, "compare|s/seed-1|s/seed-2": 2} {
		r := must(t, in(t, strings.Split(line, "|")...))
		if got := strings.Count(r.err, "warning: models failed or were replaced in "); got != times {
			t.Errorf("%s warns %d times, want %d: %s", line, got, times, r.err)
		}
	}
}

// Few answers of no use are no reason to warn.
func TestAnswerSums(t *testing.T) {
	for _, c := range []struct {
		sums answerSums
		many bool
		text string
	}{
		{answerSums{}, false, "0 of 0 answers unusable"},
		{answerSums{answers: 100, unusable: 9}, false, "9 of 100 answers unusable"},
		{answerSums{answers: 95, unusable: 5, replaced: 4, unanswered: 1}, true, "5 of 95 answers unusable, 4 by the scripted mind, 1 slot without an answer"},
	} {
		if c.sums.many() != c.many || c.sums.String() != c.text {
			t.Errorf("%+v: many %v, %q; want %v, %q", c.sums, c.sums.many(), &c.sums, c.many, c.text)
		}
	}
}
