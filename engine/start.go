package engine

import (
	"context"
	"errors"
	"fmt"

	"kingdom/wire"
	"kingdom/world/realm"
)

// Start begins a new run: the bootstrap, cycle 0, is executed and committed. The store must be empty, and the run
// directory must have no journal, except that of a fork.
func Start(ctx context.Context, cfg Config, opt Options) (*Engine, error) {
	e := newEngine(cfg, opt, false)
	e.builds = e.builds.continued(e.cfg.Build, 0)
	if err := e.start(ctx, &opt); err != nil {
		e.control.setFailure(err)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = &InterruptedError{Dir: opt.Dir, Bootstrap: true}
		}
		return nil, errors.Join(e.cfg.withBuilds(e.dir, err), e.Close())
	}
	return e, nil
}

func (e *Engine) start(ctx context.Context, opt *Options) error {
	if err := e.cfg.CheckPhysics(e.dir); err != nil {
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
	if run := e.cfg.Identity(); e.dir != "" {
		begin := e.journal.openNew
		if opt.Forked {
			begin = e.journal.openForked
		}
		if err := begin(e.dir, run.digest(), opt.warn); err != nil {
			return err
		}
	}
	if err := e.recoverPanics(func() error { return e.bootstrap(ctx) }); err != nil {
		return err
	}
	e.progress(StageStore, 0)
	// Once cycle 0 is stored the run exists; if ctx has ended meanwhile, Run returns its error.
	if err := e.flush.waitOrCancel(ctx); err != nil {
		if isDiskFull(err) {
			return &DiskFullError{Dir: e.dir, Err: err}
		}
		return err
	}
	e.inputs.queuePlanned(e.cfg.Planned)
	return e.writeRunFile(StatusRunning, nil)
}

// bootstrap executes cycle 0.
func (e *Engine) bootstrap(ctx context.Context) error {
	e.progress(StageWorld, 0)
	var boot realm.BootResult
	if err := interruptible(ctx, func() { boot = e.realm.Bootstrap(e.cfg.Genomes) }); err != nil {
		return err
	}
	e.open, e.inCycle = 0, true
	e.now = wire.Tick(e.cal.TicksPerCycle - 1)
	events, err := e.handleEvents(ctx)
	if err != nil {
		return err
	}
	return e.closeCycle(ctx, &boot.End, events)
}
