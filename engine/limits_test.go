package engine

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kingdom/llm"
)

// silentMind never answers.
type silentMind struct{}

func (silentMind) Think(ctx context.Context, _ *llm.Prompt) (llm.Thought, error) {
	<-ctx.Done()
	return llm.Thought{}, ctx.Err()
}

// A thought takes no longer than its time-out, and no more of them are in flight
// than allowed. Slots without an answer are idle: no NOP, no sleep.
func TestEngine_ThinkTimeout(t *testing.T) {
	for _, tc := range []struct {
		thinkers int
		want     time.Duration // of a cycle of 16 slots, 4 agents
	}{{0, 16 * 30 * time.Second}, {2, 2 * 16 * 30 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig("42", 4)
			cfg.OnOutage, cfg.Thinkers = OutageIdle, tc.thinkers
			e, err := Start(t.Context(), cfg, Options{Mind: silentMind{}})
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			sum, err := e.Run(t.Context(), 1)
			if err != nil || sum.Agents.Active != 4 || sum.NOPs != 0 || sum.AgentTicks != 64 {
				t.Errorf("%+v, %v", sum, err)
			}
			if took := time.Since(begin); took != tc.want {
				t.Errorf("%d thinkers: %v, want %v", tc.thinkers, took, tc.want)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// patientMind waits ten minutes for leave before each thought, then babbles for 40 s.
type patientMind struct {
	silentMind
	rests chan time.Duration
}

func (m patientMind) ThinkWithin(_ context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	time.Sleep(10 * time.Minute)
	m.rests <- rest
	if rest < 40*time.Second {
		return llm.Thought{}, rest, context.DeadlineExceeded
	}
	return llm.Thought{Outcome: llm.Answered, Text: []byte("hm")}, 40 * time.Second, nil
}

// The time that a mind waits before it may ask does not count; the time that its thoughts need together is bounded by
// the slot.
func TestEngine_AdmissionWaitDoesNotCountForSlotTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig("42", 1)
		cfg.OnOutage, cfg.Turn.Tries = OutageIdle, 3
		mind := patientMind{rests: make(chan time.Duration, 1000)}
		e, err := Start(t.Context(), cfg, Options{Mind: mind})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		begin := time.Now()
		sum, err := e.Run(t.Context(), 1)
		if err != nil || sum.NOPs != 0 || sum.AgentTicks != 16 {
			t.Errorf("%+v, %v", sum, err)
		}
		if took := time.Since(begin); took != 16*3*10*time.Minute {
			t.Errorf("16 slots of three tries took %v", took)
		}
		for _, want := range []time.Duration{90 * time.Second, 50 * time.Second, 10 * time.Second, 90 * time.Second} {
			if rest := <-mind.rests; rest != want {
				t.Errorf("a slot had %v left, want %v", rest, want)
			}
		}
	})
}

// Ctrl-C ends thoughts in flight at once.
func TestEngine_InterruptEndsThoughtsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := Start(t.Context(), testConfig("42", 4), Options{Mind: silentMind{}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		begin := time.Now()
		time.AfterFunc(7*time.Second, cancel)
		sum, err := e.Run(ctx, 1)
		var stopped *InterruptedError
		if !errors.As(err, &stopped) || time.Since(begin) != 7*time.Second || sum.Status != StatusInterrupted {
			t.Errorf("%+v, %v after %v", sum, err, time.Since(begin))
		}
		e.Close()
	})
}

// stalled is an observer that waits.
type stalled struct {
	until   chan struct{}
	commits int
}

func (s *stalled) Commit(*Commit)     { <-s.until; s.commits++ }
func (s *stalled) Cycle(*CycleReport) {}

// A stalled observer delays and changes nothing; the commits that it misses are counted.
func TestEngine_StalledObserverDelaysNothing(t *testing.T) {
	want := mustRun(t, testConfig("42", 8), Options{}, 3)
	slow := &stalled{until: make(chan struct{})}
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: testMind("42"), Observers: []Observer{slow}, Queue: 90})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := e.Run(t.Context(), 3)
	if err != nil || resultOf(e) != want {
		t.Errorf("got %+v, %v, want %+v", resultOf(e), err, want)
	}
	close(slow.until)
	e.Close()
	if sum.Dropped == 0 || slow.commits == 0 || slow.commits > 90 {
		t.Errorf("%d commits dropped, %d seen with a queue of 90 seats", sum.Dropped, slow.commits)
	}
}

// broken is an observer that panics.
type broken struct{ commits int }

func (b *broken) Commit(*Commit)     { b.commits++; panic("boom") }
func (b *broken) Cycle(*CycleReport) {}

// An observer that panics gets no more reports; the run and the other observers go on, and Close returns the panic.
func TestEngine_PanickingObserverIsDroppedAndReported(t *testing.T) {
	want := mustRun(t, testConfig("42", 8), Options{}, 2)
	bad, good := &broken{}, &stalled{until: make(chan struct{})}
	close(good.until)
	e, err := Start(t.Context(), testConfig("42", 8), Options{Mind: testMind("42"), Observers: []Observer{bad, good}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(t.Context(), 2); err != nil || resultOf(e) != want {
		t.Errorf("got %+v, %v, want %+v", resultOf(e), err, want)
	}
	if err := e.Close(); err == nil || !strings.Contains(err.Error(), "observer *engine.broken: panic: boom") {
		t.Errorf("close: %v", err)
	}
	if bad.commits != 1 || good.commits < 2 {
		t.Errorf("the broken observer saw %d commits, its fellow %d", bad.commits, good.commits)
	}
}

// slow is a mind that answers nonsense after a while.
type slow struct {
	after time.Duration
	tries atomic.Int32
}

func (m *slow) Think(ctx context.Context, _ *llm.Prompt) (llm.Thought, error) {
	m.tries.Add(1)
	select {
	case <-time.After(m.after):
		return llm.Thought{Outcome: llm.Answered, Text: []byte("hm")}, nil
	case <-ctx.Done():
		return llm.Thought{}, ctx.Err()
	}
}

// All tries of one slot together take no longer than SlotTimeout; the time in which an agent
// waited for a place among the thinkers is not its mind's.
func TestEngine_SlotTimeout(t *testing.T) {
	for _, tc := range []struct {
		agents, thinkers int
		after            time.Duration
		want             time.Duration // of the whole cycle, one slot per agent
		tries            int32         // of all agents
	}{
		{1, 0, 20 * time.Second, 60 * time.Second, 3},         // three tries fit
		{1, 0, 50 * time.Second, SlotTimeout, 2},              // the second is cut short
		{4, 1, 20 * time.Second, 4 * 60 * time.Second, 3 * 4}, // one after the other
		{4, 1, 50 * time.Second, 4 * SlotTimeout, 2 * 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig("42", tc.agents)
			cfg.Rules.BaseBudget, cfg.Rules.MaxExtra = 1, 0
			cfg.OnOutage, cfg.Thinkers, cfg.ThinkTimeout = OutageIdle, tc.thinkers, time.Minute
			mind := &slow{after: tc.after}
			e, err := Start(t.Context(), cfg, Options{Mind: mind})
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			if _, err := e.Run(t.Context(), 1); err != nil {
				t.Error(err)
			}
			if took := time.Since(begin); took != tc.want || mind.tries.Load() != tc.tries {
				t.Errorf("%+v: took %v with %d tries", tc, took, mind.tries.Load())
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// drain is an observer that is always ready, and counts.
type drain struct{ commits, cycles int }

func (d *drain) Commit(*Commit)     { d.commits++ }
func (d *drain) Cycle(*CycleReport) { d.cycles++ }

// Commits that observers have seen make room for more, so one that keeps up misses nothing, however long the run.
func TestPublisher_FastObserverMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &drain{}
		p := newPublisher([]Observer{o}, 6)
		for range 1000 {
			p.commit(&Commit{Seats: make([]SeatReport, 2)})
			p.commit(&Commit{Seats: make([]SeatReport, 2)}) // together exactly the limit
			p.cycle(&CycleReport{})
			synctest.Wait()
		}
		if err := p.close(); err != nil || p.droppedCommits() != 0 || o.commits != 2000 || o.cycles != 1000 {
			t.Errorf("%+v, %d lost, %v", o, p.droppedCommits(), err)
		}
	})
}

// Commits beyond the queue are dropped and counted. Cycle reports always fit and give the number.
func TestPublisher_DropsAndCountsCommitsBeyondQueue(t *testing.T) {
	slow := &stalled{until: make(chan struct{})}
	p := newPublisher([]Observer{slow}, 6)
	p.commit(&Commit{Seats: make([]SeatReport, 6)}) // 7 of 6
	r := &CycleReport{}
	for range 2 {
		p.commit(&Commit{Seats: make([]SeatReport, 2)})
	}
	p.commit(&Commit{})
	p.cycle(r)
	close(slow.until)
	if err := p.close(); err != nil || p.droppedCommits() != 2 || slow.commits != 2 || r.Dropped != 2 {
		t.Errorf("%d lost, %d seen, report says %d, %v; want 2, 2, 2", p.droppedCommits(), slow.commits, r.Dropped, err)
	}
}
