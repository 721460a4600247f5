package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kingdom/llm"
	"kingdom/scenarios"
)

// experiment is two sweeps, such as a control and a treatment, whose runs are compared seed by seed.
type experiment struct {
	a, b    *sweepResults
	cycle   uint64   // at which all ended
	from    uint64   // cycle from which on things count; 0: from the beginning
	seeds   []string // that finished in both, in the order of a
	leftOut []string // the others
	onlyOne []string // those of leftOut that only one of the sweeps has
	differ  []scenarios.Difference
	physics *physicsPair // if they differ

	society    bool     // the metrics are those of docs/SOCIETY.md
	by         string   // what the groups of agents are whose figures are compared; "": all agents are
	groupsLeft []string // that only one of them has
}

// experimentComparison is what compare prints of two sweeps with --json.
type experimentComparison struct {
	A        string                 `json:"a"`
	B        string                 `json:"b"`
	From     uint64                 `json:"from,omitempty"`
	Cycle    uint64                 `json:"cycle"`
	By       string                 `json:"by,omitempty"`
	Seeds    int                    `json:"seeds"`
	LeftOut  []string               `json:"left_out"`
	OnlyOne  []string               `json:"only_in_one"` // of LeftOut
	Scenario []scenarios.Difference `json:"scenario"`
	Physics  *physicsPair           `json:"physics,omitempty"` // if they differ
	Metrics  []effect               `json:"metrics"`
	Pairs    *[]seedEffect          `json:"pairs,omitempty"` // with --metric
}

// sweepOf is the directory of the sweep that an argument of compare names; "": it names none.
func sweepOf(path string) string {
	dir := path
	if filepath.Base(path) == resultsFile {
		dir = filepath.Dir(path)
	}
	if !isSweep(dir) {
		return ""
	}
	return dir
}

// compareSweeps prints what differs between two sweeps with the same seeds: with a metric the differences of its seeds
// that exceed above, otherwise all metrics.
func compareSweeps(ctx context.Context, a *app, paths [2]string, c *comparing) error {
	x, err := openExperiment(paths)
	if err != nil {
		return err
	}
	for _, side := range []*sweepResults{x.a, x.b} {
		warnOfAnswers(a.say, side.path, side.dirs)
	}
	switch {
	case c.by != "":
		err = x.measureGroups(ctx, c)
	case c.society:
		err = x.measureSocieties(ctx, c.from)
	}
	if err != nil {
		return err
	}
	if c.metric == "" {
		return x.printEffects(a)
	}
	name, err := x.a.metric(c.metric)
	if err != nil {
		return err
	}
	return x.printSeeds(a, name, c.above)
}

// measureSocieties replaces the metrics of both sides by those of docs/SOCIETY.md, counted from a cycle on. A metric that cannot be computed is NaN.
func (x *experiment) measureSocieties(ctx context.Context, from uint64) error {
	x.from, x.society = from, true
	for _, side := range []*sweepResults{x.a, x.b} {
		var m measuredSociety
		if err := m.measureSweep(ctx, sweepOf(side.path), &measuring{seeds: strings.Join(x.seeds, ","), from: from}); err != nil {
			return err
		}
		side.seeds, side.names, side.values = x.seeds, nil, map[string][]float64{}
		for _, v := range m.runs[0].values {
			side.names = append(side.names, v.Key)
		}
		for i := range m.runs {
			for _, v := range m.runs[i].values {
				at := v.X
				if v.Why != "" {
					at = math.NaN()
				}
				side.values[v.Key] = append(side.values[v.Key], at)
			}
		}
	}
	return nil
}

func openExperiment(paths [2]string) (*experiment, error) {
	var sides [2]*sweepResults
	var sweeps [2]*sweep
	for i, path := range paths {
		dir := sweepOf(path)
		if dir == "" && !fileExists(path) {
			return nil, usagef("%s does not exist; want the directory of a sweep, or its %s", path, resultsFile)
		} else if dir == "" {
			return nil, usagef("%s is not a sweep, but %s is; compare two runs or two sweeps", path, paths[1-i])
		}
		var err error
		if sweeps[i], err = openSweep(dir); err != nil {
			return nil, err
		}
		if sides[i], err = readResults(path); err != nil {
			return nil, err
		}
	}
	var cycles [2]uint64
	for i, side := range sides {
		var err error
		if cycles[i], err = strconv.ParseUint(side.cycles[0], 10, 64); err != nil {
			return nil, usagef("%s: cycle is %q; want a number", side.path, side.cycles[0])
		}
	}
	if cycles[0] != cycles[1] {
		behind := 0
		if cycles[1] < cycles[0] {
			behind = 1
		}
		return nil, usagef("%s ended at cycle %d and %s at cycle %d, so their metrics do not mean the same; kingdom resume %s --cycles %d brings both to the same",
			sides[0].path, cycles[0], sides[1].path, cycles[1], shellQuote(sweepOf(sides[behind].path)), max(cycles[0], cycles[1]))
	}
	x := &experiment{a: sides[0], b: sides[1], cycle: cycles[0]}
	if !slices.Equal(x.a.names, x.b.names) {
		return nil, usagef("%s and %s have different metrics, because different versions of kingdom wrote them; kingdom resume SWEEP writes the table of a sweep anew", x.a.path, x.b.path)
	}
	for _, seed := range x.a.seeds {
		if slices.Contains(x.b.seeds, seed) {
			x.seeds = append(x.seeds, seed)
		}
	}
	for _, seed := range slices.Concat(x.a.seeds, x.a.leftOut, x.b.seeds, x.b.leftOut) {
		if !slices.Contains(x.seeds, seed) && !slices.Contains(x.leftOut, seed) {
			x.leftOut = append(x.leftOut, seed)
			if !x.a.has(seed) || !x.b.has(seed) {
				x.onlyOne = append(x.onlyOne, seed)
			}
		}
	}
	if len(x.seeds) < 2 {
		return nil, usagef("%s and %s have %s in common that finished; comparing needs two, so sweep both with the same --seeds", x.a.path, x.b.path, llm.Count(uint64(len(x.seeds)), "seed"))
	}
	var now [2]settings
	for i, s := range sweeps {
		now[i] = settings{s.sc, s.file.Budget}
	}
	x.differ = slices.DeleteFunc(now[0].differences(now[1]), func(d scenarios.Difference) bool { return d.Path == "seed" })
	x.physics = otherPhysics(sweeps[0].file.Physics, sweeps[1].file.Physics)
	return x, nil
}

// has reports whether a sweep has a seed, finished or not.
func (m *sweepResults) has(seed string) bool {
	return slices.Contains(m.seeds, seed) || slices.Contains(m.leftOut, seed)
}

// values returns a metric of both sides for the seeds that have it in both, in the order of x.seeds.
func (x *experiment) values(metric string) []seedEffect {
	out := make([]seedEffect, 0, len(x.seeds))
	for _, seed := range x.seeds {
		from, to := x.a.values[metric][slices.Index(x.a.seeds, seed)], x.b.values[metric][slices.Index(x.b.seeds, seed)]
		if change := to - from; !math.IsNaN(change) {
			out = append(out, seedEffect{seed, from, to, change})
		}
	}
	return out
}

// effectOn returns the effect on a metric; all but the number of seeds is 0 if fewer than two have it.
func (x *experiment) effectOn(metric string) effect {
	e := effectOf(metric, x.values(metric))
	e.Group, e.Metric = x.splitMetric(metric)
	return e
}

// heading prints what is compared, unless --json is set, and returns the object for --json without its metrics.
func (x *experiment) heading(a *app) experimentComparison {
	if !a.json {
		fmt.Fprintf(a.out, "a  %s\nb  %s\n", x.a.path, x.b.path)
		for _, d := range x.differ {
			fmt.Fprintf(a.out, "scenario   %s: %s in a, %s in b\n", d.Path, cmp.Or(d.A, "nothing"), cmp.Or(d.B, "nothing"))
		}
		x.physics.print(a)
		fmt.Fprintf(a.out, "%s at cycle %d%s\n", llm.Count(uint64(len(x.seeds)), "seed"), x.cycle, countedFrom(x.from))
		open := slices.DeleteFunc(slices.Clone(x.leftOut), func(seed string) bool { return slices.Contains(x.onlyOne, seed) })
		if len(open) > 0 {
			fmt.Fprintf(a.out, "left out, because they did not finish in both: %s\n", strings.Join(open, ", "))
		}
		if len(x.onlyOne) > 0 {
			fmt.Fprintf(a.out, "left out, because only one of the two has them: %s\n", strings.Join(x.onlyOne, ", "))
		}
		x.writeGroupsLeft(a.out)
	}
	return experimentComparison{
		A: x.a.path, B: x.b.path, From: x.from, Cycle: x.cycle, By: x.by, Seeds: len(x.seeds), LeftOut: append([]string{}, x.leftOut...), OnlyOne: append([]string{}, x.onlyOne...), Scenario: x.differ, Physics: x.physics, Metrics: []effect{},
	}
}

// printEffects prints all metrics. Those that are equal for each seed are listed together below the table, as are those
// that fewer than two seeds have. If a shown metric is missing for some seeds, a column tells how many have it.
func (x *experiment) printEffects(a *app) error {
	out := x.heading(a)
	var equal, missing []string
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, name := range x.a.names {
		e := x.effectOn(name)
		out.Metrics = append(out.Metrics, e)
		switch {
		case e.Seeds < 2:
			missing = append(missing, name)
		case e.Up+e.Down == 0:
			equal = append(equal, name)
		}
	}
	if a.json {
		a.jsonLine(out)
		return nil
	}
	fewer := slices.ContainsFunc(out.Metrics, func(e effect) bool { return e.Up+e.Down > 0 && e.Seeds < len(x.seeds) })
	if len(equal)+len(missing) < len(out.Metrics) {
		if x.by != "" {
			fmt.Fprintf(w, "%s\t", strings.ToUpper(x.by))
		}
		fmt.Fprint(w, "METRIC\tA\tB\tCHANGE\tSD\tUP\tDOWN\tP\tLOW\tHIGH\tD_Z")
		if fewer {
			fmt.Fprint(w, "\tSEEDS")
		}
		fmt.Fprintln(w)
	}
	var shown []string
	for _, e := range out.Metrics {
		if e.Up+e.Down > 0 {
			shown = append(shown, e.Metric)
			if x.by != "" {
				fmt.Fprintf(w, "%s\t", e.Group)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%.2g\t%s\t%s\t%s", e.Metric, formatMetric(e.A), formatMetric(e.B), formatChange(e.Change), formatMetric(e.SD), e.Up, e.Down, e.P, formatMetric(e.Low), formatMetric(e.High), e.dzText())
			if fewer {
				fmt.Fprintf(w, "\t%d", e.Seeds)
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
	if len(shown) > 0 {
		fmt.Fprintln(a.out, "LOW and HIGH: 95 % confidence interval of the change; D_Z: change / SD")
	}
	noteLeastP(a.out, out.Metrics)
	if !x.society { // there velocity is a mean over cycles
		a.noteCounted(shown)
	}
	if len(equal) > 0 {
		fmt.Fprintln(a.out, wrapList("equal for each seed: ", equal))
	}
	if len(missing) > 0 {
		fmt.Fprintln(a.out, wrapList("with a figure for fewer than two seeds: ", missing))
	}
	return nil
}

// printSeeds prints the seeds whose values of a metric differ by more than above, the largest difference first.
func (x *experiment) printSeeds(a *app, name string, above float64) error {
	e, pairs := x.effectOn(name), x.values(name)
	if e.Seeds < 2 {
		return usagef("%s has a figure in both for %s; comparing needs two", name, llm.Count(uint64(e.Seeds), "seed"))
	}
	out := x.heading(a)
	pairs = slices.DeleteFunc(pairs, func(p seedEffect) bool { return math.Abs(p.Change) <= above })
	slices.SortStableFunc(pairs, func(p, q seedEffect) int { return cmp.Compare(math.Abs(q.Change), math.Abs(p.Change)) })
	if a.json {
		out.Metrics, out.Pairs = append(out.Metrics, e), &pairs
		a.jsonLine(out)
		return nil
	}
	of := ""
	if e.Seeds < len(x.seeds) {
		of = fmt.Sprintf(", of the %d seeds with a figure in both", e.Seeds)
	}
	fmt.Fprintf(a.out, "%s%s: mean %s in a, %s in b; change %s, sd %s; more in %d, less in %d, p %.2g; 95 %% confidence interval of the change %s to %s, d_z %s\n",
		name, of, formatMetric(e.A), formatMetric(e.B), formatChange(e.Change), formatMetric(e.SD), e.Up, e.Down, e.P, formatMetric(e.Low), formatMetric(e.High), e.dzText())
	if len(pairs) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SEED\tA\tB\tCHANGE")
	for _, p := range pairs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Seed, formatMetric(p.A), formatMetric(p.B), formatChange(p.Change))
	}
	w.Flush()
	return nil
}
