package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/scenarios"
	"kingdom/wire"
)

// forkFile is the file in a run directory that says which run it was forked from; only forks have one.
const forkFile = "fork.json"

// forkOrigin is fork.json.
type forkOrigin struct {
	Run       string `json:"run"` // directory, as the user named it
	Cycle     uint64 `json:"cycle"`
	WorldHash string `json:"world_hash"` // at the end of Cycle, of both runs
	Digest    string `json:"scenario_digest"`
}

func newFork(a *app) *cobra.Command {
	var (
		f           runFlags
		at          uint64
		out         string
		set, inputs []string
	)
	cmd := &cobra.Command{
		Use:   "fork RUN --at CYCLE",
		Short: "Start a new run from a cycle of another run, with something changed; or a sweep from a sweep",
		Long: "Start a new run that repeats RUN up to the end of cycle --at, and then goes on with the changes of --set and --input.\n" +
			"It gets its own run directory (default: the name of RUN with -at<cycle> appended, with -2, -3 and so on behind it if\n" +
			"that exists; for a run of a sweep SWEEP-seed-<seed>-at<cycle>, beside the sweep). RUN is not changed and may still be\n" +
			"running. It ends where RUN was to end when it was last run or resumed, unless --cycles says otherwise. The common\n" +
			"cycles are executed again and compared with those of RUN. Recorded answers of models and of the outside are reused for\n" +
			"them, so nothing is paid twice. After them minds are asked again: without a change a fork of scripted minds repeats\n" +
			"RUN, while models may answer differently.\n\n" +
			"--set changes what agents think with: paths under minds.scripted, minds.models, minds.tiers, minds.blind and prompts,\n" +
			"and mind and persona of a group of the population. --input adds an input from outside, in the form of an item of\n" +
			"inputs in a scenario. Both become part of the fork's own scenario, so the fork can be run, replayed and forked like\n" +
			"any other run. It asks models where RUN asks them now (resume --set), or where --set says, and has the cap that resume\n" +
			"--budget gave RUN, or that of --budget. A cap bounds what the fork spends itself: what RUN has spent is not part of it.\n\n" +
			"RUN may be the directory of a sweep. Then each of its runs is forked, and the forks are a sweep (default: the name of\n" +
			"RUN with -at<cycle> appended), which resume continues and which compare and report set beside RUN seed by seed. A\n" +
			"--budget bounds what all forks together spend.\n" + runFields,
		Example: "  kingdom fork runs/epoch0-42 --at 20 --set 'minds.blind=[peers]'\n" +
			"  kingdom fork runs/epoch0-42 --at 20 --input '{cycle: 21, do: grant, agent: 3, amount: 50}' --cycles 60\n" +
			"  kingdom compare runs/epoch0-42 runs/epoch0-42-at20\n" +
			"  kingdom fork runs/epoch0-sweep --at 20 --set 'minds.blind=[peers]'\n" +
			"  kingdom compare runs/epoch0-sweep runs/epoch0-sweep-at20 --society",
		Args: args(1, "a directory of a run or of a sweep"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			if !cmd.Flags().Changed("at") {
				run := names[0]
				if isSweep(run) {
					run = anyRun(run)
				}
				return usagef("--at is missing; want the last cycle that both runs have in common; kingdom inspect %s says how far the run is", shellQuote(run))
			}
			if cmd.Flags().Changed("cycles") && f.cycles == 0 {
				return usagef("--cycles is 0; want the last cycle of the fork, counted from the bootstrap")
			}
			fork := scenarios.Fork{At: at, Set: set, Inputs: inputs, Cycles: f.cycles}
			if isSweep(names[0]) {
				return forkSweep(a, cmd, names[0], out, &fork, &f)
			}
			if cmd.Flags().Changed(jobsFlag) {
				return usagef("--%s is for a sweep, and %s is not a sweep; leave it out", jobsFlag, names[0])
			}
			return startFork(a, cmd, names[0], out, &fork, &f)
		},
	}
	f.addCommon(cmd)
	addJobs(cmd)
	cmd.Flags().Uint64Var(&at, "at", 0, "last cycle that both runs have in common; 0 is the bootstrap")
	cmd.Flags().StringVar(&out, outFlag, "", "run directory; must not exist, or be empty")
	cmd.Flags().StringArrayVar(&set, "set", nil, "change what agents think with from the next cycle on, path=value (repeatable), such as minds.blind=[peers]")
	cmd.Flags().StringArrayVar(&inputs, "input", nil, "input from outside in a later cycle, {cycle: N, do: …} (repeatable), in the form of inputs in a scenario")
	cmd.Flags().Bool(noPreflight, false, "do not check the models first (docs/MINDS.md)")
	return cmd
}

// startFork makes the directory of a fork and runs it.
func startFork(a *app, cmd *cobra.Command, parent, out string, fork *scenarios.Fork, f *runFlags) (err error) {
	run, from, err := forkedFrom(cmd.Context(), parent, parent, fork)
	if err != nil {
		return err
	}
	if err := run.config.CheckPhysics(parent); err != nil { // else the error would name the directory of the fork, which does not stay
		return err
	}
	if fork.Cycles == 0 && run.file.Until > run.scenario.Cycles { // the run was extended, and so is its fork
		fork.Cycles = run.file.Until
	}
	sc, err := run.scenario.Fork(fork)
	if err != nil {
		return withFlagNames(cmd, err, "cycles")
	}
	if err := checkForkCycles(parent, fork, sc); err != nil {
		return err
	}
	if err := setForkCap(cmd, parent, sc, f.budget); err != nil {
		return err
	}
	if f.store == "" {
		f.store = defaultStore
	}
	if err := fromEnvironment(sc); err != nil {
		return err
	}
	settings, err := inheritedSettings(parent, fork.Set)
	if err != nil {
		return err
	}
	now, err := sc.WithModelSettings(settings.Set...)
	if err != nil {
		return usage(err)
	}
	own := span{from.firstOwn(), sc.Cycles}
	meter, err := newMeter(now, own, nil, a.say)
	if err != nil {
		return err
	}
	thinker, err := a.mindWithModels(cmd, now, own, meter)
	if err != nil {
		return err
	}
	if r := recordingOf(&run.file); r.path != "" && len(usedModelsIn(now, own)) > 0 {
		a.say("%s reuses the answers of %s, and its fork asks the models", parent, r.path)
	}
	base, err := forkName(parent, fork.At)
	if err != nil {
		return err
	}
	cfg := configFor(sc, &run.file)
	dir, err := a.startIn(cmd, sc, out, base, thinker, meter, f, cfg, func(dir string) error {
		if err := from.write(dir); err != nil {
			return err
		}
		if err := settings.write(dir); err != nil {
			return err
		}
		if err := engine.Fork(parent, run.config.Identity(), dir, cfg.Identity(), wire.Cycle(fork.At)); err != nil {
			return err
		}
		warn(a.say, sc, cmd.Flags().Changed("budget"))
		warnUndone(a.say, sc, fork)
		if most := sc.Minds.Caps.Run; most >= 0 && !cmd.Flags().Changed("budget") && len(usedModelsIn(now, own)) > 0 {
			sayCapAnew(a.say, parent, most)
		}
		warnUnpriced(now, false, a.say)
		return nil
	})
	if err == nil && !a.json {
		fmt.Fprintf(a.out, "compare it    kingdom compare %s %s\n", shellQuote(parent), shellQuote(dir))
	}
	return err
}

// checkForkCycles returns an error if a fork would end where it begins.
func checkForkCycles(parent string, fork *scenarios.Fork, sc *scenarios.Scenario) error {
	if fork.At >= sc.Cycles {
		return usagef("a fork of %s at cycle %d that ends with cycle %d has nothing to run; --cycles says where it ends, such as --cycles %d", parent, fork.At, sc.Cycles, fork.At+10)
	}
	return nil
}

// giveUpFork returns the error of a fork whose common cycles are not those of its parent in this build, and whether its
// directory stays: it is of no use, but what it has written to a database server is not removed.
func (p *execution) giveUpFork(d *engine.DivergenceError) (stays bool, err error) {
	rest := "its directory was removed"
	if p.flags.store != defaultStore {
		stays, rest = true, fmt.Sprintf("%s and what it stored in its database are of no use: remove them", p.dir)
	}
	builds := "fork it with the build that wrote it"
	if origin, err := readOrigin(p.dir); err == nil && origin != nil {
		d.Run = origin.Run
		if d.WrittenBy != "" {
			builds = "fork it with kingdom " + d.WrittenBy
		}
		builds = fmt.Sprintf("kingdom replay %s shows more, or %s", shellQuote(origin.Run), builds)
	}
	return stays, fmt.Errorf("there is no fork, because this build does not repeat the common cycles: %w; %s; %s", d, rest, builds)
}

// warnUndone warns of what a fork sets and its parent changes again later.
func warnUndone(say func(format string, args ...any), sc *scenarios.Scenario, fork *scenarios.Fork) {
	for i := range sc.Changes {
		c := &sc.Changes[i]
		for _, later := range c.Set {
			path, _, _ := strings.Cut(later, "=")
			for _, set := range fork.Set {
				own, _, _ := strings.Cut(set, "=")
				if c.Cycle <= fork.At+1 || !within(own, path) && !within(path, own) {
					continue
				}
				holds := "holds"
				if len(path) > len(own) { // the later change is to a part of it
					holds = "holds in full"
				}
				say("warning: --set %s %s up to cycle %d: from cycle %d on the run that is forked has %s", set, holds, c.Cycle-1, c.Cycle, later)
			}
		}
	}
}

// within reports whether a path of a scenario is another one, or leads to a part of it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// setForkCap gives a fork the cap of --budget, or else the one that its parent got after its start.
func setForkCap(cmd *cobra.Command, parent string, sc *scenarios.Scenario, budget float64) error {
	if !cmd.Flags().Changed("budget") {
		most, err := spend.ReadCap(filepath.Join(parent, spend.FileName))
		if err != nil || most == nil {
			return err
		}
		budget = float64(*most) / 1e6
	} else if err := checkBudget(budget); err != nil {
		return err
	} else if len(usedModels(sc)) == 0 {
		return noBudgetError(parent)
	}
	return sc.Override("minds.caps.run_usd=" + strconv.FormatFloat(budget, 'f', -1, 64))
}

// sayCapAnew says that a fork may spend what its parent was allowed to, and not only what the parent left of it.
func sayCapAnew(say func(format string, args ...any), parent string, usd float64) {
	say("the fork may spend as much as %s was allowed to, %s: what that has spent is not part of it; --budget allows more or less", parent, llm.USD(microUSD(usd)))
}

// inheritedSettings returns the model settings of the parent that the fork does not set itself: where its models are asked since
// a resume --set, for example.
func inheritedSettings(parent string, sets []string) (modelSettings, error) {
	t, err := readModelSettings(parent)
	t.Set = slices.DeleteFunc(t.Set, func(had string) bool {
		path, _, _ := strings.Cut(had, "=")
		return slices.ContainsFunc(sets, func(set string) bool {
			own, _, _ := strings.Cut(set, "=")
			return within(path, own)
		})
	})
	return t, err
}

// forkName returns the default directory of a fork: beside its parent, or beside the sweep that its parent belongs to, because
// it is no run of that sweep. A directory that is named by dots, such as the working directory, gets its full name, because
// the fork would otherwise be inside of it.
func forkName(parent string, at uint64) (string, error) {
	dir := filepath.Clean(parent)
	if above := filepath.Dir(dir); isDots(dir) || isSweep(above) && isDots(above) {
		full, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("name the fork of %s: %w; give it a name with --out", parent, err)
		}
		dir = full
	}
	if above := filepath.Dir(dir); isSweep(above) {
		dir = above + "-" + filepath.Base(dir)
	}
	return fmt.Sprintf("%s-at%d", dir, at), nil
}

// isDots reports whether the last part of a path is no name, but . or ..
func isDots(path string) bool {
	name := filepath.Base(path)
	return name == "." || name == ".."
}

// forkedFrom reads the run that is to be forked, and sets the epoch of fork. Its store is closed again. named is the
// directory that the user named: that of the run or of its sweep.
func forkedFrom(ctx context.Context, parent, named string, fork *scenarios.Fork) (run *openedRun, from *forkOrigin, err error) {
	run, err = openRun(ctx, parent, "")
	if err != nil {
		return nil, nil, err
	}
	defer captureClose(&err, run.store.Close)
	if fork.At > scenarios.MostCycles {
		return nil, nil, usagef("%s has reached cycle %d, so it cannot be forked at cycle %d; want --at from 0 to %d", parent, run.state.Last, fork.At, run.state.Last)
	}
	if fork.At > run.state.Last {
		return nil, nil, usagef("%s has reached cycle %d, so it cannot be forked at cycle %d; kingdom resume %s --cycles %d runs it up to there", parent, run.state.Last, fork.At, shellQuote(named), fork.At)
	}
	rows, err := run.store.Cycles(ctx, wire.Cycle(fork.At), wire.Cycle(fork.At))
	if err != nil {
		return nil, nil, err
	}
	if len(rows) != 1 {
		return nil, nil, damagedCycleError(parent, wire.Cycle(fork.At), "has no row")
	}
	fork.Epoch = uint64(rows[0].Epoch)
	return run, &forkOrigin{Run: parent, Cycle: fork.At, WorldHash: rows[0].WorldHash.String(), Digest: run.file.Digest}, nil
}

// firstOwn is the first cycle that a fork does not have in common with its parent; 1 for a run that is no fork (nil).
func (o *forkOrigin) firstOwn() uint64 {
	if o == nil {
		return 1
	}
	return o.Cycle + 1
}

func (o *forkOrigin) write(dir string) error {
	return writeJSON(filepath.Join(dir, forkFile), o)
}

// readOrigin reads which run a run was forked from; nil if it is not a fork.
func readOrigin(dir string) (*forkOrigin, error) {
	o := &forkOrigin{}
	err := readJSON(filepath.Join(dir, forkFile), "restore it from a copy", o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}
