package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nopLine holds the fields of nop.jsonl and dormancy.jsonl that the tests read.
type nopLine struct {
	Cycle uint64 `json:"cycle"`
	Tick  uint64 `json:"tick"`
	Agent struct {
		Alias string `json:"alias"`
		ID    string `json:"id"`
	} `json:"agent"`
	Class      string `json:"class"`
	Reason     string `json:"reason"`
	Streak     uint32 `json:"streak"`
	StatusFrom string `json:"status_from"`
	StatusTo   string `json:"status_to"`
	WakeCause  string `json:"wake_cause"`
}

func nopLines(t *testing.T, dir string, args ...string) []nopLine {
	t.Helper()
	r := must(t, in(t, append([]string{"tail", dir, "--json"}, args...)...))
	var list []nopLine
	for _, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
		if line == "" {
			continue
		}
		var l nopLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("tail printed a line that is no JSON: %v\n%s", err, line)
		}
		list = append(list, l)
	}
	return list
}

func inspectOf(t *testing.T, dir string, args ...string) inspectionJSON {
	t.Helper()
	return inspectionIn(t, in(t, append([]string{"inspect", dir, "--json"}, args...)...))
}

func inspectionIn(t *testing.T, r result) (j inspectionJSON) {
	t.Helper()
	must(t, r)
	if err := json.Unmarshal([]byte(r.out), &j); err != nil {
		t.Fatalf("inspect printed no JSON: %v\n%s", err, r.out)
	}
	return j
}

// A mind that only babbles: each agent is warned at 3 and DORMANT at 10 NOPs in a
// row, in the logs, in the store and in the summary.
func TestStuck_MalformedAnswers(t *testing.T) {
	s := runEpoch0(t, "--cycles", "2", "--set", "minds.scripted.malformed_rate=1.0", "--set", "dormancy.wake_after_cycles=0", "--set", "auto_spawn=false")
	if s.sum.Agents.Dormant != 8 || s.sum.Agents.Active != 0 {
		t.Errorf("summary says %+v, want 8 dormant", s.sum.Agents)
	}
	if s.sum.NOPs != 80 {
		t.Errorf("%d NOPs, want 10 of each of 8 agents", s.sum.NOPs)
	}
	warned, fell := map[string]bool{}, map[string]bool{}
	for _, l := range nopLines(t, s.dir, "--nop", "--dormancy") {
		if l.Streak == 3 {
			warned[l.Agent.Alias] = true
		}
		if l.StatusTo == "DORMANT" {
			fell[l.Agent.Alias] = true
			if l.Streak != 10 {
				t.Errorf("agent %s fell dormant at streak %d, want 10", l.Agent.Alias, l.Streak)
			}
		}
	}
	if len(warned) != 8 || len(fell) != 8 {
		t.Errorf("%d agents warned and %d fell dormant in tail, want 8 and 8", len(warned), len(fell))
	}
	const dormant = 2
	if n := s.count(t, "SELECT count(*) FROM nexus_agents WHERE status = ?", dormant); n != 8 {
		t.Errorf("%d agents are DORMANT in the store, want 8", n)
	}
	if n := s.count(t, "SELECT count(*) FROM observer_events WHERE kind = 0x0040"); n != 8 {
		t.Errorf("%d NOP warnings in the event log, want 8", n)
	}
}

// inspect says since when an agent sleeps and why, also of a run that has not made its tables and at an earlier cycle.
func TestInspect_SaysWhyAgentsSleep(t *testing.T) {
	for name, set := range map[string]string{"live": "store.tables=live", "compressed": "store.tables=demand"} {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "minds.scripted.malformed_rate=1.0", "--set", "dormancy.wake_after_cycles=0", "--set", set, "--out", dir))
		for _, g := range inspectOf(t, dir, "--cycle", "2").Agents {
			if g.DormantSince == nil || *g.DormantSince != 292 || g.DormantReason != "nop_limit" {
				t.Errorf("%s: agent %s sleeps since %v because of %q", name, g.Alias, g.DormantSince, g.DormantReason)
			}
		}
		if g := inspectOf(t, dir, "--cycle", "0").Agents[0]; g.DormantSince != nil || g.DormantReason != "" {
			t.Errorf("%s: at the bootstrap agent %s sleeps since %d", name, g.Alias, *g.DormantSince)
		}
		r := must(t, in(t, "inspect", dir, "--agent", "1"))
		for _, want := range []string{"since tick 292: nop_limit\n", "asleep        1 agent: nop_limit, 10 NOPs in a row; kingdom tail " + dir + " --nop --dormancy shows"} {
			if !strings.Contains(r.out, want) {
				t.Errorf("%s: no %q in\n%s", name, want, r.out)
			}
		}
		if r := must(t, in(t, "inspect", dir, "--cycle", "0")); strings.Contains(r.out, "ASLEEP") {
			t.Errorf("%s: nobody sleeps at the bootstrap:\n%s", name, r.out)
		}
	}
}

// inspect says since when an agent is dead and why, from the cycle of its death on, also of a run that has not made its tables.
// explain of a later tick says so too.
func TestInspect_SaysWhyAgentsAreDead(t *testing.T) {
	for name, set := range map[string]string{"live": "store.tables=live", "compressed": "store.tables=demand"} {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "inputs=[{cycle: 2, agent: 3, do: kill}]", "--set", set, "--out", dir))
		agents := inspectOf(t, dir).Agents
		if g := agents[2]; g.DeadSince == nil || *g.DeadSince != 512 || g.DeadReason != "operator" {
			t.Errorf("%s: agent 3 is dead since %v because of %q", name, g.DeadSince, g.DeadReason)
		}
		if g := agents[0]; g.DeadSince != nil || g.DeadReason != "" {
			t.Errorf("%s: agent 1 is alive, but is dead since %d", name, *g.DeadSince)
		}
		r := must(t, in(t, "inspect", dir))
		for _, want := range []string{"  ASLEEP OR DEAD\n", "  since tick 512: operator\n", "\ndead          1 agent: operator, an operator ended it\n"} {
			if !strings.Contains(r.out, want) {
				t.Errorf("%s: no %q in\n%s", name, want, r.out)
			}
		}
		if r := must(t, in(t, "inspect", dir, "--cycle", "1")); strings.Contains(r.out, "DEAD") {
			t.Errorf("%s: nobody is dead at the end of cycle 1:\n%s", name, r.out)
		}
		says(t, "explain|"+dir+"|--agent|3|--tick|800", exitInput, "has no slot at tick 800, and none in all of cycle 3; it died at tick 512: operator, an operator ended it")
	}
}

// The report says why agents slept, and that slots were lost before they did: without it a population whose minds babble looks
// like one that has nothing to do.
func TestReport_SaysWhyAgentsSlept(t *testing.T) {
	s := runEpoch0(t, "--cycles", "1", "--set", "minds.scripted.malformed_rate=1.0")
	page, err := os.ReadFile(filepath.Join(s.dir, reportFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Of 80 slots 80 were NOPs: ", "agents had fallen dormant 8 times: 8 × nop_limit, 10 NOPs in a row."} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// The report says why agents died, the commonest reason first.
func TestReport_SaysWhyAgentsDied(t *testing.T) {
	s := runEpoch0(t, "--cycles", "2", "--set", "inputs=[{cycle: 1, agent: 3, do: kill}, {cycle: 2, agent: 4, do: kill}]")
	page, err := os.ReadFile(filepath.Join(s.dir, reportFile))
	if err != nil {
		t.Fatal(err)
	}
	if want := " and 2 dead (2 × operator, an operator ended it); agents had fallen dormant "; !strings.Contains(string(page), want) {
		t.Errorf("the page does not say %q", want)
	}
}
