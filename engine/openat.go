package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/engine/journal"
	"kingdom/wire"
)

// LastCycle, given to [OpenAt], means the last cycle in the store.
const LastCycle = ^wire.Cycle(0)

// OpenAt opens a run for inspection as it was at the end of a cycle. It restores the nearest snapshot at or before the
// cycle and executes the cycles after it again. It writes nothing.
func OpenAt(ctx context.Context, cfg Config, opt Options, cycle wire.Cycle) (*Engine, error) {
	e := newEngine(cfg, opt, true)
	if err := e.openAt(ctx, &opt, cycle); err != nil {
		return nil, errors.Join(e.cfg.withBuilds(e.dir, err), e.Close())
	}
	return e, nil
}

func (e *Engine) openAt(ctx context.Context, opt *Options, cycle wire.Cycle) error {
	if err := e.cfg.CheckPhysics(e.dir); err != nil {
		return err
	}
	run := e.cfg.Identity()
	var rows []CycleRow // of this cycle and the next
	if cycle != LastCycle {
		var err error
		if rows, err = e.db.Cycles(ctx, cycle, cycle+1); err != nil {
			return fmt.Errorf("open cycle %d: %w", cycle, err)
		}
		if len(rows) == 0 {
			return fmt.Errorf("open cycle %d: it has not been run yet; inspect the run to see how far it is", cycle)
		}
	}
	if len(rows) < 2 { // the last cycle
		img, err := loadImage(ctx, e.db, run)
		if err != nil {
			return err
		}
		if cycle == LastCycle || img.Cycle.Cycle == cycle {
			return e.restore(ctx, img)
		} // else the run has gone on, and it is no longer the last
	}
	if _, err := journal.Check(journalOf(e.dir), run.digest(), opt.warn); err != nil {
		return err
	}
	want := rows[0]
	e.check = func(_ context.Context, got *CycleRow, recorded bool) error {
		if got.Cycle != want.Cycle {
			return nil
		}
		return compareStored(&want, got, recorded)
	}
	switch err := e.restoreSnapshot(ctx, cycle); {
	case errors.Is(err, errNoSnapshot):
		opt.warn(fmt.Sprintf("no snapshot at or before cycle %d; re-executing from the bootstrap with the journal, which takes longer", cycle))
		if err := e.journal.openAll(e.dir, run.digest(), opt.warn); err != nil {
			return err
		}
		if err := e.bootstrap(ctx); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	for e.cycle < cycle {
		if err := e.runCycle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// restoreSnapshot restores the nearest snapshot at or before a cycle and opens the journal behind it.
func (e *Engine) restoreSnapshot(ctx context.Context, cycle wire.Cycle) error {
	img, _, err := snapshotFiles(e).newest(ctx, cycle)
	if err != nil {
		return err
	}
	run := e.cfg.Identity()
	if err := e.journal.openAfter(e.dir, run.digest(), &img.Cycle); err != nil {
		return err
	}
	return e.restore(ctx, img)
}
