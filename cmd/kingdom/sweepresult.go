package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/llm"
)

// uneven reports whether finished runs of the sweep are at different cycles, because one was extended by itself, and the
// cycle that the furthest run is at.
func (s *sweep) uneven() (most uint64, uneven bool) {
	var cycles []uint64
	for _, r := range s.runs {
		if s.reached(r) {
			cycles = append(cycles, uint64(r.row.cycle.Cycle))
		}
		most = max(most, uint64(r.row.cycle.Cycle))
	}
	return most, len(cycles) > 1 && slices.Min(cycles) < most
}

// sayLeft says how many runs are unfinished because the command did not ask for their seeds, and how runs of different
// length are brought to the same cycle.
func (s *sweep) sayLeft(a *app) {
	if most, uneven := s.uneven(); uneven {
		a.say("the runs of %s are at different cycles, and compare and report need the same: kingdom resume %s --cycles %d brings all to it", s.dir, shellQuote(s.dir), most)
	}
	asked, left := s.asked(), uint64(0)
	for _, r := range s.runs {
		if !slices.Contains(asked, r) && !s.reached(r) {
			left++
		}
	}
	switch left {
	case 0:
	case 1:
		a.say("1 seed of %s that was not asked for is left unfinished; kingdom resume %s runs it", s.dir, shellQuote(s.dir))
	default:
		a.say("%d seeds of %s that were not asked for are left unfinished; kingdom resume %s runs them", left, s.dir, shellQuote(s.dir))
	}
}

// reached reports whether a run is at the last cycle of the sweep; its tables may be missing.
func (s *sweep) reached(r *sweepRun) bool {
	return r.row.status == engine.StatusFinished && uint64(r.row.cycle.Cycle) >= s.file.Cycles
}

// result returns the error of the sweep: nil if all runs that were asked for are finished, else the first failure, else the
// first run that a cap or an outage stopped.
func (s *sweep) result(ctx context.Context) error {
	asked := s.asked()
	var open, without []*sweepRun // not at the last cycle; there, but not with all of their tables
	for _, r := range asked {
		switch {
		case !s.reached(r):
			open = append(open, r)
		case r.todo:
			without = append(without, r)
		}
	}
	of, on := llm.Count(uint64(len(asked)), "seed"), "continue with: kingdom resume "+shellQuote(s.dir)
	if len(asked) < len(s.runs) { // resume would run the others too
		on = "continue with the same command"
	}
	switch interrupted := ctx.Err() != nil; {
	case len(open) == 0 && len(without) == 0:
		return nil
	case interrupted && len(open) == 0:
		return &cancelledError{fmt.Sprintf("interrupted before all tables of %d of %s were made; %s", len(without), of, on)}
	case interrupted:
		return &cancelledError{fmt.Sprintf("interrupted with %d of %s not finished; %s", len(open), of, on)}
	case len(open) == 0:
		r := without[0]
		return &sweepError{fmt.Sprintf("the tables of %d of %s were not made, such as those of %s: %s; %s", len(without), of, r.seed, r.row.err, on), r.err}
	}
	worst := open[0]
	if i := slices.IndexFunc(open, func(r *sweepRun) bool { return !r.halted() }); i >= 0 {
		worst = open[i]
	}
	if worst.row.status == engine.StatusCapped {
		on = s.raise(worst, on)
	}
	if worst.row.status == engine.StatusRunning && worst.row.err == "" { // this process has left it alone
		return &sweepError{fmt.Sprintf("%d of %s did not finish, such as %s, which is going on in another process; wait until it ends, or follow it: kingdom tail %s -f; then %s",
			len(open), of, worst.seed, shellQuote(worst.dir), on), worst.err}
	}
	return &sweepError{fmt.Sprintf("%d of %s did not finish, such as %s, which is %s: %s; %s", len(open), of, worst.seed, worst.row.status, worst.row.err, on), worst.err}
}

// raise says how a capped run goes on; on is how the command would go on without a cap.
func (s *sweep) raise(r *sweepRun, on string) string {
	if own := capOf(s.sc.Minds.Caps.Run); own != nil && (r.cap == nil || *r.cap == *own) { // no budget of the sweep raises it
		return fmt.Sprintf("minds.caps.run_usd holds for each run; raise that of one with: kingdom resume %s --budget USD", shellQuote(r.dir))
	}
	if strings.HasPrefix(on, "continue with the same") {
		on += " and"
	}
	return on + " --budget USD (of the whole sweep)"
}

// sweepError says that some runs of a sweep are not finished. It has the exit code of its cause.
type sweepError struct {
	text  string
	cause error // of one of them
}

func (e *sweepError) Error() string { return e.text }
func (e *sweepError) Unwrap() error { return e.cause }
