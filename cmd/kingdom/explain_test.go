//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/wire"
)

// What explain says of a tick is what the store says of it, whichever snapshot lies before it.
func TestExplain_AgreesWithTheStore(t *testing.T) {
	s := runEpoch0(t, "--cycles", "13", "--set", "minds.scripted.malformed_rate=0.1")
	agent := inspectOf(t, s.dir).Agents[2]
	r := must(t, in(t, "explain", s.dir, "--agent", agent.Alias[:6], "--json"))
	acts := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(acts) != lastActs {
		t.Fatalf("%d acts, want the last %d:\n%s", len(acts), lastActs, r.out)
	}
	for _, line := range []string{acts[0], acts[lastActs-1]} {
		var act actLine
		if err := json.Unmarshal([]byte(line), &act); err != nil {
			t.Fatal(err)
		}
		x := explain(t, s.dir, agent.Alias, act.Tick)
		if x.Sent != act.Action || x.Outcome != act.Outcome || x.Lesson != act.Lesson || x.Cycle != act.Cycle || x.Alias != agent.Alias {
			t.Errorf("explained %s: %s (%s), stored %+v", x.Sent, x.Outcome, x.Lesson, act)
		}
		chance, chosen := 0.0, false
		for _, o := range x.Offers {
			chance += *o.Chance
			chosen = chosen || o.Action == x.Sent && *o.Chance > 0
		}
		if !chosen || chance < 0.999 || chance > 1.001 || len(x.Goals) == 0 || !x.Goals[0].Top && len(x.Goals) == 1 {
			t.Errorf("chances sum up to %v, %s among the offers: %v, goals %+v", chance, x.Sent, chosen, x.Goals)
		}
		for _, g := range x.Goals { // the terms by the weights are the priority
			w := x.Weights
			if sum := w.Urgency*g.Urgency + w.Reward*g.Reward + w.Capability*g.Capability + w.Novelty*g.Novelty + w.Social*g.Social; math.Abs(sum-g.Priority) > 1e-5 {
				t.Errorf("terms %+v by weights %+v give %v", g, w, sum)
			}
		}
		if last := x.Thoughts[len(x.Thoughts)-1]; last.Action != x.Sent || last.Reasoning == "" {
			t.Errorf("the last thought is %+v", last)
		}
	}
}

// The result of an act that came after its tick is shown, too.
func TestExplain_ShowsResultsOfLaterTicks(t *testing.T) {
	s := runEpoch0(t, "--cycles", "6")
	tried := 0
	for _, agent := range inspectOf(t, s.dir).Agents {
		r := must(t, in(t, "explain", s.dir, "--agent", agent.Alias, "--json"))
		for line := range strings.Lines(r.out) {
			var act actLine
			if err := json.Unmarshal([]byte(line), &act); err != nil {
				t.Fatal(err)
			}
			if act.Action != "service_call" && act.Action != "exec_start" || act.Outcome == "UNKNOWN" || tried == 3 {
				continue
			}
			tried++
			if x := explain(t, s.dir, agent.Alias, act.Tick); x.Outcome != act.Outcome || x.Lesson != act.Lesson {
				t.Errorf("explained %s: %s (%s), stored %+v", x.Sent, x.Outcome, x.Lesson, act)
			}
		}
	}
	if tried == 0 {
		t.Error("nobody ran a program or called a service")
	}
}

// A tick of the first cycles, a thought that could not be used, a tick without a slot.
func TestExplain_UnusableThoughtAndTickWithoutSlot(t *testing.T) {
	s := runEpoch0(t, "--cycles", "3", "--set", "minds.scripted.malformed_rate=1.0")
	agent := inspectOf(t, s.dir).Agents[0].Alias
	nop := nopLines(t, s.dir, "--nop", "--agent", agent)[3]
	x := explain(t, s.dir, agent, nop.Tick)
	if x.NOP != "parse_failed" || len(x.Thoughts) != 3 || x.Thoughts[2].Error == "" || x.Sent != "" || string(x.Params) != "null" {
		t.Errorf("explained %+v", x)
	}
	if r := must(t, in(t, "explain", s.dir, "--agent", agent, "--tick", strconv.FormatUint(nop.Tick, 10))); !strings.Contains(r.out, "sent nothing: parse_failed") || !strings.Contains(r.out, "docs/AGENT.md, A slot, says what each means") {
		t.Errorf("for people:\n%s", r.out)
	}
	for args, want := range map[string]string{
		"--tick 257":          "has no slot at tick 257; its slots in cycle 1 are 256 260",
		"--tick 99999":        "has the cycles 1 to 3",
		"--prompt":            "--prompt needs --tick",
		"--tick 3 --agent zz": `no agent of`,
	} {
		r := in(t, append([]string{"explain", s.dir, "--agent", agent}, strings.Fields(args)...)...)
		if r.code != exitInput || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, r.code, r.err, want)
		}
	}
	r := must(t, in(t, "explain", s.dir, "--agent", agent, "--prompt", "--tick", strconv.FormatUint(nop.Tick, 10)))
	if !strings.Contains(r.out, "## YOUR IDENTITY") || !strings.Contains(r.out, "affordances") || !strings.Contains(r.out, "tokens") {
		t.Errorf("the prompt:\n%.300s", r.out)
	}
}

// The slot in which an agent fell asleep says so, and why: by its own choice to rest, and by a streak of NOPs. What the
// runtime reports then is no act of the agent.
func TestExplain_SaysThatAnAgentFellAsleep(t *testing.T) {
	for reason, run := range map[string][]string{
		"no_demand": {"run", "society", "--cycles", "8"},
		"nop_limit": {"run", "epoch0", "--cycles", "1", "--set", "minds.scripted.nop_rate=1"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, in(t, append(run, "--out", dir)...))
		fell := nopLine{}
		for _, l := range nopLines(t, dir, "--dormancy") {
			if l.StatusTo == "DORMANT" && l.Reason == reason {
				fell = l
			}
		}
		x := explain(t, dir, fell.Agent.Alias, fell.Tick)
		if x.StatusFrom != "ACTIVE" || x.StatusTo != "DORMANT" || x.Reason != reason || x.Sent != "" || string(x.Params) != "null" {
			t.Errorf("%s: %s → %s, reason %q, sent %q %s", reason, x.StatusFrom, x.StatusTo, x.Reason, x.Sent, x.Params)
		}
		tick := strconv.FormatUint(fell.Tick, 10)
		r := must(t, in(t, "explain", dir, "--agent", fell.Agent.Alias, "--tick", tick))
		if want := "\nfell asleep (DORMANT): " + observe.ReasonText("DORMANT", reason) + "\nafterwards: "; !strings.Contains(r.out, want) {
			t.Errorf("%s: no %q in\n%s", reason, want, r.out)
		}
		r = in(t, "explain", dir, "--agent", fell.Agent.Alias, "--tick", strconv.FormatUint(fell.Tick+1, 10))
		if want := " in all); it has slept since tick " + tick + ": " + reason + ", "; reason == "no_demand" && (r.code != exitInput || !strings.Contains(r.err, want)) {
			t.Errorf("%s: the tick after: exit %d, no %q in %s", reason, r.code, want, r.err)
		}
		r = must(t, in(t, "tail", dir, "--rest", "--since", strconv.FormatUint(fell.Cycle, 10), "--agent", fell.Agent.Alias))
		if first := "tick " + tick + "  rest "; strings.Contains(r.out, first) && !strings.Contains(r.out, "rests, and falls asleep") {
			t.Errorf("%s: tail says\n%s", reason, r.out)
		}
	}
}

// Only a rest that is chosen with no slot left is in the last slot of the cycle; one that goes on may end earlier.
func TestExplain_LastSlotOfARest(t *testing.T) {
	for _, c := range []struct {
		thoughts []explainedThought
		want     string
	}{{nil, "rests; it is the last slot of its rest\n"}, {[]explainedThought{{}}, "rests in its last slot of the cycle\n"}} {
		var out strings.Builder
		w := slotTracer{explained: explainedSlot{Rest: new(uint64), Thoughts: c.thoughts}}
		w.print(&app{out: &out})
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("no %q in\n%s", c.want, out.String())
		}
	}
}

// What no agent wrote, such as the topic of a question, is shown without an author.
func TestExplain_OffersAboutWhatNobodyWrote(t *testing.T) {
	var out strings.Builder
	w := slotTracer{explained: explainedSlot{Offers: []explainedOffer{{Action: "msg_post", Text: "How fast peers answer"}, {Action: "signal_send", Author: "5a6f860e", Text: "yes"}}}}
	w.print(&app{out: &out})
	for _, want := range []string{"about: \"How fast peers answer\"", "about 5a6f860e: \"yes\""} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

// explain reads what explain --json prints of a tick. None of its lists may be null.
func explain(t *testing.T, dir, agent string, tick uint64) (x explainedSlot) {
	t.Helper()
	r := must(t, in(t, "explain", dir, "--agent", agent, "--tick", strconv.FormatUint(tick, 10), "--json"))
	if err := json.Unmarshal([]byte(r.out), &x); err != nil {
		t.Fatalf("%v in\n%s", err, r.out)
	}
	if x.Saw == nil || x.Ended == nil || x.Goals == nil || x.Offers == nil || x.Thoughts == nil {
		t.Errorf("a list is null, want an array:\n%s", r.out)
	}
	for _, o := range x.Offers {
		if o.Factors == nil {
			t.Errorf("the factors of %s are null, want an array", o.Action)
		}
	}
	for _, th := range x.Thoughts {
		if th.Decided == nil {
			t.Errorf("what decided the thought %q is null, want an array", th.Text)
		}
	}
	return x
}

// Where a goal ended, explain shows what closed its subject, as the log has it.
func TestExplain_ShowsWhatClosedAGoal(t *testing.T) {
	s := runEpoch0(t, "--cycles", "4")
	log := must(t, in(t, "tail", s.dir, "--goals", "--json")).out
	for _, line := range strings.Split(log, "\n") {
		var l struct {
			Kind   string
			Tick   uint64
			Reason string
			Agent  struct{ Alias string }
			Goal   struct{ ID, Kind string }
		}
		if json.Unmarshal([]byte(line), &l) != nil || l.Kind != "satisfaction" || !strings.HasPrefix(l.Reason, "subject_") {
			continue
		}
		x := explain(t, s.dir, l.Agent.Alias, l.Tick)
		if !slices.ContainsFunc(x.Ended, func(e explainedEnd) bool {
			return e.ID == l.Goal.ID && e.Kind == l.Goal.Kind && e.Outcome == "FAILURE" && e.Reason == l.Reason && e.Subject != ""
		}) {
			t.Fatalf("tick %d: goals ended as %+v, the log has %s", l.Tick, x.Ended, line)
		}
		r := must(t, in(t, "explain", s.dir, "--agent", l.Agent.Alias, "--tick", strconv.FormatUint(l.Tick, 10)))
		if want := "ended " + l.Goal.Kind + ": given up, " + l.Reason; !strings.Contains(r.out, want) {
			t.Errorf("for people, without %q:\n%s", want, r.out)
		}
		return
	}
	t.Fatal("no subject of a goal was closed in four cycles")
}

// A line of an act states act and outcome once, and keeps a lesson in the agent's own words.
func TestActLine_OmitsRepeatedText(t *testing.T) {
	for want, x := range map[string]actLine{
		"cycle 1 tick 260  entry_get on entry for learn: SUCCESS\n":              {Action: "entry_get", Goal: "learn", Outcome: "SUCCESS", Lesson: "entry_get on entry: SUCCESS"},
		"cycle 1 tick 260  msg_post on channel: FAILURE\n":                       {Action: "msg_post", Goal: "none", Outcome: "FAILURE", Lesson: "msg_post on channel: FAILURE"},
		"cycle 1 tick 260  entry_get for learn: SUCCESS  (Ask first: it pays)\n": {Action: "entry_get", Goal: "learn", Outcome: "SUCCESS", Lesson: "Ask first: it pays"},
		"cycle 1 tick 260  msg_post on channel #general for learn: SUCCESS\n":    {Action: "msg_post", Goal: "learn", Lesson: "msg_post on channel: SUCCESS", Subject: "#general"},
		"cycle 1 tick 260  transfer on account zoe: SUCCESS\n":                   {Action: "transfer", Lesson: "transfer on account: SUCCESS", Subject: strings.Repeat("ab", 32), Agent: "zoe"},
		"cycle 1 tick 260  entry_get on entry abababab: SUCCESS\n":               {Action: "entry_get", Lesson: "entry_get on entry: SUCCESS", Subject: strings.Repeat("ab", 32)},
		"cycle 1 tick 260  entry_get: SUCCESS\n":                                 {Action: "entry_get", Outcome: "SUCCESS"},
	} {
		x.Cycle, x.Tick = 1, 260
		var b strings.Builder
		if x.print(&b); b.String() != want {
			t.Errorf("%+v is told as %q, want %q", x, b.String(), want)
		}
	}
}

// If a build diverges from a run, replay shows what the agent had done and does now, and explain still shows the slot.
func TestExplain_AtADivergence(t *testing.T) {
	s := runEpoch0(t, "--cycles", "2")
	var agent agentJSON
	var act actLine
	for _, agent = range inspectOf(t, s.dir).Agents {
		lines := strings.Split(strings.TrimSpace(must(t, in(t, "explain", s.dir, "--agent", agent.Alias, "--json")).out), "\n")
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &act); err != nil {
			t.Fatal(err)
		}
		if act.Cycle == 2 {
			break
		}
	}
	run, err := openRun(t.Context(), s.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	id, err := findAgent(t.Context(), run, s.dir, agent.Alias)
	if err != nil {
		t.Fatal(err)
	}
	for chose, says := range map[string]string{
		"vault_gc": "the recorded run had " + act.Action + " there, this build has vault_gc\n  its reasoning as recorded: ",
		act.Action: "both have " + act.Action + " there: the same action with other parameters, reasoning or memory update\n  its reasoning as recorded: ",
	} {
		err = explainDivergence(t.Context(), run, s.dir, &engine.DivergenceError{Cycle: 2, Tick: wire.Tick(act.Tick), Agent: id, Component: "thought", Want: "a", Got: "b", Chose: chose, Reasoning: "for once"})
		for _, want := range []string{says, "its reasoning in this build: \"for once\"", fmt.Sprintf("kingdom explain %s --agent %s --tick %d", s.dir, agent.Alias, act.Tick)} {
			if !strings.Contains(err.Error(), want) || exitCode(err) != exitDivergence {
				t.Errorf("exit %d: %v\nwant %s", exitCode(err), err, want)
			}
		}
	}
	if err := run.store.Close(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "old")
	foreignRun(t, dir, "v1", "6", "memory.nodes=16")
	r := in(t, "explain", dir, "--agent", "1", "--tick", "256")
	if r.code != exitDivergence || !strings.Contains(r.out, "this build diverges") {
		t.Errorf("exit %d: %s\n%s", r.code, r.err, r.out)
	}
	if _, err := s.db.Exec("UPDATE world_cycles SET mint = zeroblob(32) WHERE cycle = 2"); err != nil {
		t.Fatal(err)
	}
	r = in(t, "explain", s.dir, "--agent", agent.Alias, "--tick", strconv.FormatUint(act.Tick, 10))
	if r.code != exitFailure || !strings.Contains(r.out, "did "+act.Action) || strings.Contains(r.out, "this build diverges") || !strings.Contains(r.err, "mint of the stored rows") {
		t.Errorf("with a changed store: exit %d: %s\n%s", r.code, r.err, r.out)
	}
}

// Short names of a prompt are explained once, where the first one stands, and not where there are none.
func TestExplain_LegendOfShortNames(t *testing.T) {
	const legend = "  short names such as e7 hold in this prompt only: e an entry, "
	thought := func(text string) []explainedThought { return []explainedThought{{Text: text}} }
	for name, c := range map[string]struct {
		x      explainedSlot
		before string // what stands above the legend; "" if there is none
	}{
		"in news":                     {explainedSlot{Saw: []string{`tick 7: 1 verdict on e4 "Memo": 1 ACCURATE`, "tick 8: x1 was tagged"}, Thoughts: thought(`{"entry_id":"e4"}`)}, "  tick 8: x1 was tagged\n"},
		"in a thought":                {explainedSlot{Saw: []string{"tick 7: epoch change"}, Thoughts: thought(`{"entry_id":"e4"}`)}, `{"entry_id":"e4"}` + "\n"},
		"only in what an agent wrote": {explainedSlot{Saw: []string{`tick 7: 1 message in #r2: "see e4 or \"e5\" or e6"`}, Thoughts: thought(`{"entry_id":"2581660d"}`)}, ""},
		"a longer word":               {explainedSlot{Saw: []string{"tick 7: module-x1a of be4"}}, ""},
	} {
		var out strings.Builder
		(&slotTracer{explained: c.x}).print(&app{out: &out})
		before, after, found := strings.Cut(out.String(), legend)
		if found != (c.before != "") || found && !strings.HasSuffix(before, c.before) || strings.Contains(after, legend) {
			t.Errorf("%s: %s", name, out.String())
		}
	}
}
