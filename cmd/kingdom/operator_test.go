//go:build !race

package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/sql/pgserver"
	"kingdom/sql/table"
)

// All operator inputs are journaled: a run that is cut while agents are held asleep continues to the hash of one that
// was not, and each replays to the same hash.
func TestOperator_InputsReplayToTheSameHash(t *testing.T) {
	dir := t.TempDir()
	cut, whole := filepath.Join(dir, "cut"), filepath.Join(dir, "whole")
	must(t, in(t, "run", "testdata/operator.yaml", "--out", cut, "--json"))
	a := summaryOf(t, must(t, in(t, "resume", cut, "--cycles", "9", "--json")))
	b := summaryOf(t, must(t, in(t, "run", "testdata/operator.yaml", "--cycles", "9", "--out", whole, "--json")))
	if a.WorldHash != b.WorldHash || a.AgentTicks != b.AgentTicks || a.Cycles != 9 {
		t.Errorf("continued %s with %d ticks, at once %s with %d", a.WorldHash, a.AgentTicks, b.WorldHash, b.AgentTicks)
	}
	for _, run := range []string{cut, whole} {
		if r := must(t, in(t, "replay", run)); !strings.Contains(r.out, "9 cycles re-executed, every hash the same") {
			t.Errorf("replay says %s", r.out)
		}
	}
	lines := must(t, in(t, "tail", whole)).out
	for _, want := range []string{
		"anna  input grant 70 ⚡\n",
		"treated-1  input take 5 ⚡\n",
		"treated-1  input take 5000 ⚡: refused by the world: funds (QUOTA_EXCEEDED), have ",
		"input post QUESTION in #help: Who knows about loops?\n",
		"input post STATEMENT in #nowhere: hello: refused by the world: channel (NOT_FOUND)\n",
		"treated-2  input sleep for 4 cycles\n",
		"input param agora.channel_fee = 20\n",
		"input goal claim_bounty: As asked: claim bounty\n",
		"treated-1  input wake: refused by the world: held_asleep (CONFLICT)\n",
		"anna  input grant 5 ⚡: refused by the world: dead (CONFLICT)\n",
		"input spawn LIBRARIAN with 60 ⚡\n",
		"input spawn GENERALIST with 50 ⚡\n",
		"input spawn GENERALIST with 50 ⚡: refused by the world: population_cap (QUOTA_EXCEEDED), ",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("tail does not say %q", want)
		}
	}
	for _, want := range []string{"treated-2 LIBRARIAN  ACTIVE → DORMANT: operator", "cycle 6 tick 895  dormancy  treated-2 LIBRARIAN  DORMANT → ACTIVE: operator, the time is over for which an operator put it to sleep, "} {
		if r := must(t, in(t, "tail", whole, "--dormancy", "--agent", "treated-2")); !strings.Contains(r.out, want) {
			t.Errorf("tail --dormancy does not say %q:\n%s", want, r.out)
		}
	}
}

// The two ways in which an operator wakes an agent have one reason in the event; tail tells them apart. A line of an earlier
// version does not say which it was.
func TestTail_WaysInWhichOperatorsWake(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "4", "--set", "time.base_budget=4", "--out", "r",
		"--set", "inputs=[{cycle: 1, do: sleep, agent: 2, for_cycles: 2}, {cycle: 1, do: sleep, agent: 3}, {cycle: 3, do: wake, agent: 3}]"))
	const woke, over = "DORMANT → ACTIVE: operator, an operator woke it, 9", "DORMANT → ACTIVE: operator, the time is over for which an operator put it to sleep, 9"
	says(t, "tail|r|--dormancy|--agent|2", exitOK, over)
	says(t, "tail|r|--dormancy|--agent|3", exitOK, woke)
	file := filepath.Join("r", "log", "dormancy.jsonl")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	older := regexp.MustCompile(`,"hold_ended":[a-z]+`).ReplaceAll(b, nil)
	if err := os.WriteFile(file, older, 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, "tail|r|--dormancy|--agent|3", exitOK, "operator, an operator woke it, or the time is over for which one put it to sleep, 9")
}

// PostgreSQL gives the hash of SQLite, and continues and repeats the same run.
func TestOperator_PostgreSQL(t *testing.T) {
	at := pgserver.Database(t)
	dir := t.TempDir()
	lite, pg := filepath.Join(dir, "lite"), filepath.Join(dir, "pg")
	a := summaryOf(t, must(t, in(t, "run", "testdata/operator.yaml", "--cycles", "8", "--out", lite, "--json")))
	must(t, in(t, "run", "testdata/operator.yaml", "--out", pg, "--store", at))
	b := summaryOf(t, must(t, in(t, "resume", pg, "--cycles", "8", "--store", at, "--json")))
	if a.WorldHash != b.WorldHash {
		t.Errorf("SQLite %s, PostgreSQL %s", a.WorldHash, b.WorldHash)
	}
	must(t, in(t, "replay", pg, "--store", at))
}

// The DEAD have nothing, and count neither in the summary nor in the metrics of a society.
func TestOperator_DeadAreNotPoor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sum := summaryOf(t, must(t, in(t, "run", "testdata/operator.yaml", "--out", dir, "--json")))
	var found societyJSON
	if err := json.Unmarshal([]byte(must(t, in(t, "society", dir, "--json")).out), &found); err != nil {
		t.Fatal(err)
	}
	for _, m := range found.Measures {
		if m.Key == "gini_balances" && (m.Value == nil || math.Abs(*m.Value-sum.World.Gini) > .001 || m.N < int(sum.Agents.Active+sum.Agents.Dormant)) { // it also counts those that warm up
			t.Errorf("society has %s of %d agents, the summary %v of %+v", formatExact(*m.Value), m.N, sum.World.Gini, sum.Agents)
		}
	}
	if sum.Agents.Dead != 1 || sum.World.Poorest.Balance == 0 {
		t.Errorf("%+v, the poorest is %+v", sum.Agents, sum.World.Poorest)
	}
}

// Names are shown instead of aliases in tables, and accepted after --agent.
func TestNames_ReplaceAliasesInCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sum := summaryOf(t, must(t, in(t, "run", "testdata/operator.yaml", "--out", dir, "--json")))
	if sum.World.Poorest.Name != "treated-2" {
		t.Errorf("the poorest is %+v, want treated-2: anna has nothing, but she is dead", sum.World.Poorest)
	}
	agents := inspectOf(t, dir).Agents
	var names []string
	for _, a := range agents {
		names = append(names, a.Name)
	}
	if want := append([]string{"anna", "treated-1", "treated-2"}, make([]string, len(names)-3)...); !slices.Equal(names, want) { // newcomers have none
		t.Errorf("names %q, want %q", names, want)
	}
	if got := inspectOf(t, dir, "--agent", "Treated-2").Agents; len(got) != 1 || got[0].ID != agents[2].ID {
		t.Errorf("--agent Treated-2 is %+v", got)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.Contains(r.out, "NO.  NAME       AGENT") || !strings.Contains(r.out, "\n4    -          "+agents[3].Alias) {
		t.Errorf("the table has no names:\n%s", r.out)
	}
	if r := must(t, in(t, "explain", dir, "--agent", "treated-1", "--tick", "128")); !strings.HasPrefix(r.out, "agent treated-1, "+agents[1].Alias+" (LIBRARIAN)") {
		t.Errorf("explain begins %.60q", r.out)
	}
	for _, c := range []struct{ name, want string }{
		{"treted-2", `is named "treted-2"; did you mean treated-2?`},
		{"treated-3", `is named "treated-3"; did you mean treated-1?`},
	} {
		if r := in(t, "inspect", dir, "--agent", c.name); r.code != exitInput || !strings.Contains(r.err, c.want) {
			t.Errorf("--agent %s: exit %d, %s", c.name, r.code, r.err)
		}
	}
	says(t, "explain|"+dir+"|--agent|treated", exitInput, "treated names 2 agents; give one of them, treated-1 to treated-2")
	r := must(t, in(t, "__complete", "inspect", dir, "--agent", "trea"))
	if !strings.Contains(r.out, "treated-1\ntreated-2\n") {
		t.Errorf("completion offers %s", r.out)
	}
	for _, path := range []string{"population[1].goals[0].predicate=", "population[0].balance=", "population[0].knowledge=", "inputs[5].for_cycles="} {
		if r := must(t, in(t, "__complete", "run", "testdata/operator.yaml", "--set", path[:len(path)-2])); !strings.Contains(r.out, path) {
			t.Errorf("completion of --set does not offer %s: %s", path, r.out)
		}
	}
}

// A mind that reads is told what its agent began with.
func TestBeginning_IsShownInThePrompt(t *testing.T) {
	r := must(t, in(t, "prompt", "testdata/operator.yaml", "--agent", "treated-1", "--cycle", "1"))
	for _, want := range []string{
		`known from an entry: "loops" (0.90): "they repeat"`, `known from experience: "lists" (0.80): "they hold"`,
		"trust 0.75 (n 10, before the world began)", `goal operator: "read a lot"`, "progress 0 of 4 acts", "progress 20 of 5000 Spark",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the prompt does not say %s", want)
		}
	}
	for _, name := range []string{"treated", "anna"} {
		if strings.Contains(r.out, name) {
			t.Errorf("the prompt tells the name %s", name)
		}
	}
}

// Inputs without an effect are warned of by run and by validate, and the run goes on.
func TestWarnings_ForInputsWithoutEffect(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "w.yaml")
	text := "name: w\ncycles: 1\npopulation: [{role: EXPLORER, count: 4}]\ninputs:\n  - {cycle: 1, agent: 1, do: goal, text: be kind}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want := "kingdom: warning: " + file + ":5:42: inputs[0].text: is free text, which the scripted mind does not read; give the goal a kind or a domain too (docs/SCENARIOS.md, goals)\n"
	if r := must(t, in(t, "scenario", "validate", file)); r.err != want {
		t.Errorf("validate says %q, want %q", r.err, want)
	}
	if r := must(t, in(t, "run", file, "--out", filepath.Join(dir, "run"))); strings.Count(r.err, want) != 1 {
		t.Errorf("run says %q", r.err)
	}
	crowded := in(t, "scenario", "validate", file, "--set", "inputs=[{cycle: 1, do: spawn, count: 3}]")
	if want := "inputs[0].do: finds no room in epoch 0, where spawn.cap keeps the population at its initial size; unless agents have died or a later epoch has begun, the newcomers are refused; set spawn.cap, such as to 7\n"; !strings.HasSuffix(must(t, crowded).err, want) {
		t.Errorf("newcomers without room: %q, want %q", crowded.err, want)
	}
	if r := must(t, in(t, "scenario", "validate", file, "--set", "inputs[0].domain=REVIEW")); r.err != "" {
		t.Errorf("with a domain, validate says %q", r.err)
	}
}

// The recipe of the cookbook works as written: treated agents do nothing during their treatment, the others go on.
func TestCookbook_TreatmentRecipe(t *testing.T) {
	page, err := os.ReadFile("../../docs/COOKBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	_, recipe, ok := strings.Cut(string(page), "**A treatment and a control group.**")
	if !ok {
		t.Fatal("the recipe is gone")
	}
	recipe, _, _ = strings.Cut(recipe, "\n**")
	block := func(kind string) string {
		for i, part := range strings.Split(recipe, "```") {
			if text, found := strings.CutPrefix(part, kind+"\n"); found && i%2 == 1 {
				return text
			}
		}
		t.Fatalf("the recipe has no block %q", kind)
		return ""
	}
	if err := os.WriteFile("sleep.yaml", []byte(block("yaml")), 0o666); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(block("")) {
		words := strings.Fields(line)
		if words[0] != "kingdom" {
			t.Fatalf("%q is no command of ours", line)
		}
		must(t, in(t, words[1:]...))
	}
	run, err := openRun(t.Context(), "runs/sleep", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.store.Close() }()
	acts := map[string]int64{}
	if err := run.store.Query(t.Context(), block("sql"), nil, func(c table.Cursor) error {
		for c.Next() {
			var team, phase string
			var n int64
			if err := c.Scan(&team, &phase, &n); err != nil {
				return err
			}
			acts[team+" "+phase] = n
		}
		return c.Err()
	}); err != nil {
		t.Fatal(err)
	}
	if acts["treated during"] != 0 || acts["treated before"] == 0 || acts["treated after"] == 0 || acts["control during"] == 0 {
		t.Errorf("acts %v", acts)
	}
}
