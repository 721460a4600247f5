//go:build !race

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kingdom/engine"
	"kingdom/wire"
)

// compare says what the agent of the first difference did in both runs, and why.
func TestCompareRuns_SaysWhatBothDid(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "a"))
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--set", "minds.scripted.malformed_rate=1", "--out", "b"))
	r := must(t, in(t, "compare", "a", "b"))
	var c runComparison
	decode(t, must(t, in(t, "compare", "a", "b", "--json")).out, &c)
	if c.Acts == nil || c.Acts.A.Action == "" || c.Acts.A.Reasoning == "" || c.Acts.B != (recordedAct{Action: "parse_failed"}) {
		t.Fatalf("--json has the acts %+v", c.Acts)
	}
	if want := fmt.Sprintf(": another thought\n  a  %s: %q\n  b  parse_failed\n  kingdom explain a ", c.Acts.A.Action, c.Acts.A.Reasoning); !strings.Contains(r.out, want) {
		t.Errorf("no %q in\n%s", want, r.out)
	}
}

// What a run without logs did is known of the cycle that is executed again, also that the agent rests.
func TestCompareRuns_SaysWhoRestsWithoutLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "5", "--seeds", "1..5", "--out", "a"))
	rests := 0
	for _, layer := range []string{"money", "reputation"} {
		must(t, in(t, "fork", "a", "--at", "4", "--set", "minds.blind=["+layer+"]", "--out", layer, "--logs=false"))
		for seed := range 5 {
			r := must(t, in(t, "compare", fmt.Sprintf("a/seed-%d", seed+1), fmt.Sprintf("%s/seed-%d", layer, seed+1)))
			if strings.Contains(r.out, "\n  b  not known\n") || strings.Contains(r.out, "\n  b  no thought\n") {
				t.Errorf("what the agent did in b is not told: %.600s", r.out)
			}
			rests += strings.Count(r.out, "\n  b  rests\n")
		}
	}
	if rests == 0 {
		t.Error("nobody rests where the runs begin to differ, so this test is about nothing: take other seeds")
	}
}

// A slot without a thought is told as the rest that it was, in place of a hash of zeros.
func TestReplay_SaysThatTheAgentRested(t *testing.T) {
	s := runEpoch0(t, "--cycles", "2")
	ctx := context.Background()
	run, err := openRun(ctx, s.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer run.store.Close()
	rested := uint64(0)
	for line := range strings.Lines(must(t, in(t, "tail", s.dir, "--rest", "--json")).out) {
		var rest struct {
			Tick, Slots uint64
			Agent       struct{ ID string }
		}
		if err := json.Unmarshal([]byte(line), &rest); err != nil {
			t.Fatal(err)
		}
		agent, err := wire.ParseAgentID(rest.Agent.ID)
		if err != nil {
			t.Fatal(err)
		}
		if act := recordedActOf(ctx, run, s.dir, agent, wire.Tick(rest.Tick)); act.Action != "rest" || act.Reasoning == "" {
			t.Fatalf("at tick %d, where the rest begins: %+v", rest.Tick, act)
		}
		if act := recordedActOf(ctx, run, s.dir, agent, wire.Tick(rest.Tick+1)); rest.Slots == 0 || act.Rests != wire.Tick(rest.Tick) || rested > 0 {
			continue
		}
		rested = rest.Tick
		d := &engine.DivergenceError{
			Cycle: run.config.Rules.Calendar.Cycle(wire.Tick(rested)), Tick: wire.Tick(rested + 1), Agent: agent, Component: "thought", Want: "00000000…", Got: "0badcafe…", Chose: "msg_post",
		}
		text := explainDivergence(ctx, run, s.dir, d).Error()
		if want := fmt.Sprintf("\n  in the recorded run the agent rests since tick %d; this build has msg_post there\n", rested); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
		d.Tick, d.Want, d.Got, d.Chose = wire.Tick(rested), d.Got, d.Want, ""
		text = explainDivergence(ctx, run, s.dir, d).Error()
		if want := "\n  the recorded run had rest there, this build has no thought\n"; !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if rested == 0 {
		t.Fatal("nobody rested for more than a slot")
	}
}
