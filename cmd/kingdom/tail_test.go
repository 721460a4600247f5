package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/engine"
	"kingdom/internal/fakellm"
)

// One command shows why an agent fell asleep, also if it chose to do nothing.
func TestTail_ShowsWhyAnAgentFellAsleep(t *testing.T) {
	s := runEpoch0(t, "--cycles", "2", "--set", "minds.scripted.nop_rate=1", "--set", "dormancy.wake_after_cycles=0")
	agent := inspectOf(t, s.dir).Agents[0]
	r := must(t, in(t, "tail", s.dir, "--nop", "--dormancy", "--agent", strings.ToUpper(agent.Alias[:5])))
	for _, want := range []string{"NOP 9 in a row: chose to do nothing, top goal ", "ACTIVE → DORMANT: nop_limit, 10 NOPs in a row (10 chosen), "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("tail does not say %q:\n%s", want, r.out)
		}
	}
	if strings.Count(r.out, "\n") != strings.Count(r.out, agent.Alias) {
		t.Errorf("lines of others than %s:\n%s", agent.Alias, r.out)
	}
	if r := must(t, in(t, "tail", s.dir, "--dormancy", "--agent", agent.Alias)); !strings.Contains(r.out, "10 chosen") || strings.Contains(r.out, "in a row: chose") {
		t.Errorf("--dormancy alone says\n%s", r.out)
	}
	if r := must(t, in(t, "tail", s.dir, "--think", "--agent", agent.ID, "--json")); !strings.HasPrefix(r.out, `{"stream":"think","ts":`) || !strings.Contains(r.out, `"action":"nop"`) {
		t.Errorf("--think --json begins with\n%.200s", r.out)
	}
	if r := must(t, in(t, "inspect", s.dir, "--agent", strings.ToUpper(agent.Alias))); !strings.Contains(r.out, agent.Alias) {
		t.Errorf("inspect of an alias in upper case:\n%s", r.out)
	}
	slip := agent.Alias[:6] + "zz"
	if r := in(t, "tail", s.dir, "--agent", slip); r.code != exitInput || !strings.Contains(r.err, "did you mean "+agent.Alias) {
		t.Errorf("a slip in an alias: exit %d, %s", r.code, r.err)
	}
}

// A rest is not a NOP: a search for stuck agents lists none, and the message says how to list rests.
func TestTail_RestsAreNotListedAsNOPs(t *testing.T) {
	s := runEpoch0(t, "--cycles", "3")
	rests := 0
	for _, l := range nopLines(t, s.dir, "--rest") {
		if rests++; l.Class != "rest" {
			t.Fatalf("--rest shows a line of class %q", l.Class)
		}
	}
	if rests == 0 {
		t.Fatal("nobody rested")
	}
	for _, flags := range [][]string{{"--nop"}, {"--nop", "--dormancy"}, nil} {
		if r := must(t, in(t, append([]string{"tail", s.dir}, flags...)...)); strings.Contains(r.out, " rests for ") {
			t.Errorf("tail %v shows rests:\n%.300s", flags, r.out)
		}
	}
	both := nopLines(t, s.dir, "--nop", "--rest")
	if nops := nopLines(t, s.dir, "--nop"); len(nops)+rests != len(both) {
		t.Errorf("%d NOPs and %d rests, together %d", len(nops), rests, len(both))
	}
	r := must(t, in(t, "tail", s.dir, "--nop", "--since", "3"))
	if want := "--rest shows where agents rested"; r.out == "" && !strings.Contains(r.err, want) {
		t.Errorf("no NOP: %q, want %q", r.err, want)
	}
	if r := must(t, in(t, "tail", s.dir, "--rest")); !strings.Contains(r.out, "  rest      ") {
		t.Errorf("rests look like\n%.300s", r.out)
	}
}

// The logs of an agent can be read while the store cannot, as when its server is down.
func TestTail_AgentWithoutTheStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--set", "minds.scripted.malformed_rate=1", "--out", dir))
	agent := inspectOf(t, dir).Agents[2]
	want := must(t, in(t, "tail", dir, "--nop", "--agent", "3")).out
	if err := os.Remove(filepath.Join(dir, "kingdom.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"3", agent.Alias, strings.ToUpper(agent.Alias[:6]), agent.ID} {
		r := must(t, in(t, "tail", dir, "--nop", "--agent", name))
		if r.out != want || want == "" || !strings.Contains(r.err, "the store cannot be read, so --agent knows only the agents with which the scenario begins: ") {
			t.Errorf("--agent %s shows\n%s%s", name, r.out, r.err)
		}
	}
	if r := in(t, "tail", dir, "--agent", "9"); r.code != exitFailure || !strings.Contains(r.err, "kingdom.db is missing; restore it") {
		t.Errorf("nobody: exit %d, %s", r.code, r.err)
	}
}

// Following ends with the run, and missing logs are named.
func TestTail_FollowEndsWithRunAndNamesMissingLogs(t *testing.T) {
	s := runEpoch0(t, "--cycles", "1")
	if r := must(t, in(t, "tail", s.dir, "-f")); !strings.Contains(r.out, "end of cycle") {
		t.Errorf("following a finished run shows\n%s", r.out)
	}
	for flags, want := range map[string]string{
		"--since 99":           "fits --since; without it",
		"--agent 1":            "fits --agent; without it",
		"--agent 1 --since 99": "fits --agent and --since; without them",
	} {
		r := must(t, in(t, append([]string{"tail", s.dir, "--dormancy"}, strings.Fields(flags)...)...))
		if !strings.Contains(r.err, want) {
			t.Errorf("nothing for %s: %q, want %q", flags, r.err, want)
		}
	}
	think := filepath.Join(s.dir, "log", "think.jsonl.zst")
	if err := os.Truncate(think, 100); err != nil {
		t.Fatal(err)
	}
	if r := in(t, "tail", s.dir, "--think"); r.code != exitFailure || !strings.Contains(r.err, think+": it is damaged") || strings.Contains(r.err, "nothing to show") {
		t.Errorf("a log that was cut: exit %d, %q", r.code, r.err)
	}
	if err := os.Remove(filepath.Join(s.dir, "log", "nop.jsonl")); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "tail", s.dir, "--nop")); !strings.Contains(r.err, "log/nop.jsonl. Either the run was made with --logs=false") {
		t.Errorf("a removed log: %q", r.err)
	}
}

// Who looks at the log of a run that has stopped sees that it has, and why: when following ends, and when no line fits.
func TestTail_SaysHowTheRunEnded(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Script: fakellm.Always(fakellm.Status(429, `{"error":{"message":"no credit","code":"insufficient_quota"}}`))})
	if r := in(t, "run", "epoch0-llm", "--cycles", "3", "--out", "rc"); r.code != exitOutage {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	const paused = "rc: paused at cycle 0 of 3; kingdom resume rc continues it\n"
	const cause = "paused at tick 256 of cycle 1: the mind of agent "
	for _, args := range [][]string{{"--nop", "--dormancy"}, {"--nop", "--dormancy", "-f"}, {"-f"}, {"-f", "--json"}, {}, {"--rest"}} {
		r := must(t, in(t, append([]string{"tail", "rc"}, args...)...))
		if !strings.Contains(r.err, "kingdom: "+paused+"kingdom: cause: "+cause) || strings.Contains(r.err, "doctor") {
			t.Errorf("tail %v says %q", args, r.err)
		}
	}
	if r := must(t, in(t, "inspect", "rc")); !strings.HasPrefix(r.out, paused+"cause         "+cause) {
		t.Errorf("inspect says\n%.300s", r.out)
	}
	if got := inspectOf(t, "rc"); !strings.HasPrefix(got.Cause, cause) {
		t.Errorf("inspect --json says %q", got.Cause)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	var says strings.Builder
	execute(ctx, []string{"tail", "rc", "-f", "--keep"}, io.Discard, &says)
	if want := "kingdom: " + paused; strings.Count(says.String(), want) != 1 {
		t.Errorf("tail --keep says %q, want once %q", says.String(), want)
	}
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "whole"))
	if r := must(t, in(t, "tail", "whole", "-f")); r.err != "kingdom: whole: finished at cycle 1 of 1\n" {
		t.Errorf("of a run that has finished: %q", r.err)
	}
	if r := must(t, in(t, "tail", "whole")); r.err != "" {
		t.Errorf("of a run that is not followed: %q", r.err)
	}
}

// While a tick waits for a model that hangs, tail, inspect and the run itself say for whose answers. Nothing of it stays.
func TestTail_SaysForWhomATickWaits(t *testing.T) {
	var back atomic.Bool
	withServer(t, &fakellm.Server{Key: plantedKey, Script: func(int, *fakellm.Request) fakellm.Act {
		if back.Load() {
			return nil
		}
		return fakellm.Hang()
	}})
	dir := filepath.Join(t.TempDir(), "run")
	left := filepath.Join(dir, "waits.json")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var runSays, tailSays strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- execute(ctx, []string{"run", "epoch0-llm", "--cycles", "1", "--no-preflight", "--set", "population=[{role: GENERALIST, count: 2, name: ada}]", "--out", dir}, io.Discard, &runSays)
	}()
	for begin := time.Now(); !fileExists(left); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatal("nothing says that the tick waits")
		}
	}
	const waits = "tick 256 of cycle 1 has waited "
	following, unfollow := context.WithTimeout(t.Context(), time.Second)
	defer unfollow()
	execute(following, []string{"tail", dir, "-f"}, io.Discard, &tailSays)
	if want := "kingdom: " + dir + ": " + waits; strings.Count(tailSays.String(), want) != 1 {
		t.Errorf("tail -f says %q, want once %q", tailSays.String(), want)
	}
	if r := must(t, in(t, "tail", dir, "--nop")); !strings.Contains(r.err, ": running, cycle 0 of 1\nkingdom: "+dir+": "+waits) {
		t.Errorf("tail says %q", r.err)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.Contains(r.out, "in progress   "+waits) || !strings.Contains(r.out, "(ada-") {
		t.Errorf("inspect says\n%s", r.out)
	}
	if got := inspectOf(t, dir).Wait; got == nil || got.Tick != 256 || got.Waiting != 2 || len(got.Agents) != 2 {
		t.Errorf("inspect --json says %+v", got)
	}
	stop()
	if code := <-ended; code != exitInterrupted || !strings.Contains(runSays.String(), "\n"+waits) {
		t.Errorf("exit %d, the run says %q", code, runSays.String())
	}
	if fileExists(left) {
		t.Error("the run has ended, and what it waited for is still there")
	}
	if err := os.WriteFile(left, []byte(`{"tick":300,"agents":[{"number":1}]}`), 0o666); err != nil { // as a killed run leaves it
		t.Fatal(err)
	}
	if r := must(t, in(t, "tail", dir)); strings.Contains(r.err, "has waited") {
		t.Errorf("of a run that waits no longer, tail says %q", r.err)
	}
	back.Store(true)
	must(t, in(t, "resume", dir))
	if fileExists(left) {
		t.Error("what the run waited for before is still there")
	}
}

// Following ends if the run directory is removed, as that of a run that could not start, also with --keep: nobody can resume it.
func TestTail_FollowEndsWithTheDirectory(t *testing.T) {
	for _, flags := range [][]string{{"-f"}, {"-f", "--keep"}} {
		followUntilGone(t, flags)
	}
}

func followUntilGone(t *testing.T, flags []string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	sc, err := loadScenario("epoch0", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(sc)
	if err := engine.WriteRunFile(dir, &cfg, defaultStore); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(200*time.Millisecond, func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var errw bytes.Buffer
	code := execute(ctx, append([]string{"tail", dir}, flags...), io.Discard, &errw)
	if code != exitOK || ctx.Err() != nil || !strings.Contains(errw.String(), dir+" is gone: it was removed or renamed, or") || strings.Contains(errw.String(), "waiting") {
		t.Errorf("%v: exit %d, %v: %s", flags, code, ctx.Err(), errw.String())
	}
}

// An agent becomes ACTIVE at the end of a cycle and not in its last tick, where nobody could have seen it act.
func TestTail_WarmupIsAtTheEndOfACycle(t *testing.T) {
	s := runEpoch0(t, "--cycles", "4", "--set", "spawn.cap=9", "--set", "inputs=[{cycle: 2, do: spawn, role: EXPLORER}]")
	r := must(t, in(t, "tail", s.dir))
	for from, want := range map[int]int{0: 8, 2: 0, 3: 1} { // a newcomer of cycle 2 warms up for a whole cycle
		line := fmt.Sprintf("  EMBRYO → ACTIVE at the end of cycle %d; its slots begin in cycle %d\n", from, from+1)
		if n := strings.Count(r.out, line); n != want {
			t.Errorf("%d times %q, want %d:\n%s", n, line, want, r.out)
		}
	}
	newest := inspectOf(t, s.dir).Agents[8].Alias
	first := firstThought(t, s.dir, newest)
	if first < 4*256 || first >= 5*256 {
		t.Errorf("the newcomer thinks first at tick %d, want one of cycle 4", first)
	}
}

// firstThought returns the tick of the first thought of an agent.
func firstThought(t *testing.T, dir, agent string) (tick uint64) {
	t.Helper()
	r := must(t, in(t, "tail", dir, "--think", "--agent", agent, "--json"))
	var line struct{ Tick uint64 }
	if err := json.NewDecoder(strings.NewReader(r.out)).Decode(&line); err != nil {
		t.Fatal(err)
	}
	return line.Tick
}

// A log file of another run is told, and the logs of a run that was renamed, or copied, are its own.
func TestTail_LogOfAnotherRunIsTold(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", "one"))
	must(t, in(t, "run", "epoch0", "--seed", "7", "--cycles", "1", "--out", "other"))
	const told = "has lines of the run "
	if err := os.Rename("one", "renamed"); err != nil {
		t.Fatal(err)
	}
	must(t, in(t, "resume", "renamed", "--cycles", "2"))
	if r := must(t, in(t, "tail", "renamed", "--think", "--nop", "--goals", "--rest", "--dormancy")); strings.Contains(r.err, told) || !strings.Contains(r.out, "cycle 1 ") || !strings.Contains(r.out, "cycle 2 ") {
		t.Errorf("a renamed run: %s", r.err)
	}
	if err := os.Rename("other/log/think.jsonl.zst", "renamed/log/think.jsonl.zst"); err != nil {
		t.Fatal(err)
	}
	r := must(t, in(t, "tail", "renamed", "--think", "--nop"))
	if want := "kingdom: the stream think has lines of the run other, of which the other logs of renamed know nothing; its file may be that of another run: restore it from a copy\n"; r.err != want {
		t.Errorf("says %q, want %q", r.err, want)
	}
}
