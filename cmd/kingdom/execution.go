package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kingdom/engine"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/wire"
)

// execution starts or resumes one run and brings it to its last cycle.
type execution struct {
	dir        string
	sc         *scenarios.Scenario
	cfg        engine.Config
	thinker    engine.Mind
	meter      *meter
	flags      runFlags
	stage      runStage
	say        func(format string, args ...any)
	newDisplay func(cycles uint64) display // called just before the run starts
}

// display shows the progress of a run.
type display interface {
	engine.Observer
	bootstrapProgress() func(engine.Progress)
	waits(w *observe.Wait) // for whom a tick waits; nil: for nobody
	done()
}

// executionResult is the result of an execution.
type executionResult struct {
	started bool // a run exists now, which resume can continue
	ran     bool // the engine ran, so summary and world are set
	summary engine.Summary
	world   *worldSummary
	outside []outsideJSON
	planned plannedResult
	answers *modelAnswers // nil: not known
}

// finish starts or resumes the run and continues to its last cycle.
func (p *execution) finish(ctx context.Context) (end executionResult, err error) {
	if p.flags.cycles == 0 {
		p.flags.cycles = p.sc.Cycles
	}
	outside, err := p.fetcher()
	if err != nil {
		return end, err
	}
	if err := p.prepareDir(); err != nil {
		return end, err
	}
	st, err := openStore(ctx, p.dir, p.flags.store, p.cfg.Identity(), p.sc.Store.Tables)
	if err != nil {
		return end, err
	}
	defer captureClose(&err, st.Close)
	last, stored, err := st.Last(ctx)
	if err != nil {
		return end, err
	}
	if err := p.checkReached(uint64(last), stored); err != nil {
		return end, err
	}
	open, forked, err := p.chooseOpener(stored)
	if err != nil {
		return end, err
	}
	if err := p.meter.open(p.dir); err != nil {
		return end, err
	}
	defer captureClose(&err, p.meter.ledger.Close)
	keepsRefusals, err := keepRefusals(p.dir, p.meter.endpoints, p.say)
	if err != nil {
		return end, err
	}
	defer keepsRefusals()

	show := p.newDisplay(p.flags.cycles)
	defer show.done()
	observers, closeFiles, err := p.observers(show)
	defer captureClose(&err, closeFiles)
	if err != nil {
		return end, err
	}
	eng, err := open(ctx, p.cfg, engine.Options{
		Dir: p.dir, Forked: forked, Store: st, StoreURL: withoutSecrets(p.flags.store), Mind: p.thinker, Fallback: offlineMind(p.sc), Fetcher: outside, Observers: observers,
		Warn:      func(msg string) { p.say("%s", msg) },
		Waits:     p.waits(show),
		Progress:  show.bootstrapProgress(),
		ReadInbox: func(file []byte) ([]engine.Input, error) { return readInbox(p.sc, file) },
	})
	if err != nil {
		_, now, lerr := st.Last(context.WithoutCancel(ctx))
		end.started = !stored && (now || lerr != nil)
		return end, err
	}
	if uint64(last) < p.flags.cycles {
		_ = os.Remove(filepath.Join(p.dir, reportFile)) // it would tell of an earlier end; that it stays does no harm
	}
	summary, err := eng.Run(ctx, wire.Cycle(p.flags.cycles))
	if cerr := eng.Close(); err == nil {
		err = cerr
	}
	show.done()
	return p.conclude(ctx, st, summary, err)
}

// prepareDir checks a run that goes on before the database gets the tables and views of this build, and writes run.json of any
// other.
func (p *execution) prepareDir() error {
	if p.stage != runStarted {
		return engine.WriteRunFile(p.dir, &p.cfg, withoutSecrets(p.flags.store))
	}
	if err := p.cfg.CheckPhysics(p.dir); err != nil {
		return err
	}
	return requireDatabase(p.dir, p.flags.store, true)
}

// checkReached checks that the run can go on from the last cycle that is stored, if any is, to its end.
func (p *execution) checkReached(last uint64, stored bool) error {
	until := p.flags.cycles
	if p.stage == runStarted && !stored {
		return noWorldError(p.dir, p.flags.store, true)
	}
	if p.stage != runNew && stored && last == until {
		p.say("%s has already reached cycle %d, so there is nothing to do; kingdom resume %s --cycles %d extends it", p.dir, last, shellQuote(p.dir), last+10)
	}
	if p.stage != runNew && last > until {
		return usagef("%s has already reached cycle %d; --cycles says where to stop, so it must be %d or more", p.dir, last, last)
	}
	if p.stage == runStarted && last < until {
		p.warnOfBuild(last)
	}
	return nil
}

// conclude collects what came of a run that ended, with err if it failed, and makes its tables.
func (p *execution) conclude(ctx context.Context, st boundStore, summary engine.Summary, err error) (executionResult, error) {
	end := executionResult{started: true, ran: true, summary: summary}
	last, reading := wire.Cycle(summary.Cycles), context.WithoutCancel(ctx)
	var oerr error
	if end.outside, oerr = outsideInputs(reading, st, p.dir, &p.cfg, last); oerr != nil {
		p.say("the inputs from outside could not be read: %v", oerr)
	}
	if end.planned, oerr = plannedInputResult(reading, st, p.dir, p.sc, &p.cfg, last); oerr != nil {
		p.say("which planned inputs the world refused could not be read: %v", oerr)
	}
	if end.answers, oerr = modelThoughts(p.sc, &p.cfg, p.dir, engine.LastCycle, nil); oerr != nil {
		p.say("what came of the answers of models could not be read: %v", oerr)
	}
	if err == nil {
		p.sayTooLate(summary.Cycles, end.outside)
	}
	if e, ok := asError[*engine.CapError](err); ok {
		e.Name = namesSoFar(reading, p.dir).known[e.Agent]
	}
	end.world, err = p.finalize(ctx, st, err)
	return end, err
}

// warnOfBuild warns if the run goes on with another build than the one that wrote it, since each can replay only what it
// does in the same way.
func (p *execution) warnOfBuild(last uint64) {
	by, this := p.cfg.WrittenBy().At(last), p.cfg.Build
	if by == "" || by == this {
		return
	}
	if this == "" {
		this = "another build"
	}
	p.say("warning: %[1]s was written by kingdom %[2]s, and from cycle %[3]d on it is continued by %[4]s; replay needs a build that does the same as both: kingdom replay %[5]s of this build says whether it does, or continue with kingdom %[2]s",
		p.dir, by, last+1, this, shellQuote(p.dir))
}

// waits returns what keeps and shows for whom the run waits.
func (p *execution) waits(show display) func(*engine.Wait) {
	failed := false // only the first error is told: the next would say the same
	return func(w *engine.Wait) {
		var now *observe.Wait
		if w != nil {
			now = observe.NewWait(w)
		}
		if err := observe.KeepWait(p.dir, now); err != nil && !failed {
			failed = true
			p.say("%v", err)
		}
		show.waits(now)
	}
}

// sayTooLate says which inputs from outside arrived when the run had begun its last cycle.
func (p *execution) sayTooLate(last uint64, applied []outsideJSON) {
	if late, err := waitingInputs(p.dir, applied); err != nil {
		p.say("%v", err)
	} else if len(late) > 0 {
		effect := "it takes effect"
		if len(late) > 1 {
			effect = "they take effect"
		}
		p.say("too late for this run: %s; %s if the run is extended: kingdom resume %s --cycles %d", strings.Join(late, " "), effect, shellQuote(p.dir), last+10)
	}
}

// opener is engine.Start or engine.Resume.
type opener func(ctx context.Context, cfg engine.Config, opt engine.Options) (*engine.Engine, error)

// chooseOpener returns engine.Start or engine.Resume and whether the run is a fork. stored says whether its bootstrap
// is in the store.
func (p *execution) chooseOpener(stored bool) (open opener, forked bool, err error) {
	origin, err := readOrigin(p.dir)
	if err != nil {
		return nil, false, err
	}
	forked = origin != nil
	switch {
	case p.stage == runNew:
		return engine.Start, forked, nil
	case p.stage == runBootstrapping && !stored: // killed before its bootstrap was stored: nothing was thought in it
		if !forked {
			err = os.RemoveAll(filepath.Join(p.dir, journalDir))
		}
		return engine.Start, forked, err
	}
	return engine.Resume, forked, nil
}

// observers returns the observers of the run: the display, metrics.csv and, if enabled, the logs. closeFiles is never
// nil.
func (p *execution) observers(show display) (all []engine.Observer, closeFiles func() error, err error) {
	var files []io.Closer
	closeFiles = func() (first error) {
		for _, f := range slices.Backward(files) {
			first = cmp.Or(first, f.Close())
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

// finalize fills the tables of a run that finished, or tells the user how to fill those of a run that did not, and
// summarizes the world. failed is the error of the run.
func (p *execution) finalize(ctx context.Context, st boundStore, failed error) (*worldSummary, error) {
	if failed == nil && p.sc.Store.Tables == scenarios.TablesEnd {
		failed = makeTables(ctx, st, p.dir, p.say)
	} else if failed != nil && !asType[*engine.DivergenceError](failed) && !asType[*engine.GoneError](failed) { // else it may be no run any more
		p.sayTablesMissing(ctx, st)
	}
	world, err := summarize(context.WithoutCancel(ctx), st)
	if err != nil {
		p.say("the summary of the world could not be read: %v", err)
	}
	return world, failed
}
