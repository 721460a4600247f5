package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/sql/postgres"
)

// Flags of sweeps.
const (
	seedsFlag = "seeds"
	jobsFlag  = "jobs"
)

// addJobs adds the flag --jobs.
func addJobs(cmd *cobra.Command) {
	cmd.Flags().Int(jobsFlag, 0, "runs of a sweep at the same time; default: one per processor")
}

// jobs returns how many runs of a sweep run at the same time.
func jobs(cmd *cobra.Command, seeds int) (int, error) {
	n, err := cmd.Flags().GetInt(jobsFlag)
	switch {
	case err != nil:
		return 0, err
	case !cmd.Flags().Changed(jobsFlag):
		n = runtime.GOMAXPROCS(0)
	case n < 1:
		return 0, usagef("--%s is %d; want a whole number from 1", jobsFlag, n)
	}
	return min(n, seeds), nil
}

// notInSweep returns an error if a flag is set that is for a single run.
func notInSweep(cmd *cobra.Command) error {
	for _, no := range []struct{ flag, why string }{
		{"seed", "gives the seed of one run"},
		{mindsFlag, "gives the thoughts of one run, which another seed never asks for"},
		{onMissFlag, "is for --" + mindsFlag},
	} {
		if f := cmd.Flags().Lookup(no.flag); f != nil && f.Changed {
			return usagef("--%s %s; leave it out of a sweep", no.flag, no.why)
		}
	}
	return nil
}

// sweepHelp describes --seeds in the help of run.
const sweepHelp = "--seeds makes a sweep: a directory (default runs/<scenario>-sweep) with a run directory for each seed, sweep.json,\n" +
	"and results.csv. A row of results.csv has the values of --set, the status, every metric of the last cycle, the world\n" +
	"hash, the counts since the run began (total_…: also calls, tokens and cost of models, their unusable answers, thoughts of\n" +
	"the scripted mind in their place, and slots without an answer), and the error. Seeds are words and ranges, separated by commas. A seed that fails\n" +
	"gets a row too. The exit code is that of the first failure, else 4 or 5 if a cap or an outage stopped a run, 130 after\n" +
	"Ctrl-C. The same command again continues the seeds that it names, resume on the directory of the sweep all of them; more\n" +
	"seeds and more --cycles extend it, and fewer --cycles shorten it if no run is further. Runs that ask models share the limits of their endpoints. --budget bounds all runs together: each may spend an\n" +
	"equal part of what is left; caps of the scenario apply to each run. In PostgreSQL each seed gets its own schema in\n" +
	"the database that --store names. compare shows how the seeds differ. The last line of --json is {sweep,\n" +
	"scenario, set, physics, cycles, seeds, finished, results, runs[] {seed, run, status, error, cycle, world_hash, metrics\n" +
	"by the names in results.csv, inputs_refused (how many inputs of the scenario the world refused, if any)}, wall_ms}."

// sweepArgs are the arguments of a sweep, as typed.
type sweepArgs struct {
	seeds string
	given []string // values of --set
	set   []string // all that changes the scenario
}

// newSweep carries out run --seeds.
func newSweep(a *app, cmd *cobra.Command, scenario, out string, typed sweepArgs, estimate bool, f *runFlags) error {
	seeds, err := parseSeeds(typed.seeds)
	if err != nil {
		return err
	}
	if err := notInSweep(cmd); err != nil {
		return err
	}
	for _, s := range typed.given {
		if strings.HasPrefix(s, "seed=") {
			return usagef("--set %s gives the seed of one run; leave it out of a sweep", s)
		}
	}
	sc, err := loadScenario(scenario, typed.set)
	if err != nil {
		return withFlagNames(cmd, err, "cycles")
	}
	if err := fromEnvironment(sc); err != nil {
		return err
	}
	scs, err := withSeeds(sc, seeds)
	if err != nil {
		return err
	}
	if estimate {
		warn(a.say, sc, false)
		warnUnpriced(sc, cmd.Flags().Changed("budget"), a.say)
		budget, part := sc.Minds.Caps.Run, ""
		if cmd.Flags().Changed("budget") {
			if err := checkBudget(f.budget); err != nil {
				return err
			}
			budget = f.budget / float64(len(seeds)) // as much as each run gets
			part = fmt.Sprintf("; of --budget %v each run gets an equal part", f.budget)
		}
		a.say("estimating seed %s, one of %d: the sweep takes about %d times as much%s", seeds[0], len(seeds), len(seeds), part)
		return a.estimate(cmd.Context(), scs[0], sc.Cycles, capOf(budget))
	}
	file := newSweepFile(sc, seeds, typed.given, f)
	file.cyclesGiven = cmd.Flags().Changed("cycles")
	if cmd.Flags().Changed("budget") {
		file.Budget = &f.budget
	}
	s, err := openOrNewSweep(out, filepath.Join("runs", sc.Name+"-sweep"), sc, file)
	if err != nil {
		return err
	}
	s.warns = true
	return s.begin(a, cmd, f)
}

// resumeSweep carries out resume for the directory of a sweep.
func resumeSweep(a *app, cmd *cobra.Command, dir string, f *runFlags) error {
	if err := notInSweep(cmd); err != nil {
		return err
	}
	if cmd.Flags().Changed("set") {
		return usagef("--set changes the models of one run; name a run of the sweep, such as %s", shellQuote(anyRun(dir)))
	}
	s, err := openSweep(dir)
	if err != nil {
		return err
	}
	file := s.file
	file.Store, file.Portal = withoutSecrets(f.store), wholePortal(f.portal)
	if cmd.Flags().Changed("cycles") {
		file.Cycles, file.cyclesGiven = f.cycles, true
	}
	if cmd.Flags().Changed("budget") {
		file.Budget = &f.budget
	}
	if err := s.extend(s.sc, &file); err != nil {
		return err
	}
	return s.begin(a, cmd, f)
}

// begin determines the stores of the runs and runs the sweep.
func (s *sweep) begin(a *app, cmd *cobra.Command, f *runFlags) error {
	if s.file.Store == "" {
		s.file.Store = defaultStore
	}
	store := cmp.Or(f.store, s.file.Store)
	if store != defaultStore && !isPostgres(store) {
		return usagef("--store is %q; want sqlite or postgres://user@host/database", store)
	}
	if isPostgres(store) {
		var err error
		if store, err = s.schemaURL(store); err != nil {
			return err
		}
		s.file.Store = withoutSecrets(store)
	}
	if f.portal != "" { // before sweep.json keeps it
		if _, err := fetcher(s.sc, f.portal); err != nil {
			return err
		}
	}
	if err := s.plan(store); err != nil {
		return err
	}
	if err := s.checkShorter(cmd.Context()); err != nil {
		return err
	}
	if err := s.checkPhysics(cmd.Context()); err != nil {
		return err
	}
	for _, r := range s.runs {
		if err := postgres.Check(r.store); isPostgres(r.store) && err != nil {
			return usagef("%w; schema=NAME in --store gives the first part of the names", err)
		}
	}
	return s.run(a, cmd, f)
}

// checkPhysics returns an error if this build cannot bring all runs to their last cycle, since it has another physics version
// than the sweep. A sweep whose runs are all finished may still get its tables.
func (s *sweep) checkPhysics(ctx context.Context) error {
	if s.file.Physics == engine.Physics {
		return nil
	}
	whole, build := true, "" // as the end of a sentence
	for _, r := range s.asked() {
		rf, _, _, err := r.readState(ctx, s.file.Cycles)
		whole = whole && err == nil && rf.Status == engine.StatusFinished && rf.Cycle >= s.file.Cycles
		if rf.Build != "" {
			build = ": " + rf.Build
		}
	}
	if whole {
		return nil
	}
	dir := s.dir
	if s.isNew { // a fork that is not there yet: the physics is that of the sweep which it comes from
		dir = s.file.Forked.Sweep
	}
	return usagef("the runs of %s have physics %d and this build has physics %d, so its worlds would be others; use the kingdom version that wrote them%s, or sweep anew with another --out",
		dir, s.file.Physics, engine.Physics, build)
}

// run runs all runs to their last cycle and prints the results.
func (s *sweep) run(a *app, cmd *cobra.Command, f *runFlags) (err error) {
	began := time.Now()
	ctx := cmd.Context()
	n, err := jobs(cmd, len(s.asked()))
	if err != nil {
		return err
	}
	if err := s.divideBudget(ctx); err != nil {
		return err
	}
	endpoints, check, err := a.endpoints(cmd, s.sc, span{s.file.Forked.firstOwn(), s.file.Cycles}) // one limit for all runs that ask the same server
	if err != nil {
		return err
	}
	if _, err := mind(s.sc, endpoints, nil); err != nil {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	if own := capOf(s.sc.Minds.Caps.Run); own != nil && s.file.Budget == nil && len(s.runs) > 1 && len(usedModels(s.sc)) > 0 {
		a.say("minds.caps.run_usd holds for each run, of which there are %d; --budget bounds what all of them may spend", len(s.runs))
	}
	if err := s.write(); err != nil {
		return err
	}
	if s.warns {
		warn(a.say, s.sc, false)
	}
	s.warnSmallBudget(a.say)
	warnUnpriced(s.sc, s.file.Budget != nil, a.say)
	stop := a.sayStopping(ctx, "press Ctrl-C again to end at once (all runs stay resumable)")
	a.limitMemory()
	err = s.runAll(ctx, a, f, n, endpoints)
	stop()
	if s.isNew && !slices.ContainsFunc(s.runs, func(r *sweepRun) bool { return r.begun }) {
		return s.undo(err)
	}
	if err != nil {
		return err
	}
	s.print(a, time.Since(began))
	s.sayLeft(a)
	return s.result(ctx)
}

// runAll runs the runs, jobs of them at the same time, and keeps results.csv up to date.
func (s *sweep) runAll(ctx context.Context, a *app, f *runFlags, jobs int, endpoints *openai.Endpoints) error {
	var todo []*sweepRun
	var cycles uint64
	asked, which := s.asked(), "seed"
	if len(asked) < len(s.runs) {
		which = "asked seed"
	}
	for _, r := range s.runs {
		rf, _, finished, err := r.readState(ctx, s.file.Cycles)
		if unfinished := err != nil || !finished; unfinished && slices.Contains(asked, r) {
			todo, r.todo = append(todo, r), true
			if err == nil {
				cycles += s.file.Cycles - min(rf.Cycle, s.file.Cycles)
			}
		}
		r.refreshRow(ctx)
	}
	if _, uneven := s.uneven(); len(todo) == 0 && !uneven { // if it is, sayLeft says what there is to do
		a.say("all %s of %s have already reached cycle %d, so there is nothing to do; more --seeds or --cycles extend it", llm.Count(uint64(len(asked)), which), s.dir, s.file.Cycles)
	}
	show := newSweepProgress(a, len(asked), len(asked)-len(todo), cycles)
	defer show.done()
	next := make(chan *sweepRun)
	var all sync.WaitGroup
	var mu sync.Mutex // of rows and results.csv
	var failed error  // to write results.csv
	for range min(jobs, len(todo)) {
		all.Go(func() {
			for r := range next {
				show.begin()
				mu.Lock()
				r.row.status = engine.StatusRunning
				failed = cmp.Or(failed, s.writeResults())
				mu.Unlock()
				say := func(format string, args ...any) { a.say("seed "+r.seed+": "+format, args...) }
				err := r.finish(ctx, s, *f, endpoints, say, func(from, _ uint64) display { return show.run(from) })
				mu.Lock()
				r.todo = err != nil
				if r.err = err; !r.begun && ctx.Err() != nil && errors.Is(err, context.Canceled) {
					r.err = nil // interrupted before its world was begun: it is missing and did not fail
				}
				r.refreshRow(ctx)
				show.end(r)
				failed = cmp.Or(failed, s.writeResults())
				mu.Unlock()
			}
		})
	}
	for _, r := range todo {
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- r:
		case <-ctx.Done():
		}
	}
	close(next)
	all.Wait()
	return cmp.Or(failed, s.writeResults())
}

// refreshRow reads the row of a run again, also after the command was interrupted.
func (r *sweepRun) refreshRow(ctx context.Context) {
	if err := r.readRow(context.WithoutCancel(ctx)); err != nil && r.err == nil {
		r.err = err
		r.row.status, r.row.err = engine.StatusFailed, err.Error()
	}
}

// undo removes a sweep in which no run could start.
func (s *sweep) undo(err error) error {
	clearDir(s.dir)
	_ = os.Remove(s.dir) // if this fails, the rest is not taken for a sweep
	for _, r := range s.runs {
		err = cmp.Or(err, r.err)
	}
	if err == nil {
		err = &cancelledError{"interrupted before anything was done"}
	}
	return err
}
