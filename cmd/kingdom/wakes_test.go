//go:build !race

package main

import "testing"

// A failing mind puts agents to sleep; they wake by timer, by a mention, by a goal and by the operator, and the log has
// the cause each time.
func TestTail_LogsEachWakeCause(t *testing.T) {
	s := runScenario(t, "testdata/wakes.yaml")
	causes := map[string]int{}
	for _, l := range nopLines(t, s.dir, "--dormancy") {
		switch {
		case l.StatusFrom == "DORMANT" && l.StatusTo == "ACTIVE":
			causes[l.WakeCause]++
			if l.Reason != l.WakeCause {
				t.Errorf("agent %s woke for reason %q by cause %q", l.Agent.Alias, l.Reason, l.WakeCause)
			}
		case l.StatusTo == "DORMANT" || l.StatusTo == "DEAD":
			causes[l.Reason]++
		}
	}
	t.Log(causes)
	for _, want := range []string{"nop_limit", "timer", "mention", "goal", "operator"} {
		if causes[want] == 0 {
			t.Errorf("nobody fell asleep or woke by %s: %v", want, causes)
		}
	}
	if s.sum.Slept == 0 || s.sum.Warnings == 0 {
		t.Errorf("the summary shows %d warnings and %d who fell dormant", s.sum.Warnings, s.sum.Slept)
	}
}
