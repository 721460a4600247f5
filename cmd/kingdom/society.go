package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/society"
)

func newSociety(a *app) *cobra.Command {
	var f measuring
	var by string
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "society RUN",
		Short: "Compute the social metrics of a run or a sweep",
		Long: "Compute the metrics of docs/SOCIETY.md from the tables of a run. Print each with its definition, values known from\n" +
			"the literature, the band in which it is expected, and whether it is in the band. The seeds of a sweep (all, or those of\n" +
			"--seeds) are pooled: mean, sample standard deviation, lowest and highest value, and how many of the seeds are in the\n" +
			"band; the mean is judged. A metric that cannot be computed has the reason in its place. Fields of\n" +
			"--json: runs[] {run, seed, from (of --from), cycles, agents}, in, judged, without, measures[] {metric, key, definition, anchor, low,\n" +
			"high (null: no such end), value (null with why), n, why, in (null: not judged) and of a sweep sd, min, max, runs,\n" +
			"runs_in}.\n\n" +
			"With --from: as if the runs had begun with that cycle. Of all that happened, what happened from then on counts, and of\n" +
			"bounties, proposals, goals, messages and entries those that were made from then on.\n\n" +
			"With --by: compare groups of the agents, such as those with different models: the items of the scenario's population\n" +
			"(group; by name, else by role; agents that inputs spawn by the name these give them, others spawned later are\n" +
			"newcomers), the roles, or what thinks for them when the run begins, or from their birth (mind). Of a sweep it prints for\n" +
			"each figure the mean over the seeds and its sample standard deviation, and how groups differ from the first one in the\n" +
			"same runs, as compare does with two sweeps. Columns SEEDS and PAIRS stand where fewer seeds have a figure, such as the\n" +
			"accuracy of entries of a group that mostly writes none: how many have it, and how many have it in the first group too,\n" +
			"so that their difference counts in CHANGE. Fields of --json: by, from (of --from), cycles, runs[] {run, seed}, figures[]\n" +
			"{key, definition, group, agents (mean over the runs that have the group), value (null: there is\n" +
			"none), sd (null for fewer than two runs), runs, change (from the first group, as metrics[] of compare; null: there is\n" +
			"none)}.",
		Example: "  kingdom society runs/epoch0-42\n" +
			"  kingdom society runs/epoch0-sweep --seeds 101..108 --csv\n" +
			"  kingdom society runs/epoch0-sweep --by role",
		Args: args(1, "a run directory, or that of a sweep"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if asCSV && a.json {
				return usagef("--csv and --json exclude each other; leave one out")
			}
			var dirs []string // of the runs
			if cmd.Flags().Changed("by") {
				g, err := groupDir(cmd.Context(), names[0], &f, by)
				if err != nil {
					return err
				}
				for i := range g.runs {
					dirs = append(dirs, g.runs[i].dir)
				}
				warnOfAnswers(a.say, names[0], dirs)
				return printSociety(a, asCSV, g.printCSV, g.print, func() any { return g.toJSON() })
			}
			m, err := measureDir(cmd.Context(), names[0], &f)
			if err != nil {
				return err
			}
			for i := range m.runs {
				dirs = append(dirs, m.runs[i].Run)
			}
			warnOfAnswers(a.say, names[0], dirs)
			return printSociety(a, asCSV, m.printCSV, m.print, func() any { return m.toJSON() })
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print a table for a spreadsheet")
	cmd.Flags().StringVar(&by, "by", "", "compare groups of agents: group, role or mind")
	cmd.Flags().StringVar(&f.seeds, "seeds", "", "of a sweep, only these seeds, such as 101..108 or 1,3,8")
	cmd.Flags().StringVar(&f.store, storeFlag, "", "location of the run's store, if it differs from run.json")
	f.addFrom(cmd)
	cmd.AddCommand(newAblate(a), newGenome(a))
	return cmd
}

// printSociety prints figures in the form that was asked for.
func printSociety(a *app, asCSV bool, csv func(io.Writer) error, text func(io.Writer), json func() any) error {
	switch {
	case asCSV:
		return csv(a.out)
	case a.json:
		return printJSON(a.out, json())
	}
	text(a.out)
	return nil
}

// measuring says what is measured.
type measuring struct {
	store string // location; empty: that of run.json
	seeds string // of a sweep; empty: all
	from  uint64 // cycle from which on things count; 0: from the beginning
}

// fromFlag names the flag that says from which cycle on things count.
const fromFlag = "from"

func (f *measuring) addFrom(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&f.from, fromFlag, 0, "count only what happened from this cycle on, such as the first one that a fork does not have in common with its parent")
}

// count returns what counts of a run.
func (f *measuring) count(dir string, r *society.Run) (*society.Run, error) {
	switch {
	case f.from == 0:
		return r, nil
	case f.from > r.Last:
		return nil, usagef("--%s is %d, and %s ends with cycle %d; want a cycle from 1 to %d", fromFlag, f.from, dir, r.Last, r.Last)
	}
	return r.Since(f.from), nil
}

// countedFrom says from which cycle on things count, to follow "cycle N".
func countedFrom(from uint64) string {
	if from == 0 {
		return ""
	}
	return fmt.Sprintf(", counted from cycle %d on", from)
}

// measuredRun is a run with its metrics.
type measuredRun struct {
	Run    string `json:"run"`
	Seed   string `json:"seed"`
	From   uint64 `json:"from,omitempty"`
	Cycles uint64 `json:"cycles"`
	Agents int    `json:"agents"`
	values []society.Value
}

// measuredSociety is what the command prints.
type measuredSociety struct {
	name  string
	runs  []measuredRun
	pool  []society.Pooled
	sweep bool

	choice string // as in chooseRuns
}

// measureDir measures the run, or the runs of the sweep, of a directory.
func measureDir(ctx context.Context, dir string, f *measuring) (*measuredSociety, error) {
	m := &measuredSociety{name: dir, sweep: isSweep(dir), choice: ", or choose other seeds with --seeds"}
	if !m.sweep {
		if f.seeds != "" {
			return nil, seedsOfNoSweepError(dir, f.seeds)
		}
		r, err := measureRun(ctx, dir, f.store, f)
		if err != nil {
			return nil, err
		}
		m.runs = []measuredRun{r}
	} else if err := m.measureSweep(ctx, dir, f); err != nil {
		return nil, err
	}
	var values [][]society.Value
	for i := range m.runs {
		values = append(values, m.runs[i].values)
	}
	var err error
	if m.pool, err = society.Pool(values); err != nil {
		return nil, usagef("%s: %w; choose with --seeds", dir, err)
	}
	return m, nil
}

// seedsOfNoSweepError says that --seeds was given for a run that is not a sweep.
func seedsOfNoSweepError(dir, seeds string) error {
	if _, err := parseSeeds(seeds); err != nil {
		return err
	}
	return usagef("--seeds chooses among the runs of a sweep, and %s is not a sweep; leave it out, or make a sweep: kingdom run SCENARIO --seeds %s", dir, seeds)
}

func (m *measuredSociety) measureSweep(ctx context.Context, dir string, f *measuring) error {
	_, runs, err := chooseRuns(dir, f.store, f.seeds, m.choice)
	if err != nil {
		return err
	}
	for _, run := range runs {
		r, err := measureRun(ctx, run.dir, run.store, f)
		if err != nil {
			return fmt.Errorf("seed %s: %w", run.seed, err)
		}
		if m.runs = append(m.runs, r); r.Cycles != m.runs[0].Cycles {
			return unequalSweepError(dir, m.runs[0].Seed, m.runs[0].Cycles, run.seed, r.Cycles, m.choice)
		}
	}
	return nil
}

// chooseRuns returns the runs of a sweep with these seeds, all of them if there are none; each has reached the last cycle of
// the sweep. choice is what its errors advise besides to resume the sweep, because only some commands have --seeds.
func chooseRuns(dir, store, seeds, choice string) (s *sweep, runs []*sweepRun, err error) {
	if s, err = openSweep(dir); err != nil {
		return nil, nil, err
	}
	if err := s.plan(store); err != nil {
		return nil, nil, err
	}
	wanted := s.file.Seeds
	if seeds != "" {
		if wanted, err = parseSeeds(seeds); err != nil {
			return nil, nil, err
		}
	}
	for _, seed := range wanted {
		i := slices.IndexFunc(s.runs, func(r *sweepRun) bool { return r.seed == seed })
		if i < 0 {
			return nil, nil, usagef("%s has no seed %s; it has %s", dir, shellQuote(seed), strings.Join(s.file.Seeds, ", "))
		}
		run := s.runs[i]
		rf, err := readRunFile(run.dir)
		if asType[*damagedError](err) {
			return nil, nil, err
		}
		if err != nil && !fileExists(run.dir) || err == nil && rf.Cycle < s.file.Cycles {
			return nil, nil, usagef("seed %s of %s has not reached cycle %d; kingdom resume %s finishes it%s", shellQuote(seed), dir, s.file.Cycles, shellQuote(dir), choice)
		}
		if err == nil {
			found, err := recordedScenario(run.dir)
			if err != nil {
				return nil, nil, err
			}
			if err := run.own(found); err != nil {
				return nil, nil, err
			}
		}
		runs = append(runs, run)
	}
	return s, runs, nil
}

// unequalSweepError says that two runs of a sweep ended at different cycles; choice is as in chooseRuns.
func unequalSweepError(dir, seedA string, cycleA uint64, seedB string, cycleB uint64, choice string) error {
	return usagef("seed %s of %s has %s and seed %s has %d, so their figures do not mean the same; kingdom resume %s --cycles %d brings all to the same%s",
		shellQuote(seedA), dir, llm.Count(cycleA, "cycle"), shellQuote(seedB), cycleB, shellQuote(dir), max(cycleA, cycleB), choice)
}

// measureRun measures one run.
func measureRun(ctx context.Context, dir, store string, f *measuring) (out measuredRun, err error) {
	run, r, err := openSociety(ctx, dir, store)
	if err != nil {
		return out, err
	}
	defer captureClose(&err, run.store.Close)
	counted, err := f.count(dir, r)
	if err != nil {
		return out, err
	}
	return measuredRun{Run: dir, Seed: seedOf(run.scenario), From: f.from, Cycles: r.Last, Agents: len(r.Agents), values: counted.Measure()}, nil
}

// openSociety opens a run and reads what the metrics need from its tables. The caller closes the run's store.
func openSociety(ctx context.Context, dir, store string) (*openedRun, *society.Run, error) {
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return nil, nil, err
	}
	r, err := run.society(ctx, dir)
	if err != nil {
		_ = run.store.Close() // it was only read
		return nil, nil, err
	}
	return run, r, nil
}

// society reads what the metrics need from the tables of a run.
func (f *openedRun) society(ctx context.Context, dir string) (*society.Run, error) {
	if err := checkStored(ctx, f, dir); err != nil {
		return nil, err
	}
	if err := requireTables(ctx, f.store, dir); err != nil {
		return nil, err
	}
	r, err := society.Read(ctx, f.store.Query, f.config.Rules.Calendar.TicksPerCycle)
	switch {
	case errors.Is(err, society.ErrNoCycle):
		return nil, usagef("%s cannot be measured: %w; go on with kingdom resume %s --cycles 50", dir, err, shellQuote(dir))
	case errors.Is(err, society.ErrNoAgents):
		return nil, usagef("%s cannot be measured: %w; give its scenario a population (docs/SCENARIOS.md)", dir, err)
	case err != nil:
		return nil, fmt.Errorf("measure %s: %w", dir, err)
	}
	return r, nil
}

func seedOf(sc *scenarios.Scenario) string { return string(sc.Seed) }
