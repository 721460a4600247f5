package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"kingdom/llm"
	"kingdom/society"
)

// groupedSociety is what the command prints with --by.
type groupedSociety struct {
	name   string
	by     string
	sweep  bool
	from   uint64 // as in measuring
	cycles uint64
	runs   []groupedRun
	groups []string // in all runs, in the order of their first appearance
}

// groupedRun is a run with the figures of its groups.
type groupedRun struct {
	dir    string
	seed   string
	groups []agentGroup
	values [][]float64 // of each group; NaN: none
}

// groupFigure is a figure of a group, over the runs in which there is one.
type groupFigure struct {
	*society.GroupMeasure
	group  string
	agents float64 // mean over the runs that have the group
	xs     []float64
	pairs  int     // runs in which the first group has one too
	change *effect // from the first group, by the runs that have both; nil: it is the first, or there are not two such runs
}

func groupDir(ctx context.Context, dir string, f *measuring, by string) (*groupedSociety, error) {
	if by != byGroup && by != byRole && by != byMind {
		return nil, usagef("--by is %q; want group (the items of population), role or mind", by)
	}
	g := &groupedSociety{name: dir, by: by, from: f.from, sweep: isSweep(dir)}
	runs := []*sweepRun{{dir: dir, store: f.store}}
	choice := ", or choose other seeds with --seeds"
	switch {
	case g.sweep:
		var err error
		if _, runs, err = chooseRuns(dir, f.store, f.seeds, choice); err != nil {
			return nil, err
		}
	case f.seeds != "":
		return nil, seedsOfNoSweepError(dir, f.seeds)
	}
	for _, run := range runs {
		r, cycles, err := groupRun(ctx, run.dir, run.store, f, by)
		if err != nil && g.sweep {
			err = fmt.Errorf("seed %s: %w", run.seed, err)
		}
		if err != nil {
			return nil, err
		}
		if len(g.runs) == 0 {
			g.cycles = cycles
		}
		if cycles != g.cycles {
			return nil, unequalSweepError(dir, g.runs[0].seed, g.cycles, r.seed, cycles, choice)
		}
		g.runs = append(g.runs, r)
		for _, group := range r.groups {
			if !slices.Contains(g.groups, group.name) {
				g.groups = append(g.groups, group.name)
			}
		}
	}
	return g, nil
}

func groupRun(ctx context.Context, dir, store string, f *measuring, by string) (out groupedRun, cycles uint64, err error) {
	run, r, err := openSociety(ctx, dir, store)
	if err != nil {
		return out, 0, err
	}
	defer captureClose(&err, run.store.Close)
	names, err := namesIn(ctx, run)
	if err != nil {
		return out, 0, err
	}
	minds, err := givenMinds(ctx, run, r.Agents)
	if err != nil {
		return out, 0, err
	}
	out = groupedRun{dir: dir, seed: seedOf(run.scenario), groups: groupAgents(run.scenario, by, r.Agents, names, minds)}
	members := make([][]int, len(out.groups))
	for i := range members {
		members[i] = out.groups[i].members
	}
	counted, err := f.count(dir, r)
	if err != nil {
		return out, 0, err
	}
	out.values = counted.MeasureGroups(members)
	return out, r.Last, nil
}

// value returns a figure of a group in a run; NaN if there is none.
func (r *groupedRun) value(group string, figure int) float64 {
	if i := slices.IndexFunc(r.groups, func(g agentGroup) bool { return g.name == group }); i >= 0 {
		return r.values[i][figure]
	}
	return math.NaN()
}

// figure returns a figure of a group over all runs.
func (g *groupedSociety) figure(group, figure int) groupFigure {
	out := groupFigure{GroupMeasure: &society.GroupCatalogue()[figure], group: g.groups[group]}
	var pairs []seedEffect
	with := 0.0
	for i := range g.runs {
		r := &g.runs[i]
		if k := slices.IndexFunc(r.groups, func(a agentGroup) bool { return a.name == out.group }); k >= 0 {
			out.agents, with = out.agents+float64(len(r.groups[k].members)), with+1
		}
		first, x := r.value(g.groups[0], figure), r.value(out.group, figure)
		if math.IsNaN(x) {
			continue
		}
		out.xs = append(out.xs, x)
		if !math.IsNaN(first) {
			pairs = append(pairs, seedEffect{r.seed, first, x, x - first})
		}
	}
	out.agents, out.pairs = out.agents/with, len(pairs)
	if group > 0 && len(pairs) > 1 {
		e := effectOf(out.Key, pairs)
		out.change = &e
	}
	return out
}

// all calls do with each figure of each group, the groups of a figure one after the other.
func (g *groupedSociety) all(do func(*groupFigure)) {
	for i := range society.GroupCatalogue() {
		for k := range g.groups {
			f := g.figure(k, i)
			do(&f)
		}
	}
}

func (g *groupedSociety) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	catalogue := society.GroupCatalogue()
	if !g.sweep {
		fmt.Fprintf(out, "%s%s\n", llm.Count(g.cycles, "cycle"), countedFrom(g.from))
		fmt.Fprintf(w, "%s\tAGENTS", strings.ToUpper(g.by))
		for i := range catalogue {
			fmt.Fprintf(w, "\t%s", strings.ToUpper(catalogue[i].Key))
		}
		for k, group := range g.runs[0].groups {
			fmt.Fprintf(w, "\n%s\t%d", group.name, len(group.members))
			for _, x := range g.runs[0].values[k] {
				fmt.Fprintf(w, "\t%s", orDash(x, formatShort))
			}
		}
		fmt.Fprintln(w)
		_ = w.Flush() // output keeps the error
		for i := range catalogue {
			fmt.Fprintf(w, "%s\t%s\n", catalogue[i].Key, catalogue[i].Definition)
		}
		_ = w.Flush()
		return
	}
	seeds := make([]string, len(g.runs))
	for i := range g.runs {
		seeds[i] = g.runs[i].seed
	}
	fmt.Fprintf(out, "%s: seeds %s\n%s%s; CHANGE is from %s in the same runs, P that of the sign test\n", g.name, strings.Join(seeds, ", "), llm.Count(g.cycles, "cycle"), countedFrom(g.from), g.groups[0])
	fewer := false // a figure of fewer seeds than the heading names
	g.all(func(f *groupFigure) { fewer = fewer || len(f.xs) < len(g.runs) })
	counts := ""
	if fewer {
		fmt.Fprintf(out, "SEEDS: how many have the figure; PAIRS: how many have it in %s too, of which CHANGE is\n", g.groups[0])
		counts = "SEEDS\tPAIRS\t"
	}
	fmt.Fprintf(w, "FIGURE\t%s\tAGENTS\tMEAN\tSD\t%sCHANGE\tUP\tDOWN\tP\tWHAT IT IS\n", strings.ToUpper(g.by), counts)
	g.all(func(f *groupFigure) {
		key, definition, change := f.Key, f.Definition, "\t\t\t"
		if f.group != g.groups[0] {
			key, definition, change = "", "", "-\t-\t-\t-"
		}
		if e := f.change; e != nil {
			change = fmt.Sprintf("%s\t%d\t%d\t%.2g", formatChange(e.Change), e.Up, e.Down, e.P)
		}
		counts := ""
		switch {
		case fewer && f.group == g.groups[0]:
			counts = fmt.Sprintf("%d\t\t", len(f.xs))
		case fewer:
			counts = fmt.Sprintf("%d\t%d\t", len(f.xs), f.pairs)
		}
		mean, sd := society.MeanSD(f.xs)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s%s\t%s\n", key, f.group, formatShort(f.agents), orDash(mean, formatShort), orDash(sd, formatShort), counts, change, definition)
	})
	_ = w.Flush() // output keeps the error
}

// orDash formats a figure; a dash stands for NaN.
func orDash(x float64, format func(float64) string) string {
	if math.IsNaN(x) {
		return "-"
	}
	return format(x)
}

type groupedJSON struct {
	By      string            `json:"by"`
	From    uint64            `json:"from,omitempty"`
	Cycles  uint64            `json:"cycles"`
	Runs    []groupedRunJSON  `json:"runs"`
	Figures []groupFigureJSON `json:"figures"`
}

type groupedRunJSON struct {
	Run  string `json:"run"`
	Seed string `json:"seed"`
}

type groupFigureJSON struct {
	Key        string   `json:"key"`
	Definition string   `json:"definition"`
	Group      string   `json:"group"`
	Agents     float64  `json:"agents"`
	Value      *float64 `json:"value"`
	SD         *float64 `json:"sd"`
	Runs       int      `json:"runs"`
	Change     *effect  `json:"change"`
}

func (g *groupedSociety) toJSON() groupedJSON {
	out := groupedJSON{By: g.by, From: g.from, Cycles: g.cycles}
	for i := range g.runs {
		out.Runs = append(out.Runs, groupedRunJSON{g.runs[i].dir, g.runs[i].seed})
	}
	g.all(func(f *groupFigure) {
		mean, sd := society.MeanSD(f.xs)
		out.Figures = append(out.Figures, groupFigureJSON{f.Key, f.Definition, f.group, f.agents, known(mean), known(sd), len(f.xs), f.change})
	})
	return out
}

// known returns a pointer to a figure; nil for NaN.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

func (g *groupedSociety) printCSV(out io.Writer) error {
	lines := [][]string{{"key", "group", "agents", "value", "sd", "runs", "change", "up", "down", "p", "definition"}}
	exact := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return formatExact(x)
	}
	g.all(func(f *groupFigure) {
		mean, sd := society.MeanSD(f.xs)
		line := []string{f.Key, f.group, formatExact(f.agents), exact(mean), exact(sd), strconv.Itoa(len(f.xs)), "", "", "", "", f.Definition}
		if e := f.change; e != nil {
			line[6], line[7], line[8], line[9] = formatExact(e.Change), strconv.Itoa(e.Up), strconv.Itoa(e.Down), formatExact(e.P)
		}
		lines = append(lines, line)
	})
	return csv.NewWriter(out).WriteAll(lines)
}
