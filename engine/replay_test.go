package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/world"
)

// changed thinks like another mind, but for one agent at one tick.
type changed struct {
	Mind
	agent wire.AgentID
	tick  wire.Tick
}

func (c *changed) Recomputable(wire.Cycle) bool { return true }

func (c *changed) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.ID == c.agent && p.Tick == c.tick {
		return llm.Thought{Outcome: llm.Answered, Text: []byte(`{"action":"nop","params":{},"reasoning":"for once"}`)}, nil
	}
	return c.Mind.Think(ctx, p)
}

// recordRun runs a world whose history the test then replays.
func recordRun(t *testing.T, mind Mind) (dir string, store *memStore) {
	t.Helper()
	store, dir = newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, 4)
	return dir, store
}

func TestReplay_AgreesWithHistory(t *testing.T) {
	for name, mind := range map[string]Mind{"scripted": testMind("42"), "recorded": newCostly("42")} {
		dir, store := recordRun(t, mind)
		again := newCostly("42")
		var use Mind = again
		if recomputable(mind, 1) {
			use = mind
		}
		sum, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: use})
		if err != nil || sum.Cycles != 4 {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
		if len(again.asked) > 0 {
			t.Errorf("%s: replay asked the mind %d times", name, len(again.asked))
		}
	}
}

// One agent that behaves differently at one tick is named with that tick.
func TestReplay_NamesAgentAndTick(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	live := liveSlots(t)
	for _, i := range []int{0, len(live) / 2, len(live) - 1} {
		mind := &changed{Mind: testMind("42"), agent: live[i].agent, tick: live[i].tick}
		_, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: mind})
		var d *DivergenceError
		if !errors.As(err, &d) || d.Agent != mind.agent || d.Tick != mind.tick || d.Component != "thought" {
			t.Errorf("change of %s at %d: %v", mind.agent.Alias(), mind.tick, err)
		}
	}
}

// liveSlots lists slots in which an agent of the recorded world acted by a thought
// that was not a nop.
func liveSlots(t *testing.T) []thoughtKey {
	t.Helper()
	probe := newCostly("42")
	var out []thoughtKey
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: probe})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	for _, s := range e.agents.seats {
		for k := range probe.asked {
			if k.agent == s.id {
				out = append(out, k)
			}
		}
	}
	if len(out) < 3 {
		t.Fatal("nobody thought")
	}
	return out
}

// A changed cycle row is named by its component.
func TestReplay_NamesComponent(t *testing.T) {
	for i, name := range components {
		dir, store := recordRun(t, testMind("42"))
		anotherBuild(t, dir, store, 3, func(r *CycleRow) { r.Components[i][5] ^= 1 })
		_, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: testMind("42")})
		var d *DivergenceError
		if !errors.As(err, &d) || d.Cycle != 3 || d.Component != name {
			t.Errorf("%s changed: %v", name, err)
		}
	}
}

func TestReplay_NamesFlippedByte(t *testing.T) {
	dir, store := recordRun(t, newCostly("42"))
	path := filepath.Join(dir, journalDir, journal.SegmentName(1))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: newCostly("42")})
	var c *CorruptError
	if !errors.As(err, &c) || c.File != path {
		t.Errorf("replay: %v", err)
	}
}

// A run that lost its snapshots, or was killed before the first, gets one when it goes on.
func TestOpenAt_WithoutSnapshots(t *testing.T) {
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store, Mind: mind}, 2)
	if err := os.RemoveAll(filepath.Join(dir, snapshotDir)); err != nil {
		t.Fatal(err)
	}
	var warned []string
	opt := Options{Dir: dir, Store: store, Mind: mind, Warn: func(msg string) { warned = append(warned, msg) }}
	for c := wire.Cycle(0); c < 2; c++ { // the journal has the way there
		at, err := OpenAt(t.Context(), testConfig("42", 4), opt, c)
		if err != nil {
			t.Fatalf("cycle %d: %v", c, err)
		}
		rows, err := store.Cycles(t.Context(), c, c)
		if got := at.Inspect(); err != nil || got.Cycle != c || got.WorldHash != rows[0].WorldHash {
			t.Errorf("cycle %d: got cycle %d with %v, want %v (%v)", c, got.Cycle, got.WorldHash, rows[0].WorldHash, err)
		}
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(warned) != 2 || !strings.Contains(warned[0], "which takes longer") {
		t.Errorf("said %q", warned)
	}
	e, err := Resume(t.Context(), testConfig("42", 4), opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	e.Close()
	for c := wire.Cycle(2); c < 5; c++ {
		e, err := OpenAt(t.Context(), testConfig("42", 4), opt, c)
		if err != nil || agentsHash(e.agents.ascending()) != store.cycles[c].AgentsHash {
			t.Fatalf("cycle %d: %v", c, err)
		}
		e.Close()
	}
}

// A stopped world can be opened at any cycle, from the nearest snapshot.
func TestOpenAt_EveryCycleHasTheStoredHashes(t *testing.T) {
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, 7)
	e, err := Resume(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 11); err != nil {
		t.Fatal(err)
	}
	e.Close()
	asked := len(mind.asked)
	for c := range wire.Cycle(12) {
		e, err := OpenAt(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, c)
		if err != nil {
			t.Fatalf("cycle %d: %v", c, err)
		}
		in := e.Inspect()
		if in.Cycle != c || in.WorldHash != store.cycles[c].WorldHash || len(in.Agents) != 8 {
			t.Errorf("cycle %d: %+v", c, in)
		}
		if agentsHash(e.agents.ascending()) != store.cycles[c].AgentsHash {
			t.Errorf("cycle %d: agents differ", c)
		}
		e.Close()
	}
	if len(mind.asked) != asked {
		t.Error("looking asked the mind")
	}
	if _, err := OpenAt(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, 12); err == nil {
		t.Error("cycle 12 is there")
	}
	if e, err = OpenAt(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, LastCycle); err != nil || e.cycle != 11 {
		t.Errorf("last cycle: %v", err)
	}
	e.Close()
}

// growingStore is the store of a run that goes on: Cycles does not see the newest cycle, which Load sees afterwards.
type growingStore struct{ *memStore }

func (s growingStore) Cycles(ctx context.Context, from, to wire.Cycle) ([]CycleRow, error) {
	return s.memStore.Cycles(ctx, from, min(to, s.cycles[len(s.cycles)-1].Cycle-1))
}

// The last cycle can be opened if the run finishes another one meanwhile.
func TestOpenAt_WhileTheRunGoesOn(t *testing.T) {
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store, Mind: mind}, 3)
	e, err := OpenAt(t.Context(), testConfig("42", 4), Options{Dir: dir, Store: growingStore{store}, Mind: mind}, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got := e.Inspect(); got.Cycle != 2 || got.WorldHash != store.cycles[2].WorldHash {
		t.Errorf("got cycle %d with %v, want cycle 2 with %v", got.Cycle, got.WorldHash, store.cycles[2].WorldHash)
	}
}

// What the journal does not hold cannot be compared: a replay never calls that equal.
func TestReplay_MissingJournalIsUncomparedError(t *testing.T) {
	for name, mind := range map[string]Mind{"scripted": testMind("42"), "recorded": newCostly("42")} {
		dir, store := recordRun(t, mind)
		replay := func() error {
			sum, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: mind})
			if sum.Status == StatusFinished {
				t.Errorf("%s: finished", name)
			}
			return err
		}
		if err := replay(); err != nil {
			t.Fatalf("%s, whole: %v", name, err)
		}
		last, _ := journal.Segments(filepath.Join(dir, journalDir))
		if len(last) != 2 {
			t.Fatalf("%d segments", len(last))
		}
		if err := os.Remove(filepath.Join(dir, journalDir, journal.SegmentName(2))); err != nil {
			t.Fatal(err)
		}
		var un *UncomparedError
		if err := replay(); !errors.As(err, &un) || un.From != 3 || un.Dir != dir {
			t.Errorf("%s, without the last segment: %v", name, err)
		}
		if err := os.RemoveAll(filepath.Join(dir, journalDir)); err != nil {
			t.Fatal(err)
		}
		if err := replay(); !errors.As(err, &un) || un.From > 1 {
			t.Errorf("%s, without a journal: %v", name, err)
		}
	}
}

// A fetched answer that is not recorded because the journal is gone is not reported as a difference.
func TestReplay_FetchWithoutJournalIsUncomparedError(t *testing.T) {
	o, p := &outside{asked: map[string]int{}}, &portal{seen: map[string]world.Answer{}}
	opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42"), Fetcher: o}
	e := engineWith(opt, p, false)
	if err := e.start(t.Context(), &opt); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(opt.Dir, journalDir)); err != nil {
		t.Fatal(err)
	}
	e = engineWith(opt, p, true)
	err := e.replay(t.Context(), &ReplayOptions{Dir: opt.Dir, Store: opt.Store, Mind: opt.Mind})
	var un *UncomparedError
	if !errors.As(err, &un) || un.Dir != opt.Dir || un.From != 0 {
		t.Errorf("without a journal: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever differs between two cycle rows is seen, and the message shows two values.
func TestCompareCycle_NamesEveryField(t *testing.T) {
	row := CycleRow{Cycle: 7, BusHash: wire.Hash{1}} // without a bus hash none is compared
	fields := reflect.TypeFor[CycleRow]()
	for i := range fields.NumField() {
		other := row
		f := reflect.ValueOf(&other).Elem().Field(i)
		switch f.Kind() {
		case reflect.Array:
			if f.Index(0).Kind() == reflect.Array {
				f = f.Index(0)
			}
			f.Index(3).SetUint(9)
		default:
			f.SetUint(9)
		}
		var d *DivergenceError
		if err := compareCycle(row, other); !errors.As(err, &d) || d.Want == d.Got || d.Component == "" {
			t.Errorf("%s: %v", fields.Field(i).Name, err)
		}
	}
	if err := compareCycle(row, row); err != nil {
		t.Errorf("equal rows: %v", err)
	}
}

// growing is the store of a run that goes on: after the first look it holds more.
type growing struct {
	*memStore
	last wire.Cycle
}

func (g *growing) Cycles(ctx context.Context, from, to wire.Cycle) ([]CycleRow, error) {
	page, err := g.memStore.Cycles(ctx, from, min(to, g.last))
	g.last = LastCycle
	return page, err
}

// A run that is still running is compared up to the cycle at which the replay began, since the opened journal does not
// hold the cycles after it.
func TestReplay_OfARunningRunStopsAtCycleItBeganWith(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: store, Mind: newCostly("42")}, 2)
	then := copyDir(t, dir)
	e, err := Resume(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: newCostly("42")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again := newCostly("42")
	sum, err := Replay(t.Context(), testConfig("42", 8), ReplayOptions{Dir: then, Store: &growing{store, 2}, Mind: again})
	if err != nil || sum.Cycles != 2 {
		t.Errorf("replay of a run that stood at cycle 2 = %d cycles, %v", sum.Cycles, err)
	}
	if len(again.asked) > 0 {
		t.Errorf("the mind was asked %d times", len(again.asked))
	}
}
