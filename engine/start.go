package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"kingdom/wire"
)

const journalDir = "journal"

// Start begins a new run: the bootstrap, cycle 0, is executed and committed. The
// store must hold no world, and the run directory no journal.
func Start(ctx context.Context, cfg Config, opt Options) (*Engine, error) {
	e := newEngine(cfg, opt)
	if err := e.start(ctx, &opt); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) start(ctx context.Context, opt *Options) error {
	if err := e.cfg.known(); err != nil {
		return err
	}
	if err := e.cfg.Turn.Fits(); err != nil {
		return fmt.Errorf("start run: %w", err)
	}
	if e.db != nil {
		img, err := e.db.Load(ctx)
		if err != nil {
			return fmt.Errorf("start run: %w", err)
		}
		if img != nil {
			return &MismatchError{
				What: "store", Want: "empty", Got: fmt.Sprintf("world %q with seed %s at cycle %d", img.Run.Scenario, img.Run.Seed, img.Cycle.Cycle),
				Hint: "one database holds one world: take another, or resume that run",
			}
		}
	}
	if e.dir != "" {
		if err := e.newJournal(opt); err != nil {
			return err
		}
		// Written before the bootstrap, so that a directory whose process is killed in it
		// says what it is.
		if err := e.card(StatusRunning, nil); err != nil {
			return err
		}
	}
	if err := e.whole(func() error { return e.bootstrap(ctx) }); err != nil {
		return err
	}
	if err := e.flush.wait(); err != nil {
		if isDiskFull(err) {
			return &DiskFullError{Dir: e.dir, Err: err}
		}
		return err
	}
	e.enqueue()
	return e.card(StatusRunning, nil)
}

func (e *Engine) newJournal(opt *Options) error {
	dir := filepath.Join(e.dir, journalDir)
	run := e.cfg.Identity()
	last, err := checkJournal(dir, run.digest(), false, opt.warn)
	if err != nil {
		return err
	}
	if last != 0 {
		return &MismatchError{What: "run directory " + e.dir, Want: "new", Got: "one with a journal", Hint: "resume it, or take another directory"}
	}
	e.journal, err = openJournal(dir, run.digest(), 1)
	return err
}

// bootstrap executes cycle 0.
func (e *Engine) bootstrap(ctx context.Context) error {
	boot := e.realm.Bootstrap(e.cfg.Genomes)
	e.open, e.inCycle = 0, true
	e.now = wire.Tick(e.cal.TicksPerCycle - 1)
	events := e.absorb()
	return e.closeCycle(ctx, &boot.End, events)
}
