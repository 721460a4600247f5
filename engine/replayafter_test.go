package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
)

// rewriteJournal changes the records of a test run's journal; a record for which edit returns false is left out.
func rewriteJournal(t *testing.T, dir string, edit func(r *record) bool) {
	t.Helper()
	cfg := testConfig("42", 8)
	run := cfg.Identity()
	h, err := openHistory(journalOf(dir), run.digest())
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	w, err := journal.Open(to, run.digest(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for ; !h.ended(); err = h.advance() {
		if err != nil {
			t.Fatal(err)
		}
		r := &h.front
		if !edit(r) {
			continue
		}
		err := w.Put(r.kind, func(b []byte) []byte {
			switch r.kind {
			case recordThought:
				return thoughtCodec.Append(b, &r.thought)
			case recordInput:
				return inputCodec.Append(b, &r.input)
			case recordTick:
				return tickCodec.Append(b, &r.tick)
			default:
				return cycleCodec.Append(b, &r.cycle)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	h.close()
	if err := errors.Join(err, w.Close(), os.RemoveAll(journalOf(dir)), os.CopyFS(journalOf(dir), os.DirFS(to))); err != nil {
		t.Fatal(err)
	}
}

// anotherBuild makes a cycle of a run what another build would have computed: in the store and in the journal.
func anotherBuild(t *testing.T, dir string, store *memStore, c wire.Cycle, change func(r *CycleRow)) {
	t.Helper()
	change(&store.cycles[c])
	rewriteJournal(t, dir, func(r *record) bool {
		if r.kind == recordCycle && r.cycle.Cycle == c {
			row := CycleRow(r.cycle)
			change(&row)
			r.cycle = cycleRecord(row)
		}
		return true
	})
}

// divergenceOf replays a test run and returns where it diverges.
func divergenceOf(t *testing.T, cfg Config, dir string, store *memStore, mind Mind) *DivergenceError {
	t.Helper()
	_, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: mind})
	var d *DivergenceError
	if !errors.As(err, &d) {
		t.Fatalf("replay = %v, want a divergence", err)
	}
	return d
}

// After a difference that only the end of a cycle shows, a replay looks on until an agent does something else.
func TestReplay_GoesOnUntilAnAgentActsDifferently(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	anotherBuild(t, dir, store, 2, func(r *CycleRow) { r.AgentsHash[3] ^= 1 })
	anotherBuild(t, dir, store, 3, func(r *CycleRow) { r.Components[5][3] ^= 1 }) // follows from it
	d := divergenceOf(t, testConfig("42", 8), dir, store, testMind("42"))
	if d.Cycle != 2 || d.Component != "agents_hash" || d.Tick != 0 || d.After == nil || d.After.Act != nil || d.After.Until != 4 || d.After.Stopped != nil {
		t.Errorf("found %+v, after it %+v; want agents_hash of cycle 2, and that no agent acts differently up to cycle 4", d, d.After)
	}
	slot := lateSlot(t, 3)
	d = divergenceOf(t, testConfig("42", 8), dir, store, &changed{Mind: testMind("42"), agent: slot.agent, tick: slot.tick})
	if act := d.After.Act; d.Cycle != 2 || act == nil || act.Agent != slot.agent || act.Tick != slot.tick || act.Component != "thought" || act.Reasoning != "for once" {
		t.Errorf("found %+v, after it %+v; want the thought of %s at tick %d", d, act, slot.agent.Alias(), slot.tick)
	}
}

// stoppingMind ends a context when an agent thinks at a tick.
type stoppingMind struct {
	Mind
	tick wire.Tick
	stop func()
}

func (m stoppingMind) Recomputable(wire.Cycle) bool { return true }

func (m stoppingMind) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if p.Tick == m.tick {
		m.stop()
	}
	return m.Mind.Think(ctx, p)
}

// A replay that is interrupted while it looks on was interrupted, and says what it had found.
func TestReplay_InterruptedAfterADifference(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	anotherBuild(t, dir, store, 2, func(r *CycleRow) { r.AgentsHash[3] ^= 1 })
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := Replay(ctx, testConfig("42", 8), ReplayOptions{Dir: dir, Store: store, Mind: stoppingMind{testMind("42"), lateSlot(t, 3).tick, stop}})
	var stopped *InterruptedError
	if !errors.As(err, &stopped) || stopped.Found == nil || stopped.Found.Cycle != 2 || stopped.Found.Component != "agents_hash" {
		t.Errorf("replay = %v; want that it was interrupted, with the difference in cycle 2", err)
	}
}

// lateSlot returns the first slot with a thought in cycle c or a later one.
func lateSlot(t *testing.T, c wire.Cycle) thoughtKey {
	t.Helper()
	cal := testConfig("42", 8).Rules.Calendar
	late := slices.DeleteFunc(liveSlots(t), func(k thoughtKey) bool { return cal.Cycle(k.tick) < c })
	if len(late) == 0 {
		t.Fatal("nobody thought so late")
	}
	return slices.MinFunc(late, func(x, y thoughtKey) int { return cmp.Or(cmp.Compare(x.tick, y.tick), x.agent.Compare(y.agent)) })
}

// If the run has its agents of that time, those whose state differs are named, with what differs.
func TestReplay_NamesAgentsWhoseStateDiffers(t *testing.T) {
	for _, c := range []struct {
		every uint64 // cycles from one snapshot to the next
		nodes int    // that another build remembers
		first wire.Cycle
		at    wire.Cycle
	}{{3, 28, 3, 3}, {100, 28, 3, 4}, {100, 40, 4, 4}} {
		cfg := testConfig("42", 8)
		cfg.SnapshotEvery = c.every
		dir, store := t.TempDir(), newMemStore()
		mustRun(t, cfg, Options{Dir: dir, Store: store}, 4)
		cfg.Limits = cfg.withDefaults().Limits
		cfg.Limits.Memory.Nodes = c.nodes
		d := divergenceOf(t, cfg, dir, store, testMind("42"))
		if d.Component != "agents_hash" || d.Cycle != c.first {
			t.Fatalf("diverged at cycle %d, %s", d.Cycle, d.Component)
		}
		states := d.After.States
		if act := d.After.Act; act != nil && act.Cycle <= c.at {
			t.Fatalf("an agent acts differently at tick %d; choose another change for this test", act.Tick)
		}
		if states == nil || states.Cycle != c.at || states.Count == 0 || len(states.Agents) != min(states.Count, shownAgents) || !slices.Contains(states.Agents[0].Parts, "knowledge") {
			t.Errorf("%+v: states %+v", c, states)
		}
	}
}

// A row of the store that does not agree with what was computed is damage if the journal does agree.
func TestReplay_ChangedStoreIsNoDivergenceOfTheBuild(t *testing.T) {
	dir, store := recordRun(t, testMind("42"))
	want := store.cycles[3].AgentsHash
	store.cycles[3].AgentsHash[5] ^= 1
	d := divergenceOf(t, testConfig("42", 8), dir, store, testMind("42"))
	if !d.Stored || d.Cycle != 3 || d.Component != "agents_hash of the stored rows" || d.Want != want.String() || d.Got != store.cycles[3].AgentsHash.String() || d.After != nil {
		t.Errorf("found %+v", d)
	}
	if text := d.Error(); !strings.Contains(text, "the store of "+dir+" is damaged or was changed; restore it from a copy") {
		t.Error(text)
	}
	if err := os.RemoveAll(filepath.Join(dir, snapshotDir)); err != nil {
		t.Fatal(err)
	}
	_, err := OpenAt(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: testMind("42")}, 3)
	if d = nil; !errors.As(err, &d) || !d.Stored || d.Component != "agents_hash of the stored rows" {
		t.Errorf("open at cycle 3: %v", err)
	}
}

// What follows from an input that the journal has lost is not told as a difference of the world.
func TestReplay_LostPlannedInputIsUncompared(t *testing.T) {
	cfg := testConfig("42", 8)
	cfg.Planned = []Input{{Kind: InputGrant, Agent: idOf("42", 2), Amount: 5, Earliest: cfg.Rules.Calendar.First(3)}}
	dir, store := t.TempDir(), newMemStore()
	mustRun(t, cfg, Options{Dir: dir, Store: store}, 4)
	replay := func() error {
		_, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: testMind("42")})
		return err
	}
	if err := replay(); err != nil {
		t.Fatal(err)
	}
	ended := false
	rewriteJournal(t, dir, func(r *record) bool {
		ended = ended || r.kind == recordInput
		return !ended
	})
	var un *UncomparedError
	if err := replay(); !errors.As(err, &un) || un.From != 3 {
		t.Errorf("the journal ends before the input: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, journalDir)); err != nil {
		t.Fatal(err)
	}
	if err := replay(); !errors.As(err, &un) || un.From != 0 {
		t.Errorf("without a journal: %v", err)
	}
}
