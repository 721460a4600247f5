package engine

import (
	"context"
	"fmt"
	"sync"

	"kingdom/agent"
	"kingdom/wire"
)

// flusher writes finished cycles to the store while the next one is executed, one at a time and in order.
type flusher struct {
	mu     sync.Mutex
	cancel func()        // aborts the cycle in flight
	busy   chan struct{} // closed when the cycle in flight is done; nil when none is
	err    error         // first error; nothing is written after it
	last   wire.Cycle    // last committed cycle
}

// submit waits for the cycle in flight and starts do for cycle c, and then done with the error of do. Neither may panic. do
// goes on when ctx ends; only cancel aborts it. If submit returns an error, neither is called.
func (f *flusher) submit(ctx context.Context, c wire.Cycle, cancel func(), do func() error, done func(error)) error {
	if err := f.wait(ctx); err != nil {
		return err
	}
	over := make(chan struct{})
	f.mu.Lock()
	f.busy, f.cancel = over, cancel
	f.mu.Unlock()
	go func() {
		defer close(over)
		defer cancel()
		err := do()
		done(err)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err = err; err == nil {
			f.last = c
		}
	}()
	return nil
}

// wait waits until nothing is in flight and returns the first error of a cycle. If ctx ends, it waits for another
// stopGrace at most and returns the error of ctx.
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

// waitOrCancel waits until nothing is in flight. Once ctx has ended, a cycle that is not stored within stopGrace is
// aborted, and the error is context.Canceled: the journal holds the cycle, and resume executes it again.
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

// failed returns the first error of a cycle, without waiting.
func (f *flusher) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// committed returns the last cycle that is in the store.
func (f *flusher) committed() wire.Cycle {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// store hands a finished cycle to the flusher, which writes it and then tells those that wait for it.
func (e *Engine) store(ctx context.Context, row *CycleRow, metrics MetricsRow, changed []*seat) error {
	b := &Batch{Run: e.cfg.Identity(), Cycle: *row, Rows: e.realm.TakeRows(), Heads: e.realm.Heads(), Names: e.births.names, Events: e.events, Metrics: metrics, Calls: e.calls}
	e.events, e.calls = nil, nil
	waiting := e.control.takeFlushes()
	tell := func(err error) {
		for _, w := range waiting {
			w <- err
		}
	}
	if !e.persists() {
		tell(nil)
		return nil
	}
	b.spillFile, e.spillFile = e.spillFile, nil
	b.takeMinds(changed)
	shown := changedEntries(e.realm, b.Rows)
	if uint64(row.Cycle+1)%e.cfg.SnapshotEvery == 0 {
		e.journal.nextSegment()
	}
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx)) // a finished cycle is written even if the run stops
	snap := e.snapshot(writing, b)
	write := func() error { return writeCycle(writing, e, b, shown, snap) }
	done := func(err error) {
		b.spillFile.release()
		tell(err)
	}
	if err := e.flush.submit(ctx, row.Cycle, cancel, write, done); err != nil {
		cancel()
		b.spillFile.release()
		e.control.returnFlushes(waiting)
		return err
	}
	if e.db != nil {
		e.realm.Forget(e.stored) // the cycle before this one is in the store
		e.stored = b.Heads
	}
	return nil
}

// takeMinds moves the rows of the agents that changed to the batch.
func (b *Batch) takeMinds(changed []*seat) {
	b.Minds, b.spilled = make([]agent.Rows, 0, len(changed)), make([]spilledRows, 0, len(changed))
	for _, s := range changed {
		if !s.rows.Empty() || s.spilled.any() {
			b.Minds, b.spilled = append(b.Minds, s.rows), append(b.spilled, s.spilled)
		}
		s.rows = agent.Rows{}
	}
}

// writeCycle syncs the journal, commits a cycle to the store, and writes a snapshot if one is due. It runs in the flusher's
// goroutine. A panic becomes a [*WorldError], so that the run stops in order.
func writeCycle(ctx context.Context, e *Engine, b *Batch, shown *shownEntries, snap func() error) (err error) {
	defer func() {
		if p := caught(recover()); p != nil {
			err = &WorldError{Cycle: b.Cycle.Cycle, Tick: b.Cycle.Tick, Err: fmt.Errorf("store the cycle: %w", p.err()), Stack: p.stack}
		}
	}()
	if err := e.journal.sync(); err != nil {
		return err
	}
	if e.db != nil {
		if err := e.contents.fill(ctx, shown.missing); err != nil {
			return err
		}
		b.Bodies = shown.bodies()
		if err := e.db.CommitCycle(ctx, b); err != nil {
			if ctx.Err() != nil && !isDiskFull(err) {
				return ctx.Err() // aborted; databases return errors of their own for this
			}
			return err
		}
		e.contents.addNew(b.Rows)
	}
	if err := snap(); err != nil && (ctx.Err() == nil || isDiskFull(err)) {
		return err
	}
	return nil // a snapshot that a stop aborted is written at resume, or left out
}
