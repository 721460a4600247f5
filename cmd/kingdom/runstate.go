package main

import (
	"context"
	"fmt"
	"path/filepath"

	"kingdom/engine"
	"kingdom/wire"
)

// statusStopped is the status of a run whose process ended without recording a status: it was killed, or the machine
// went down. run.json still says that it is running.
const statusStopped engine.Status = "stopped"

// runState is the state of a run: what run.json says, corrected by what the store knows.
type runState struct {
	Status engine.Status
	Last   uint64 // last cycle in the store
	Of     uint64 // cycles that were requested
}

// readRunState reads the state of a run. The store decides which cycle is the last and whether
// a process still writes.
func readRunState(ctx context.Context, st boundStore, rf *engine.RunFile, cycles uint64) (runState, error) {
	last, _, err := st.Last(ctx)
	if err != nil {
		return runState{}, err
	}
	s := runState{Status: rf.Status, Last: uint64(last), Of: max(rf.Until, uint64(last))}
	if rf.Until == 0 {
		s.Of = max(cycles, uint64(last))
	}
	busy, err := st.Busy(ctx)
	switch {
	case err != nil:
		return s, err
	case busy:
		s.Status = engine.StatusRunning
	case rf.Status == engine.StatusRunning:
		s.Status = statusStopped
	}
	return s, nil
}

// text describes the state in one line.
func (s runState) text(dir string) string {
	where := fmt.Sprintf("cycle %d of %d", s.Last, s.Of)
	switch s.Status {
	case engine.StatusRunning:
		return "running, " + where
	case engine.StatusFinished:
		return "finished at " + where
	case engine.StatusCapped:
		return fmt.Sprintf("stopped by its cap at %s; kingdom resume %s --budget USD continues it", where, shellQuote(dir))
	case statusStopped:
		return fmt.Sprintf("stopped at %s: its process ended without recording a status; kingdom resume %s continues it", where, shellQuote(dir))
	default:
		return fmt.Sprintf("%s at %s; kingdom resume %s continues it", s.Status, where, shellQuote(dir))
	}
}

// warnIfStopped warns once that a run was killed, so that its logs get no more lines: at once if now is set and the run
// was killed before, otherwise when the returned function is called.
func (a *app) warnIfStopped(ctx context.Context, dir string, now bool) (later func()) {
	said := false
	say := func() {
		if said || ctx.Err() != nil {
			return
		}
		rf, err := engine.ReadRunFile(dir)
		if err != nil || rf.Status != engine.StatusRunning {
			return
		}
		run, err := openRun(ctx, dir, "")
		if err != nil {
			fmt.Fprintf(a.err, "kingdom: cannot tell whether %s is still running: %v\n", dir, err)
			return // of a run that has only just begun, the later call can tell
		}
		defer func() { _ = run.store.Close() }() // it was only read
		if run.state.Status == statusStopped {
			fmt.Fprintf(a.err, "kingdom: %s: %s\n", dir, run.state.text(dir))
			said = true
		}
	}
	if now {
		say()
	}
	return say
}

// damagedError says that a file of a run is not as it was written.
type damagedError struct{ text string }

func (e *damagedError) Error() string { return e.text }

// checkStored returns an error if the store lacks the row of a cycle or a hash in it is zero. Such damage would otherwise
// be reported as a divergence.
func checkStored(ctx context.Context, run *openedRun, dir string) error {
	damaged := func(c wire.Cycle, what string) error {
		return &damagedError{fmt.Sprintf("the store of %s is damaged: cycle %d %s; restore it from a copy, or run the scenario again: kingdom run %s",
			dir, c, what, shellQuote(filepath.Join(dir, scenarioFile)))}
	}
	const page = 256
	for next, last := wire.Cycle(0), wire.Cycle(run.state.Last); next <= last; next += page {
		rows, err := run.store.Cycles(ctx, next, min(next+page-1, last))
		if err != nil {
			return err
		}
		for i := range rows {
			r := &rows[i]
			switch {
			case r.Cycle != next+wire.Cycle(i):
				return damaged(next+wire.Cycle(i), "has no row")
			case r.WorldHash.IsZero():
				return damaged(r.Cycle, "has no world_hash, only zeros, which no world has")
			case r.AgentsHash.IsZero():
				return damaged(r.Cycle, "has no agents_hash, only zeros, which no population has")
			}
		}
		if n := min(next+page-1, last) - next + 1; wire.Cycle(len(rows)) < n {
			return damaged(next+wire.Cycle(len(rows)), "has no row")
		}
	}
	return nil
}
