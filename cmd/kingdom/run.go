package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm/recorded"
	"kingdom/scenarios"
)

// runFlags are the flags that run and resume have in common.
type runFlags struct {
	cycles uint64
	store  string
	logs   bool
	portal string  // value of --portal; empty: the scenario decides
	budget float64 // US dollars; below 0: not set
	reuses recording
}

func (f *runFlags) add(cmd *cobra.Command) {
	f.addCommon(cmd)
	addMindsFlags(cmd)
	addJobs(cmd)
}

// addCommon adds the flags that fork has, too.
func (f *runFlags) addCommon(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&f.cycles, "cycles", 0, "cycles to run, instead of the scenario's")
	cmd.Flags().StringVar(&f.store, storeFlag, "", "sqlite (in the run directory, default) or postgres://user@host/db[?schema=NAME]: an empty or matching database, or schema of one")
	addKeyStdin(cmd)
	cmd.Flags().StringVar(&f.portal, portalFlag, "", portalHelp)
	cmd.Flags().Float64Var(&f.budget, "budget", -1, "what the whole run may spend on models, in US dollars, instead of minds.caps.run_usd")
	cmd.Flags().BoolVar(&f.logs, "logs", true, "write log/*.jsonl; no hash depends on it")
}

const runFields = "The last line of --json output (before the error line, if there is one) is one object: run, scenario, seed, physics,\n" +
	"cycles, ticks, agent_ticks, world_hash, status, agents {active, dormant, dead}, nops, nop_warnings, fell_dormant,\n" +
	"fallbacks (answers of the scripted mind for an unavailable model, if there were any), unanswered (slots that were idle\n" +
	"because no answer came, if there were any; a resumed run counts both from the resume on), unanswered_by {refused_budget (by\n" +
	"a cap), timed_out, provider_error, interrupted} (the same by reason),\n" +
	"inputs_from_outside[] {cycle, tick, input, refused} (of kingdom input, if there were any), inputs_planned (inputs of the\n" +
	"scenario whose cycle has come), inputs_refused[] {cycle, input, refused, times, of} (those of them that the world refused,\n" +
	"why, and for how many of how many agents),\n" +
	"world {messages, entries, bounties {created, completed, expired}, programs {repos, runs, faults, calls, proofs}, gini,\n" +
	"richest and poorest {alias, name, balance}, min_reputation, max_reputation},\n" +
	"report (the file of the report, if one was written), wall_ms; if models were asked also spend {calls, failed,\n" +
	"prompt_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_micro_usd, estimated, lost_calls, lost_micro_usd,\n" +
	"reused_calls (which the parent of a fork paid for: they are in no other count), models[] (each with model, these counts,\n" +
	"answers, unusable (of the answers, those that could not be used) and reused_answers (of the answers, those of a parent or\n" +
	"a recording)), agents[] (the five dearest, each with agent, alias and these counts)}, counted since the run began."

func newRun(a *app) *cobra.Command {
	var (
		f         runFlags
		seed, out string
		seeds     string
		set       []string
		estimate  bool
	)
	cmd := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario from its bootstrap, once or for many seeds",
		Long: "Run a scenario (a file or the name of a built-in one) in a new run directory (default runs/<scenario>-<seed>, with -2,\n" +
			"-3 and so on behind it if that exists: a run is never overwritten). Ctrl-C stops at a tick boundary, a second Ctrl-C\n" +
			"immediately; resume continues after both. A run that cannot start leaves no directory. One that finishes writes a page\n" +
			"about itself, " + reportFile + " (see kingdom report), unless its history stays compressed (store.tables: demand) or it\n" +
			"has more than a million agent-ticks.\n" + runFields + "\n\n" + sweepHelp + "\n\n" +
			"With --estimate nothing is run. Fields of its --json: scenario, cycles, slots (of agents with models), calls,\n" +
			"prompt_tokens, output_tokens, cost_micro_usd, most_micro_usd (if every answer had the maximum length), tiers[] {tier,\n" +
			"model, and the same numbers}, exceeds_budget (true if the expected cost is more than the run may spend).",
		Example: "  kingdom run epoch0\n  kingdom run village --seed 7 --cycles 20\n  kingdom run epoch0 --set minds.scripted.malformed_rate=1.0 --json\n  kingdom run epoch0 --seeds 1..10",
		Args:    args(1, "a scenario"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			given := slices.Clone(set)
			if cmd.Flags().Changed("seed") {
				set = append(set, "seed="+seed)
			}
			if cmd.Flags().Changed("cycles") {
				set = append(set, fmt.Sprintf("cycles=%d", f.cycles))
			}
			if cmd.Flags().Changed(seedsFlag) {
				return newSweep(a, cmd, names[0], out, sweepArgs{seeds: seeds, given: given, set: set}, estimate, &f)
			}
			if cmd.Flags().Changed(jobsFlag) {
				return usagef("--%s needs --%s: it says how many runs of a sweep go on at the same time", jobsFlag, seedsFlag)
			}
			if cmd.Flags().Changed("budget") {
				if err := checkBudget(f.budget); err != nil {
					return err
				}
				set = append(set, "minds.caps.run_usd="+strconv.FormatFloat(f.budget, 'f', -1, 64))
			}
			sc, err := loadScenario(names[0], set)
			if err != nil {
				return withFlagNames(cmd, err, "seed", "cycles")
			}
			if cmd.Flags().Changed("budget") && len(usedModels(sc)) == 0 {
				return noBudgetError(sc.Name)
			}
			if f.store == "" {
				f.store = defaultStore
			}
			if err := fromEnvironment(sc); err != nil {
				return err
			}
			warnings := func() {
				warn(a.say, sc, cmd.Flags().Changed("budget"))
				warnUnpriced(sc, false, a.say)
			}
			if estimate {
				reuses, err := recordingFromFlags(cmd, sc, recording{})
				if err != nil {
					return err
				}
				warnings()
				if reuses.path != "" {
					a.say("--estimate supposes that nothing is reused: the answers that --%s takes from %s cost nothing", mindsFlag, reuses.path)
				}
				return a.estimate(cmd.Context(), sc, cmp.Or(f.cycles, sc.Cycles), capOf(sc.Minds.Caps.Run))
			}
			meter, err := newMeter(sc, span{1, sc.Cycles}, nil, a.say)
			if err != nil {
				return err
			}
			thinker, done, err := a.mindFromFlags(cmd, sc, span{1, sc.Cycles}, meter, &f)
			if err != nil {
				return err
			}
			defer captureClose(&err, done)
			_, err = a.startRun(cmd, sc, out, thinker, meter, &f, warnings)
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&seed, "seed", "", "seed, a number or any other text, instead of the scenario's")
	cmd.Flags().BoolVar(&estimate, "estimate", false, "estimate the calls to models and their cost by a trial run with the scripted mind, and run nothing else")
	cmd.Flags().StringVar(&seeds, seedsFlag, "", "run a sweep: once for each of these seeds, such as 1..10 or 1,5,blue")
	cmd.Flags().StringVar(&out, outFlag, "", "run directory; must not exist, or be empty")
	cmd.Flags().Bool(noPreflight, false, "do not check the models first (docs/MINDS.md)")
	addSet(cmd, &set)
	return cmd
}

// startRun runs a scenario in a new directory. warnings is called when nothing that was given is refused any more.
func (a *app) startRun(cmd *cobra.Command, sc *scenarios.Scenario, out string, thinker engine.Mind, m *meter, f *runFlags, warnings func()) (dir string, err error) {
	base := filepath.Join("runs", sc.Name+"-"+fileNameFrom(string(sc.Seed)))
	return a.startIn(cmd, sc, out, base, thinker, m, f, config(sc), func(string) error {
		warnings()
		return nil
	})
}

// startIn runs a scenario in a new directory (see makeRunDir), which is removed if the run could not
// start. prepare adds further files to the directory before the start.
func (a *app) startIn(cmd *cobra.Command, sc *scenarios.Scenario, out, base string, thinker engine.Mind, m *meter, f *runFlags, cfg engine.Config, prepare func(dir string) error) (dir string, err error) {
	dir, undo, err := makeRunDir(out, base)
	if err != nil {
		return "", err
	}
	err = writeNewScenario(dir, sc.Show())
	if errors.Is(err, fs.ErrExist) { // what is there is not ours to remove
		return "", usagef("%s has just been taken by another command; choose another --out", dir)
	}
	started := false
	defer func() {
		if !started {
			undo()
		}
	}()
	if err != nil {
		return "", fmt.Errorf("write scenario: %w", err)
	}
	if err := prepare(dir); err != nil {
		return "", err
	}
	started, err = a.runToEnd(cmd, dir, sc, cfg, thinker, m, f, runNew)
	return dir, err
}

func newResume(a *app) *cobra.Command {
	var (
		f   runFlags
		set []string
	)
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Continue an interrupted run or sweep, or extend a finished one",
		Long: "Continue a run from the last cycle in its store; thoughts and inputs that the journal holds beyond it are reused.\n" +
			"The hashes are the same as without the interruption. --cycles extends a finished run. A run that reused recorded\n" +
			"answers goes on to do so, and asks models only as its --on-miss said; --on-miss call or --minds models ask more.\n" +
			"--set says where models are asked from now on, and on what terms (docs/MINDS.md); it is kept in models.json.\n" +
			"Given the directory of a sweep, continue all of its runs that are not finished.\n" + runFields,
		Args: args(1, "a run directory"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			if cmd.Flags().Changed("cycles") && (f.cycles == 0 || f.cycles > scenarios.MostCycles) {
				return usagef("--cycles is %d; want a whole number from 1 to %d, the cycle to stop at, counted from the bootstrap", f.cycles, scenarios.MostCycles)
			}
			if isSweep(names[0]) {
				return resumeSweep(a, cmd, names[0], &f)
			}
			if cmd.Flags().Changed(jobsFlag) {
				return usagef("--%s is for a sweep, and %s is not a sweep; leave it out", jobsFlag, names[0])
			}
			sc, rf, err := openRunDir(names[0])
			if err != nil {
				return err
			}
			if f.store == "" {
				f.store = rf.Store
			}
			if !cmd.Flags().Changed("cycles") {
				f.cycles = max(sc.Cycles, rf.Until)
			}
			now, err := withNewModelSettings(names[0], sc, set)
			if err != nil {
				return err
			}
			var raise *float64
			if cmd.Flags().Changed("budget") {
				raise = &f.budget
			}
			cycles, err := openCycles(names[0], sc)
			if err != nil {
				return err
			}
			cycles.last = max(cycles.first, f.cycles)
			meter, err := newMeter(now, cycles, raise, a.say)
			if err != nil {
				return err
			}
			warnUnpriced(now, raise != nil, a.say)
			f.reuses = recordingOf(&rf)
			thinker, done, err := a.mindFromFlags(cmd, now, cycles, meter, &f)
			if err != nil {
				return err
			}
			defer captureClose(&err, done)
			if err := forgetContexts(names[0], set); err != nil {
				return err
			}
			cfg := configFor(sc, &rf)
			stage := runStarted
			if rf.Until == 0 {
				stage = runBootstrapping
			}
			_, err = a.runToEnd(cmd, names[0], sc, cfg, thinker, meter, &f, stage)
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().StringArrayVar(&set, "set", nil, "ask a model elsewhere or on other terms from now on, path=value (repeatable), such as minds.models.default.endpoint=URL")
	return cmd
}

// runToEnd starts or resumes a run, runs it to its last cycle, and prints the summary. started
// says whether a run exists now, which resume can continue.
func (a *app) runToEnd(cmd *cobra.Command, dir string, sc *scenarios.Scenario, cfg engine.Config, thinker engine.Mind, m *meter, f *runFlags, stage runStage) (started bool, err error) {
	began := time.Now()
	ctx := cmd.Context()
	defer a.sayStopping(ctx, "press Ctrl-C again to end at once (the run stays resumable)")()
	a.limitMemory()
	cfg.Minds, cfg.OnMiss = f.reuses.runFileFields()
	sayPortal(a.say, cfg.Portal, f.portal)
	p := execution{
		dir: dir, sc: sc, cfg: cfg, thinker: thinker, meter: m, flags: *f, stage: stage, say: a.say,
		newDisplay: func(cycles uint64) display {
			show := newProgress(a, cycles)
			show.names = namesOf(sc)
			return show
		},
	}
	end, err := p.finish(ctx)
	if d, ok := asError[*engine.DivergenceError](err); ok && stage == runNew { // a fork that does not repeat its parent
		return p.giveUpFork(d)
	}
	page := ""
	if err == nil && sc.Store.Tables != scenarios.TablesDemand {
		page = a.reportOnRun(ctx, dir, p.flags.store, end.summary.AgentTicks)
	}
	if end.ran && !asType[*engine.GoneError](err) { // else no command that it names finds the run
		a.printSummary(dir, cfg.Identity(), &end, time.Since(began), f.logs, page, m.spent())
	}
	if miss := (*recorded.MissError)(nil); end.started && errors.As(err, &miss) {
		err = &reusingError{err, dir}
	}
	return end.started, err
}

// runStage is how far a run had got when the command began.
type runStage uint8

const (
	runNew           runStage = iota + 1
	runBootstrapping          // run.json exists, but the bootstrap may not be stored
	runStarted
)

// sayStopping prints a message at the first Ctrl-C, until the returned function is
// called.
func (a *app) sayStopping(ctx context.Context, what string) (done func()) {
	said := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(said)
		a.say("stopping; %s", what)
	})
	return func() {
		if !stop() {
			<-said
		}
	}
}

// captureClose calls close and stores its error in *err, unless that has one already. It is for defer.
func captureClose(err *error, close func() error) {
	if cerr := close(); *err == nil && cerr != nil {
		*err = cerr
	}
}
