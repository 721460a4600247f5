package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
	"kingdom/llm"
)

// priced are flags of a small run of epoch0-llm whose model costs something.
func priced(dir string, more ...string) []string {
	return append([]string{
		"run", "epoch0-llm", "--cycles", "1", "--out", dir, "--json", "--set", "time.base_budget=6",
		"--set", "minds.models.default.price_input=0.15", "--set", "minds.models.default.price_output=0.6", "--set", "minds.models.default.max_output=512",
	}, more...)
}

// charged is what the server would put on the bill of those prices, in micro-dollars.
func charged(s *fakellm.Server) uint64 {
	c := s.Counts()
	return (c.PromptTokens*15 + c.OutputTokens*60 + 99) / 100
}

// A run stops at its cap with exit code 4, spends nothing more until the cap is raised, and then ends as a run without
// a cap.
func TestSpend_RunCapStopsAndHigherCapContinues(t *testing.T) {
	server := &fakellm.Server{Seed: 3}
	withServer(t, server)
	free := filepath.Join(t.TempDir(), "free")
	want := summaryOf(t, must(t, in(t, priced(free)...)))
	asked, bill := server.Counts().Requests, charged(server)
	if got := want.Spend; got == nil || got.Calls != asked || got.Cost < bill || got.Cost > bill+asked || got.Prompt != server.Counts().PromptTokens || got.Output != server.Counts().OutputTokens {
		t.Fatalf("the summary says %+v, the server %+v and %d micro-dollars", got, server.Counts(), bill)
	}

	capped := &fakellm.Server{Seed: 3}
	withServer(t, capped)
	dir := filepath.Join(t.TempDir(), "capped")
	r := in(t, priced(dir, "--budget", "0.01")...)
	sum := summaryOf(t, r)
	if r.code != exitCap || sum.Status != "capped" {
		t.Fatalf("exit %d, %+v: %s", r.code, sum, r.err)
	}
	for _, says := range []string{
		"the cap of the run is 0.01 USD", "USD are spent", "kingdom resume " + dir + " --budget 0.0", // the more, the dearer the next calls may be
		"50 % of the cap of the run are spent", "80 % of the cap of the run are spent",
	} {
		if strings.Count(r.err, says) != 1 {
			t.Errorf("says %d times %q: %s", strings.Count(r.err, says), says, r.err)
		}
	}
	if n := charged(capped); n == 0 || n > 10_000 || sum.Spend.Cost > 10_000 {
		t.Errorf("the server charges %d micro-dollars, the run says %d", n, sum.Spend.Cost)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.Contains(r.out, "stopped by its cap") || !strings.Contains(r.out, "  model       default: "+llm.Count(sum.Spend.Calls, "call")) {
		t.Errorf("inspect, after %s: %s", llm.Count(sum.Spend.Calls, "call"), r.out)
	}
	var inspected inspectionJSON
	if r := must(t, in(t, "inspect", dir, "--json")); json.Unmarshal([]byte(r.out), &inspected) != nil || inspected.Spend == nil || inspected.Spend.totalJSON != sum.Spend.totalJSON {
		t.Errorf("inspect: %s, the summary: %+v", r.out, sum.Spend)
	}
	if r := must(t, in(t, "inspect", dir, "--cycle", "0")); strings.Contains(r.out, "spent on models") {
		t.Errorf("inspect at the end of cycle 0, before which nothing was asked: %s", r.out)
	}
	before := capped.Counts().Requests
	if r := in(t, "resume", dir); r.code != exitCap || capped.Counts().Requests != before {
		t.Errorf("resumed under the same cap: exit %d, %d more requests: %s", r.code, capped.Counts().Requests-before, r.err)
	}
	if r := in(t, "resume", dir, "--budget", "0.001"); r.code != exitInput || !strings.Contains(r.err, "has spent") {
		t.Errorf("a budget below what is spent: exit %d: %s", r.code, r.err)
	}
	sum = summaryOf(t, must(t, in(t, "resume", dir, "--budget", "5", "--json")))
	if sum.Status != "finished" || sum.WorldHash != want.WorldHash {
		t.Errorf("resumed: %s with %s, want %s", sum.Status, sum.WorldHash, want.WorldHash)
	}
	if n := capped.Counts().Requests; n != asked || sum.Spend.Calls != asked || sum.Spend.Cost != want.Spend.Cost {
		t.Errorf("%d requests in all, want %d; the summary says %+v, want %+v", n, asked, sum.Spend, want.Spend)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, want.WorldHash) {
		t.Errorf("replay: %s", r.out)
	}
}

// A hundred agents ask at once under a cap of a cent.
func TestSpend_ManyAgentsNeverPassACap(t *testing.T) {
	server := &fakellm.Server{Seed: 3}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	r := in(t, priced(dir, "--budget", "0.01", "--set", "population[0].count=93", "--set", "minds.models.default.concurrency=100")...)
	if n := charged(server); r.code != exitCap || n == 0 || n > 10_000 {
		t.Errorf("exit %d, the server charges %d micro-dollars: %s", r.code, n, r.err)
	}
}

// Caps of an agent, a model and a tier make slots idle, or the next model of the tier is asked;
// they never stop the run, and it replays.
func TestSpend_AgentModelAndTierCapsIdleOrFallBack(t *testing.T) {
	for name, tt := range map[string]struct {
		set  []string
		says string // on the terminal, a pattern
		most uint64 // micro-dollars
	}{
		"agent": {[]string{"minds.caps.agent_usd=0.003"}, "", 8 * 3000},
		// Which tier reaches its cap depends on the order in which calls end.
		"tier":  {[]string{"minds.caps.tier_usd={1: 0.003, 2: 0.003, 3: 0.003}"}, `the cap of tier [123], 0\.003 USD, refuses calls`, 3 * 3000},
		"model": {[]string{"minds.caps.model_usd={default: 0.003}"}, `the cap of model "default", 0\.003 USD, refuses calls`, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			server := &fakellm.Server{Seed: 3}
			withServer(t, server)
			dir := filepath.Join(t.TempDir(), "run")
			var more []string
			for _, s := range tt.set {
				more = append(more, "--set", s)
			}
			r := must(t, in(t, priced(dir, more...)...))
			sum := summaryOf(t, r)
			if n := charged(server); n == 0 || n > tt.most || sum.Status != "finished" || !regexp.MustCompile(tt.says).MatchString(r.err) {
				t.Errorf("%s, the server charges %d micro-dollars: %s", sum.Status, n, r.err)
			}
			if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, sum.WorldHash) {
				t.Errorf("replay: %s", r.out)
			}
			if lines := must(t, in(t, "tail", dir, "--nop", "--json")).out; !strings.Contains(lines, "refused_budget") {
				t.Error("no slot was idle for its budget")
			}
		})
	}
}

func TestSpend_InputErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{})
	t.Setenv(envEndpoint, "")
	for _, tt := range []struct{ args, says string }{
		{"run epoch0-llm --budget 1 --set minds.models.default.endpoint=https://example.com/v1", `the model "default" has no price`},
		{"run epoch0-llm --budget 1 --set minds.models.default.endpoint=", "minds.models.default.endpoint: is missing; give the base URL"}, // and not that a price is missing
		{"run epoch0-llm --set minds.caps.run_usd=1 --set minds.models.default.endpoint=", "minds.models.default.endpoint: is missing; give the base URL"},
		{"run epoch0-llm --seeds 1..2 --budget 1 --set minds.models.default.endpoint=", "minds.models.default.endpoint: is missing; give the base URL"},
		{"run epoch0-llm --budget=-2", "--budget is -2; want a number of US dollars from 0 to"},
		{"run epoch0-llm --budget ten", "--budget"},
	} {
		r := in(t, strings.Fields(tt.args)...)
		if r.code != exitInput || !strings.Contains(r.err, tt.says) || strings.Contains(r.err, "no price") != strings.Contains(tt.says, "no price") {
			t.Errorf("%s: exit %d: %s\nwant %q", tt.args, r.code, r.err, tt.says)
		}
	}
}

// What is told of an agent's cap names the agent as the rest of the line does, with its alias.
func TestSpend_CapsNameTheirAgents(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	t.Chdir(t.TempDir())
	args := priced("r", "--set", "minds.caps.agent_usd=0.003", "--set", "population[0].name=zoe")
	must(t, in(t, args...))
	out := must(t, in(t, "tail", "r", "--agent", "zoe", "--nop")).out
	if !regexp.MustCompile(`  zoe COMPILER_SMITH  idle: its spending cap is reached.*  \(the cap of agent zoe \([0-9a-f]{8}\) is 0\.003 USD: `).MatchString(out) {
		t.Errorf("tail says of an idle slot\n%s", out)
	}
	if out := must(t, in(t, "tail", "r")).out; !regexp.MustCompile(`agent zoe \([0-9a-f]{8}\) has spent `).MatchString(out) || !regexp.MustCompile(`  agent [0-9a-f]{8} has spent `).MatchString(out) {
		t.Errorf("tail says of the caps of an agent with a name and of others\n%s", out)
	}
}

// A run that its cap stops in its first cycle says how far it got, and its dearest agents have the names that the table has.
func TestSpend_SaysHowFarAStoppedRunGot(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	t.Chdir(t.TempDir())
	args := priced("r", "--budget", "0.01")
	for i := range 8 {
		args = append(args, "--set", fmt.Sprintf("population[%d].name=zoe%d", i, i))
	}
	args = slices.DeleteFunc(args, func(s string) bool { return s == "--json" })
	r := in(t, args...)
	if r.code != exitCap || !regexp.MustCompile(`\n  unfinished  cycle 1 up to tick \d+: `).MatchString(r.out) {
		t.Errorf("exit %d, the summary says\n%s", r.code, r.out)
	}
	named := regexp.MustCompile(` and a call for agent zoe\d \([0-9a-f]{8}\) may cost `)
	for who, text := range map[string]string{"run": r.err, "inspect": must(t, in(t, "inspect", "r")).out, "tail": must(t, in(t, "tail", "r")).err} {
		if !named.MatchString(text) {
			t.Errorf("%s does not name the agent whose call was refused: %s", who, text)
		}
	}
	if r := must(t, in(t, "inspect", "r")); !regexp.MustCompile(`\n  agent       zoe\d: \d+ calls`).MatchString(r.out) {
		t.Errorf("inspect says\n%s", r.out)
	}
	if r := must(t, in(t, "resume", "r", "--budget", "5")); strings.Contains(r.out, "unfinished") {
		t.Errorf("of a finished run the summary says\n%s", r.out)
	}
}
