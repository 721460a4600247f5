package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kingdom/wire"
)

// A long step of the world delays a stop by no more than the grace period; a step that ends within it counts.
func TestInterruptible_ReturnsAfterGraceAtTheLatest(t *testing.T) {
	for _, tc := range []struct {
		step, stop time.Duration
		took       time.Duration
		stopped    bool
	}{
		{time.Second, 2 * time.Second, time.Second, false},
		{time.Minute, time.Second, time.Second + stopGrace, true},
		{time.Second + stopGrace/2, time.Second, time.Second + stopGrace/2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), tc.stop)
			defer cancel()
			begin := time.Now()
			err := interruptible(ctx, func() { time.Sleep(tc.step) })
			if took := time.Since(begin); took != tc.took || (err != nil) != tc.stopped {
				t.Errorf("%+v: %v after %v", tc, err, took)
			}
			time.Sleep(time.Hour) // the step that was left to itself ends too
		})
	}
}

// A panic of the world in a step stops the run in order, with the place where it broke.
func TestInterruptible_Panic(t *testing.T) {
	for _, ctx := range []context.Context{t.Context(), context.Background()} {
		e := newEngine(testConfig("42", 2), Options{}, false)
		err := e.recoverPanics(func() error { return interruptible(ctx, func() { breakWorld() }) })
		var broken *WorldError
		if !errors.As(err, &broken) || !strings.Contains(err.Error(), "an invariant") || !strings.Contains(string(broken.Stack), "breakWorld") {
			t.Errorf("%v", err)
		}
	}
}

func breakWorld() { panic("an invariant") }

// stuckStore takes as long for a cycle as its context lasts.
type stuckStore struct {
	*memStore
	from wire.Cycle
}

func (s *stuckStore) CommitCycle(ctx context.Context, b *Batch) error {
	if b.Cycle.Cycle >= s.from {
		<-ctx.Done()
		return ctx.Err()
	}
	return s.memStore.CommitCycle(ctx, b)
}

// However slow the store is, a stop acts within two seconds. The cycle that was not stored is in the journal, and the
// resumed run goes on as if it had not been stopped.
func TestEngine_InterruptDoesNotWaitForSlowStore(t *testing.T) {
	const cycles = 4
	want := mustRun(t, testConfig("42", 4), Options{}, cycles)
	store, dir := newMemStore(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		opt := Options{Dir: dir, Store: &stuckStore{store, 2}, Mind: testMind("42")}
		e, err := Start(t.Context(), testConfig("42", 4), opt)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		_, err = e.Run(ctx, cycles)
		var stopped *InterruptedError
		if !errors.As(err, &stopped) || stopped.Bootstrap {
			t.Errorf("%v", err)
		}
		if took := time.Since(begin) - time.Minute; took > 2*time.Second {
			t.Errorf("stopped after %v", took)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if n := len(store.cycles); n != 2 {
		t.Fatalf("%d cycles in the store", n)
	}
	if file, err := ReadRunFile(dir); err != nil || file.Status != StatusInterrupted || file.Cycle != 1 {
		t.Errorf("run.json %+v, %v", file, err)
	}
	e, err := Resume(t.Context(), testConfig("42", 4), Options{Dir: dir, Store: store, Mind: testMind("42")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(t.Context(), cycles); err != nil || resultOf(e) != want {
		t.Errorf("resumed to %+v, %v; want %+v", resultOf(e), err, want)
	}
}

// Who stops a run while the world is being made hears that there is nothing to resume.
func TestStart_Interrupted(t *testing.T) {
	for _, stage := range []Stage{StageWorld, StageAgents, StageHash} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n := 8
			if stage == StageAgents {
				n = eventBatch // so that there is a look in between
			}
			opt := Options{Store: &stuckStore{newMemStore(), 0}, Mind: testMind("42"), Progress: func(p Progress) {
				if p.Stage == stage {
					cancel()
				}
			}}
			begin := time.Now()
			e, err := Start(ctx, testConfig("42", n), opt)
			var stopped *InterruptedError
			if e != nil || !errors.As(err, &stopped) || !stopped.Bootstrap || !strings.Contains(err.Error(), "start the run again") {
				t.Errorf("stopped in stage %d: %v", stage, err)
			}
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("stage %d stopped after %v", stage, took)
			}
		})
	}
}

// A run that is stopped after its first cycle was stored can be resumed.
func TestStart_InterruptedAfterBootstrapCanBeResumed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	e, err := Start(ctx, testConfig("42", 4), Options{Dir: dir, Store: newMemStore(), Mind: testMind("42"), Progress: func(p Progress) {
		if p.Stage == StageStore {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var stopped *InterruptedError
	if _, err := e.Run(ctx, 2); !errors.As(err, &stopped) || stopped.Bootstrap || !strings.Contains(err.Error(), "kingdom resume") {
		t.Errorf("Run says %v", err)
	}
	if file, err := ReadRunFile(dir); err != nil || file.Status != StatusInterrupted {
		t.Errorf("run.json %+v, %v", file, err)
	}
}

// Start says how far it is, stage by stage.
func TestStart_Progress(t *testing.T) {
	const n = 2 * eventBatch
	var seen []Progress
	e, err := Start(t.Context(), testConfig("42", n), Options{Mind: testMind("42"), Progress: func(p Progress) { seen = append(seen, p) }})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	last, agents := Progress{}, 0
	for _, p := range seen {
		if p.Stage < last.Stage || p.Stage == StageAgents && p.Agents < last.Agents || p.AgentsWanted != n {
			t.Errorf("%+v after %+v", p, last)
		}
		if last = p; p.Stage == StageAgents {
			agents++
		}
	}
	if agents < 2 || last.Stage != StageStore || !slices.ContainsFunc(seen, func(p Progress) bool { return p.Stage == StageHash }) {
		t.Errorf("%d reports, %d of agents, the last %+v", len(seen), agents, last)
	}
	before := len(seen)
	if _, err := e.Run(t.Context(), 0); err != nil || len(seen) != before {
		t.Errorf("a run reports bootstrap: %v", err)
	}
}

// After a cancel, seats that have not begun the job are skipped.
func TestAgentPool_CancelSkipsSeatsThatHaveNotBegun(t *testing.T) {
	c := newAgentPool()
	for i := range 100 {
		c.add(&seat{id: wire.AgentID{byte(i)}})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	begun := 0
	err := c.do(c.seats, job{ctx: ctx, do: func(*seat, *job) error {
		mu.Lock()
		defer mu.Unlock()
		if begun++; begun == 1 {
			cancel()
		}
		return nil
	}})
	if !errors.Is(err, context.Canceled) || begun == 100 {
		t.Errorf("%d seats did the job: %v", begun, err)
	}
}

// A deferred job runs once, before anything else gets the seat or does a job on it.
func TestAgentPool_DeferredJobRunsBeforeSeatIsUsed(t *testing.T) {
	for name, look := range map[string]func(c *agentPool) []*seat{
		"seat":    func(c *agentPool) []*seat { return []*seat{c.seat(wire.AgentID{7})} },
		"spawned": func(c *agentPool) []*seat { return c.bySpawn() },
		"sorted":  func(c *agentPool) []*seat { return c.ascending() },
		"phase": func(c *agentPool) []*seat {
			err := c.do(c.seats[:50], job{do: func(s *seat, _ *job) error { s.bestPeers = append(s.bestPeers, s.id); return nil }})
			if err != nil {
				t.Error(err)
			}
			return c.seats[:50]
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newAgentPool()
			for i := range 100 {
				c.add(&seat{id: wire.AgentID{byte(i)}})
			}
			c.deferJob(c.seats, &job{do: func(s *seat, _ *job) error { s.bestPeers = append(s.bestPeers, wire.AgentID{255}); return nil }})
			seats := look(c)
			for range 2 {
				for _, s := range seats {
					if len(s.bestPeers) == 0 || s.bestPeers[0] != (wire.AgentID{255}) || slices.Contains(s.bestPeers[1:], wire.AgentID{255}) {
						t.Fatalf("seat %d did %d things", s.id[0], len(s.bestPeers))
					}
				}
				c.runDeferred()
			}
		})
	}
}
