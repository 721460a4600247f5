package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"kingdom/wire"
)

// LastCycle asks At for the last cycle in the store.
const LastCycle = ^wire.Cycle(0)

// At opens a stopped world at the end of a cycle, from the nearest snapshot: for
// looking at. It writes nothing; the store is only read.
func At(ctx context.Context, cfg Config, opt Options, cycle wire.Cycle) (*Engine, error) {
	e := newEngine(cfg, opt)
	e.readonly = true
	if err := e.at(ctx, &opt, cycle); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) at(ctx context.Context, opt *Options, cycle wire.Cycle) error {
	if err := e.cfg.known(); err != nil {
		return err
	}
	if cycle == LastCycle {
		return e.atLast(ctx)
	}
	rows, err := e.db.Cycles(ctx, cycle, cycle+1)
	if err != nil {
		return fmt.Errorf("open cycle %d: %w", cycle, err)
	}
	switch len(rows) {
	case 0:
		return fmt.Errorf("open cycle %d: the run has not come that far; inspect it to see how far it is", cycle)
	case 1:
		return e.atLast(ctx)
	}
	run := e.cfg.Identity()
	if _, err := checkJournal(filepath.Join(e.dir, journalDir), run.digest(), false, opt.warn); err != nil {
		return err
	}
	if err := e.fromSnapshot(ctx, cycle); err != nil {
		return err
	}
	want := rows[0]
	e.check = func(got CycleRow) error {
		if got.Cycle != want.Cycle {
			return nil
		}
		return compareCycle(want, got)
	}
	for e.cycle < cycle {
		if err := e.runCycle(ctx); err != nil {
			return err
		}
	}
	e.settle()
	return nil
}

// atLast restores the store's last cycle.
func (e *Engine) atLast(ctx context.Context) error {
	img, err := e.image(ctx)
	if err != nil {
		return err
	}
	return e.restore(ctx, img, wire.Hash{})
}

// fromSnapshot restores the nearest snapshot and opens history behind it.
func (e *Engine) fromSnapshot(ctx context.Context, cycle wire.Cycle) error {
	img, thoughts, err := e.readSnapshot(cycle)
	if err != nil {
		return err
	}
	if _, err := e.recall(filepath.Join(e.dir, journalDir), &img.Cycle); err != nil {
		return err
	}
	return e.restore(ctx, img, thoughts)
}
