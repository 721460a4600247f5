package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
	"kingdom/scenarios"
)

// statusMissing is the status of a run of a sweep that was not started.
const statusMissing engine.Status = "missing"

// sweepRun is one run of a sweep.
type sweepRun struct {
	seed  string
	dir   string
	sc    *scenarios.Scenario
	store string
	cap   *uint64 // what it may spend, in micro-dollars; nil: as the scenario says

	begun bool  // its directory holds a run
	todo  bool  // this command has not finished it, though it was asked for
	err   error // why this command could not finish it
	row   row
}

// halted reports whether a cap or an outage stopped the run.
func (r *sweepRun) halted() bool {
	return r.row.status == engine.StatusCapped || r.row.status == engine.StatusPaused
}

// interrupted reports whether Ctrl-C ended the run, the making of its tables, or the command before the run began.
func (r *sweepRun) interrupted() bool {
	return r.row.status == engine.StatusInterrupted || r.row.status == statusMissing && r.err == nil ||
		asType[*cancelledError](r.err) || errors.Is(r.err, context.Canceled)
}

// readState reads the state of the run before the command: its run.json, its stage, and whether it is finished, which
// means that it has reached the last cycle and has all tables.
func (r *sweepRun) readState(ctx context.Context, cycles uint64) (rf engine.RunFile, stage runStage, finished bool, err error) {
	sc, rf, err := openRunDir(r.dir)
	switch {
	case err == nil:
	case !fileExists(filepath.Join(r.dir, runFile)):
		stage = runNew
		if fileExists(r.dir) {
			stage = runBootstrapping // killed before it wrote run.json
		}
		return rf, stage, false, nil
	default:
		return rf, 0, false, err
	}
	if err := r.own(sc); err != nil {
		return rf, 0, false, err
	}
	r.begun = true
	if rf.Until == 0 {
		return rf, runBootstrapping, false, nil
	}
	if finished = rf.Status == engine.StatusFinished && rf.Cycle >= cycles; finished && r.sc.Store.Tables == scenarios.TablesEnd {
		finished, err = r.hasTables(ctx)
	}
	return rf, runStarted, finished, err
}

// own returns an error if the scenario found in the run's directory is not that of the run, because somebody put another
// run there. Its figures would count as those of this seed.
func (r *sweepRun) own(found *scenarios.Scenario) error {
	if found.Digest() == r.sc.Digest() && string(found.Seed) == string(r.sc.Seed) {
		return nil
	}
	return usagef("%s holds another run than that of seed %s of the sweep; move it away, then kingdom resume %s makes the missing run",
		r.dir, shellQuote(r.seed), shellQuote(filepath.Dir(r.dir)))
}

// makeTables fills the tables of a run that was stopped when nothing else was left to do.
func (r *sweepRun) makeTables(ctx context.Context, rf *engine.RunFile, say func(string, ...any)) (err error) {
	cfg := configFor(r.sc, rf)
	st, err := openStore(ctx, r.dir, r.store, cfg.Identity(), r.sc.Store.Tables)
	if err != nil {
		return err
	}
	defer captureClose(&err, st.Close)
	return makeTables(ctx, st, r.dir, say)
}

// hasTables reports whether all tables of the run are filled.
func (r *sweepRun) hasTables(ctx context.Context) (whole bool, err error) {
	run, err := openRun(ctx, r.dir, r.store)
	if err != nil {
		return false, err
	}
	defer captureClose(&err, run.store.Close)
	m, ok := run.store.(tableMaker)
	if !ok {
		return true, nil
	}
	_, _, whole, err = m.Made(ctx)
	return whole, err
}

// finish starts or continues the run, unless it is finished.
func (r *sweepRun) finish(ctx context.Context, s *sweep, f runFlags, endpoints *openai.Endpoints, say func(string, ...any), watch func(from, to uint64) display) (err error) {
	rf, stage, finished, err := r.readState(ctx, s.file.Cycles)
	if err != nil || finished {
		return err
	}
	if rf.Status == engine.StatusFinished && rf.Cycle >= s.file.Cycles {
		return r.makeTables(ctx, &rf, say)
	}
	cfg := config(r.sc)
	cfg.Physics, cfg.Portal = s.file.Physics, s.file.Portal
	if r.begun {
		cfg.ForRun(&rf)
	} else {
		isNew := stage == runNew
		defer func() {
			if isNew && !r.begun {
				_ = os.RemoveAll(r.dir) // if this fails, the rest is not taken for a run: it has no world
			}
		}()
		if err := r.makeDir(ctx, s, &cfg); err != nil {
			return err
		}
		if s.file.Forked != nil {
			stage = runNew // also after a command that was killed: what it left of the journal was replaced
		}
	}
	f.store, f.cycles = r.store, max(s.file.Cycles, uint64(r.row.cycle.Cycle)) // not rf.Until: the sweep may have been made shorter since
	now, err := withModelSettings(r.dir, r.sc)
	if err != nil {
		return err
	}
	meter, err := newMeter(now, span{s.file.Forked.firstOwn(), r.sc.Cycles}, nil, say)
	if err != nil {
		return err
	}
	meter.limit, meter.endpoints = r.cap, endpoints
	thinker, err := mind(now, endpoints, meter.ledger)
	if err != nil {
		return err
	}
	p := execution{
		dir: r.dir, sc: r.sc, cfg: cfg, thinker: thinker, meter: meter, flags: f, stage: stage, say: say,
		newDisplay: func(cycles uint64) display { return watch(rf.Cycle, cycles) },
	}
	end, err := p.finish(ctx)
	if d, ok := asError[*engine.DivergenceError](err); ok && stage == runNew { // a fork that does not repeat its parent
		end.started, err = p.giveUpFork(d)
	}
	r.begun = r.begun || end.started
	return err
}

// makeDir makes the directory of a run that has not begun.
func (r *sweepRun) makeDir(ctx context.Context, s *sweep, cfg *engine.Config) error {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return fmt.Errorf("create run directory: %w", err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, scenarioFile), r.sc.Show(), 0o644); err != nil {
		return fmt.Errorf("write scenario: %w", err)
	}
	if s.file.Forked != nil {
		return r.forkFrom(ctx, s, cfg)
	}
	return nil
}

// divideBudget divides what is left of the budget among the runs that are not finished: each may spend
// what it has spent already and an equal part of the rest, so that all runs together keep to the budget.
func (s *sweep) divideBudget(ctx context.Context) error {
	if s.file.Budget == nil {
		return nil
	}
	models := usedModels(s.sc)
	if len(models) == 0 {
		return noBudgetError(s.sc.Name)
	}
	for _, m := range models {
		if !hasPrice(m) {
			return usagef("--budget bounds what may be spent, but the model %q has no price: give minds.models.%s.price_input and price_output", m.Name, m.Name)
		}
	}
	if err := checkBudget(*s.file.Budget); err != nil {
		return err
	}
	budget, all := microUSD(*s.file.Budget), uint64(0)
	var open []*sweepRun
	spent := map[*sweepRun]uint64{}
	for _, r := range s.runs {
		t, err := spend.Read(filepath.Join(r.dir, spend.FileName))
		if err != nil {
			return err
		}
		spent[r] = t.Run.CostMicroUSD
		all += spent[r]
		if _, _, finished, err := r.readState(ctx, s.file.Cycles); err != nil || !finished {
			open = append(open, r)
		}
	}
	if all > budget {
		return usagef("--budget is %v USD, and the runs of %s have spent %.6f USD already; it bounds the whole sweep, not what is to come", *s.file.Budget, s.dir, float64(all)/1e6)
	}
	for _, r := range open {
		limit := spent[r] + (budget-all)/uint64(len(open))
		if own := capOf(s.sc.Minds.Caps.Run); own != nil {
			limit = min(limit, *own)
		}
		r.cap = &limit
	}
	return nil
}

// warnSmallBudget warns if the part of the budget that a run gets is less than one answer may cost.
func (s *sweep) warnSmallBudget(say func(format string, args ...any)) {
	var least *uint64
	n := uint64(0)
	for _, r := range s.runs {
		if r.cap != nil {
			n++
			if least == nil || *r.cap < *least {
				least = r.cap
			}
		}
	}
	if s.file.Budget == nil || least == nil {
		return
	}
	capped := *s.sc
	if err := capped.Override("minds.caps.run_usd=" + strconv.FormatFloat(float64(*least)/1e6, 'f', -1, 64)); err != nil {
		return // the budget was checked, so this cannot be
	}
	for _, w := range capped.Warnings() {
		if w.Field == "minds.caps.run_usd" {
			say("warning: --budget %v, divided among %s: the part of each %s; %s", *s.file.Budget, llm.Count(n, "run"), w.Wrong, w.Right)
		}
	}
}
