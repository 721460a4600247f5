package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// finish ends a run that has reached its last cycle: it waits until everything is on disk.
func (e *Engine) finish(ctx context.Context) error {
	if err := e.flush.wait(ctx); err != nil {
		return err
	}
	if err := e.journal.sync(); err != nil {
		return err
	}
	return e.writeRunFile(StatusFinished, nil)
}

// fail ends a run that cannot go on. The open tick is abandoned, finished cycles are written, and the returned error
// says what can be done.
func (e *Engine) fail(ctx context.Context, cause error) error {
	if err := e.flush.waitOrCancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
		cause = err // a failed write is more important than why the run stopped
		if _, broken := errors.AsType[*WorldError](err); e.dir != "" && !broken && !isDiskFull(err) {
			cause = &WriteError{Cycle: e.flush.committed(), Dir: e.dir, Err: err}
		}
	}
	status, err := StatusFailed, cause
	var paused *PausedError
	var capped *CapError
	switch {
	case isDiskFull(cause):
		status, err = StatusInterrupted, &DiskFullError{Cycle: e.flush.committed(), Dir: e.dir, Err: cause}
	case ctx.Err() != nil && errors.Is(cause, ctx.Err()):
		status, err = StatusInterrupted, &InterruptedError{Cycle: e.cycle, Tick: e.now, Dir: e.dir}
	case errors.As(cause, &paused):
		status = StatusPaused
	case errors.As(cause, &capped):
		status = StatusCapped
	}
	_, missing := os.Stat(e.dir)
	gone := e.dir != "" && errors.Is(missing, fs.ErrNotExist)
	if gone { // then nothing can be said of the run, nor written into it
		err = &GoneError{Dir: e.dir, Err: err}
	}
	if cerr := e.journal.close(); cerr != nil && !gone && !errors.Is(err, cerr) && !isDiskFull(cerr) {
		err = errors.Join(err, cerr)
	}
	e.control.setFailure(err)
	if gone {
		e.status = status
	} else if cerr := e.writeRunFile(status, err); cerr != nil && !isDiskFull(cerr) {
		err = errors.Join(err, cerr)
	}
	e.inputs.failAll(fmt.Errorf("input was not applied: the run stopped: %w", err))
	return err
}

// Close stops the engine's goroutines and closes the journal. It does not close the store. While the engine runs it
// returns [ErrRunning].
func (e *Engine) Close() error {
	if err := e.control.acquireToClose(); err != nil {
		return err
	}
	defer e.control.release()
	e.inputs.failAll(errors.New("input was not applied: the engine was closed"))
	err := e.flush.wait(context.Background())
	if e.control.failed() != nil {
		err = nil // Run has returned it
	}
	if e.reporter.publisher != nil {
		err = errors.Join(err, e.reporter.close())
		e.reporter.publisher = nil
	}
	e.control.setFailure(errors.New("it was closed"))
	return errors.Join(err, e.journal.close())
}
