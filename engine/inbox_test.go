package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
)

// grantLines reads grants, "cycle agent amount" in a line each, as the files of an inbox.
func grantLines(file []byte) (out []Input, err error) {
	cfg := testConfig("42", 8)
	for line := range strings.Lines(string(file)) {
		var cycle wire.Cycle
		var agent uint64
		var amount int64
		if _, err := fmt.Sscan(line, &cycle, &agent, &amount); err != nil {
			return nil, errors.New("no grant")
		}
		out = append(out, Input{Kind: InputGrant, Agent: wire.AgentIDAt(cfg.Rules.Seed, agent), Amount: amount, Earliest: cfg.Rules.Calendar.First(cycle), Source: strings.TrimSpace(line)})
	}
	return out, nil
}

// planGrants is a configuration that plans what a file of the inbox says.
func planGrants(t *testing.T, file string) Config {
	t.Helper()
	cfg := testConfig("42", 8)
	var err error
	if cfg.Planned, err = grantLines([]byte(file)); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(cfg.Planned, func(a, b Input) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return cfg
}

func addToInbox(t *testing.T, dir, file string) {
	t.Helper()
	if _, err := AddToInbox(dir, []byte(file)); err != nil {
		t.Fatal(err)
	}
}

// cutJournal copies a run directory as a kill leaves it that comes when the journal has so many records; ok is false if it
// never had that many.
func cutJournal(t *testing.T, from string, run wire.Hash, records int) (to string, ok bool) {
	t.Helper()
	to = copyDir(t, from)
	if err := os.RemoveAll(journalOf(to)); err != nil {
		t.Fatal(err)
	}
	r, err := journal.NewReader(journalOf(from), run)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w, err := journal.Open(journalOf(to), run, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range records {
		kind, body, err := r.Next()
		if errors.Is(err, io.EOF) {
			return to, false
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Put(kind, func(b []byte) []byte { return append(b, body...) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return to, true
}

// recordsUntil counts the records of a journal up to the end of a cycle.
func recordsUntil(t *testing.T, dir string, run wire.Hash, c wire.Cycle) (n int) {
	t.Helper()
	h, err := openHistory(journalOf(dir), run)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	for done := false; !done && !h.ended(); n++ {
		done = h.front.kind == recordCycle && h.front.cycle.Cycle == c
		if err := h.advance(); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// Wherever a run is killed, the inputs of its inbox take effect once and at the same tick: the run ends like one that
// planned them. The file is still there whenever the kill came before its removal.
func TestInbox_TakesEffectOnceWhereverTheRunIsKilled(t *testing.T) {
	const cycles, stored = 3, 1
	const file = "3 1 7\n2 1 50\n2 2 -20\n2 3 -100000\n" // the one that takes effect last is written first
	want := mustRun(t, planGrants(t, file), Options{}, cycles)
	if without := mustRun(t, testConfig("42", 8), Options{}, cycles); without == want {
		t.Fatal("the inputs change nothing")
	}
	cfg := testConfig("42", 8)
	run := cfg.Identity()
	store, dir := newMemStore(), t.TempDir()
	opt := Options{Dir: dir, Store: store, Mind: testMind("42"), ReadInbox: grantLines}
	e, err := Start(t.Context(), cfg, opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	addToInbox(t, dir, file)
	before, waiting := store.copy(), copyDir(t, dir)
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	if got := resultOf(e); got != want {
		t.Errorf("undisturbed: %+v, planned: %+v", got, want)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	cuts := 0
	for n := recordsUntil(t, dir, run.digest(), stored); ; n++ {
		cut, ok := cutJournal(t, dir, run.digest(), n)
		if !ok {
			break
		}
		cuts++
		if err := os.CopyFS(filepath.Join(cut, inboxDir), os.DirFS(filepath.Join(waiting, inboxDir))); err != nil { // it was not removed yet
			t.Fatal(err)
		}
		again, err := Resume(t.Context(), cfg, Options{Dir: cut, Store: before.copy(), Mind: testMind("42"), ReadInbox: grantLines})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := again.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(again); got != want {
			t.Errorf("killed after record %d: %+v, want %+v", n, got, want)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if left, err := Inbox(cut); err != nil || len(left) != 0 {
			t.Errorf("killed after record %d: %d files are left, %v", n, len(left), err)
		}
		found, err := OutsideInputs(cut, &cfg, cycles)
		if err != nil || len(found) != 4 || found[1].Source != "2 2 -20" || found[3].Cycle != 3 {
			t.Errorf("killed after record %d: the journal has %+v, %v", n, found, err)
		} else if found[0].Refused != "" || !strings.HasPrefix(found[2].Refused, "refused by the world: funds") {
			t.Errorf("killed after record %d: refused are %+v", n, found)
		}
	}
	if cuts < 30 {
		t.Errorf("only %d cuts", cuts)
	}

	// The removal may be what a crash of the machine undoes, when the store has the cycles of the inputs already.
	if err := os.CopyFS(filepath.Join(dir, inboxDir), os.DirFS(filepath.Join(waiting, inboxDir))); err != nil {
		t.Fatal(err)
	}
	if e, err = Resume(t.Context(), cfg, opt); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), cycles+1); err != nil {
		t.Fatal(err)
	}
	if got, want := resultOf(e), mustRun(t, planGrants(t, file), Options{}, cycles+1); got != want {
		t.Errorf("the file came back: %+v, want %+v", got, want)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := Inbox(dir); err != nil || len(left) != 0 {
		t.Errorf("the file came back, and %d are left: %v", len(left), err)
	}
}

// What arrives while a cycle is executed takes effect at the first tick of the next one, in the order of arrival. A replay
// and a fork after it have it; a fork before it does not.
func TestInbox_ArrivesWhileTheRunGoesOn(t *testing.T) {
	const cycles = 4
	want := mustRun(t, planGrants(t, "3 1 50\n3 1 -20\n"), Options{}, cycles)
	without := mustRun(t, testConfig("42", 8), Options{}, cycles)
	cfg := testConfig("42", 8)
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	arrive := sync.OnceFunc(func() {
		addToInbox(t, dir, "1 1 50\n") // cycle 1 is over
		addToInbox(t, dir, "3 1 -20\n")
	})
	mind.after = func(_ int, p *llm.Prompt) { // called by several goroutines
		if p.Cycle == 2 {
			arrive()
		}
	}
	seen := &outsideObserver{}
	if got := mustRun(t, cfg, Options{Dir: dir, Store: store, Mind: mind, ReadInbox: grantLines, Observers: []Observer{seen}}, cycles); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(seen.ticks) != 2 || seen.ticks[0] != cfg.Rules.Calendar.First(3) || seen.ticks[1] != seen.ticks[0] {
		t.Errorf("observers saw inputs at %v", seen.ticks)
	}
	sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: mind})
	if err != nil || sum.WorldHash != want.World {
		t.Errorf("replay: %v, %v", sum.WorldHash, err)
	}
	for at, want := range map[wire.Cycle]result{2: without, 3: want} {
		to := forkTest(t, dir, cfg, at)
		if got := mustRun(t, cfg, Options{Dir: to, Store: newMemStore(), Forked: true, ReadInbox: grantLines}, cycles); got != want {
			t.Errorf("fork at %d: %+v, want %+v", at, got, want)
		}
		if found, err := OutsideInputs(to, &cfg, cycles); err != nil || len(found) != int(at-2)*2 {
			t.Errorf("fork at %d: its journal has %+v, %v", at, found, err)
		}
	}
	if found, err := OutsideInputs(dir, &cfg, 2); err != nil || len(found) != 0 {
		t.Errorf("up to cycle 2: %+v, %v", found, err)
	}
}

// outsideObserver notes when inputs of the inbox took effect.
type outsideObserver struct{ ticks []wire.Tick }

func (o *outsideObserver) Commit(c *Commit) {
	for i := range c.Inputs {
		if c.Inputs[i].File != "" {
			o.ticks = append(o.ticks, c.Tick)
		}
	}
}
func (*outsideObserver) Cycle(*CycleReport) {}

// An input for a stopped run waits for a cycle of which nothing was executed, and does not enter one in the middle.
func TestInbox_WaitsForTheNextCycleAfterResume(t *testing.T) {
	const cycles = 4
	cfg := testConfig("42", 8)
	run := cfg.Identity()
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, cfg, Options{Dir: dir, Store: store}, 2)
	before := store.copy()
	e, err := Resume(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	stored := recordsUntil(t, dir, run.digest(), 2)
	for name, c := range map[string]struct {
		records int
		at      string
	}{"in cycle 3": {stored + 4, "4"}, "before cycle 3": {stored, "3"}} {
		cut, _ := cutJournal(t, dir, run.digest(), c.records)
		addToInbox(t, cut, "3 1 50\n")
		want := mustRun(t, planGrants(t, c.at+" 1 50\n"), Options{}, cycles)
		e, err := Resume(t.Context(), cfg, Options{Dir: cut, Store: before.copy(), Mind: testMind("42"), ReadInbox: grantLines})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(e); got != want {
			found, err := OutsideInputs(cut, &cfg, cycles)
			t.Errorf("stopped %s: %+v, want %+v; %+v, %v", name, got, want, found, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that is no input is set aside with a warning, a half-written one is not looked at, and the run is what it is
// without them.
func TestInbox_SetsAsideWhatIsNoInput(t *testing.T) {
	want := mustRun(t, testConfig("42", 8), Options{}, 3)
	dir, warned := t.TempDir(), []string{}
	addToInbox(t, dir, "give me money")
	half := filepath.Join(dir, inboxDir, ".20260101T000000.000000000-00000000.yaml.123")
	if err := os.WriteFile(half, []byte("2 1 5"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: newMemStore(), ReadInbox: grantLines, Warn: func(msg string) { warned = append(warned, msg) }}, 3)
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "was set aside as ") || !strings.Contains(warned[0], "cannot use it: no grant; correct it") {
		t.Errorf("warnings %q", warned)
	}
	aside, err := filepath.Glob(filepath.Join(dir, inboxDir, "*"+inboxSuffix+refusedSuffix))
	if err != nil || len(aside) != 1 {
		t.Fatalf("set aside: %v, %v", aside, err)
	}
	if b, err := os.ReadFile(aside[0]); err != nil || !bytes.Equal(b, []byte("give me money")) {
		t.Errorf("%q, %v", b, err)
	}
}

// A file that cannot be set aside is not said to be. It stays, every cycle says so, and the run goes on.
func TestInbox_WhatCannotBeSetAside(t *testing.T) {
	dir, warned := t.TempDir(), []string{}
	name, err := AddToInbox(dir, []byte("give me money"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, inboxDir, name)
	if err := os.MkdirAll(filepath.Join(path+refusedSuffix, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: newMemStore(), ReadInbox: grantLines, Warn: func(msg string) { warned = append(warned, msg) }}, 2)
	if len(warned) != 2 {
		t.Errorf("%d warnings in two cycles: %q", len(warned), warned)
	}
	for _, msg := range warned {
		if !strings.Contains(msg, "cannot use "+path+": no grant; it could not be set aside: ") || !strings.Contains(msg, "rename ") || !strings.Contains(msg, "; remove it, correct it") || strings.Contains(msg, "was set aside") {
			t.Errorf("warning %q", msg)
		}
	}
}

// Only a missing inbox is none. One that cannot be read is told, and the run goes on.
func TestInbox_ThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if files, err := Inbox(dir); err != nil || files != nil {
		t.Errorf("a missing inbox is %v, %v", files, err)
	}
	if err := os.WriteFile(filepath.Join(dir, inboxDir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Inbox(dir); err == nil || !strings.HasPrefix(err.Error(), "read inbox: ") {
		t.Errorf("an inbox that is a file is %v", err)
	}
	var said []string
	mustRun(t, testConfig("42", 8), Options{Dir: dir, ReadInbox: grantLines, Warn: func(msg string) { said = append(said, msg) }}, 1)
	if len(said) != 1 || !strings.HasPrefix(said[0], "the inputs from outside could not be read; the next cycle tries again: ") {
		t.Errorf("said %q", said)
	}
}

// An input that asks for a tick within a cycle takes effect when the next cycle begins, and the run can be replayed.
func TestInbox_WaitsForTheBeginningOfACycle(t *testing.T) {
	const cycles = 3
	want := mustRun(t, planGrants(t, "3 1 50\n"), Options{}, cycles)
	cfg := testConfig("42", 8)
	store, dir := newMemStore(), t.TempDir()
	addToInbox(t, dir, "2 1 50\n")
	within := func(file []byte) ([]Input, error) {
		list, err := grantLines(file)
		for i := range list {
			list[i].Earliest += 5
		}
		return list, err
	}
	if got := mustRun(t, cfg, Options{Dir: dir, Store: store, Mind: testMind("42"), ReadInbox: within}, cycles); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: testMind("42")}); err != nil || sum.WorldHash != want.World {
		t.Errorf("replay: %v, %v", sum.WorldHash, err)
	}
}
