package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	Acts       *actPair               `json:"acts,omitempty"`    // what the agent of the difference did
	Foreign    []foreignJSON          `json:"foreign,omitempty"` // of which this build does something else
	Metrics    []metricPair           `json:"metrics"`
	Warnings   []string               `json:"warnings,omitempty"` // such as that a journal ends early
	builds     [2]engine.Builds
	physics    [2]uint32
	difference *engine.RunDifference
}

// foreignJSON is a run that another build wrote, and where this build does something else.
type foreignJSON struct {
	Run       string         `json:"run"`
	WrittenBy string         `json:"written_by,omitempty"` // none: not known
	At        map[string]any `json:"at"`                   // as replay has it
}

// metricPair is a metric of two runs at the same cycle.
type metricPair struct {
	Metric string  `json:"metric"`
	A      float64 `json:"a"`
	B      float64 `json:"b"`
}

// actPair is what an agent did at the same tick of two runs.
type actPair struct {
	A recordedAct `json:"a"`
	B recordedAct `json:"b"`
}

// actsOf looks up what the agent of a difference did in both runs; nil if neither tells. What no log has, such as a slot in which
// it goes on to rest, the execution of that cycle has.
func actsOf(ctx context.Context, runs [2]*openedRun, dirs [2]string, found *engine.RunDifference) *actPair {
	d := found.First
	if d.Tick == 0 && d.After != nil {
		d = d.After.Act
	}
	if d == nil || d.Agent.IsZero() {
		return nil
	}
	var p actPair
	for i, to := range []*recordedAct{&p.A, &p.B} {
		*to = recordedActOf(ctx, runs[i], dirs[i], d.Agent, d.Tick)
		if to.text() == "" {
			to.Action = found.Chose[i]
		}
		if to.text() == "" && thoughtless(d, [2]string{d.Want, d.Got}[i]) {
			to.Action = "no thought"
		}
	}
	if p.A.text() == "" && p.B.text() == "" {
		return nil
	}
	return &p
}

// print writes what both did.
func (p *actPair) print(a *app) {
	if p == nil {
		return
	}
	fmt.Fprintf(a.out, "  a  %s\n  b  %s\n", cmp.Or(p.A.text(), "not known"), cmp.Or(p.B.text(), "not known"))
	if p.A.text() == p.B.text() {
		fmt.Fprintln(a.out, "  the same action with other parameters or another memory update")
	}
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

// print says that the rules of the sides differ.
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
	var warnings []string
	for i, dir := range dirs {
		if runs[i], err = openRun(ctx, dir, ""); err != nil {
			return err
		}
		defer captureClose(&err, runs[i].store.Close)
		if err := checkStored(ctx, runs[i], dir); err != nil {
			return err
		}
		recorded[i] = engine.Recorded{
			Config: runs[i].config, Dir: dir, Store: runs[i].store, Mind: replayMind(runs[i].scenario), Warn: func(msg string) {
				warnings = append(warnings, msg)
				a.say("%s", msg)
			},
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
		builds:  [2]engine.Builds{runs[0].file.WrittenBy(), runs[1].file.WrittenBy()},
		physics: [2]uint32{runs[0].file.Physics, runs[1].file.Physics},
	}
	if c.difference, err = engine.Difference(ctx, &recorded[0], &recorded[1]); err != nil {
		return err
	}
	if c.Same = c.difference == nil; !c.Same {
		c.First = divergence(c.difference.First)
		c.Acts = actsOf(ctx, runs, dirs, c.difference)
		for i, d := range c.difference.Foreign {
			if d != nil {
				c.Foreign = append(c.Foreign, foreignJSON{dirs[i], c.builds[i].At(uint64(d.Cycle)), divergence(d)})
			}
		}
	}
	c.Warnings = warnings
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
	for _, m := range slices.Concat(agentCounts, slotTotals) {
		out = append(out, metricPair{m.name, float64(m.of(&rows[0])), float64(m.of(&rows[1]))})
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
	d := c.difference.First
	at := fmt.Sprintf("first difference: the end of cycle %d", d.Cycle)
	if d.Cycle == 0 {
		at = "first difference: the worlds as they begin"
	}
	if what, known := componentContents[d.Component]; known {
		fmt.Fprintf(a.out, "%s: other %s in b (%s is %.8s in a, %.8s in b)\n", at, what, d.Component, d.Want, d.Got)
	} else {
		fmt.Fprintf(a.out, "%s: %s\n  a  %s\n  b  %s\n", at, d.Component, d.Want, d.Got)
	}
	after := d.After
	if after == nil { // what agents did could not be compared
		c.printCommands(a, fmt.Sprintf("inspect %%s --cycle %d", d.Cycle), d.Cycle)
		return
	}
	if d.Cycle > 0 {
		fmt.Fprintln(a.out, "inputs, thoughts and requests up to there are the same, so the scenarios or the builds applied them differently")
	}
	if after.Act != nil {
		c.printAct(a, after.Act, "first seen in what happened")
		return
	}
	fmt.Fprintf(a.out, "up to the end of cycle %d no agent thought or sent anything else\n", after.Until)
	if d.Cycle > 0 {
		c.printCommands(a, fmt.Sprintf("inspect %%s --cycle %d", d.Cycle), d.Cycle)
	}
}

// printAct prints what one of the runs did at a tick that the other did not.
func (c *runComparison) printAct(a *app, d *engine.DivergenceError, what string) {
	at := fmt.Sprintf("%s: cycle %d, tick %d", what, d.Cycle, d.Tick)
	switch {
	case d.Component == "input":
		fmt.Fprintf(a.out, "%s: another input\n  a  %s\n  b  %s\n", at, d.Want, d.Got)
	case !d.Agent.IsZero():
		fmt.Fprintf(a.out, "%s, agent %s: another %s\n", at, d.Agent.Alias(), d.Component)
		c.Acts.print(a)
		c.printCommands(a, fmt.Sprintf("explain %%s --agent %s --tick %d", d.Agent.Alias(), d.Tick), d.Cycle)
	case d.Component == "seats":
		fmt.Fprintf(a.out, "%s: %s agents have a slot in a, %s in b\n", at, d.Want, d.Got)
	case d.Component == "stepped tick":
		fmt.Fprintf(a.out, "%s: the next tick with a slot is %s in a, %s in b\n", at, d.Want, d.Got)
	default:
		fmt.Fprintf(a.out, "%s: other %s in b\n", at, d.Component)
	}
}

// printCommands prints a command for both runs, and by which build each must be run.
func (c *runComparison) printCommands(a *app, command string, cycle wire.Cycle) {
	for i, run := range []string{c.A, c.B} {
		by := ""
		if c.difference.Foreign[i] != nil || c.physics[i] != engine.Physics { // this build cannot execute it
			by = "   (with " + cmp.Or(c.writer(i, cycle), "the build that wrote it") + ")"
		}
		fmt.Fprintf(a.out, "  kingdom "+command+"%s\n", shellQuote(run), by)
	}
}

// writer names the build that wrote a cycle of a run; empty if it is this one or not known.
func (c *runComparison) writer(i int, cycle wire.Cycle) string {
	if name := c.builds[i].At(uint64(cycle)); name != "" && name != buildVersion().name() {
		return "kingdom " + name
	}
	return ""
}

// printForeign says from where on this build does not do what the runs have recorded.
func (c *runComparison) printForeign(a *app) {
	for i, d := range c.difference.Foreign {
		if d == nil {
			continue
		}
		at := fmt.Sprintf("cycle %d", d.Cycle)
		if d.Tick > 0 {
			at += fmt.Sprintf(", tick %d", d.Tick)
		}
		this := "this one"
		if name := buildVersion().name(); name != "" {
			this += " (" + name + ")"
		}
		fmt.Fprintf(a.out, "%s was written by %s: %s differs from it at %s (%s)\n",
			[]string{"a", "b"}[i], cmp.Or(c.writer(i, d.Cycle), "another build"), this, at, d.Component)
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
	d := c.difference.First
	if d.Cycle > 0 {
		fmt.Fprintf(a.out, "the same to the end of cycle %d\n", d.Cycle-1)
	}
	if d.Tick > 0 {
		c.printAct(a, d, "first difference")
	} else {
		c.printCycleDifference(a)
	}
	c.printForeign(a)
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
