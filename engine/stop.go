package engine

import (
	"context"
	"errors"
	"fmt"
)

// rest ends a run in order: all that was computed is on disk.
func (e *Engine) rest() error {
	e.settle()
	if err := e.flush.wait(); err != nil {
		return err
	}
	if e.journal != nil {
		if err := e.journal.sync(); err != nil {
			return err
		}
	}
	return e.card(StatusFinished, nil)
}

// fail ends a run that cannot go on: the open tick is abandoned, what is under way
// is written, and the error says what can be done.
func (e *Engine) fail(ctx context.Context, cause error) error {
	e.settle()
	if err := e.flush.wait(); err != nil {
		cause = err // what was not written counts more than why the run stopped
	}
	status, err := e.classify(ctx, cause)
	if cerr := e.closeJournal(); cerr != nil && !errors.Is(err, cerr) && !isDiskFull(cerr) {
		err = errors.Join(err, cerr)
	}
	e.dead = err
	if cerr := e.card(status, err); cerr != nil && !isDiskFull(cerr) {
		err = errors.Join(err, cerr)
	}
	e.inbox.refuse(fmt.Errorf("input was not applied: the run stopped: %w", err))
	return err
}

// classify makes the typed error and the status of a run that stopped.
func (e *Engine) classify(ctx context.Context, cause error) (Status, error) {
	var paused *PausedError
	switch {
	case isDiskFull(cause):
		return StatusInterrupted, &DiskFullError{Cycle: e.flush.committed(), Dir: e.dir, Err: cause}
	case ctx.Err() != nil && errors.Is(cause, ctx.Err()):
		return StatusInterrupted, &InterruptedError{Cycle: e.cycle, Tick: e.now, Dir: e.dir}
	case errors.As(cause, &paused):
		return StatusPaused, cause
	}
	return StatusFailed, cause
}

// enter makes the caller the one who drives.
func (e *Engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.dead != nil:
		return fmt.Errorf("run on: this engine stopped before: %w", e.dead)
	case e.runs:
		return ErrRunning
	}
	e.runs = true
	return nil
}

// leave lets others drive, and shows them what they waited to see.
func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs = false
	e.inbox.serve()
	if e.dead != nil {
		e.commits.stop(e.dead)
	}
}

// Close ends the agents' goroutines and the journal; on a running engine it is
// refused with [ErrRunning]. It does not close the store.
func (e *Engine) Close() error {
	if err := e.enter(); err != nil && errors.Is(err, ErrRunning) {
		return err
	}
	e.settle()
	e.inbox.refuse(errors.New("input was not applied: the engine was closed"))
	err := e.flush.wait()
	if e.dead != nil {
		err = nil // it was reported
	}
	for _, s := range e.seats {
		close(s.jobs)
	}
	e.crew.Wait()
	e.seats = nil
	e.past.close()
	if e.watch != nil {
		err = errors.Join(err, e.watch.close())
		e.watch = nil
	}
	if e.dead == nil {
		e.dead = errors.New("it was closed")
	}
	e.leave()
	return errors.Join(err, e.closeJournal())
}

func (e *Engine) closeJournal() error {
	if e.journal == nil {
		return nil
	}
	j := e.journal
	e.journal = nil
	return j.close()
}
