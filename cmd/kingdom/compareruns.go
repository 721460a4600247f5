package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/scenarios"
	"kingdom/wire"
)

// runComparison is what compare prints of two runs with --json.
type runComparison struct {
	A          string                 `json:"a"`
	B          string                 `json:"b"`
	Cycle      uint64                 `json:"cycle"` // last that both have
	Same       bool                   `json:"same"`  // in all cycles that both have
	Scenario   []scenarios.Difference `json:"scenario"`
	Physics    *physicsPair           `json:"physics,omitempty"` // if they differ
	First      map[string]any         `json:"first,omitempty"`   // as replay has it
	Metrics    []metricPair           `json:"metrics"`
	difference *engine.DivergenceError
}

// metricPair is a metric of two runs at the same cycle.
type metricPair struct {
	Metric string  `json:"metric"`
	A      float64 `json:"a"`
	B      float64 `json:"b"`
}

// physicsPair is the physics versions of two runs or sweeps.
type physicsPair struct {
	A uint32 `json:"a"`
	B uint32 `json:"b"`
}

// otherPhysics returns the physics versions of both sides; nil if they are equal.
func otherPhysics(a, b uint32) *physicsPair {
	if a == b {
		return nil
	}
	return &physicsPair{a, b}
}

// print says that the sides have other rules.
func (p *physicsPair) print(a *app) {
	if p != nil {
		fmt.Fprintf(a.out, "physics    %d in a, %d in b: the rules differ, whatever the scenarios say\n", p.A, p.B)
	}
}

// compareRuns prints where two runs begin to differ and how their metrics differ in the end.
func compareRuns(a *app, cmd *cobra.Command, dirs [2]string) (err error) {
	ctx := cmd.Context()
	var runs [2]*openedRun
	var recorded [2]engine.Recorded
	for i, dir := range dirs {
		if runs[i], err = openRun(ctx, dir, ""); err != nil {
			return err
		}
		defer captureClose(&err, runs[i].store.Close)
		if err := checkStored(ctx, runs[i], dir); err != nil {
			return err
		}
		recorded[i] = engine.Recorded{
			Config: runs[i].config, Dir: dir, Store: runs[i].store, Mind: replayMind(runs[i].scenario), Warn: func(msg string) { a.say("%s", msg) },
		}
	}
	var now [2]settings
	for i, dir := range dirs {
		if now[i], err = settingsOf(dir, runs[i].scenario); err != nil {
			return err
		}
	}
	c := runComparison{
		A: dirs[0], B: dirs[1], Cycle: min(runs[0].state.Last, runs[1].state.Last), Scenario: now[0].differences(now[1]),
		Physics: otherPhysics(runs[0].file.Physics, runs[1].file.Physics),
	}
	if c.difference, err = engine.Difference(ctx, &recorded[0], &recorded[1]); err != nil {
		return err
	}
	if c.Same = c.difference == nil; !c.Same {
		c.First = divergence(c.difference)
	}
	if c.Metrics, err = metricPairs(ctx, runs, wire.Cycle(c.Cycle)); err != nil {
		return err
	}
	if a.json {
		a.jsonLine(&c)
		return nil
	}
	c.print(a)
	return nil
}

// metricPairs reads the metrics of two runs at a cycle: those of its row of observer.metrics, and those that results.csv has
// beside them.
func metricPairs(ctx context.Context, runs [2]*openedRun, at wire.Cycle) ([]metricPair, error) {
	var texts [2][]string
	for i, run := range runs {
		var err error
		if texts[i], err = metricsAt(ctx, run.store, at); err != nil {
			return nil, err
		}
	}
	out := []metricPair{}
	for i, name := range metricNames() {
		if i >= len(texts[0]) || i >= len(texts[1]) {
			break // a cycle without metrics
		}
		x, errA := strconv.ParseFloat(texts[0][i], 64)
		y, errB := strconv.ParseFloat(texts[1][i], 64)
		if err := errors.Join(errA, errB); err != nil {
			return nil, fmt.Errorf("read metric %s: %w", name, err)
		}
		out = append(out, metricPair{name, x, y})
	}
	var rows [2]engine.CycleRow
	for i, run := range runs {
		found, err := run.store.Cycles(ctx, at, at)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return out, nil
		}
		rows[i] = found[0]
	}
	for _, t := range []struct {
		name string
		of   func(r *engine.CycleRow) uint64
	}{
		{"active", func(r *engine.CycleRow) uint64 { return uint64(r.Active) }},
		{"dormant", func(r *engine.CycleRow) uint64 { return uint64(r.Dormant) }},
		{"dead", func(r *engine.CycleRow) uint64 { return uint64(r.Dead) }},
		{"total_agent_ticks", func(r *engine.CycleRow) uint64 { return r.AgentTicks }},
		{"total_nops", func(r *engine.CycleRow) uint64 { return r.NOPs }},
		{"total_nop_warnings", func(r *engine.CycleRow) uint64 { return r.Warnings }},
		{"total_fell_dormant", func(r *engine.CycleRow) uint64 { return r.Slept }},
	} {
		out = append(out, metricPair{t.name, float64(t.of(&rows[0])), float64(t.of(&rows[1]))})
	}
	return out, nil
}

// componentContents says which data each component hash of a cycle covers.
var componentContents = map[string]string{
	"nexus": "agents, proposals, votes and budgets", "vault": "repos and objects", "agora": "channels, messages, bounties and reviews",
	"oracle": "entries, verdicts and citations", "forge": "sandboxes and services", "mint": "accounts, escrows, stakes and rewards",
	"portal": "cached pages and quotas", "agents_hash": "memories, goals and plans of the agents", "bus_hash": "deliveries that wait for agents",
	"envelopes": "requests of the cycle", "thoughts": "thoughts of the cycle",
}

// printCycleDifference prints a difference that is known only by the hashes at the end of a cycle.
func (c *runComparison) printCycleDifference(a *app) {
	d := c.difference
	at := fmt.Sprintf("first difference: the end of cycle %d", d.Cycle)
	if d.Cycle == 0 {
		at = "first difference: the worlds as they begin"
	}
	what, known := componentContents[d.Component]
	if !known {
		fmt.Fprintf(a.out, "%s: %s\n  a  %s\n  b  %s\n", at, d.Component, d.Want, d.Got)
		return
	}
	fmt.Fprintf(a.out, "%s: other %s in b (%s is %.8s in a, %.8s in b)\n", at, what, d.Component, d.Want, d.Got)
	if d.Cycle == 0 {
		return // nobody has acted yet; the scenarios or the versions differ
	}
	fmt.Fprintln(a.out, "inputs, thoughts and requests up to there are the same, so the scenarios or the builds applied them differently; to look at both:")
	for _, run := range []string{c.A, c.B} {
		fmt.Fprintf(a.out, "  kingdom inspect %s --cycle %d\n", shellQuote(run), d.Cycle)
	}
}

func (c *runComparison) print(a *app) {
	fmt.Fprintf(a.out, "a  %s\nb  %s\n", c.A, c.B)
	for _, d := range c.Scenario {
		fmt.Fprintf(a.out, "scenario   %s: %s in a, %s in b\n", d.Path, cmp.Or(d.A, "nothing"), cmp.Or(d.B, "nothing"))
	}
	c.Physics.print(a)
	if c.Same {
		fmt.Fprintf(a.out, "the same in all of the cycles 0 to %d that both have\n", c.Cycle)
		return
	}
	d := c.difference
	if d.Cycle > 0 {
		fmt.Fprintf(a.out, "the same to the end of cycle %d\n", d.Cycle-1)
	}
	switch {
	case d.Component == "input":
		fmt.Fprintf(a.out, "first difference: cycle %d, tick %d: another input\n  a  %s\n  b  %s\n", d.Cycle, d.Tick, d.Want, d.Got)
	case !d.Agent.IsZero():
		fmt.Fprintf(a.out, "first difference: cycle %d, tick %d, agent %s: another %s\n", d.Cycle, d.Tick, d.Agent.Alias(), d.Component)
		for _, run := range []string{c.A, c.B} {
			fmt.Fprintf(a.out, "  kingdom explain %s --agent %s --tick %d\n", shellQuote(run), d.Agent.Alias(), d.Tick)
		}
	case d.Tick > 0 && d.Component == "seats":
		fmt.Fprintf(a.out, "first difference: cycle %d, tick %d: %s agents have a slot in a, %s in b\n", d.Cycle, d.Tick, d.Want, d.Got)
	case d.Tick > 0:
		fmt.Fprintf(a.out, "first difference: cycle %d, tick %d: other %s in b\n", d.Cycle, d.Tick, d.Component)
	default:
		c.printCycleDifference(a)
	}
	fmt.Fprintf(a.out, "at cycle %d:\n", c.Cycle)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METRIC\tA\tB\tDIFFERENCE")
	var equal, shown []string
	for _, m := range c.Metrics {
		if m.A == m.B {
			equal = append(equal, m.Metric+" "+formatMetric(m.A))
			continue
		}
		shown = append(shown, m.Metric)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", m.Metric, formatMetric(m.A), formatMetric(m.B), formatChange(m.B-m.A))
	}
	w.Flush()
	a.noteCounted(shown)
	if len(equal) > 0 {
		fmt.Fprintln(a.out, wrapList("equal in both: ", equal))
	}
}
