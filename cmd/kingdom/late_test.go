package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// town has inputs and a change in later cycles.
const town = `name: town
cycles: 10
population:
  - {role: GENERALIST, name: mayor}
  - {role: COMPILER_SMITH, count: 3, name: smith}
inputs:
  - {cycle: 6, do: grant, agent: mayor, amount: 30}
  - {cycle: 8, do: spawn, role: LIBRARIAN}
spawn: {cap: 8}
changes:
  - {cycle: 7, set: ['minds.scripted.nop_rate=0.5']}
`

// A scenario with inputs and changes can be tried with fewer cycles. What comes later is told once, and takes effect if the
// run is extended, which ends as a run of all cycles does.
func TestLate_InputsAndChangesTakeEffectWhenARunIsExtended(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("town.yaml", []byte(town), 0o644); err != nil {
		t.Fatal(err)
	}
	const warning = "town.yaml:7:13: inputs[0].cycle: 2 inputs and 1 change are for cycles after the last one, 3, and have no effect; they take effect in a run of 8 cycles (cycles: 8, or --cycles 8)"
	whole := summaryOf(t, must(t, in(t, "run", "town.yaml", "--out", "whole", "--json")))
	for _, short := range [][]string{{"--cycles", "3"}, {"--set", "cycles=3"}} {
		dir := strings.Join(short[:1], "")[2:]
		r := must(t, in(t, append([]string{"run", "town.yaml", "--out", dir}, short...)...))
		if strings.Count(r.err, "warning: ") != 1 || !strings.Contains(r.err, "warning: "+warning) {
			t.Errorf("%s: warns of %s", short, r.err)
		}
		must(t, in(t, "replay", dir))
		must(t, in(t, "resume", dir, "--cycles", "7"))
		if end := summaryOf(t, must(t, in(t, "resume", dir, "--cycles", "10", "--json"))); end.WorldHash != whole.WorldHash || end.Agents != whole.Agents {
			t.Errorf("%s: extended to %s with %+v, want %s with %+v", short, end.WorldHash, end.Agents, whole.WorldHash, whole.Agents)
		}
		must(t, in(t, "replay", dir))
	}
	must(t, in(t, "run", "town.yaml", "--cycles", "3", "--seeds", "1..2", "--out", "sweep"))
	must(t, in(t, "run", "town.yaml", "--seeds", "1..2", "--out", "sweep"))
	alone := summaryOf(t, must(t, in(t, "run", "town.yaml", "--seed", "2", "--json")))
	if got := results(t, "sweep")["2"]["world_hash"]; got != alone.WorldHash {
		t.Errorf("seed 2 of an extended sweep ends with %s, alone with %s", got, alone.WorldHash)
	}
	says(t, "scenario|validate|town.yaml|--set|cycles=3", exitOK, warning)
	shown := must(t, in(t, "scenario", "show", "town.yaml", "--set", "cycles=3")).out
	if err := os.WriteFile("shown.yaml", []byte(shown), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, "scenario|validate|shown.yaml", exitOK, "2 inputs and 1 change are for cycles after the last one, 3")
	first := summaryOf(t, must(t, in(t, "run", "town.yaml", "--cycles", "3", "--json")))
	if err := os.WriteFile("golden.yaml", fmt.Appendf(nil, "- {scenario: town.yaml, seed: 42, cycles: 3, world_hash: %s}\n", first.WorldHash), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "verify", "golden.yaml"))
	const asked = "run|town.yaml|--set|minds.models.m={endpoint: 'http://127.0.0.1:1/v1', model: x}|--set|population[0].mind=m|--estimate"
	says(t, asked+"|--cycles|3", exitOK, "town, 3 cycles")
	says(t, asked, exitInput, "--estimate cannot follow a change of who thinks, and the minds of town change in cycle 7; estimate it up to there with --cycles 6, or without its changes with --set 'changes=[]'")
}

// What an estimate follows is a change of what agents are told, not of who thinks for them.
func TestEstimate_FollowsChangesOfWhatAgentsAreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	estimate := func(set string) result {
		return in(t, "run", "epoch0-llm", "--cycles", "3", "--set", "time.base_budget=8", "--estimate", "--json", "--set", "changes=[{cycle: 3, set: ["+set+"]}]")
	}
	tokens := func(r result) (e estimateJSON) {
		if err := json.Unmarshal([]byte(must(t, r).out), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	const long = `"population[0].persona='%s'"`
	plain, told := tokens(estimate(fmt.Sprintf(long, "x"))), tokens(estimate(fmt.Sprintf(long, strings.Repeat("you doubt ", 40))))
	if told.Prompt <= plain.Prompt {
		t.Errorf("a long persona takes %d tokens in all, a short one %d", told.Prompt, plain.Prompt)
	}
	for _, set := range []string{`"population[0].mind=scripted"`, `minds.models.default.max_output=99`, `minds.scripted.nop_rate=0.5`} {
		if r := estimate(set); r.code != exitInput || !strings.Contains(r.err, "--set 'changes=[]'") {
			t.Errorf("%s: exit %d: %s", set, r.code, r.err)
		}
	}
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "changes=[{cycle: 1, set: [minds.scripted.nop_rate=0.5]}]", "--set", "changes=[]", "--estimate"))
}

// A fork may end before inputs of its scenario take effect, but not before it begins, nor before its own inputs.
func TestLate_OfForks(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("town.yaml", []byte(town), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "run", "town.yaml", "--out", "town"))
	says(t, "fork|town|--at|3|--cycles|5|--out|short", exitOK, "2 inputs and 1 change are for cycles after the last one, 5, and have no effect")
	whole, extended := summaryOf(t, must(t, in(t, "fork", "town", "--at", "3", "--json"))), summaryOf(t, must(t, in(t, "resume", "short", "--cycles", "10", "--json")))
	if whole.WorldHash != extended.WorldHash {
		t.Errorf("a fork that was extended ends with %s, want %s", extended.WorldHash, whole.WorldHash)
	}
	for _, set := range []string{"", "|--set|minds.blind=[peers]"} {
		says(t, "fork|town|--at|8|--cycles|5"+set, exitInput, "a fork of town at cycle 8 that ends with cycle 5 has nothing to run; --cycles says where it ends, such as --cycles 18")
		says(t, "fork|town|--at|10"+set, exitInput, "has nothing to run; --cycles says where it ends, such as --cycles 20")
	}
	says(t, "fork|town|--at|3|--cycles|5|--input|{cycle: 6, do: wake, agent: 1}", exitInput, "is for cycle 6, after the last cycle, 5; want an earlier cycle, or --cycles 6")
}

// Models of changes that a run does not reach are not checked and need no key.
func TestLate_ModelsOfLateChangesAreNotChecked(t *testing.T) {
	withServer(t, &fakellm.Server{Seed: 3})
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=4", "--out", dir,
		"--set", `changes=[{cycle: 40, set: ["minds.models.other={endpoint: 'http://127.0.0.1:1/v1', model: m, key_env: NO_SUCH_KEY}", "population[0].mind=other"]}]`))
	if !strings.Contains(r.err, "1 change is for a cycle after the last one, 1, and has no effect") {
		t.Errorf("run says %s", r.err)
	}
	says(t, "resume|"+dir+"|--cycles|41", exitInput, `the model "other" needs a key: set the environment variable NO_SUCH_KEY`)
}
