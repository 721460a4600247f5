package engine

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"kingdom/llm"
	"kingdom/wire"
)

// changing is a mind that cannot be recomputed in some cycles and can be in the others.
type changing struct {
	*costly
	costs func(c wire.Cycle) bool
}

func (c *changing) Recomputable(at wire.Cycle) bool { return !c.costs(at) }

// forkTest makes a fork of a run after a cycle.
func forkTest(t *testing.T, from string, cfg Config, at wire.Cycle) (to string) {
	t.Helper()
	to = t.TempDir()
	parent := testConfig("42", 8)
	if err := Fork(from, parent.Identity(), to, cfg.Identity(), at); err != nil {
		t.Fatal(err)
	}
	return to
}

// changedConfig is that of a run that changes after a cycle.
func changedConfig(from wire.Cycle) Config {
	cfg := testConfig("42", 8)
	cfg.ScenarioDigest[0] ^= 1
	cfg.Changes = []Change{{From: from, Blind: llm.LayersOf([]string{"peers", "beliefs"})}}
	return cfg
}

// A fork has the common cycles of its parent and pays no thought of them again, wherever it is
// interrupted; then it goes on as it would have if the change had been there from the beginning.
func TestFork_ReusesThoughts(t *testing.T) {
	const at, cycles = 3, 5
	costs := map[string]func(wire.Cycle) bool{
		"always": func(wire.Cycle) bool { return true },
		"before": func(c wire.Cycle) bool { return c <= at },
		"after":  func(c wire.Cycle) bool { return c > at },
	}
	for name, costs := range costs {
		t.Run(name, func(t *testing.T) {
			parent, parentStore := t.TempDir(), newMemStore()
			before := &changing{newCostly("42"), func(wire.Cycle) bool { return costs(1) }}
			mustRun(t, testConfig("42", 8), Options{Dir: parent, Store: parentStore, Mind: before}, cycles)
			whole := mustRun(t, changedConfig(at+1), Options{Mind: testMind("42")}, cycles)

			cfg := changedConfig(at + 1)
			dir, store := forkTest(t, parent, cfg, at), newMemStore()
			after := &changing{newCostly("42"), costs}
			opt := Options{Dir: dir, Store: store, Mind: after, Forked: true}
			sum, stops := Summary{}, 0
			for open := Start; sum.Status != StatusFinished; open = Resume {
				ctx, cancel := context.WithCancel(t.Context())
				stopAt := wire.Cycle(stops)
				after.after = func(_ int, p *llm.Prompt) {
					if p.Cycle > stopAt {
						cancel()
					}
				}
				e, err := open(t.Context(), cfg, opt)
				if err != nil {
					t.Fatal(err)
				}
				if stops++; stops > cycles {
					ctx = t.Context()
				}
				sum, err = e.Run(ctx, cycles)
				if err != nil && !errors.Is(err, context.Canceled) && !isInterrupted(err) {
					t.Fatal(err)
				}
				cancel()
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if sum.WorldHash != whole.World || sum.AgentsHash != whole.Agents {
				t.Errorf("the fork ended in %s, a run with the change in %s", sum.WorldHash, whole.World)
			}
			cal := cfg.Rules.Calendar
			for k, n := range after.asked {
				if c := cal.Cycle(k.tick); c <= at && costs(c) || costs(c) && n > 1 {
					t.Fatalf("a thought of cycle %d was asked for %d times", c, n)
				}
			}
			rows, err := store.Cycles(t.Context(), 0, at)
			if err != nil || len(rows) != at+1 {
				t.Fatalf("%d common cycles, %v", len(rows), err)
			}
			if d, err := Difference(t.Context(),
				&Recorded{Config: testConfig("42", 8), Dir: parent, Store: parentStore, Mind: before},
				&Recorded{Config: cfg, Dir: dir, Store: store, Mind: after}); err != nil || d == nil || d.First.Cycle != at+1 || d.First.Agent.IsZero() || cal.Cycle(d.First.Tick) != at+1 || d.Foreign != [2]*DivergenceError{} {
				t.Errorf("the difference is %v, %v; want one of an agent in cycle %d", d, err, at+1)
			}
			if sum, err := Replay(t.Context(), cfg, ReplayOptions{Dir: dir, Store: store, Mind: after}); err != nil || sum.Cycles != cycles {
				t.Errorf("replay: %d cycles, %v", sum.Cycles, err)
			}
		})
	}
}

// Without a change two runs differ nowhere.
func TestDifference_OfEqualRuns(t *testing.T) {
	dir, store := recordRun(t, newCostly("42"))
	cfg := testConfig("42", 8)
	to := forkTest(t, dir, cfg, 2)
	fork := newMemStore()
	mustRun(t, cfg, Options{Dir: to, Store: fork, Mind: newCostly("42"), Forked: true}, 4)
	d, err := Difference(t.Context(), &Recorded{Config: cfg, Dir: dir, Store: store}, &Recorded{Config: cfg, Dir: to, Store: fork, Mind: newCostly("42")})
	if err != nil || d != nil {
		t.Errorf("got %v, %v", d, err)
	}
}

func TestFork_RefusesLateCycleOtherSeedAndUsedDirectory(t *testing.T) {
	dir, _ := recordRun(t, newCostly("42"))
	cfg := testConfig("42", 8)
	parent := cfg.Identity()
	seed, physics := parent, parent
	seed.Seed = "43"
	physics.Physics++
	for name, c := range map[string]struct {
		fork RunRow
		at   wire.Cycle
		want string
	}{
		"too late":        {parent, 9, "ends before the end of cycle 9"},
		"another seed":    {seed, 2, "seed"},
		"another physics": {physics, 2, "physics"},
	} {
		if err := Fork(dir, parent, t.TempDir(), c.fork, c.at); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	to := forkTest(t, dir, cfg, 2)
	var mismatch *MismatchError
	if err := Fork(dir, parent, to, cfg.Identity(), 2); !errors.As(err, &mismatch) {
		t.Errorf("into a directory with a journal: %v", err)
	}
	if _, err := Start(t.Context(), cfg, Options{Dir: to, Store: newMemStore(), Mind: newCostly("42")}); !errors.As(err, &mismatch) {
		t.Errorf("a journal that was not announced: %v", err)
	}
}

func isInterrupted(err error) bool {
	var i *InterruptedError
	return errors.As(err, &i)
}

// seenBy keeps what prompts were made with, by cycle.
type seenBy struct {
	Mind
	mu    sync.Mutex
	blind map[wire.Cycle]map[llm.Layers]int
	told  map[wire.Cycle]map[bool]int // whether the rules of the world are those of the change
}

func (s *seenBy) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	s.mu.Lock()
	if s.blind[p.Cycle] == nil {
		s.blind[p.Cycle], s.told[p.Cycle] = map[llm.Layers]int{}, map[bool]int{}
	}
	s.blind[p.Cycle][p.Blind]++
	system, _ := p.Messages()
	s.told[p.Cycle][bytes.Contains(system, []byte("Be brief."))]++
	s.mu.Unlock()
	return s.Mind.Think(ctx, p)
}

// A change reaches the agents that exist as it reaches those that are spawned later, and a resumed run goes on as one that was
// not interrupted.
func TestChanges_ReachAllAgentsAndHoldAfterResume(t *testing.T) {
	const from, to, cycles = 3, 6, 8
	cfg := testConfig("42", 8)
	blind := llm.LayersOf([]string{"money", "experiences", "reputation", "beliefs", "notes"})
	brief := &llm.Templates{}
	if err := brief.Set(llm.SectionRules, "Be brief."); err != nil {
		t.Fatal(err)
	}
	cfg.Changes = []Change{{From: from, Blind: blind, Templates: brief}, {From: to}}
	mind := &seenBy{Mind: testMind("42"), blind: map[wire.Cycle]map[llm.Layers]int{}, told: map[wire.Cycle]map[bool]int{}}
	dir, store := t.TempDir(), newMemStore()
	var stores []*memStore
	store.ended = func(wire.Cycle) {
		store.mu.Unlock()
		stores = append(stores, store.copy())
		store.mu.Lock()
	}
	e, err := Start(t.Context(), cfg, Options{Dir: dir, Store: store, Mind: mind})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	e.Input(Input{Kind: InputSpawn, Genome: &cfg.Genomes[0], Amount: DefaultFund}) // it is made under other rules than the eight
	if _, err := e.Run(t.Context(), cycles); err != nil {
		t.Fatal(err)
	}
	want := resultOf(e)
	e.Close()
	for c := wire.Cycle(1); c <= cycles; c++ {
		holds, changed := llm.Layers(0), from <= c && c < to
		if changed {
			holds = blind
		}
		if got := mind.told[c]; len(got) != 1 || got[changed] == 0 {
			t.Errorf("cycle %d: prompts by whether they have the changed rules %v, want %v alone", c, got, changed)
		}
		if got := mind.blind[c]; len(got) != 1 || got[holds] == 0 {
			t.Errorf("cycle %d: prompts by blindness %v, want %v alone", c, got, holds)
		}
	}
	for _, s := range stores[from+1:] {
		e, err := Resume(t.Context(), cfg, Options{Dir: copyDir(t, dir), Store: s, Mind: testMind("42")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(t.Context(), cycles); err != nil || resultOf(e) != want {
			t.Errorf("from cycle %d: %+v, %v; want %+v", len(s.cycles)-1, resultOf(e), err, want)
		}
		e.Close()
	}
}
