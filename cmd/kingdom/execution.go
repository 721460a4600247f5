package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/wire"
)

// execution is what it takes to bring one run from where it is to its last cycle.
type execution struct {
	dir     string
	sc      *scenarios.Scenario
	cfg     engine.Config
	thinker engine.Mind
	meter   *meter
	flags   runFlags
	age     runAge
	say     func(format string, args ...any)
	watch   func(cycles uint64) display // called when the run is about to begin
}

// display is shown how a run goes.
type display interface {
	engine.Observer
	bootstrap() func(engine.Progress)
	done()
}

// ending is what an execution came to.
type ending struct {
	started bool // there is a run now, which resume could continue
	ran     bool // and it was carried on, so that the rest is known
	summary engine.Summary
	world   *worldSummary
}

// finish starts or resumes the run and goes on to its last cycle.
func (p *execution) finish(ctx context.Context) (end ending, err error) {
	dir, cfg, f := p.dir, p.cfg, &p.flags
	if f.cycles == 0 {
		f.cycles = p.sc.Cycles
	}
	outside, err := fetcher(p.sc, f.portal)
	if err != nil {
		return end, err
	}
	if p.age == runBegun {
		if err := requireDatabase(dir, f.store); err != nil {
			return end, err
		}
	}
	if p.age != runBegun {
		if err := engine.WriteRunFile(dir, &cfg, withoutSecrets(f.store)); err != nil {
			return end, err
		}
	}
	st, err := openStore(ctx, dir, f.store, cfg.Identity(), p.sc.Store.Tables)
	if err != nil {
		return end, err
	}
	defer closing(&err, st.Close)
	last, stored, err := st.Last(ctx)
	if err != nil {
		return end, err
	}
	if p.age == runBegun && !stored {
		return end, noWorld(dir, f.store, true)
	}
	if p.age != runNew && stored && uint64(last) == f.cycles {
		p.say("%s has come to cycle %d already, so there is nothing to do; kingdom resume %s --cycles %d goes further", dir, last, quoted(dir), last+10)
	}
	if p.age != runNew && uint64(last) > f.cycles {
		return end, usagef("%s has come to cycle %d already; --cycles says where to stop, counted from the bootstrap", dir, last)
	}
	open, forked, err := p.opening(stored)
	if err != nil {
		return end, err
	}
	if err := p.meter.open(dir); err != nil {
		return end, err
	}
	defer closing(&err, p.meter.ledger.Close)

	show := p.watch(f.cycles)
	defer show.done()
	observers, closeFiles, err := p.observers(show)
	defer closing(&err, closeFiles)
	if err != nil {
		return end, err
	}
	eng, err := open(ctx, cfg, engine.Options{
		Dir: dir, Forked: forked, Store: st, StoreURL: withoutSecrets(f.store), Mind: p.thinker, Fallback: offlineMind(p.sc), Fetcher: outside, Observers: observers,
		Warn:     func(msg string) { p.say("%s", msg) },
		Progress: show.bootstrap(),
	})
	if err != nil {
		_, now, lerr := st.Last(context.WithoutCancel(ctx))
		end.started = !stored && (now || lerr != nil)
		return end, err
	}
	end.started, end.ran = true, true
	end.summary, err = eng.Run(ctx, wire.Cycle(f.cycles))
	if cerr := eng.Close(); err == nil {
		err = cerr
	}
	show.done()
	end.world, err = p.after(ctx, st, err)
	return end, err
}

// opener is engine.Start or engine.Resume.
type opener func(ctx context.Context, cfg engine.Config, opt engine.Options) (*engine.Engine, error)

// opening says how the engine is opened, and whether the run is a fork. stored says whether its bootstrap is in the store.
func (p *execution) opening(stored bool) (open opener, forked bool, err error) {
	origin, err := readOrigin(p.dir)
	if err != nil {
		return nil, false, err
	}
	forked = origin != nil
	switch {
	case p.age == runNew:
		return engine.Start, forked, nil
	case p.age == runBooting && !stored: // killed before its bootstrap was stored: nothing was thought in it
		if !forked {
			err = os.RemoveAll(filepath.Join(p.dir, journalDir))
		}
		return engine.Start, forked, err
	}
	return engine.Resume, forked, nil
}

// observers are who watches the run: the display, metrics.csv and, if they are wanted, the logs. closeFiles is never nil.
func (p *execution) observers(show display) (all []engine.Observer, closeFiles func() error, err error) {
	var files []io.Closer
	closeFiles = func() (first error) {
		for _, f := range slices.Backward(files) {
			first = firstOf(first, f.Close())
		}
		return first
	}
	metrics, err := observe.OpenMetrics(p.dir, func(msg string) { p.say("%s", msg) })
	if err != nil {
		return nil, closeFiles, err
	}
	files = append(files, metrics)
	all = []engine.Observer{show, metrics}
	if !p.flags.logs {
		return all, closeFiles, nil
	}
	logs, err := observe.Open(p.dir, filepath.Base(p.dir), observe.Options{PlainThink: p.sc.Logs.Think == scenarios.LogFormPlain})
	if err != nil {
		return nil, closeFiles, err
	}
	files = append(files, logs)
	p.meter.logs.Store(logs)
	return append(all, logs), closeFiles, nil
}

// after makes the tables of a run that came to its end, or says of the tables of another what there is to say, and sums the
// world up. failed is how the run ended.
func (p *execution) after(ctx context.Context, st boundStore, failed error) (*worldSummary, error) {
	if failed == nil && p.sc.Store.Tables == scenarios.TablesEnd {
		failed = makeTables(ctx, st, p.dir, p.say)
	} else if failed != nil {
		p.sayTables(ctx, st)
	}
	world, err := summarize(context.WithoutCancel(ctx), st)
	if err != nil {
		p.say("what happened in the world is not known: %v", err)
	}
	if world != nil {
		world.name(p.sc)
	}
	return world, failed
}
