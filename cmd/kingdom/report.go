package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kingdom/engine/durable"
	"kingdom/llm"
	"kingdom/report"
	"kingdom/scenarios"
	"kingdom/society"
)

// reportFile is the report in the directory of a run or sweep.
const reportFile = "report.html"

func newReport(a *app) *cobra.Command {
	var out, title, store string
	cmd := &cobra.Command{
		Use:   "report RUN | SWEEP [RUN | SWEEP ...]",
		Short: "Write a page about a run or a sweep, or about several of them beside each other",
		Long: "Write one HTML file without scripts or references to other files, which can be published or printed as it is: what\n" +
			"the scenario planned, what happened in words and numbers, which models were asked and how often they failed, charts by\n" +
			"cycle, what the agents did, the metrics of docs/SOCIETY.md with their bands, and how to repeat it, with the scenario and\n" +
			"the world hash. Of a single run it also shows each agent and who answered whom. The seeds of a sweep\n" +
			"are shown as one: means, and the area from the lowest to the highest seed. Several runs or sweeps, such as a run and its\n" +
			"forks, or a control and a treatment, share the charts, and the page begins with where their scenarios differ. They must\n" +
			"have ended at the same cycle. The file is " + reportFile + " in the directory of the run or sweep, if only one is named;\n" +
			"one of an earlier time is replaced. The same runs give the same bytes. Fields of --json: report (the file), runs,\n" +
			"cycles, bytes.",
		Example: "  kingdom report runs/epoch0-42\n" +
			"  kingdom report runs/epoch0-sweep\n" +
			"  kingdom report runs/epoch0-42 runs/epoch0-42-at20 --out fork.html --title 'Without reputation'",
		Args: func(cmd *cobra.Command, names []string) error {
			if len(names) > report.MaxArms {
				return usagef("a report shows at most %d runs or sweeps beside each other, and these are %d; leave some out", report.MaxArms, len(names))
			}
			return args(max(1, len(names)), "the directory of a run or a sweep, or several of them")(cmd, names)
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) > 1 && out == "" {
				return usagef("a report about several runs or sweeps belongs to none of their directories; name its file, such as --out %s", reportFile)
			}
			if !utf8.ValidString(title) { // the page would be none that a browser can read
				return usagef("--title is not UTF-8; give the argument as UTF-8; a shell or script may write it in another encoding")
			}
			if len(names) > 1 && store != "" {
				return usagef("--store locates the store of one run or sweep, and these are %d; leave it out", len(names))
			}
			r, err := reportOn(cmd.Context(), names, title, store)
			if err != nil {
				return err
			}
			file := cmp.Or(out, filepath.Join(names[0], reportFile))
			size, err := writeReport(file, r)
			if err != nil {
				return err
			}
			runs := 0
			for i := range r.Arms {
				runs += len(r.Arms[i].Runs)
			}
			if a.json {
				a.jsonLine(map[string]any{"report": file, "runs": runs, "cycles": r.Arms[0].Runs[0].Cycle, "bytes": size})
				return nil
			}
			fmt.Fprintf(a.out, "%s: a report about %s, %d KB; open it in a browser\n", file, llm.Count(uint64(runs), "run"), (size+1023)/1024)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, outFlag, "", "file to write; needed for several runs or sweeps; an earlier one is replaced")
	cmd.Flags().StringVar(&title, "title", "", "title of the page (default: the name of the scenario)")
	cmd.Flags().StringVar(&store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

// ownReportLimit is the number of agent-ticks up to which a run writes its report by itself. A report holds all acts in memory,
// for this many about 500 MB.
const ownReportLimit = 1_000_000

// reportOnRun writes the report of a run that has just finished and returns its file; "" if the run is too large or the report
// could not be written, which does not make the run fail.
func (a *app) reportOnRun(ctx context.Context, dir, store string, agentTicks uint64) string {
	if agentTicks > ownReportLimit {
		a.say("a run of more than %d agent-ticks writes no report by itself, because that takes much memory; kingdom report %s does", ownReportLimit, shellQuote(dir))
		return ""
	}
	file := filepath.Join(dir, reportFile)
	r, err := reportOn(ctx, []string{dir}, "", store)
	if err == nil {
		_, err = writeReport(file, r)
	}
	if errors.Is(err, society.ErrNoCycle) || errors.Is(err, society.ErrNoAgents) {
		return "" // there is nothing to report on
	}
	if ctx.Err() != nil {
		a.say("interrupted before the report of %s was written; kingdom report %s writes it", dir, shellQuote(dir))
		return ""
	}
	if err != nil {
		a.say("the report of %s was not written: %v; kingdom report %s tries again", dir, err, shellQuote(dir))
		return ""
	}
	return file
}

func writeReport(file string, r *report.Report) (size int, err error) {
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		return 0, err
	}
	return b.Len(), reportOut.write(file, b.Bytes())
}

// writeOut writes the file that --out names; such as says how it may be called.
func writeOut(file, suchAs string, content []byte) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return usagef("--out names a file, and %s is a directory; want such as %s", file, shellQuote(filepath.Join(file, suchAs)))
	}
	if dir := filepath.Dir(file); !fileExists(dir) {
		return usagef("--out names a file in %s, which does not exist; make it first, or choose another", dir)
	}
	if err := durable.WriteBytes(file, content); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// reportOn collects what a report about some runs or sweeps says.
func reportOn(ctx context.Context, dirs []string, title, store string) (*report.Report, error) {
	r := &report.Report{Title: title}
	if err := refuseTwice(dirs); err != nil {
		return nil, err
	}
	var first *settings
	for _, dir := range dirs {
		arm, sc, err := reportArm(ctx, dir, store)
		if err != nil {
			return nil, err
		}
		now, err := settingsOf(dir, sc)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = &now
			r.Title = cmp.Or(title, sc.Name)
		}
		for _, d := range first.differences(now) {
			if d.Path != "seed" || len(arm.Runs) == 1 {
				arm.Changes = append(arm.Changes, report.Change{Path: d.Path, From: d.A, To: d.B})
			}
		}
		if len(r.Arms) > 0 {
			if from := r.Arms[0].Physics; arm.Physics != from {
				arm.Changes = append(arm.Changes, report.Change{Path: "physics", From: strconv.Itoa(int(from)), To: strconv.Itoa(int(arm.Physics))})
			}
			addEffects(&r.Arms[0], &arm)
		}
		if r.Arms = append(r.Arms, arm); arm.Runs[0].Cycle != r.Arms[0].Runs[0].Cycle {
			behind, most := dirs[0], max(arm.Runs[0].Cycle, r.Arms[0].Runs[0].Cycle)
			if arm.Runs[0].Cycle < most {
				behind = dir
			}
			return nil, usagef("%s ended at cycle %d and %s at cycle %d, so their figures do not mean the same; kingdom resume %s --cycles %d brings both to the same",
				dirs[0], r.Arms[0].Runs[0].Cycle, dir, arm.Runs[0].Cycle, shellQuote(behind), most)
		}
	}
	for i := range r.Arms {
		for k := range r.Arms {
			if k != i && filepath.Base(r.Arms[k].Name) == r.Arms[i].Name { // such as a/control and b/control
				r.Arms[i].Name = filepath.ToSlash(filepath.Clean(dirs[i]))
				break
			}
		}
	}
	return r, nil
}

// refuseTwice returns an error if a directory is named twice: the page would compare it with itself.
func refuseTwice(dirs []string) error {
	named := map[string]bool{}
	for _, dir := range dirs {
		full, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("report on %s: %w; name it by its full path", dir, err)
		}
		if named[full] {
			return usagef("%s is named twice; a report is about different runs or sweeps", dir)
		}
		named[full] = true
	}
	return nil
}

// addEffects adds to an arm what changed in each metric from the first one, by the seeds that both have; nothing if these are
// fewer than two.
func addEffects(from, to *report.Arm) {
	var pairs [][2]int
	for i := range from.Runs {
		for k := range to.Runs {
			if from.Runs[i].Seed == to.Runs[k].Seed {
				pairs = append(pairs, [2]int{i, k})
			}
		}
	}
	if len(pairs) < 2 {
		return
	}
	effects := make([]effect, len(from.Measures))
	for m := range effects {
		var values []seedEffect
		for _, p := range pairs {
			if v, w := &from.Values[p[0]][m], &to.Values[p[1]][m]; v.Why == "" && w.Why == "" {
				values = append(values, seedEffect{from.Runs[p[0]].Seed, v.X, w.X, w.X - v.X})
			}
		}
		e := effectOf(from.Measures[m].Key, values)
		effects[m] = e
		shown := report.Effect{Seeds: e.Seeds, Change: e.Change, P: e.P, Low: e.Low, High: e.High, DZ: math.NaN()}
		if e.DZ != nil {
			shown.DZ = *e.DZ
		}
		to.Effects = append(to.Effects, shown)
	}
	to.EffectNote = leastPNote(effects)
}

// reportArm collects what a report says about a run, or about the runs of a sweep.
func reportArm(ctx context.Context, dir, store string) (arm report.Arm, sc *scenarios.Scenario, err error) {
	arm.Name = filepath.Base(filepath.Clean(dir))
	if abs, err := filepath.Abs(dir); err == nil {
		arm.Name = filepath.Base(abs)
	}
	if !isSweep(dir) {
		sc, err = addRun(ctx, &arm, dir, store)
	} else {
		sc, err = addSweep(ctx, &arm, dir, store)
	}
	if err != nil {
		return arm, nil, err
	}
	arm.Command = repeatCommand(&arm, isSweep(dir), len(usedModels(sc)) > 0)
	arm.Scenario = string(sc.Show())
	return arm, sc, nil
}

// repeatCommand returns the command that gives the runs of an arm again from its scenario.
func repeatCommand(arm *report.Arm, sweep, models bool) string {
	command := "kingdom run scenario.yaml --cycles " + strconv.FormatUint(arm.Runs[0].Cycle, 10)
	switch {
	case models && sweep:
		return command + " --seed SEED --minds recorded:FILE   # for each seed; FILE is written by: kingdom journal export RUN --thoughts FILE"
	case models:
		return command + " --minds recorded:FILE   # FILE is written by: kingdom journal export RUN --thoughts FILE"
	case sweep:
		seeds := make([]string, len(arm.Runs))
		for i := range arm.Runs {
			seeds[i] = arm.Runs[i].Seed
		}
		return command + " --seeds " + shellQuote(strings.Join(seeds, ","))
	}
	return command
}

func addSweep(ctx context.Context, arm *report.Arm, dir, store string) (*scenarios.Scenario, error) {
	s, runs, err := chooseRuns(dir, store, "", "")
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		if _, err := addRun(ctx, arm, run.dir, run.store); err != nil {
			return nil, fmt.Errorf("seed %s: %w", run.seed, err)
		}
	}
	if origin := s.file.Forked; origin != nil { // of its runs each has a parent of its own
		fork := report.Fork{Of: filepath.Base(origin.Sweep), Cycle: origin.Cycle}
		if len(runs) == 1 {
			fork.WorldHash = arm.Fork.WorldHash
		}
		arm.Fork = &fork
	}
	return s.sc, sameCycle(dir, arm.Runs)
}

// sameCycle returns an error if the runs of a sweep did not end at the same cycle.
func sameCycle(dir string, runs []report.Run) error {
	for i := range runs {
		if a, b := &runs[0], &runs[i]; a.Cycle != b.Cycle {
			return unequalSweepError(dir, a.Seed, a.Cycle, b.Seed, b.Cycle, "")
		}
	}
	return nil
}
