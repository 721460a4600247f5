//go:build !race

package main

import (
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// Caps and settings that a resume changed are no part of the digest of a scenario, but agents think less or elsewhere with
// them: compare and report show them.
func TestCompare_ShowsCapsAndChangedSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Seed: 3})
	must(t, in(t, priced("free")...))
	must(t, in(t, priced("capped", "--set", "minds.caps.agent_usd=0.003")...))
	must(t, in(t, priced("raised")...))
	must(t, in(t, "resume", "raised", "--budget", "7", "--set", "minds.models.default.price_input=0.25"))
	const agent, run, price = "minds.caps.agent_usd: nothing in a, 0.003 in b", "minds.caps.run_usd: nothing in a, 7 in b", "minds.models.default.price_input: 0.15 in a, 0.25 in b"
	for dir, wants := range map[string][]string{"capped": {agent}, "raised": {run, price}} {
		r := must(t, in(t, "compare", "free", dir))
		if n := strings.Count(r.out, "scenario   "); n != len(wants) {
			t.Errorf("compare with %s tells of %d differences, want %d:\n%s", dir, n, len(wants), r.out)
		}
		for _, want := range wants {
			if !strings.Contains(r.out, "scenario   "+want+"\n") {
				t.Errorf("compare with %s lacks %q:\n%s", dir, want, r.out)
			}
		}
	}
	must(t, in(t, "report", "free", "capped", "raised", "--out", "page.html"))
	page := readPage(t, "page.html")
	for _, want := range []string{"<td><code>minds.caps.agent_usd</code></td><td><code>0.003</code></td><td>nothing</td>", "<td><code>minds.caps.run_usd</code></td><td><code>7</code></td><td>nothing</td>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Of sweeps it is the budget that differs, and a budget that no answer fits in is told, as of a single run.
func TestCompare_ShowsBudgetsOfSweeps(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Seed: 3})
	sweep := func(dir, budget string) []string {
		command := append(priced(dir), "--seeds", "1..2", "--budget", budget)
		return append(command, "--set", "think.on_outage=idle")
	}
	const wide = "is 0.00 USD, and the longest answer of one call may cost 0.000308 USD; every call will be refused; raise the cap, or lower max_output of the model"
	if r := in(t, sweep("none", "0")...); !strings.Contains(r.err, "warning: --budget 0, divided among 2 runs: the part of each "+wide) {
		t.Errorf("a sweep without money warns\n%s", r.err)
	}
	if r := in(t, append(priced("one"), "--budget", "0")...); !strings.Contains(r.err, "warning: --budget "+wide) {
		t.Errorf("a run without money warns\n%s", r.err)
	}
	for _, budget := range []string{"1", "2"} {
		if r := must(t, in(t, sweep("s"+budget, budget)...)); strings.Contains(r.err, "warning") {
			t.Errorf("a sweep with enough money warns\n%s", r.err)
		}
	}
	if r := must(t, in(t, "compare", "s1", "s2")); !strings.Contains(r.out, "scenario   budget_usd: 1 in a, 2 in b\n") {
		t.Errorf("compare says\n%s", r.out)
	}
	must(t, in(t, "report", "s1", "s2", "--out", "page.html"))
	if page := readPage(t, "page.html"); !strings.Contains(page, "<td><code>budget_usd</code></td><td><code>2</code></td><td><code>1</code></td>") {
		t.Error("the page does not say that the budgets differ")
	}
}

// Who is refused is told of the refusal alone: warnings are for what will run.
func TestRun_RefusalComesAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "taken"))
	const useless = "|--set|minds.scripted.failure_bursts.every_cycles=5"
	for _, command := range []string{
		"run|epoch0|--budget|1" + useless, "run|epoch0|--cycles|1|--out|taken" + useless, "run|epoch0|--seeds|1..2|--budget|1" + useless, "run|epoch0|--seeds|1..2|--jobs|0" + useless,
		"fork|taken|--at|0|--budget|1|--input|{cycle: 1, do: spawn, count: 9}",
	} {
		if r := in(t, strings.Split(command, "|")...); r.code != exitInput || strings.Contains(r.err, "warning") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit %d, %s", command, r.code, r.err)
		}
	}
	if r := must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "new", "--set", "minds.scripted.failure_bursts.every_cycles=5")); strings.Count(r.err, "warning: ") != 1 {
		t.Errorf("a run that goes on warns\n%s", r.err)
	}
}

// A fork knows in which epoch its parent is, so newcomers for whom there is room there are no reason to warn.
func TestFork_NewcomersOfALaterEpoch(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "8", "--out", "r"))
	for at, warns := range map[string]bool{"0": true, "8": inspectOf(t, "r", "--cycle", "8").Epoch == 0} {
		r := must(t, in(t, "fork", "r", "--at", at, "--cycles", "9", "--input", "{cycle: 9, do: spawn, role: LIBRARIAN, count: 2}"))
		if strings.Contains(r.err, "finds no room in epoch 0") != warns {
			t.Errorf("a fork at %s says\n%s", at, r.err)
		}
	}
	if inspectOf(t, "r", "--cycle", "8").Epoch == 0 {
		t.Error("the run does not leave epoch 0, so that the test shows nothing")
	}
}

// A table says once if so few seeds differ that no p can be small, and nothing from six seeds on.
func TestCompare_SaysThatPCannotBeSmall(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, budget := range []string{"16", "24"} {
		must(t, in(t, "run", "epoch0", "--cycles", "1", "--set", "time.base_budget="+budget, "--seeds", "1..6", "--out", "s"+budget))
	}
	const note = "no p of this table could reach .05"
	if r := must(t, in(t, "compare", "s16", "s24")); strings.Contains(r.out, note) {
		t.Errorf("of six seeds compare says\n%s", r.out)
	}
	for _, budget := range []string{"16", "24"} {
		must(t, in(t, "run", "epoch0", "--cycles", "1", "--set", "time.base_budget="+budget, "--seeds", "1..5", "--out", "f"+budget))
	}
	if r := must(t, in(t, "compare", "f16", "f24")); strings.Count(r.out, note+": at most 5 seeds differ in a metric, of which the least p is 0.0625; it takes 6\n") != 1 {
		t.Errorf("of five seeds compare says\n%s", r.out)
	}
	must(t, in(t, "report", "f16", "f24", "--out", "five.html"))
	must(t, in(t, "report", "s16", "s24", "--out", "six.html"))
	if five, six := readPage(t, "five.html"), readPage(t, "six.html"); !strings.Contains(five, "f24: "+note) || strings.Contains(six, note) {
		t.Errorf("the report of five seeds says it: %v, that of six: %v", strings.Contains(five, note), strings.Contains(six, note))
	}
	if r := must(t, in(t, "compare", "f16", "f24", "--society")); strings.Contains(r.out, "without a figure for two seeds") {
		t.Errorf("compare says\n%s", r.out)
	}
}
