//go:build !race

package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"kingdom/engine"
	"kingdom/internal/fakellm"
)

// inputArgs are the flags of a short run.
var inputArgs = []string{"run", "epoch0", "--set", "time.base_budget=16", "--json", "--out"}

// plannedHash is the world hash of the same run if its scenario plans the inputs.
func plannedHash(t *testing.T, cycles, inputs string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "planned")
	return summaryOf(t, must(t, in(t, append(inputArgs, dir, "--cycles", cycles, "--set", "inputs="+inputs)...))).WorldHash
}

// An input for a stopped run takes effect when the run goes on, as if the scenario had planned it. Every command that reads
// the run shows it; replay and a fork after it repeat it, and a fork before it does not.
func TestInput_StoppedRunTakesItWhenItGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, append(inputArgs, "r", "--cycles", "3")...))
	killed(t, "r", 6)
	r := must(t, in(t, "input", "r", "{do: grant, agent: 2, amount: 30}", "{do: wake, agent: 1}", "{cycle: 5, do: post, text: 'who is awake?'}"))
	for _, want := range []string{
		"r is stopped at cycle 3 of 6", "3 inputs take effect in cycle 4 at the earliest, when it goes on: kingdom resume r\n", "  {cycle: 5, do: post, text: 'who is awake?'}\n",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("input does not say %q:\n%s", want, r.out)
		}
	}
	if got := inspectOf(t, "r"); len(got.Waiting) != 3 || len(got.Outside) != 0 {
		t.Errorf("before the run goes on, inspect has %+v and waiting %v", got.Outside, got.Waiting)
	}
	r = must(t, in(t, "resume", "r", "--json"))
	sum := summaryOf(t, r)
	want := plannedHash(t, "6", "[{cycle: 4, do: grant, agent: 2, amount: 30}, {cycle: 4, do: wake, agent: 1}, {cycle: 5, do: post, text: 'who is awake?'}]")
	without := plannedHash(t, "6", "[]")
	if sum.WorldHash != want || want == without {
		t.Errorf("ends in %s, planned in %s, without inputs in %s", sum.WorldHash, want, without)
	}
	if len(sum.Outside) != 3 || sum.Outside[0].Cycle != 4 || sum.Outside[2].Input != "{do: post, text: 'who is awake?'}" || sum.Outside[1].Refused != "refused by the world: not_dormant (CONFLICT)" {
		t.Errorf("the summary has %+v", sum.Outside)
	}
	alias := inspectOf(t, "r").Agents[0].Alias
	if want := "kingdom: cycle 4: input from outside: wake " + alias + "; refused by the world: not_dormant (CONFLICT)\n"; !strings.Contains(r.err, want) {
		t.Errorf("resume says %q, want %q", r.err, want)
	}
	if r := must(t, in(t, "inspect", "r")); !strings.Contains(r.out, "from outside  input of cycle 4 {do: wake, agent: 1}: refused by the world") || strings.Contains(r.out, "waits") {
		t.Errorf("inspect says\n%s", r.out)
	}
	if got := inspectOf(t, "r", "--cycle", "4"); len(got.Outside) != 2 {
		t.Errorf("up to cycle 4 there are %+v", got.Outside)
	}
	if r := must(t, in(t, "replay", "r")); !strings.Contains(r.out, "every hash the same; world hash "+want) {
		t.Errorf("replay says %s", r.out)
	}
	for at, hash := range map[string]string{"3": without, "5": want} {
		if got := summaryOf(t, must(t, in(t, "fork", "r", "--at", at, "--json"))).WorldHash; got != hash {
			t.Errorf("a fork at %s ends in %s, want %s", at, got, hash)
		}
	}
	if r := must(t, in(t, "compare", "r", "r-at3")); !strings.Contains(r.out, "first difference: cycle 4, tick 1024: another input\n  a  grant ") {
		t.Errorf("compare says %s", r.out)
	}

	// The report names them, and who follows it gets the same world.
	page := readPage(t, "r/report.html")
	if !strings.Contains(page, "<h2>What an operator did</h2>") || !strings.Contains(page, "<code>{do: grant, agent: 2, amount: 30}</code></td><td>done</td>") {
		t.Error("the report does not say that somebody intervened")
	}
	scenario := regexp.MustCompile(`(?s)<summary>scenario.yaml</summary><pre>(.*?)</pre>`).FindStringSubmatch(page)
	if scenario == nil {
		t.Fatal("the report has no scenario")
	}
	if err := os.WriteFile("scenario.yaml", []byte(html.UnescapeString(scenario[1])), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := summaryOf(t, must(t, in(t, "run", "scenario.yaml", "--cycles", "6", "--out", "again", "--json"))).WorldHash; got != want {
		t.Errorf("who follows the report gets %s, want %s", got, want)
	}
}

// The exported thoughts of a run carry a scenario with its inputs from outside, so that they give the run again.
func TestInput_ThoughtsGiveTheRunAgain(t *testing.T) {
	server := &fakellm.Server{Seed: 3, Key: plantedKey}
	withServer(t, server)
	dir, tape := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "tape")
	without := summaryOf(t, must(t, in(t, append(strings.Fields(shortLLM), dir)...)))
	killed(t, dir, 4)
	must(t, in(t, "input", dir, "{do: grant, agent: 2, amount: 30}"))
	want := summaryOf(t, must(t, in(t, "resume", dir, "--json")))
	noEndpoint(t)
	if len(want.Outside) != 1 || want.WorldHash == without.WorldHash {
		t.Fatalf("the run has %+v from outside", want.Outside)
	}
	must(t, in(t, "journal", "export", dir, "--thoughts", tape))
	if got := summaryOf(t, must(t, in(t, "journal", "import", tape, "--json", "--out", filepath.Join(t.TempDir(), "again")))); got.WorldHash != want.WorldHash {
		t.Errorf("they give %s, want %s", got.WorldHash, want.WorldHash)
	}
}

// What cannot take effect is refused with what to do instead, and nothing is left in the run.
func TestInput_RefusesWhatCannotTakeEffect(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, append(inputArgs, "r", "--cycles", "2")...))
	must(t, in(t, "run", "epoch0", "--seeds", "1", "--cycles", "1", "--out", "s"))
	says(t, "input|r|{do: wake, agent: 1}", exitInput, "r is finished at cycle 2 of 2, so no further cycle begins in which an input could take effect; start a new run from a cycle before: kingdom fork r --at 1 --input '{cycle: 2, do: …}'")
	says(t, "input|s/seed-1|{do: wake, agent: 1}", exitInput, "s/seed-1 is a run of the sweep s, whose results are about runs that differ by their seeds alone; change one of its runs in a fork: kingdom fork s/seed-1 ")
	must(t, in(t, "fork", "s/seed-1", "--at", "0")) // beside the runs of the sweep, but not one of them
	says(t, "input|s-seed-1-at0|{do: wake, agent: 1}", exitInput, "s-seed-1-at0 is finished at cycle 1 of 1")
	says(t, "input|s|{do: wake, agent: 1}", exitInput, "s holds a sweep; name one of its runs")
	says(t, "input|nowhere|{do: wake, agent: 1}", exitInput, "nowhere does not exist")
	says(t, "input|r", exitInput, "takes a run directory and inputs, such as '{do: wake, agent: 3}'")
	killed(t, "r", 5)
	says(t, "input|r|{do: spawn}", exitInput, `kingdom fork r --at 2 --input "{cycle: 3, do: spawn}"`)
	says(t, "input|r|{do: wake, agent: 1}|{do: wake, agent: 9}", exitInput, "{do: wake, agent: 9}: inputs[1].agent: is 9; want at most 8, the agents of population")
	says(t, "input|r|{do: wake, agent: 1, cycle: 2}", exitInput, "is for cycle 2, which has begun; want a cycle from 3 on, or none for the next")
	says(t, "input|r|{do: goal, agent: 1, text: be kind}", exitOK, "warning: {do: goal, agent: 1, text: be kind}: inputs[0].text: is free text, which the scripted mind does not read")
	if waits := inspectOf(t, "r").Waiting; len(waits) != 1 {
		t.Errorf("%q wait, want only the last", waits)
	}
}

// Resume needs the journal, so without it an input would wait for ever.
func TestInput_RefusedWithoutTheJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, append(inputArgs, "r", "--cycles", "2")...))
	killed(t, "r", 5)
	if err := os.RemoveAll("r/journal"); err != nil {
		t.Fatal(err)
	}
	const missing = "read journal r/journal: it ends before cycle 2, which the store holds"
	says(t, "resume|r", exitFailure, missing)
	says(t, "input|r|{do: wake, agent: 1}", exitFailure, missing)
	says(t, "input|r|{do: wake, agent: 1}", exitFailure, "restore r/journal from a copy")
	if fileExists("r/inbox") {
		t.Error("what was refused is in the inbox")
	}
}

// An input that arrives when the last cycle has begun is not lost: the run says so, and it takes effect when it is extended.
func TestInput_TooLateWaitsForAnExtension(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, append(inputArgs, "r", "--cycles", "2")...))
	killed(t, "r", 3)
	must(t, in(t, "input", "r", "{do: grant, agent: 2, amount: 30}"))
	if r := must(t, in(t, "resume", "r", "--cycles", "2")); !strings.Contains(r.err, "too late for this run: {cycle: 3, do: grant, agent: 2, amount: 30}; it takes effect if the run is extended: kingdom resume r --cycles 12\n") {
		t.Errorf("resume says %q", r.err)
	}
	sum := summaryOf(t, must(t, in(t, "resume", "r", "--cycles", "4", "--json")))
	if want := plannedHash(t, "4", "[{cycle: 3, do: grant, agent: 2, amount: 30}]"); sum.WorldHash != want {
		t.Errorf("extended, it ends in %s, want %s", sum.WorldHash, want)
	}
}

// A run that was paused in the middle of a cycle resumes in it, so its inputs wait for the next one, and there is none after
// the last.
func TestInput_PausedRunTakesItInTheNextCycle(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := &fakellm.Server{Seed: 3}
	withServer(t, whole)
	must(t, in(t, append(strings.Fields(shortLLM), "whole")...))
	enough := int(whole.Counts().Requests) - 1
	paused := func(dir, cycles string) {
		withServer(t, &fakellm.Server{Seed: 3, Script: func(n int, _ *fakellm.Request) fakellm.Act {
			if n < enough {
				return nil
			}
			return fakellm.Status(429, `{"error":{"message":"no credit","code":"insufficient_quota"}}`)
		}})
		if r := in(t, append(strings.Fields(shortLLM), dir, "--cycles", cycles)...); r.code != exitOutage {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
	}
	paused("last", "2")
	says(t, "input|last|{do: grant, agent: 2, amount: 30}", exitInput, "last is paused at cycle 1 of 2; cycle 2 has begun, so no further cycle begins in which an input could take effect; start a new run from a cycle before: kingdom fork last --at 1 ")
	paused("r", "3")
	says(t, "input|r|{cycle: 2, do: grant, agent: 2, amount: 30}", exitInput, "is for cycle 2, which has begun; want a cycle from 3 on, or none for the next")
	r := must(t, in(t, "input", "r", "{do: grant, agent: 2, amount: 30}"))
	if want := "r is paused at cycle 1 of 3; cycle 2 has begun\n1 input takes effect in cycle 3 at the earliest, when it goes on: kingdom resume r\n"; !strings.HasPrefix(r.out, want) {
		t.Errorf("input says %q, want %q", r.out, want)
	}
	withServer(t, &fakellm.Server{Seed: 3})
	if sum := summaryOf(t, must(t, in(t, "resume", "r", "--json", "--set", "minds.models.default.endpoint="+os.Getenv(envEndpoint)))); len(sum.Outside) != 1 || sum.Outside[0].Cycle != 3 {
		t.Errorf("from outside came %+v", sum.Outside)
	}
}

// Of two inputs that were given together only the one that has not taken effect waits.
func TestInput_OnlyWhatHasNotTakenEffectWaits(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, append(inputArgs, "r", "--cycles", "2")...))
	killed(t, "r", 5)
	must(t, in(t, "input", "r", "{do: grant, agent: 2, amount: 7, cycle: 5}", "{do: grant, agent: 2, amount: 30}"))
	const later = "{cycle: 5, do: grant, agent: 2, amount: 7}"
	if r := must(t, in(t, "resume", "r", "--cycles", "3")); !strings.Contains(r.err, "too late for this run: "+later+"; ") {
		t.Errorf("resume says %q", r.err)
	}
	if got := inspectOf(t, "r"); len(got.Outside) != 1 || !slices.Equal(got.Waiting, []string{later}) {
		t.Errorf("applied %+v, waiting %q", got.Outside, got.Waiting)
	}
}

// listener is an output that passes on what is written.
type listener struct {
	mu   sync.Mutex
	hear func(text string)
}

func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear(string(b))
	return len(b), nil
}

// A run that is killed as soon as it says that an input took effect, or before, ends like one that planned the input for the
// cycle in which it did.
func TestInput_RunThatGoesOnIsKilled(t *testing.T) {
	for name, word := range map[string]string{"before": "cycle ", "after": "input from outside"} {
		dir := filepath.Join(t.TempDir(), "run")
		cmd := exec.Command(plainBinary(t), "run", "epoch0", "--set", "time.base_budget=16", "--cycles", "1000", "--out", dir)
		give := sync.OnceFunc(func() {
			r := in(t, "input", dir, "{do: grant, agent: 2, amount: 30}", "--json")
			if r.code != exitOK || !strings.Contains(r.out, `"going_on":true`) {
				t.Errorf("input: exit %d, %s%s", r.code, r.out, r.err)
			}
		})
		cmd.Stderr = &listener{hear: func(text string) {
			if strings.Contains(text, "cycle 0/") {
				return // its world is not stored yet
			}
			if strings.Contains(text, "cycle ") {
				give()
			}
			if strings.Contains(text, word) {
				_ = cmd.Process.Kill() // it may have been killed by the line before
			}
		}}
		if err := cmd.Run(); err == nil {
			t.Fatalf("%s: the run was not killed", name)
		}
		until := fmt.Sprint(inspectOf(t, dir).LastCycle + 4)
		sum := summaryOf(t, must(t, in(t, "resume", dir, "--cycles", until, "--json")))
		if len(sum.Outside) != 1 {
			t.Fatalf("%s: the run had %+v from outside", name, sum.Outside)
		}
		planned := fmt.Sprintf("[{cycle: %d, do: grant, agent: 2, amount: 30}]", sum.Outside[0].Cycle)
		if want := plannedHash(t, until, planned); sum.WorldHash != want {
			t.Errorf("%s: ends in %s, want %s", name, sum.WorldHash, want)
		}
		must(t, in(t, "replay", dir))
		if left, err := engine.Inbox(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %d files are left in the inbox, %v", name, len(left), err)
		}
	}
}

// The recipe of the cookbook works as written: the run is started first, and the other commands are given while it goes on.
func TestCookbook_InputRecipe(t *testing.T) {
	page, err := os.ReadFile("../../docs/COOKBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	_, recipe, ok := strings.Cut(string(page), "**Wake an agent while a run goes on.**")
	if !ok {
		t.Fatal("the recipe is gone")
	}
	recipe, _, _ = strings.Cut(recipe, "\n**")
	words := regexp.MustCompile(`'[^']*'|\S+`)
	var commands [][]string
	for line := range strings.Lines(recipe) {
		if command, is := strings.CutPrefix(line, "kingdom "); is {
			args := words.FindAllString(command, -1)
			for i := range args {
				args[i] = strings.Trim(args[i], "'")
			}
			commands = append(commands, args)
		}
	}
	if len(commands) != 4 || commands[0][0] != "run" {
		t.Fatalf("the recipe has the commands %q", commands)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	begun, took := make(chan struct{}), make(chan struct{})
	sayBegun, sayTook := sync.OnceFunc(func() { close(begun) }), sync.OnceFunc(func() { close(took) })
	ended := make(chan int, 1)
	go func() {
		errw := &listener{hear: func(text string) {
			if strings.Contains(text, "cycle ") && !strings.Contains(text, "cycle 0/") {
				sayBegun()
			}
			if strings.Contains(text, "input from outside: wake") {
				sayTook()
			}
		}}
		ended <- execute(ctx, commands[0], &bytes.Buffer{}, errw)
	}()
	<-begun
	must(t, in(t, commands[1]...))
	must(t, in(t, commands[2]...))
	<-took
	for said := ""; !strings.Contains(said, "from outside  input of cycle "); { // from the end of the cycle on
		said = must(t, in(t, commands[3]...)).out
	}
	stop()
	if code := <-ended; code != exitInterrupted {
		t.Errorf("the run ended with %d before it was stopped", code)
	}
}
