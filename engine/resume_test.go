package engine

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kingdom/engine/journal"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/ooda"
	"kingdom/wire"
)

// costly is a mind that cannot be recomputed: it thinks like the scripted one,
// but the engine does not know. It counts and remembers what it was asked.
type costly struct {
	Mind
	mu    sync.Mutex
	asked map[thoughtKey]int
	after func(n int, p *llm.Prompt) // called with the number of thoughts so far
}

func newCostly(seed string) *costly {
	return &costly{Mind: testMind(seed), asked: map[thoughtKey]int{}}
}

func (c *costly) Recomputable(wire.Cycle) bool { return false }

func (c *costly) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	if err := ctx.Err(); err != nil {
		return llm.Thought{}, err
	}
	c.mu.Lock()
	c.asked[thoughtKey{p.ID, p.Tick, p.Purpose, p.Try}]++
	n := len(c.asked)
	c.mu.Unlock()
	if c.after != nil {
		c.after(n, p)
	}
	return c.Mind.Think(ctx, p)
}

// twice names a thought that was paid twice.
func (c *costly) twice() (thoughtKey, bool) {
	for k, n := range c.asked {
		if n > 1 {
			return k, true
		}
	}
	return thoughtKey{}, false
}

// However often a run is interrupted, and wherever, it ends like an undisturbed
// one, and no thought is asked for twice.
func TestResume_AfterInterruptions(t *testing.T) {
	const cycles = 5
	want := mustRun(t, testConfig("42", 8), Options{}, cycles)
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
		opt := Options{Dir: dir, Store: store, Mind: mind}
		stops := 0
		for open := Start; ; open = Resume {
			ctx, cancel := context.WithCancel(t.Context())
			stopAt := len(mind.asked) + rng.IntN(250)
			mind.after = func(n int, _ *llm.Prompt) {
				if n == stopAt {
					cancel()
				}
			}
			e, err := open(t.Context(), testConfig("42", 8), opt)
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Run(ctx, cycles)
			got := resultOf(e)
			if cerr := e.Close(); cerr != nil {
				t.Fatal(cerr)
			}
			cancel()
			var stopped *InterruptedError
			if errors.As(err, &stopped) {
				stops++
				if !strings.Contains(err.Error(), "kingdom resume "+dir) {
					t.Fatalf("error does not say how to go on: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("seed %d, %d stops: got %+v, want %+v", seed, stops, got, want)
			}
			break
		}
		if stops == 0 {
			t.Errorf("seed %d: the run was never interrupted", seed)
		}
		if k, ok := mind.twice(); ok {
			t.Errorf("seed %d: thought of agent %s at tick %d was asked for twice", seed, k.agent.Alias(), k.tick)
		}
	}
}

// copyDir copies a run directory as a crash would find it.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A crash leaves store and run directory as they are at one instant; what goes on
// from there ends like the original.
func TestResume_AfterCrash(t *testing.T) {
	const cycles = 5
	type crash struct {
		store *memStore
		dir   string
		paid  wire.Tick // thoughts of earlier ticks were used
	}
	store, dir, mind := newMemStore(), t.TempDir(), newCostly("42")
	rng := rand.New(rand.NewPCG(7, 7))
	var crashes []crash
	var lock sync.Mutex
	mind.after = func(_ int, p *llm.Prompt) {
		lock.Lock()
		defer lock.Unlock()
		if rng.IntN(80) == 0 {
			s := store.copy() // before the directory: a journal is never behind its store
			crashes = append(crashes, crash{s, copyDir(t, dir), p.Tick})
		}
	}
	want := mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: store, Mind: mind}, cycles)
	if len(crashes) < 4 {
		t.Fatalf("only %d crashes", len(crashes))
	}
	for i, c := range crashes {
		again := newCostly("42")
		e, err := Resume(t.Context(), testConfig("42", 8), Options{Dir: c.dir, Store: c.store, Mind: again})
		if err != nil {
			t.Fatalf("crash %d: %v", i, err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatalf("crash %d: %v", i, err)
		}
		for k := range again.asked {
			if k.tick < c.paid {
				t.Errorf("crash %d at tick %d: the thought of agent %s at tick %d had been used and was asked for again", i, c.paid, k.agent.Alias(), k.tick)
			}
		}
		if got := resultOf(e); got != want {
			t.Errorf("crash %d in cycle %d: got %+v, want %+v", i, c.store.cycles[len(c.store.cycles)-1].Cycle+1, got, want)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// With a recomputable mind nothing but fingerprints is journaled, and a crash
// anywhere in between is as harmless.
func TestResume_ScriptedMindAfterCrash(t *testing.T) {
	const cycles = 4
	store, dir := newMemStore(), t.TempDir()
	var stores []*memStore
	var dirs []string
	store.ended = func(c wire.Cycle) {
		store.mu.Unlock()
		stores = append(stores, store.copy())
		store.mu.Lock()
		dirs = append(dirs, copyDir(t, dir))
	}
	rests := &restCounter{}
	want := mustRun(t, testConfig("42", 8), Options{Dir: dir, Store: store, Observers: []Observer{rests}}, cycles)
	if rests.n == 0 {
		t.Error("nobody rested: what a rest leaves behind was not resumed")
	}
	for i := range stores {
		e, err := Resume(t.Context(), testConfig("42", 8), Options{Dir: dirs[i], Store: stores[i], Mind: testMind("42")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(e); got != want {
			t.Errorf("from cycle %d: got %+v, want %+v", i, got, want)
		}
		e.Close()
	}
}

func TestResume_RefusesAnotherScenario(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store}, 2)
	for name, change := range map[string]func(*Config){
		"scenario digest": func(c *Config) { c.ScenarioDigest[0]++ },
		"seed":            func(c *Config) { c.SeedText = "43" },
		"physics":         func(c *Config) { c.Physics = Physics + 1 },
	} {
		cfg := testConfig("42", 4)
		change(&cfg)
		var mismatch *MismatchError
		if _, err := Resume(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: testMind("42")}); !errors.As(err, &mismatch) || mismatch.What != name {
			t.Errorf("%s changed: %v", name, err)
		}
	}
	other := store.copy()
	other.run.Physics++
	var mismatch *MismatchError
	if _, err := Resume(t.Context(), testConfig("42", 4), Options{Dir: dir, Store: other, Mind: testMind("42")}); !errors.As(err, &mismatch) || mismatch.What != "physics" {
		t.Errorf("physics changed: %v", err)
	}
	if _, err := Start(t.Context(), testConfig("42", 4), Options{Store: store, Mind: testMind("42")}); !errors.As(err, &mismatch) {
		t.Errorf("start on a used store: %v", err)
	}
}

// Changed rows in the store do not go unnoticed.
func TestResume_NoticesChangedStore(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store}, 2)
	for name, tamper := range map[string]func(m *memStore){
		"journal": func(m *memStore) { m.cycles[2].WorldHash[0]++ },
		"mint": func(m *memStore) {
			for k, r := range m.rows {
				if r.Table == "accounts" {
					b := append([]byte(nil), r.Body...)
					b[len(b)-1] ^= 1 // bankruptcy_cycles
					r.Body = b
					m.rows[k] = r
					return
				}
			}
		},
		"agent": func(m *memStore) {
			for _, r := range m.minds {
				for i := range r.Goals {
					r.Goals[i].Priority += 0.25
				}
			}
		},
	} {
		c := store.copy()
		tamper(c)
		if _, err := Resume(t.Context(), testConfig("42", 4), Options{Dir: copyDir(t, dir), Store: c, Mind: testMind("42")}); err == nil {
			t.Errorf("%s: change was not noticed", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// A full disk stops the run in order; with space again it goes on to the same end.
func TestResume_AfterFullDisk(t *testing.T) {
	const cycles = 5
	want := mustRun(t, testConfig("42", 8), Options{}, cycles)
	store, dir := newMemStore(), t.TempDir()
	store.fail = func(c wire.Cycle) error {
		if c == 3 {
			return &os.PathError{Op: "write", Path: "kingdom.db", Err: syscall.ENOSPC}
		}
		return nil
	}
	opt := Options{Dir: dir, Store: store, Mind: testMind("42")}
	e, err := Start(t.Context(), testConfig("42", 8), opt)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Run(t.Context(), cycles)
	var full *DiskFullError
	if !errors.As(err, &full) || full.Cycle != 2 || !strings.Contains(err.Error(), "kingdom resume "+dir) {
		t.Fatalf("run on a full disk: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if card, err := ReadRunFile(dir); err != nil || card.Status != StatusInterrupted || card.Cycle != 2 {
		t.Errorf("run.json says %+v, %v", card, err)
	}
	store.fail = nil
	if e, err = Resume(t.Context(), testConfig("42", 8), opt); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	if got := resultOf(e); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A run whose directory is renamed says so, and can be continued under the new name.
func TestRun_DirectoryGoesAway(t *testing.T) {
	store, above, gone := newMemStore(), t.TempDir(), errors.New("no such file")
	dir, renamed := filepath.Join(above, "run"), filepath.Join(above, "renamed")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	store.fail = func(c wire.Cycle) error {
		if c == 3 {
			return errors.Join(gone, os.Rename(dir, renamed))
		}
		return nil
	}
	e, err := Start(t.Context(), testConfig("42", 4), Options{Dir: dir, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Run(t.Context(), 5)
	want := dir + ", the directory of this run, was removed or renamed while the run went on; if it was renamed, kingdom resume continues the run under its new name"
	if !errors.Is(err, gone) || err.Error() != want {
		t.Errorf("the run ended with %v, want %s", err, want)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	store.fail = nil
	e, err = Resume(t.Context(), testConfig("42", 4), Options{Dir: renamed, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if sum, err := e.Run(t.Context(), 5); err != nil || sum.Cycles != 5 {
		t.Errorf("resumed: %+v, %v", sum, err)
	}
}

// If the database goes away, the run fails with an error that says how to continue it.
func TestRun_StoreGoesAway(t *testing.T) {
	store, dir, gone := newMemStore(), t.TempDir(), errors.New("connection reset by peer")
	store.fail = func(c wire.Cycle) error {
		if c == 3 {
			return gone
		}
		return nil
	}
	opt := Options{Dir: dir, Store: store, Mind: testMind("42")}
	e, err := Start(t.Context(), testConfig("42", 4), opt)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Run(t.Context(), 5)
	if want := "connection reset by peer; the run is safe at cycle 2: when the cause is gone, kingdom resume " + dir + " continues it"; !errors.Is(err, gone) || err.Error() != want {
		t.Errorf("the run ended with %v, want %s", err, want)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if f, err := ReadRunFile(dir); err != nil || f.Status != StatusFailed || f.Cycle != 2 {
		t.Errorf("run.json says %+v, %v", f, err)
	}
}

// A torn journal end is cut with a warning and the run goes on to the same end.
func TestResume_TornJournal(t *testing.T) {
	for name, torn := range map[string]func(path string, segment uint32) []byte{
		"a part of the length": func(string, uint32) []byte { return []byte{0, 0, 1} },
		"nearly a whole record": func(path string, segment uint32) []byte {
			b := journal.AppendRecord(nil, segment, recordsOf(t, path, segment), recordThought, func(b []byte) []byte { return append(b, 0x80, 0x80) })
			return b[:len(b)-1]
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := newMemStore(), t.TempDir()
			opt := Options{Dir: dir, Store: store, Mind: newCostly("42")}
			want := mustRun(t, testConfig("42", 4), opt, 4)
			path, segment := lastSegment(t, dir)
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.Write(torn(path, segment))
			f.Close()
			warned := ""
			opt.Warn = func(m string) { warned = m }
			e, err := Resume(t.Context(), testConfig("42", 4), opt)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if !strings.Contains(warned, "is incomplete") || !strings.Contains(warned, path) || !strings.Contains(warned, "are removed") {
				t.Errorf("warning %q", warned)
			}
			if got := resultOf(e); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if _, err := e.Run(t.Context(), 5); err != nil {
				t.Errorf("the run does not go on: %v", err)
			}
		})
	}
}

// A journal that was cut before the cycle that the store holds, or whose store was changed, cannot go on. It is left as
// it is: what follows the cut may be what somebody needs to mend it.
func TestResume_RefusedJournalIsLeftAsItIs(t *testing.T) {
	for name, damage := range map[string]func(path string, store *memStore) error{
		"cut in the middle": func(path string, _ *memStore) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()/2+1)
		},
		"torn, and the store was changed": func(path string, store *memStore) error {
			delete(store.rows, slices.Min(slices.Collect(maps.Keys(store.rows))))
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Truncate(path, info.Size()+3) // zeros
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := newMemStore(), t.TempDir()
			opt := Options{Dir: dir, Store: store, Mind: newCostly("42"), Warn: func(m string) { t.Errorf("warning %q", m) }}
			mustRun(t, testConfig("42", 4), opt, 4)
			path, _ := lastSegment(t, dir)
			if err := damage(path, store); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Resume(t.Context(), testConfig("42", 4), opt); err == nil {
				t.Fatal("the run went on")
			}
			after, err := os.ReadFile(path)
			if again, _ := lastSegment(t, dir); err != nil || !bytes.Equal(before, after) || again != path {
				t.Errorf("%d bytes became %d, the last segment is %s; %v", len(before), len(after), again, err)
			}
		})
	}
}

// recordsOf counts the records of a segment.
func recordsOf(t *testing.T, path string, number uint32) (n uint64) {
	t.Helper()
	cfg := testConfig("42", 4)
	run := cfg.Identity()
	s, err := journal.OpenSegment(path, number, run.digest())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for ; ; n++ {
		if _, _, err := s.Next(); err != nil {
			return n
		}
	}
}

// lastSegment returns the last file of a run's journal, and its number.
func lastSegment(t *testing.T, dir string) (path string, number uint32) {
	t.Helper()
	list, err := journal.Segments(filepath.Join(dir, journalDir))
	if err != nil {
		t.Fatal(err)
	}
	number = list[len(list)-1]
	return filepath.Join(dir, journalDir, journal.SegmentName(number)), number
}

// A newly spawned agent is an EMBRYO without slots for a cycle; inputs that it gets then survive a resume.
func TestResume_NewlySpawnedAgentKeepsItsInputs(t *testing.T) {
	const cycles = 5
	store, dir := newMemStore(), t.TempDir()
	var stores []*memStore
	store.ended = func(wire.Cycle) {
		store.mu.Unlock()
		stores = append(stores, store.copy())
		store.mu.Lock()
	}
	cfg := testConfig("42", 4)
	e, err := Start(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	born := e.Input(Input{Kind: InputSpawn, Genome: &cfg.Genomes[0], Amount: DefaultFund})
	e.Input(Input{Kind: InputSpawn, Genome: &cfg.Genomes[1], Amount: DefaultFund}) // nothing more happens to this one
	if _, err := e.Run(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	id := (<-born).Agent
	if st, _ := e.Runtime().Status(t.Context(), id); st != wire.StatusEmbryo {
		t.Fatalf("the newcomer is %v", st)
	}
	goal := goals.New(id, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindOperator, Text: "grow"}, 0)
	given := e.Input(Input{Kind: InputGoal, Agent: id, Goal: &goal})
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	if a := <-given; a.Err != nil {
		t.Fatal(a.Err)
	}
	want, gs := resultOf(e), goalsOf(e.agents.index[id].a)
	e.Close()
	if !hasGoal(gs, goals.KindOperator) {
		t.Error("the goal is gone")
	}
	for _, s := range stores {
		e, err := Resume(t.Context(), cfg, Options{Dir: copyDir(t, dir), Store: s, Mind: testMind("42")})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range e.agents.seats {
			if s.a.Status != s.status {
				t.Errorf("from cycle %d: the agent thinks it is %v, the roster says %v", e.cycle, s.a.Status, s.status)
			}
		}
		if _, err := e.Run(t.Context(), cycles); err != nil || resultOf(e) != want {
			t.Errorf("from cycle %d: %+v, %v; want %+v", len(s.cycles)-1, resultOf(e), err, want)
		}
		e.Close()
	}
}

// A cycle that is over goes to the store even if the run is interrupted meanwhile.
func TestEngine_InterruptDoesNotStopTheFlush(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	store := newMemStore()
	store.fail = func(c wire.Cycle) error {
		if c == 2 {
			cancel()
		}
		return nil
	}
	e, err := Start(t.Context(), testConfig("42", 4), Options{Dir: t.TempDir(), Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = e.Run(ctx, 1000)
	var stopped *InterruptedError
	if !errors.As(err, &stopped) || len(store.cycles) < 3 {
		t.Errorf("%d cycles in the store, %v", len(store.cycles), err)
	}
}

// A snapshot that cannot be written stops the run with the reason; the cycle itself is stored.
func TestEngine_SnapshotThatCannotBeWritten(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	e, err := Start(t.Context(), testConfig("42", 8), Options{Dir: dir, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if card, err := ReadRunFile(dir); err != nil || card.Status != StatusFinished || card.Cycle != 1 || card.Until != 1 {
		t.Errorf("run.json of a run that came to its end: %+v, %v", card, err)
	}
	at := filepath.Join(dir, snapshotDir)
	if err := errors.Join(os.RemoveAll(at), os.WriteFile(at, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 6); err == nil || !strings.Contains(err.Error(), "write snapshot") {
		t.Errorf("run on: %v", err)
	}
	e.Close()
	if last := store.cycles[len(store.cycles)-1].Cycle; last != 3 {
		t.Errorf("cycle %d is the last one stored, want that of the snapshot", last)
	}
}

// restCounter counts the rests that agents begin.
type restCounter struct{ n int }

func (r *restCounter) Commit(c *Commit) {
	for i := range c.Seats {
		if nop := c.Seats[i].NOP; nop != nil && nop.Reason == ooda.NOPRest {
			r.n++
		}
	}
}

func (r *restCounter) Cycle(*CycleReport) {}

// A run that stopped at the end of any cycle goes on as if it had not, also with agents that inputs put to sleep, woke
// or killed before they had a slot.
func TestResume_FromEveryCycleGivesSameHashes(t *testing.T) {
	const cycles = 7
	cfg := testConfig("42", 8)
	cal := cfg.Rules.Calendar
	who := func(n uint64) wire.AgentID { return wire.AgentIDAt(cfg.Rules.Seed, n) }
	for c := wire.Cycle(2); c < cycles; c++ {
		for n := uint64(1); n < 8; n++ {
			if n%2 == uint64(c)%2 {
				cfg.Planned = append(cfg.Planned, Input{Kind: InputStatus, Earliest: cal.First(c), Agent: who(n), Status: wire.StatusDormant, Reason: "operator", Cycles: 1})
			}
		}
	}
	cfg.Planned = append(cfg.Planned, Input{Kind: InputStatus, Earliest: cal.First(cycles), Agent: who(8), Status: wire.StatusDead, Reason: "operator"})
	want := mustRun(t, cfg, Options{}, cycles)
	for stop := wire.Cycle(1); stop < cycles; stop++ {
		opt := Options{Dir: t.TempDir(), Store: newMemStore(), Mind: testMind("42")}
		mustRun(t, cfg, opt, stop)
		e, err := Resume(t.Context(), cfg, opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil {
			t.Fatal(err)
		}
		if got := resultOf(e); got != want {
			t.Errorf("stopped at cycle %d: %+v, undisturbed %+v", stop, got, want)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
