//go:build !race

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refusing plans inputs of which the world refuses some: one whole, one for one of two agents, one for two of three newcomers.
const refusing = `name: refusing
cycles: 4
time: {base_budget: 8}
population:
  - {role: EXPLORER, name: anna, balance: 10}
  - {role: LIBRARIAN, count: 2, name: rich, balance: 200}
spawn: {cap: 4}
inputs:
  - {cycle: 1, agent: anna, do: grant, amount: 30}
  - {cycle: 2, agent: anna, do: take, amount: 5000}
  - {cycle: 2, agent: rich-1, do: sleep, for_cycles: 9}
  - {cycle: 3, agent: rich, do: wake}
  - {cycle: 3, do: spawn, count: 3}
  - {cycle: 9, agent: anna, do: wake}
`

// Inputs that the world refuses are told by the summary, inspect and the report, each with its reason.
func TestRefusedInputs_AreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("refusing.yaml", []byte(refusing), 0o600); err != nil {
		t.Fatal(err)
	}
	const header, take = "the world refused 3 of 5 planned inputs\n", "input of cycle 2 {do: take, agent: anna, amount: 5000}: funds (QUOTA_EXCEEDED), have "
	spawn := "input of cycle 3 {do: spawn, count: 3}: for 2 of 3: population_cap (QUOTA_EXCEEDED)"
	summary, shown := must(t, in(t, "run", "refusing.yaml", "--out", "r")).out, must(t, in(t, "inspect", "r")).out
	for _, line := range []string{header, take, "input of cycle 3 {do: wake, agent: rich}: held_asleep (CONFLICT); not_dormant (CONFLICT)\n", spawn} {
		if !strings.Contains(summary, "\n  refused     "+line) {
			t.Errorf("the summary lacks %q:\n%s", line, summary)
		}
		if !strings.Contains(shown, "\nrefused       "+line) {
			t.Errorf("inspect lacks %q:\n%s", line, shown)
		}
	}
	if !strings.Contains(shown, ": operator, held until cycle 11\n") {
		t.Errorf("inspect does not say until when an input keeps an agent asleep:\n%s", shown)
	}
	for _, g := range inspectOf(t, "r").Agents {
		if held := g.HeldUntil != nil; held != (g.Name == "rich-1") || held && *g.HeldUntil != 11 {
			t.Errorf("%s is held until %v", g.Name, g.HeldUntil)
		}
	}
	page := readPage(t, "r/report.html")
	for _, want := range []string{
		`{do: take, agent: anna, amount: 5000}</code> <span class="out">refused: funds (QUOTA_EXCEEDED), have `, `{do: spawn, count: 3}</code> <span class="out">refused: for 2 of 3: population_cap`,
		"{do: grant, agent: anna, amount: 30}</code></td>", `{do: wake, agent: anna}</code> <span class="soft">not reached</span></td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := inspectOf(t, "r", "--cycle", "2"); got.Planned != 3 || len(got.Refused) != 1 || got.Refused[0].Cycle != 2 || got.Refused[0].Times != 1 || got.Refused[0].Of != 1 {
		t.Errorf("up to cycle 2 inspect has %d and %+v", got.Planned, got.Refused)
	}

	// A fork knows those of the cycles that it has in common, and its own.
	sum := summaryOf(t, must(t, in(t, "fork", "r", "--at", "2", "--json", "--out", "f", "--input", "{cycle: 4, do: grant, agent: 1, amount: 999999999}")))
	if sum.Planned != 6 || len(sum.Refused) != 4 || sum.Refused[0].Cycle != 2 || sum.Refused[3].Input != "{do: grant, agent: 1, amount: 999999999}" || !strings.Contains(sum.Refused[3].Refused, "refused by the world: funds") {
		t.Errorf("the fork has %d planned inputs and %+v", sum.Planned, sum.Refused)
	}
	if page := readPage(t, "f/report.html"); !strings.Contains(page, "in cycle 4 <code>{do: grant, agent: 1, amount: 999999999}</code> (refused: funds") {
		t.Error("the sentence about the fork does not say that its input was refused")
	}
	must(t, in(t, "replay", "f"))

	// A run whose journal is lost can still be looked at.
	if err := os.RemoveAll(filepath.Join("r", journalDir)); err != nil {
		t.Fatal(err)
	}
	if got := inspectOf(t, "r"); len(got.Refused) != 0 || got.Planned != 5 {
		t.Errorf("without a journal inspect has %+v", got.Refused)
	}
}

// A sweep says in how many of its runs the world refused inputs, and its report in how many each was.
func TestRefusedInputs_OfSweeps(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("refusing.yaml", []byte(refusing), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "run", "refusing.yaml", "--seeds", "1..2", "--out", "s")); !strings.Contains(r.out, "\nrefused      the world refused 3 planned inputs in 2 of 2 seeds; kingdom inspect s/seed-1 lists them\n") {
		t.Errorf("the sweep says\n%s", r.out)
	}
	var sum sweepJSON
	if err := json.Unmarshal([]byte(must(t, in(t, "run", "refusing.yaml", "--seeds", "1..2", "--out", "s", "--json")).out), &sum); err != nil || sum.Runs[1].Refused != 3 {
		t.Errorf("%v, the sweep has %+v", err, sum.Runs)
	}
	must(t, in(t, "report", "s"))
	if page := readPage(t, "s/report.html"); strings.Count(page, "{do: take, agent: anna, amount: 5000}</code>") != 1 || !strings.Contains(page, `amount: 5000}</code> <span class="out">refused in 2 of 2 runs: funds`) {
		t.Error("the page of the sweep does not say in how many runs an input was refused")
	}
}
