package main

import (
	"context"
	"os"
	"path/filepath"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/wire"
)

// passage is what it takes to carry one run from where it is to its last cycle.
type passage struct {
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

// ending is what a passage came to.
type ending struct {
	started bool // there is a run now, which resume could continue
	ran     bool // and it was carried on, so that the rest is known
	summary engine.Summary
	world   *worldSummary
}

// carry starts or resumes the run and carries it to its last cycle.
func (p *passage) carry(ctx context.Context) (end ending, err error) {
	dir, cfg, f := p.dir, p.cfg, &p.flags
	if f.cycles == 0 {
		f.cycles = p.sc.Cycles
	}
	outside, err := fetcher(p.sc, f.portal)
	if err != nil {
		return end, err
	}
	if p.age == runBegun {
		if err := databaseThere(dir, f.store); err != nil {
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
	forked, err := readOrigin(dir)
	if err != nil {
		return end, err
	}
	open := engine.Resume
	switch {
	case p.age == runNew:
		open = engine.Start
	case p.age == runBooting && !stored: // killed before its bootstrap was stored: nothing was thought in it
		open = engine.Start
		if forked == nil {
			err = os.RemoveAll(filepath.Join(dir, journalDir))
		}
	}
	if err != nil {
		return end, err
	}

	if err := p.meter.open(dir); err != nil {
		return end, err
	}
	defer closing(&err, p.meter.ledger.Close)

	show := p.watch(f.cycles)
	defer show.done()
	metrics, err := observe.OpenMetrics(dir, func(msg string) { p.say("%s", msg) })
	if err != nil {
		return end, err
	}
	defer closing(&err, metrics.Close)
	observers := []engine.Observer{show, metrics}
	if f.logs {
		logs, lerr := observe.Open(dir, filepath.Base(dir), observe.Options{PlainThink: p.sc.Logs.Think == scenarios.LogFormPlain})
		if lerr != nil {
			return end, lerr
		}
		defer closing(&err, logs.Close)
		p.meter.logs.Store(logs)
		observers = append(observers, logs)
	}
	eng, err := open(ctx, cfg, engine.Options{
		Dir: dir, Forked: forked != nil, Store: st, StoreURL: withoutSecrets(f.store), Mind: p.thinker, Fallback: offlineMind(p.sc), Fetcher: outside, Observers: observers,
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
	if err == nil && p.sc.Store.Tables == scenarios.TablesEnd {
		err = makeTables(ctx, st, dir, p.say)
	} else if err != nil {
		p.sayTables(ctx, st)
	}
	world, serr := summarize(context.WithoutCancel(ctx), st)
	if serr != nil {
		p.say("what happened in the world is not known: %v", serr)
	}
	if world != nil {
		world.name(p.sc)
	}
	end.world = world
	return end, err
}
