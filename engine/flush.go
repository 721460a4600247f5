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
	mu     sync.Mutex
	cancel func()        // takes back the cycle in flight
	busy   chan struct{} // closed when the cycle in flight is done; nil when none is
	err    error         // sticky
	last   wire.Cycle    // last committed
}

// submit waits for the cycle in flight and starts the next; cancel ends do, which otherwise
// goes on when ctx ends.
func (f *flusher) submit(ctx context.Context, c wire.Cycle, cancel func(), do func() error) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	f.mu.Lock()
	f.busy, f.cancel = done, cancel
	f.mu.Unlock()
	go func() {
		defer close(done)
		defer cancel()
		err := protect(do)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err = err; err == nil {
			f.last = c
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

// wait returns when nothing is in flight, with the error of the first that failed; or when
// ctx ends and stopGrace with it.
func (f *flusher) wait(ctx context.Context) error {
	f.mu.Lock()
	busy := f.busy
	f.mu.Unlock()
	if busy != nil {
		if _, over := waitFor(ctx, busy); !over {
			return ctx.Err()
		}
	}
	return f.failed()
}

// waitOrCancel returns when nothing is in flight. Once ctx has ended, a cycle that does not reach the
// store within stopGrace is taken back: the journal holds it, and resume makes it again. Then
// the error is context.Canceled.
func (f *flusher) waitOrCancel(ctx context.Context) error {
	err := f.wait(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	f.mu.Lock()
	cancel := f.cancel
	f.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return f.wait(context.Background())
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
	return f.last
}

// store hands a finished cycle to the flusher: journal first, then the store, then
// every so often a snapshot.
func (e *Engine) store(ctx context.Context, row *CycleRow, metrics MetricsRow, changed []*seat) error {
	b := &Batch{Run: e.cfg.Identity(), Cycle: *row, Rows: e.realm.TakeRows(), Heads: e.realm.Heads(), Events: e.events, Metrics: metrics, Calls: e.calls}
	e.events, e.calls = nil, nil
	waiting := e.control.takeFlushes()
	if !e.persists() {
		for _, w := range waiting {
			w <- nil
		}
		return nil
	}
	b.Minds, b.spilled = make([]agent.Rows, 0, len(changed)), make([]spilledRows, 0, len(changed))
	b.spillFile, e.spillFile = e.spillFile, nil
	for _, s := range changed {
		if !s.rows.Empty() || s.spilled.any() {
			b.Minds, b.spilled = append(b.Minds, s.rows), append(b.spilled, s.spilled)
		}
		s.rows = agent.Rows{}
	}
	shown := changedEntries(e.realm, b.Rows)
	if uint64(row.Cycle+1)%e.cfg.SnapshotEvery == 0 {
		e.journal.nextSegment()
	}
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx)) // a cycle that is over is written when the run stops
	snap := e.snapshot(writing, b)
	err := e.flush.submit(ctx, row.Cycle, cancel, func() (err error) {
		defer b.spillFile.release()
		defer func() {
			for _, w := range waiting {
				w <- err
			}
		}()
		if err := e.journal.sync(); err != nil {
			return err
		}
		if e.db != nil {
			if err := e.contents.fill(writing, shown.missing); err != nil {
				return err
			}
			b.Bodies = shown.bodies()
			if err := e.db.CommitCycle(writing, b); err != nil {
				if writing.Err() != nil && !isDiskFull(err) {
					return writing.Err() // taken back; a database may have other words for it
				}
				return err
			}
			e.contents.addNew(b.Rows)
		}
		if err := snap(); err != nil && (writing.Err() == nil || isDiskFull(err)) {
			return err
		}
		return nil // a snapshot that a stop cut off is made when the run is resumed, or is one less
	})
	if err == nil && e.db != nil {
		e.realm.Forget(e.stored) // the cycle before is in the store
		e.stored = b.Heads
	}
	return err
}
