package main

import (
	"context"
	"fmt"
	"path/filepath"

	"kingdom/engine"
	"kingdom/observe"
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
	Cause  string // why it stopped; "" if it runs, has finished, or nobody recorded it
	Reuses recording
}

// readRunState reads the state of a run. The store decides which cycle is the last and whether
// a process still writes.
func readRunState(ctx context.Context, st boundStore, rf *engine.RunFile, cycles uint64) (runState, error) {
	last, _, err := st.Last(ctx)
	if err != nil {
		return runState{}, err
	}
	s := runState{Status: rf.Status, Last: uint64(last), Of: max(rf.Until, uint64(last)), Reuses: recordingOf(rf)}
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
	default:
		s.Cause = rf.Error
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
	case engine.StatusFailed:
		if s.Reuses.path != "" && s.Reuses.onMiss == onMissFail {
			return fmt.Sprintf("failed at %[1]s; kingdom resume %[2]s continues it with the answers of %[3]s, and with --%[4]s %[5]s asks models for what these lack",
				where, shellQuote(dir), s.Reuses.path, onMissFlag, onMissCall)
		}
		fallthrough
	default:
		return fmt.Sprintf("%s at %s; kingdom resume %s continues it", s.Status, where, shellQuote(dir))
	}
}

// stateNow reads the state of a run as it is now. While run.json says that the run goes on, the store decides.
func stateNow(ctx context.Context, dir string) (runState, error) {
	rf, err := engine.ReadRunFile(dir)
	if err != nil || rf.Status != engine.StatusRunning {
		s := runState{Status: rf.Status, Last: rf.Cycle, Of: rf.Until, Cause: rf.Error, Reuses: recordingOf(&rf)}
		if s.Cause != "" {
			s.Cause = observe.Named(s.Cause, namesSoFar(ctx, dir).known)
		}
		return s, err
	}
	run, err := openRun(ctx, dir, "")
	if err != nil {
		return runState{}, err
	}
	defer func() { _ = run.store.Close() }() // it was only read
	return run.state, nil
}

// sayState tells an observer on standard error how far a run is, in the words of inspect, and why it stopped.
func (a *app) sayState(dir string, s runState) {
	a.say("%s: %s", dir, s.text(dir))
	if s.Cause != "" {
		a.say("cause: %s", s.Cause)
	}
}

// damagedError says that a file of a run is not as it was written.
type damagedError struct{ text string }

func (e *damagedError) Error() string { return e.text }

// checkStored returns an error if the store lacks the row of a cycle or a hash in it is zero. Such damage would otherwise
// be reported as a divergence.
func checkStored(ctx context.Context, run *openedRun, dir string) error {
	damaged := func(c wire.Cycle, what string) error { return damagedCycleError(dir, c, what) }
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
	if run.file.Cycle > run.state.Last { // run.json is written after the store
		return damaged(wire.Cycle(run.state.Last)+1, fmt.Sprintf("has no row, and %s says that the run has reached cycle %d", runFile, run.file.Cycle))
	}
	return nil
}

// damagedCycleError says what is wrong with the row of a cycle in the store of a run.
func damagedCycleError(dir string, c wire.Cycle, what string) error {
	return &damagedError{fmt.Sprintf("the store of %s is damaged: cycle %d %s; restore it from a copy, or run the scenario again: kingdom run %s",
		dir, c, what, shellQuote(filepath.Join(dir, scenarioFile)))}
}
