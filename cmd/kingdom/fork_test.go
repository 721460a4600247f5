//go:build !race

package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/internal/fakellm"
)

// parentRun is a short run of the scripted mind.
func parentRun(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "parent")
	must(t, in(t, "run", "epoch0", "--cycles", "6", "--set", "time.base_budget=16", "--out", dir))
	return dir
}

// By default a fork is beside its parent, and beside the sweep that its parent belongs to. Nothing that runs is put inside a
// run or a sweep.
func TestFork_IsOutsideOfRunsAndSweeps(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1", "--out", "runs/s"))
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "runs/r"))
	for _, tt := range []struct{ in, run, want string }{
		{top, "runs/r", "runs/r-at1"},
		{top, "runs/s/seed-1/", "runs/s-seed-1-at1"},
		{"runs/s", "seed-1", "runs/s-seed-1-at1-2"},
		{"runs/s/seed-1", ".", "runs/s-seed-1-at1-3"},
		{"runs/r", "../r", "runs/r-at1-2"},
	} {
		t.Chdir(filepath.Join(top, strings.TrimPrefix(tt.in, top)))
		must(t, in(t, "fork", tt.run, "--at", "1"))
		if _, err := os.Stat(filepath.Join(top, tt.want, runFile)); err != nil {
			t.Errorf("in %s the fork of %s is not %s: %v", tt.in, tt.run, tt.want, err)
		}
		t.Chdir(top)
	}
	for _, tt := range []struct{ line, says string }{
		{"fork|runs/r|--at|1|--out|runs/r/fork", "runs/r/fork would be inside " + top + "/runs/r, the directory of another run"},
		{"fork|runs/s/seed-1|--at|1|--out|runs/s/fork", "would be inside " + top + "/runs/s, the directory of another sweep"},
		{"run|epoch0|--out|runs/r/deep/er", "the directory of another run, which is copied, moved and removed as a whole; choose an --out outside of it"},
		{"run|epoch0|--seeds|1|--out|runs/s/seed-1/log/more", "the directory of another run"},
		{"run|epoch0|--seeds|1|--out|runs/s/more", "the directory of another sweep"},
	} {
		says(t, tt.line, exitInput, tt.says)
	}
	for _, name := range []string{"runs/r/fork", "runs/s/fork", "runs/r/deep", "runs/s/more"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("a refused command left %s", name)
		}
	}
}

// A fork without a change repeats its parent; with one it differs from the cycle after, and
// compare names the tick and the agent.
func TestFork_ChangesOneThing(t *testing.T) {
	parent := parentRun(t)
	same, other := filepath.Join(t.TempDir(), "same"), filepath.Join(t.TempDir(), "other")
	must(t, in(t, "fork", parent, "--at", "3", "--out", same))
	if r := must(t, in(t, "compare", parent, same)); !strings.Contains(r.out, "the same in all of the cycles 0 to 6") {
		t.Errorf("compare says %s", r.out)
	}
	r := must(t, in(t, "fork", parent, "--at", "3", "--set", "minds.blind=[peers, beliefs, money]", "--input", "{cycle: 5, do: grant, agent: 2, amount: 50}", "--cycles", "8", "--out", other))
	if !strings.Contains(r.out, "kingdom compare "+shellQuote(parent)+" "+shellQuote(other)) {
		t.Errorf("fork says %s", r.out)
	}
	var c struct {
		Cycle    uint64
		Same     bool
		Scenario []struct{ Path, A, B string }
		First    struct {
			Cycle, Tick uint64
			Agent       string
		}
		Metrics []struct {
			Metric string
			A, B   float64
		}
	}
	r = must(t, in(t, "compare", parent, other, "--json"))
	if err := json.Unmarshal([]byte(r.out), &c); err != nil {
		t.Fatal(err)
	}
	if c.Cycle != 6 || c.Same || c.First.Cycle != 4 || c.First.Tick/256 != 4 || len(c.First.Agent) != 64 {
		t.Errorf("compare says %s", r.out)
	}
	if i := len(c.Scenario); i == 0 || c.Scenario[i-1].Path != "changes[0].set[0]" || len(c.Metrics) != len(metricNames())+7 {
		t.Errorf("the scenarios differ in %v; %d metrics", c.Scenario, len(c.Metrics))
	}
	for _, m := range c.Metrics { // each of eight agents has sixteen slots in each of six cycles
		if m.Metric == "total_agent_ticks" && (m.A < 200 || m.B < 200) || m.Metric == "active" && (m.A < 1 || m.A > 8) {
			t.Errorf("%+v", m)
		}
	}
	r = must(t, in(t, "replay", other))
	if !strings.Contains(r.out, "8 cycles re-executed") {
		t.Errorf("replay says %s", r.out)
	}
	b, err := os.ReadFile(filepath.Join(other, forkFile))
	if err != nil {
		t.Fatal(err)
	}
	var from forkOrigin
	if err := json.Unmarshal(b, &from); err != nil || from.Run != parent || from.Cycle != 3 || len(from.WorldHash) != 64 {
		t.Errorf("fork.json is %s, %v", b, err)
	}
}

// The fork of an extended run goes as far as that run, whatever the number of cycles in the scenario.
func TestFork_OfExtendedRunGoesAsFarAsTheRun(t *testing.T) {
	parent, fork := filepath.Join(t.TempDir(), "parent"), filepath.Join(t.TempDir(), "fork")
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", parent))
	must(t, in(t, "resume", parent, "--cycles", "5"))
	must(t, in(t, "fork", parent, "--at", "3", "--set", "minds.blind=[peers]", "--out", fork))
	if got := inspectOf(t, fork).Cycle; got != 5 {
		t.Errorf("the fork ends with cycle %d, want 5", got)
	}
}

// If a fork differs from its parent by an input, compare names the input.
func TestFork_CompareNamesInputThatDiffers(t *testing.T) {
	parent, rich := parentRun(t), filepath.Join(t.TempDir(), "rich")
	must(t, in(t, "fork", parent, "--at", "3", "--input", "{cycle: 5, do: grant, agent: 2, amount: 50}", "--out", rich))
	alias := inspectOf(t, parent).Agents[1].Alias
	r := must(t, in(t, "compare", parent, rich))
	if want := "first difference: cycle 5, tick 1280: another input\n  a  none\n  b  grant " + alias + ": 50 ⚡\n"; !strings.Contains(r.out, want) {
		t.Errorf("compare says %s, want %s", r.out, want)
	}
	var c struct {
		First struct {
			Cycle, Tick          uint64
			Component, Want, Got string
		}
	}
	r = must(t, in(t, "compare", rich, parent, "--json"))
	if err := json.Unmarshal([]byte(r.out), &c); err != nil || c.First.Cycle != 5 || c.First.Tick != 1280 || c.First.Component != "input" || c.First.Want != "grant "+alias+": 50 ⚡" || c.First.Got != "none" {
		t.Errorf("compare says %s, %v", r.out, err)
	}
}

// A fork of a run with models asks them for nothing that both runs have in common, and needs neither its parent nor a
// model to be replayed.
func TestFork_AsksModelsForNothingInCommon(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	parent := filepath.Join(t.TempDir(), "parent")
	must(t, in(t, append(strings.Fields(shortLLM), parent)...))
	before := server.Counts().Requests
	fork := filepath.Join(t.TempDir(), "fork")
	sum := summaryOf(t, must(t, in(t, "fork", parent, "--at", "1", "--set", "population[0].mind=scripted", "--json", "--out", fork)))
	first := 0
	for line := range bytes.Lines(thinkLines(t, parent)) {
		var l struct{ Cycle uint64 }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Cycle == 1 {
			first++
		}
	}
	if asked := server.Counts().Requests - before; first == 0 || asked == 0 || int(asked) >= int(before)-first/2 {
		t.Errorf("the fork asked %d times, its parent %d times, %d of them in the common cycle", asked, before, first)
	}
	noEndpoint(t)
	if err := os.RemoveAll(parent); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "replay", fork)); !strings.Contains(r.out, sum.WorldHash) {
		t.Errorf("replay says %s; the fork ended in %s", r.out, sum.WorldHash)
	}
}

// A fork that is killed, wherever, ends as the undisturbed one.
func TestFork_KilledAndResumed(t *testing.T) {
	killedAndResumed(t, "fork "+parentRun(t)+" --at 4 --cycles 12 --set minds.blind=[peers] --json --out", 5, nil)
}

// A fork that was stopped says where it stands and how to go on, as any run does.
func TestFork_Interrupted(t *testing.T) {
	stopped := &engine.InterruptedError{Cycle: 7, Dir: "runs/x-at5"}
	for name, keeps := range map[string]bool{"run": true, "resume": true, "fork": true, "replay": false, "inspect": false} {
		got := rewordError(&cobra.Command{Use: name}, stopped)
		if asType[*engine.InterruptedError](got) != keeps {
			t.Errorf("%s says %v", name, got)
		}
	}
}

func TestFork_InputErrors(t *testing.T) {
	parent := parentRun(t)
	none := filepath.Join(t.TempDir(), "none")
	twoSweeps := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.MkdirAll(filepath.Join(twoSweeps, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(twoSweeps, name, sweepFileName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fork", parent}, "--at is missing"},
		{[]string{"fork", parent, "--at", "7"}, "has reached cycle 6, so it cannot be forked at cycle 7"},
		{[]string{"fork", parent, "--at", "6"}, "at cycle 6 that ends with cycle 6 has nothing to run; --cycles says where it ends, such as --cycles 16"},
		{[]string{"fork", parent, "--at", "5", "--cycles", "4"}, "at cycle 5 that ends with cycle 4 has nothing to run"},
		{[]string{"fork", parent, "--at", "-1"}, "want a whole number from 0"},
		{[]string{"fork", parent, "--at", "3", "--cycles", "0"}, "--cycles is 0"},
		{[]string{"fork", parent, "--at", "3", "--set", "mint.initial_balance=3"}, "cannot change while a run goes on"},
		{[]string{"fork", none, "--at", "3"}, "does not exist; want the directory of a run"},
		{[]string{"fork", filepath.Dir(parent), "--at", "3"}, "it has no run.json; name one of the runs in it, such as " + parent},
		{[]string{"fork", twoSweeps, "--at", "3"}, "it has no run.json; name one of the sweeps in it, such as " + filepath.Join(twoSweeps, "a")},
		{[]string{"fork", parent, "--at", "3", "--out", parent}, "a run is never overwritten"},
		{[]string{"compare", parent, none}, "does not exist"},
		{[]string{"compare", parent, parent, "--metric", "gini"}, "all metrics of two runs are printed"},
	} {
		r := in(t, c.args...)
		if r.code != exitInput || !strings.Contains(r.err, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, r.code, r.err)
		}
	}
	if _, err := os.Stat(parent + "-at3"); err == nil {
		t.Error("a fork that could not start left its directory")
	}
}

// bodies returns the fields of the requests that a server got.
func bodies(t *testing.T, requests []fakellm.Request) (all []map[string]any) {
	t.Helper()
	for _, r := range requests {
		var fields map[string]any
		if err := json.Unmarshal(r.Body, &fields); err != nil {
			t.Fatal(err)
		}
		all = append(all, fields)
	}
	return all
}

// A fork asks its models as it says, at once and after a resume, and counts what they cost by its own prices. Where its parent's
// endpoint is gone, a fork that names another asks there.
func TestFork_AsksModelsOnItsOwnTerms(t *testing.T) {
	first := httptest.NewServer(&fakellm.Server{Seed: 3})
	dir, out := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "fork")
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=6", "--set", "minds.models.default.endpoint="+first.URL+"/v1", "--set", "minds.models.default.model=fake",
		"--set", "minds.models.default.price_input=1", "--out", dir))
	must(t, in(t, "resume", dir, "--cycles", "2"))
	first.Close()
	says(t, "fork|"+dir+"|--at|1|--out|"+out, exitOutage, "cannot be asked")

	server := &fakellm.Server{Seed: 3}
	second := httptest.NewServer(server)
	defer second.Close()
	there := "minds.models.default.endpoint=" + second.URL + "/v1"
	sum := summaryOf(t, must(t, in(t, "fork", dir, "--at", "1", "--set", there, "--set", "minds.models.default.temperature=1.5", "--set", "minds.models.default.max_output=1000",
		"--set", "minds.models.default.price_input=7", "--cycles", "2", "--json", "--out", out)))
	must(t, in(t, "resume", out, "--cycles", "3"))
	asked := bodies(t, server.Requests())
	if len(asked) == 0 {
		t.Fatal("the second server was asked nothing")
	}
	for _, b := range asked {
		if b["temperature"] != 1.5 || b["max_tokens"] != 1000.0 {
			t.Fatalf("asked with temperature %v and max_tokens %v", b["temperature"], b["max_tokens"])
		}
	}
	if got := sum.Spend; got == nil || got.Cost != 7*got.Prompt {
		t.Errorf("%+v, want 7 micro-dollars per token of a prompt", got)
	}

	// A run that moved by a resume is forked where it is asked now.
	must(t, in(t, "resume", dir, "--cycles", "3", "--set", there))
	moved := filepath.Join(t.TempDir(), "moved")
	must(t, in(t, "fork", dir, "--at", "2", "--cycles", "4", "--out", moved))
	must(t, in(t, "resume", moved, "--cycles", "5"))

	// A fork that sets a whole model is not asked where its parent was.
	if r := in(t, "fork", dir, "--at", "2", "--cycles", "4", "--set", `minds.models.default={endpoint: "http://127.0.0.1:1/v1", model: fake}`, "--out", out+"-dead"); r.code != exitOutage || !strings.Contains(r.err, "127.0.0.1:1") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	must(t, in(t, "doctor", out)) // the endpoint of the cycles that it repeats is gone

	// A fork without models needs none.
	second.Close()
	must(t, in(t, "fork", dir, "--at", "2", "--cycles", "4", "--set", "minds.tiers={}", "--out", filepath.Join(t.TempDir(), "scripted")))
}

// What a later command allowed a run to spend, its forks may spend too.
func TestFork_KeepsRaisedCap(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	dir, out := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "fork")
	if r := in(t, priced(dir, "--budget", "0.004")...); r.code != exitCap {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	must(t, in(t, "resume", dir, "--budget", "5"))
	const anew = "the fork may spend as much as "
	if r := must(t, in(t, "fork", dir, "--at", "0", "--out", out)); !strings.Contains(r.err, anew+dir+" was allowed to, 5.00 USD: what that has spent is not part of it; --budget allows more or less") {
		t.Errorf("the fork does not say that its cap counts from zero: %s", r.err)
	}
	if r := must(t, in(t, "fork", dir, "--at", "0", "--budget", "5", "--out", out+"3")); strings.Contains(r.err, anew) {
		t.Errorf("a fork with a cap of its own speaks of that of its parent: %s", r.err)
	}
	says(t, "fork|"+dir+"|--at|0|--budget|0.004|--out|"+out+"2", exitCap, "the cap of the run is 0.004 USD")
}

// A change of the parent in a later cycle holds in the fork too, which is told if the fork sets the same, a part of it or more.
func TestFork_TellsWhatALaterChangeUndoes(t *testing.T) {
	for _, c := range []struct{ later, set, want string }{
		{"minds.blind=[peers]", "minds.blind=[money]", "minds.blind=[money] holds up to cycle 2: from cycle 3 on the run that is forked has minds.blind=[peers]"},
		{"minds.blind=[peers]", "minds.scripted.nop_rate=0.5", ""},
		{"minds.scripted={nop_rate: 0.1}", "minds.scripted.nop_rate=0.5", "minds.scripted.nop_rate=0.5 holds up to cycle 2: from cycle 3 on"},
		{"minds.scripted.nop_rate=0.1", "minds.scripted={nop_rate: 0.5}", "minds.scripted={nop_rate: 0.5} holds in full up to cycle 2: from cycle 3 on"},
		{"minds.scripted.nop_rate=0.1", "minds.scripted.malformed_rate=0.5", ""},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, in(t, "run", "epoch0", "--cycles", "4", "--logs=false", "--set", "time.base_budget=4", "--set", "changes=[{cycle: 3, set: ['"+c.later+"']}]", "--out", dir))
		r := must(t, in(t, "fork", dir, "--at", "1", "--set", c.set, "--out", filepath.Join(t.TempDir(), "fork")))
		if got := strings.Contains(r.err, "warning: --set"); got != (c.want != "") || !strings.Contains(r.err, c.want) {
			t.Errorf("%s after --set %s: %s", c.later, c.set, r.err)
		}
	}
}
