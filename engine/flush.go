package engine

import (
	"context"
	"fmt"
	"sync"

	"kingdom/agent"
	"kingdom/wire"
)

// flusher commits cycles while the next one computes, one at a time and in order.
type flusher struct {
	mu   sync.Mutex
	busy chan struct{} // closed when the cycle in flight is done; nil when none is
	err  error         // sticky
	safe wire.Cycle    // last committed
}

// submit waits for the cycle in flight and starts the next.
func (f *flusher) submit(c wire.Cycle, do func() error) error {
	if err := f.wait(); err != nil {
		return err
	}
	done := make(chan struct{})
	f.mu.Lock()
	f.busy = done
	f.mu.Unlock()
	go func() {
		defer close(done)
		err := protect(do)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err = err; err == nil {
			f.safe = c
		}
	}()
	return nil
}

// protect turns a panic into an error, so that the run stops in order.
func protect(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return do()
}

// wait returns when nothing is in flight, with the error of the first that failed.
func (f *flusher) wait() error {
	f.mu.Lock()
	busy := f.busy
	f.mu.Unlock()
	if busy != nil {
		<-busy
	}
	return f.failed()
}

// failed looks without waiting.
func (f *flusher) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// committed is the last cycle that is safe.
func (f *flusher) committed() wire.Cycle {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.safe
}

// store hands a finished cycle to the flusher: journal first, then the store, then
// every so often a snapshot.
func (e *Engine) store(ctx context.Context, row *CycleRow, metrics MetricsRow, changed []*seat) error {
	b := &Batch{Run: e.cfg.Identity(), Cycle: *row, Rows: e.realm.TakeRows(), Heads: e.realm.Heads(), Metrics: metrics}
	events := e.events
	e.events = nil
	waiting := e.commits.take()
	if !e.keeps() {
		for _, w := range waiting {
			w <- nil
		}
		return nil
	}
	b.Minds = make([]agent.Rows, 0, len(changed))
	for _, s := range changed {
		if !s.rows.Empty() {
			b.Minds = append(b.Minds, s.rows)
		}
		s.rows = agent.Rows{}
	}
	shown := e.changedEntries(b.Rows)
	if e.journal != nil && uint64(row.Cycle+1)%e.cfg.SnapshotEvery == 0 {
		e.journal.next()
	}
	ctx = context.WithoutCancel(ctx) // a cycle that is over is written whatever ends the run
	snap := e.snapshot(ctx, b)
	err := e.flush.submit(row.Cycle, func() (err error) {
		defer func() {
			for _, w := range waiting {
				w <- err
			}
		}()
		if e.journal != nil {
			if err := e.journal.sync(); err != nil {
				return err
			}
		}
		if e.db != nil {
			if err := e.contents.fill(ctx, shown.missing); err != nil {
				return err
			}
			if err := plain(b, events, shown.entries); err != nil {
				return err
			}
			if err := e.db.CommitCycle(ctx, b); err != nil {
				return err
			}
		}
		return snap()
	})
	if err == nil && e.db != nil {
		e.realm.Forget(e.durable) // the cycle before is in the store
		e.durable = b.Heads
	}
	return err
}
