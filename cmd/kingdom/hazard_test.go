package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/engine"
	"kingdom/internal/fakellm"
	"kingdom/sql/pgserver"
	"kingdom/sql/sqlite"
)

// killed makes run.json say what it says after kill -9: running, at the cycle of the start.
func killed(t *testing.T, dir string, until uint64) {
	t.Helper()
	file := filepath.Join(dir, "run.json")
	rf, err := engine.ReadRunFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	rf.Status, rf.Cycle, rf.Until = engine.StatusRunning, 0, until
	b, err := json.Marshal(rf)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func runIn(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, append([]string{"run", "epoch0", "--out", dir}, args...)...))
	return dir
}

// After kill -9 run.json says "running, cycle 0" for ever; the commands report that the run has stopped.
func TestInspect_KilledRunIsReportedAsStopped(t *testing.T) {
	dir := runIn(t, "--cycles", "2")
	killed(t, dir, 5)
	const stopped = ": stopped at cycle 2 of 5: its process ended without recording a status; kingdom resume "
	if r := must(t, in(t, "inspect", dir)); !strings.HasPrefix(r.out, dir+stopped) {
		t.Errorf("inspect says %q", r.out)
	}
	if r := must(t, in(t, "inspect", dir, "--json")); !strings.Contains(r.out, `"status": "stopped"`) || !strings.Contains(r.out, `"last_cycle": 2`) {
		t.Errorf("inspect --json says %q", r.out)
	}
	must(t, in(t, "inspect", dir, "--cycle", "2")) // run.json says cycle 0
	if r := must(t, in(t, "tail", dir)); !strings.Contains(r.err, stopped) {
		t.Errorf("tail says %q", r.err)
	}
	if r := in(t, "resume", dir, "--cycles", "1"); r.code != exitInput || !strings.Contains(r.err, "has already reached cycle 2") {
		t.Errorf("resume to a cycle that is past: exit %d, %q", r.code, r.err)
	}
	writer, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.HasPrefix(r.out, dir+": running, cycle 2 of 5\n") {
		t.Errorf("inspect of a run whose process lives says %q", r.out)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "resume", dir)); !strings.Contains(r.out, "5 cycles") {
		t.Errorf("resume says %q", r.out)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.HasPrefix(r.out, dir+": finished at cycle 5 of 5\n") {
		t.Errorf("inspect says %q", r.out)
	}
}

// Whichever file of a run is damaged, the stable code of the error says so.
func TestErrorLine_DamageHasItsCode(t *testing.T) {
	dir := runIn(t, "--cycles", "1")
	for _, tc := range []struct {
		file   string
		damage func(b []byte) []byte
		args   []string
	}{
		{"kingdom.db", func(b []byte) []byte { return b[:len(b)/2] }, []string{"replay"}},
		{"log/nop.jsonl", func(b []byte) []byte { return b[:len(b)-2] }, []string{"tail", "--rest"}},
		{"log/nop.jsonl", func(b []byte) []byte { b[0] = '['; return b }, []string{"tail", "--rest"}},
		// A bit of the checksum at the end: one of a thousand others is of no use to the frame, and its loss changes nothing.
		{"log/goals.jsonl.zst", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, []string{"tail", "--goals"}},
	} {
		hurt := filepath.Join(t.TempDir(), "run")
		if err := os.CopyFS(hurt, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(hurt, filepath.FromSlash(tc.file))
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, tc.damage(b), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := in(t, append(tc.args, hurt, "--json")...); r.code != exitFailure || !strings.Contains(r.out, `"code":"damaged"`) || !strings.Contains(r.err, "damaged") {
			t.Errorf("%v after %s was damaged: exit %d, %s", tc.args, tc.file, r.code, r.err)
		}
	}
}

// A run whose directory is renamed says so, and names no command for the old name. It goes on under the new one.
func TestRun_DirectoryIsRenamed(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{Key: plantedKey, Script: func(n int, _ *fakellm.Request) fakellm.Act {
		if n == 20 {
			if err := os.Rename("run", "renamed"); err != nil {
				t.Error(err)
			}
		}
		return nil
	}})
	r := in(t, "run", "epoch0-llm", "--cycles", "3", "--set", "time.base_budget=6", "--set", "checkpoint.every_cycles=1", "--out", "run")
	want := "kingdom: run, the directory of this run, was removed or renamed while the run went on; if it was renamed, kingdom resume continues the run under its new name\n"
	if r.code != exitFailure || !strings.HasSuffix(r.err, want) || strings.Contains(r.out+r.err, "run\n") {
		t.Errorf("exit %d: %s%s", r.code, r.err, r.out)
	}
	must(t, in(t, "resume", "renamed"))
	must(t, in(t, "replay", "renamed"))
}

// tail says that a stream is gone, though there are others: what is left would look as if nobody was stuck.
func TestTail_OneStreamIsMissing(t *testing.T) {
	dir := runIn(t, "--cycles", "1")
	if err := os.Remove(filepath.Join(dir, "log", "nop.jsonl")); err != nil {
		t.Fatal(err)
	}
	if r := must(t, in(t, "tail", dir)); r.out == "" || !strings.Contains(r.err, "nothing is shown of what is missing, "+dir+"/log/nop.jsonl; restore") {
		t.Errorf("tail says %q", r.err)
	}
	if r := must(t, in(t, "tail", dir, "--goals")); r.out == "" || r.err != "" {
		t.Errorf("tail --goals says %q", r.err)
	}
}

// tail -f says that the run was killed, once, whether before or while it is followed.
func TestTail_FollowedRunIsKilled(t *testing.T) {
	dir := runIn(t, "--cycles", "2")
	killed(t, dir, 5)
	const stopped = ": stopped at cycle 2 of 5: its process ended without recording a status"
	if r := must(t, in(t, "tail", dir, "--dormancy", "-f")); strings.Count(r.err, stopped) != 1 {
		t.Errorf("killed before: %q", r.err)
	}
	writer, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(time.Second, func() {
		if err := writer.Close(); err != nil {
			t.Error(err)
		}
	})
	if r := must(t, in(t, "tail", dir, "--dormancy", "-f")); strings.Count(r.err, stopped) != 1 {
		t.Errorf("killed while it is followed: %q", r.err)
	}
}

// tail -f says that the run was killed, also if the run had no world yet when it began to follow.
func TestTail_RunFollowedFromItsBeginningIsKilled(t *testing.T) {
	dir := runIn(t, "--cycles", "2")
	killed(t, dir, 0)
	world, kept := filepath.Join(dir, "kingdom.db"), filepath.Join(dir, "kept")
	if err := os.Rename(world, kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(world, nil, 0o644); err != nil { // what a run that begins has first
		t.Fatal(err)
	}
	time.AfterFunc(time.Second, func() {
		if err := os.Rename(kept, world); err != nil {
			t.Error(err)
		}
	})
	if r := must(t, in(t, "tail", dir, "--dormancy", "-f")); !strings.Contains(r.err, "its process ended without recording a status") {
		t.Errorf("tail says %q", r.err)
	}
}

// A run that is killed before its bootstrap is stored begins anew; one that has thoughts in
// its journal never does.
func TestResume_KilledInBootstrap(t *testing.T) {
	dir := runIn(t, "--cycles", "2")
	want := inspectOf(t, dir).WorldHash
	whole := filepath.Join(t.TempDir(), "begun")
	if err := os.CopyFS(whole, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, whole} {
		for _, f := range []string{"kingdom.db", "kingdom.db-wal", "kingdom.db-shm"} {
			os.Remove(filepath.Join(d, f))
		}
	}
	killed(t, dir, 0)
	if r := must(t, in(t, "resume", dir, "--cycles", "2")); !strings.Contains(r.out, want) {
		t.Errorf("resume says %q", r.out)
	}
	if r := must(t, in(t, "replay", dir)); !strings.Contains(r.out, "every hash the same") {
		t.Errorf("replay says %q", r.out)
	}
	if r := in(t, "resume", whole); r.code != exitFailure || !strings.Contains(r.err, "is missing; restore it") {
		t.Errorf("a run that lost its store: exit %d, %q", r.code, r.err)
	}
	if found, err := filepath.Glob(filepath.Join(whole, "journal", "*.kj")); err != nil || len(found) == 0 {
		t.Error("the journal of a run that lost its store is gone")
	}
}

// A start that fails leaves nothing: no directory, and no world in the database.
func TestRun_FailedStartLeavesNothing(t *testing.T) {
	url := pgserver.Database(t)
	dir := filepath.Join(t.TempDir(), "run")
	gone := func() {
		t.Helper()
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("the directory of a failed start is there: %v", err)
		}
	}
	start := func(args ...string) result {
		return in(t, append([]string{"run", "epoch0", "--out", dir, "--cycles", "1"}, args...)...)
	}
	if r := start("--store", "postgres://nobody@127.0.0.1:1/none"); r.code == exitOK {
		t.Error("a run started without a database")
	}
	gone()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := execute(ctx, []string{"run", "epoch0", "--out", dir, "--store", url}, &bytes.Buffer{}, &bytes.Buffer{}); code == exitOK {
		t.Error("a cancelled run started")
	}
	gone()
	other := filepath.Join(t.TempDir(), "other")
	must(t, in(t, "run", "epoch0", "--seed", "7", "--out", other, "--cycles", "1", "--store", url)) // another world: nothing was left
	if r := start("--store", url, "--seed", "7"); r.code != exitInput {
		t.Errorf("a run started in the database of another: exit %d", r.code)
	}
	gone()
	must(t, start())
}

func TestReplay_WithoutJournal(t *testing.T) {
	dir := runIn(t, "--cycles", "1")
	must(t, in(t, "replay", dir))
	if err := os.RemoveAll(filepath.Join(dir, "journal")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"replay", dir}, {"replay", dir, "--json"}} {
		r := in(t, args...)
		if r.code != exitFailure || strings.Contains(r.out, "every hash") || !strings.Contains(r.out+r.err, "could not be compared") {
			t.Errorf("%v: exit %d, %s%s", args, r.code, r.out, r.err)
		}
	}
}

// heard is an output that calls a function when it is written a word.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
	word string
	then func()
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if strings.Contains(string(b), h.word) {
		h.then()
	}
	return h.text.Write(b)
}

// The first Ctrl-C is answered at once; the run stops and can be resumed.
func TestRun_FirstInterruptIsAnsweredAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	errw := &heard{word: "cycle 0/", then: cancel}
	if code := execute(ctx, []string{"run", "epoch0", "--out", dir, "--cycles", "1000"}, &bytes.Buffer{}, errw); code != exitInterrupted {
		t.Errorf("exit %d, want %d", code, exitInterrupted)
	}
	if said := errw.text.String(); !strings.Contains(said, "kingdom: stopping; press Ctrl-C again to end at once") {
		t.Errorf("an interrupted run said %q", said)
	}
	if r := must(t, in(t, "inspect", dir)); !strings.HasPrefix(r.out, dir+": interrupted at cycle ") {
		t.Errorf("inspect says %q", r.out)
	}
}

// A second Ctrl-C ends the process wherever it is, and the run can be resumed.
func TestRun_SecondInterruptEndsTheProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(plainBinary(t), "run", "village", "--out", dir, "--cycles", "1000")
	errw := &heard{word: "cycle "}
	errw.then = sync.OnceFunc(func() {
		for range 2 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		}
	})
	cmd.Stderr = errw
	if err := cmd.Run(); err == nil {
		t.Fatal("an interrupted run ended like a whole one")
	}
	cycles := uint64(1)
	if r := in(t, "inspect", dir, "--json"); !strings.Contains(r.err, "has no world yet") { // else it ended before the first cycle was stored
		var is inspectionJSON
		if err := json.Unmarshal([]byte(must(t, r).out), &is); err != nil {
			t.Fatal(err)
		}
		if is.Status != statusStopped && is.Status != engine.StatusInterrupted {
			t.Errorf("status %s, want stopped or interrupted", is.Status)
		}
		cycles = is.LastCycle + 1
	}
	if s := summaryOf(t, must(t, in(t, "resume", dir, "--cycles", fmt.Sprint(cycles), "--json"))); s.Cycles != cycles {
		t.Errorf("resumed to cycle %d, want %d", s.Cycles, cycles)
	}
}
