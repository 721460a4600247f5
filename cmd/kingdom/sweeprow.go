package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kingdom/engine"
	"kingdom/engine/durable"
	"kingdom/llm/spend"
	"kingdom/sql/table"
	"kingdom/wire"
)

// resultsFile is the table with the results of a sweep.
const resultsFile = "results.csv"

// row is the row of a run in results.csv. Numbers are those of its last cycle.
type row struct {
	status  engine.Status
	err     string
	known   bool // a cycle is stored, so the fields below are set
	cycle   engine.CycleRow
	metrics []string      // of observer.metrics, as metricNames names them
	spent   spend.Total   // since the run began
	answers *modelAnswers // since the run began; nil: no model was to be asked, or it is not known
	refused int           // inputs of the scenario that the world refused
}

// metricNames are the columns of observer.metrics that are measured: all but cycle and epoch.
func metricNames() []string {
	var out []string
	for _, c := range table.Metrics.Columns {
		if c.Name != "cycle" && c.Name != "epoch" {
			out = append(out, c.Name)
		}
	}
	return out
}

// cycleMetric is a metric that stands in the row of a cycle, beside those of observer.metrics.
type cycleMetric struct {
	name string
	of   func(r *engine.CycleRow) uint64
}

// agentCounts say how many agents there are at the end of a cycle, slotTotals what their slots came to since the run began.
var (
	agentCounts = []cycleMetric{
		{"active", func(r *engine.CycleRow) uint64 { return uint64(r.Active) }},
		{"dormant", func(r *engine.CycleRow) uint64 { return uint64(r.Dormant) }},
		{"dead", func(r *engine.CycleRow) uint64 { return uint64(r.Dead) }},
	}
	slotTotals = []cycleMetric{
		{"total_agent_ticks", func(r *engine.CycleRow) uint64 { return r.AgentTicks }},
		{"total_nops", func(r *engine.CycleRow) uint64 { return r.NOPs }},
		{"total_nop_warnings", func(r *engine.CycleRow) uint64 { return r.Warnings }},
		{"total_fell_dormant", func(r *engine.CycleRow) uint64 { return r.Slept }},
	}
)

// readRow reads the row of a run from its store.
func (r *sweepRun) readRow(ctx context.Context) error {
	r.row = row{status: statusMissing}
	if r.err != nil {
		r.row.status = engine.StatusFailed
		r.row.err = oneLine(r.err.Error())
	}
	if !r.begun {
		return nil
	}
	run, err := openRun(ctx, r.dir, r.store)
	if err != nil {
		return err
	}
	defer func() { _ = run.store.Close() }() // it was only read
	r.row.status = run.state.Status
	if r.row.status == engine.StatusRunning {
		r.row.err = ""
	} else if r.row.status != engine.StatusFinished && r.row.err == "" {
		r.row.err = oneLine(run.file.Error)
	}
	if r.row.status == engine.StatusCapped && (r.err == nil || asType[*engine.CapError](r.err)) {
		r.row.err = "its cap is reached" // the error of the run has the remedy of a single run
	}
	last := wire.Cycle(run.state.Last)
	cycles, err := run.store.Cycles(ctx, last, last)
	if err != nil || len(cycles) == 0 {
		return err
	}
	r.row.cycle, r.row.known = cycles[0], true
	t, err := spend.Read(filepath.Join(r.dir, spend.FileName))
	if err != nil {
		return err
	}
	r.row.spent = t.Run
	if r.row.answers, err = modelThoughts(run.scenario, &run.config, r.dir, engine.LastCycle, nil); err != nil {
		return err
	}
	if r.row.answers == nil && r.row.err == "" && len(usedModels(run.scenario)) > 0 {
		r.row.err = "its journal is missing or damaged, so what came of the answers of models is not known"
	}
	planned, err := plannedInputResult(ctx, run.store, r.dir, run.scenario, &run.config, last)
	if err != nil {
		return err
	}
	r.row.refused = len(planned.refused)
	r.row.metrics, err = metricsAt(ctx, run.store, last)
	return err
}

// oneLine joins the lines of a text, so that it fits a cell.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// metricsAt reads a row of observer.metrics.
func metricsAt(ctx context.Context, st boundStore, cycle wire.Cycle) (out []string, err error) {
	names := metricNames()
	stmt := "SELECT " + strings.Join(names, ", ") + " FROM observer.metrics WHERE cycle = $1"
	err = st.Query(ctx, stmt, []any{int64(cycle)}, func(c table.Cursor) error {
		for c.Next() {
			dest := metricDest(names)
			if err := c.Scan(dest...); err != nil {
				return err
			}
			out = make([]string, len(names))
			for i := range dest {
				switch v := dest[i].(type) {
				case *int64:
					out[i] = strconv.FormatInt(*v, 10)
				case *float64:
					out[i] = strconv.FormatFloat(*v, 'g', -1, 64)
				}
			}
		}
		return c.Err()
	})
	return out, err
}

// metricDest returns where a row with these columns of observer.metrics is scanned to: an *int64 or a *float64 each.
func metricDest(names []string) []any {
	dest := make([]any, len(names))
	for i := range dest {
		dest[i] = new(float64)
		if k := table.Metrics.Columns[slices.IndexFunc(table.Metrics.Columns, func(c table.Column) bool { return c.Name == names[i] })].Kind; k == table.Int || k == table.Small {
			dest[i] = new(int64)
		}
	}
	return dest
}

// overrides are the paths and values of --set, each path once, in the order given.
func overrides(set []string) (paths, values []string) {
	for _, s := range set {
		path, value, _ := strings.Cut(s, "=")
		if i := slices.Index(paths, path); i >= 0 {
			values[i] = value
			continue
		}
		paths, values = append(paths, path), append(values, value)
	}
	return paths, values
}

// headings returns the columns of results.csv: the seed, the overrides, the state of the run, the
// metrics of its last cycle, and the totals since it began.
func (s *sweep) headings() []string {
	paths, _ := overrides(s.file.Set)
	out := append([]string{"seed"}, paths...)
	out = append(out, "status", "cycle", "tick", "epoch", "world_hash")
	for _, m := range agentCounts {
		out = append(out, m.name)
	}
	out = append(out, metricNames()...)
	for _, m := range slotTotals {
		out = append(out, m.name)
	}
	return append(out, "total_calls", "total_prompt_tokens", "total_output_tokens", "total_cost_micro_usd", "total_unusable", "total_fallbacks", "total_unanswered", "run", "error")
}

// cells returns the row of a run. Unknown values are empty.
func (s *sweep) cells(r *sweepRun) []string {
	_, values := overrides(s.file.Set)
	out := append([]string{r.seed}, values...)
	out = append(out, string(r.row.status))
	u := func(n uint64) string { return strconv.FormatUint(n, 10) }
	if c := &r.row.cycle; r.row.known {
		out = append(out, u(uint64(c.Cycle)), u(uint64(c.Tick)), u(uint64(c.Epoch)), c.WorldHash.String())
		for _, m := range agentCounts {
			out = append(out, u(m.of(c)))
		}
		out = append(out, r.row.metrics...)
		for _, m := range slotTotals {
			out = append(out, u(m.of(c)))
		}
		t, n := &r.row.spent, r.row.answers.sums()
		out = append(out, u(t.Calls), u(t.PromptTokens), u(t.OutputTokens), u(t.CostMicroUSD), u(uint64(n.unusable)), u(uint64(n.replaced)), u(uint64(n.unanswered)))
	} else {
		out = append(out, make([]string, len(s.headings())-len(out)-2)...)
	}
	return append(out, filepath.Base(r.dir), r.row.err)
}

// writeResults writes results.csv.
func (s *sweep) writeResults() error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(s.headings()) // writing into memory does not fail
	for _, r := range s.runs {
		_ = w.Write(s.cells(r))
	}
	w.Flush()
	return durable.WriteBytes(filepath.Join(s.dir, resultsFile), b.Bytes())
}
