package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/wire"
)

// ReplayOptions say where a recorded run is and which mind repeats its thoughts.
type ReplayOptions struct {
	Dir   string // run directory, for the journal; empty compares cycles only
	Store Store  // for the cycle rows
	Mind  Mind   // asked if it is recomputable; else the journal answers
	Warn  func(msg string)
	// Progress is called after each cycle that agreed, with the number of cycles of the
	// scenario; it may be nil.
	Progress func(cycle, of uint64)
	// Frames receives all messages of the run, signed; it may be nil.
	Frames FrameSink
}

// Replay executes a recorded run again from cycle 0, in memory, and compares every tick with the journal and every
// cycle with the journal and the store. The first difference is returned as a [*DivergenceError]. If it is one at the end
// of a cycle, which names no agent, the replay goes on until an agent does something else than the run has recorded, and
// DivergenceError.After has what it found. What the journal does not hold is an [*UncomparedError]. If ctx ends, the error is
// an [*InterruptedError] that has the difference, if one was found.
func Replay(ctx context.Context, cfg Config, opt ReplayOptions) (Summary, error) {
	e := newEngine(cfg, Options{Dir: opt.Dir, Store: opt.Store, Mind: opt.Mind}, true)
	if opt.Frames != nil {
		e.frames = &exporter{sink: opt.Frames}
	}
	err := e.replay(ctx, &opt)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = &InterruptedError{Cycle: e.cycle, Tick: e.now, Dir: opt.Dir, Found: e.replayed.difference()}
	} else {
		err = e.cfg.withBuilds(e.dir, e.replayed.result(err))
	}
	sum := e.Summary()
	return sum, errors.Join(err, e.Close())
}

func (e *Engine) replay(ctx context.Context, opt *ReplayOptions) error {
	if err := e.cfg.CheckPhysics(e.dir); err != nil {
		return err
	}
	rows := &cycleReader{db: opt.Store}
	if err := rows.setEnd(ctx); err != nil {
		return err
	}
	if run := e.cfg.Identity(); e.dir != "" {
		if err := e.journal.openAll(e.dir, run.digest(), (&Options{Warn: opt.Warn}).warn); err != nil {
			return err
		}
	}
	if opt.Frames == nil { // else nobody wants what follows a difference
		e.replayed = &replay{e: e, last: rows.end - 1}
	}
	e.check = func(ctx context.Context, got *CycleRow, recorded bool) error {
		if e.replayed.hasFound() {
			return nil
		}
		want, err := rows.next(ctx)
		if err != nil {
			return err
		}
		err = compareStored(want, got, recorded)
		if e.dir != "" && !recorded && err != nil { // an input that the journal does not hold may be missing here
			return &UncomparedError{Dir: e.dir, From: wire.Cycle(e.journal.compared)}
		}
		return err
	}
	if err := e.bootstrap(ctx); err != nil {
		return err
	}
	for {
		more := e.cycle+1 < rows.end
		if n := wire.Cycle(e.journal.compared); !more && e.dir != "" && n < rows.end {
			return &UncomparedError{Dir: e.dir, From: n}
		}
		if !more {
			return nil
		}
		if opt.Progress != nil {
			opt.Progress(uint64(e.cycle), e.cfg.Cycles)
		}
		err := e.recoverPanics(func() error { return e.runCycle(ctx) })
		var un *UncomparedError
		if errors.As(err, &un) { // an answer is missing here, but the journal may have ended earlier
			un.From = min(un.From, wire.Cycle(e.journal.compared))
		}
		if err != nil {
			return err
		}
	}
}

// cycleReader reads the cycle rows of a store page by page.
type cycleReader struct {
	db   Store
	page []CycleRow
	from wire.Cycle // of the next page
	end  wire.Cycle // first cycle that is not read; 0: all are
}

const cyclesPerPage = 256

// setEnd limits the reader to the cycles that the store holds now. A run that is going on adds more, but the journal,
// which is read as it was when it was opened, has no records to compare them with.
func (s *cycleReader) setEnd(ctx context.Context) error {
	for {
		page, err := s.db.Cycles(ctx, s.end, s.end+cyclesPerPage-1)
		if err != nil {
			return fmt.Errorf("read cycles: %w", err)
		}
		s.end += wire.Cycle(len(page))
		if len(page) < cyclesPerPage {
			return nil
		}
	}
}

// more reports whether there is a next row.
func (s *cycleReader) more(ctx context.Context) (bool, error) {
	to := s.from + cyclesPerPage
	if s.end > 0 {
		to = min(to, s.end)
	}
	if len(s.page) > 0 || to == s.from {
		return len(s.page) > 0, nil
	}
	page, err := s.db.Cycles(ctx, s.from, to-1)
	if err != nil {
		return false, fmt.Errorf("read cycles: %w", err)
	}
	s.page = page
	s.from += wire.Cycle(len(page))
	return len(page) > 0, nil
}

// next returns the next row.
func (s *cycleReader) next(ctx context.Context) (*CycleRow, error) {
	ok, err := s.more(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("read cycles: cycle %d is not in the store, although the run went on: restore the store from a copy", s.from)
	}
	r := s.page[0]
	s.page = s.page[1:]
	return &r, nil
}
