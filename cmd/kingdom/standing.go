package main

import (
	"context"
	"fmt"

	"kingdom/engine"
)

// statusStopped is a run whose process ended without a word: it was killed, or the machine
// went down. run.json still says that it is running.
const statusStopped engine.Status = "stopped"

// standing is how a run stands: what run.json says, corrected by what the store knows.
type standing struct {
	Status engine.Status
	Last   uint64 // last cycle in the store
	Of     uint64 // cycles that were asked for
}

// stand looks at a run through its store, which is the truth about cycles and about whether
// a process still writes.
func stand(ctx context.Context, st boundStore, rf *engine.RunFile, cycles uint64) (standing, error) {
	last, _, err := st.Last(ctx)
	if err != nil {
		return standing{}, err
	}
	s := standing{Status: rf.Status, Last: uint64(last), Of: max(rf.Until, uint64(last))}
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

// text is one line about it.
func (s standing) text(dir string) string {
	where := fmt.Sprintf("cycle %d of %d", s.Last, s.Of)
	switch s.Status {
	case engine.StatusRunning:
		return "running, " + where
	case engine.StatusFinished:
		return "finished at " + where
	case statusStopped:
		return fmt.Sprintf("stopped at %s: its process ended without a word; kingdom resume %s continues it", where, dir)
	default:
		return fmt.Sprintf("%s at %s; kingdom resume %s continues it", s.Status, where, dir)
	}
}

// sayStanding says of a run that was killed that nothing will come any more: at once where
// its logs are followed, otherwise when the returned function is called.
func (a *app) sayStanding(ctx context.Context, dir string, now bool) (later func()) {
	say := func() {
		rf, err := engine.ReadRunFile(dir)
		if err != nil || rf.Status != engine.StatusRunning {
			return
		}
		run, err := openRun(ctx, dir, "")
		if err != nil {
			fmt.Fprintf(a.err, "kingdom: whether %s is still running is not known: %v\n", dir, err)
			return
		}
		defer func() { _ = run.store.Close() }() // it was only read
		if run.standing.Status == statusStopped {
			fmt.Fprintf(a.err, "kingdom: %s: %s\n", dir, run.standing.text(dir))
		}
	}
	if now {
		say()
		return func() {}
	}
	return say
}
