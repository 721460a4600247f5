package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/spend"
)

// sweepJSON is the last line of a sweep's --json output.
type sweepJSON struct {
	Sweep    string            `json:"sweep"`
	Scenario string            `json:"scenario"`
	Set      map[string]string `json:"set"`
	Physics  uint32            `json:"physics"`
	Cycles   uint64            `json:"cycles"`
	Seeds    int               `json:"seeds"`
	Finished int               `json:"finished"`
	Results  string            `json:"results"`
	Runs     []sweepRunJSON    `json:"runs"`
	WallMS   int64             `json:"wall_ms"`
}

type sweepRunJSON struct {
	Seed      string                 `json:"seed"`
	Run       string                 `json:"run"`
	Status    engine.Status          `json:"status"`
	Error     string                 `json:"error,omitempty"`
	Cycle     uint64                 `json:"cycle"`
	WorldHash string                 `json:"world_hash,omitempty"` // none before the bootstrap is stored
	Metrics   map[string]json.Number `json:"metrics,omitempty"`    // of the last cycle, named as in results.csv
	Refused   int                    `json:"inputs_refused,omitempty"`
}

// print prints the results of the runs.
func (s *sweep) print(a *app, wall time.Duration) {
	results := filepath.Join(s.dir, resultsFile)
	finished, each := 0, llm.Count(s.file.Cycles, "cycle")+" each"
	for _, r := range s.runs {
		if s.reached(r) {
			finished++
		}
		if uint64(r.row.cycle.Cycle) > s.file.Cycles { // it was extended by itself
			each = llm.Count(s.file.Cycles, "cycle") + " or more each"
		}
	}
	if a.json {
		paths, values := overrides(s.file.Set)
		out := sweepJSON{
			Sweep: s.dir, Scenario: s.file.Scenario, Set: map[string]string{}, Physics: s.file.Physics, Cycles: s.file.Cycles,
			Seeds: len(s.runs), Finished: finished, Results: results, WallMS: wall.Milliseconds(),
		}
		for i := range paths {
			out.Set[paths[i]] = values[i]
		}
		for _, r := range s.runs {
			out.Runs = append(out.Runs, s.runJSON(r))
		}
		a.jsonLine(out)
		return
	}
	first := fmt.Sprintf("%s sweep: %d of %s finished, %s, in %.1f s", s.file.Scenario, finished, llm.Count(uint64(len(s.runs)), "seed"), each, wall.Seconds())
	fmt.Fprintln(a.out, heading(a.out, first, finished == len(s.runs)))
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SEED\tSTATUS\tCYCLE\tNOPS\tGINI\tENTRIES\tBOUNTIES\tWORLD HASH")
	seeds := make([]string, len(s.runs))
	for i, r := range s.runs {
		seeds[i] = r.seed
	}
	seeds = shortSeeds(seeds)
	for i, r := range s.runs {
		fmt.Fprintln(w, strings.Join(s.line(r, seeds[i]), "\t"))
	}
	w.Flush()
	for _, r := range s.runs {
		if r.row.err != "" && !r.interrupted() {
			fmt.Fprintf(a.out, "seed %s: %s\n", r.seed, r.row.err)
		}
	}
	s.printModels(a)
	s.printRefused(a)
	fmt.Fprintf(a.out, "all metrics  %s\n", results)
	if _, uneven := s.uneven(); finished > 1 && !uneven { // sayLeft says what comes first
		fmt.Fprintf(a.out, "compare      kingdom compare %s\n", shellQuote(s.dir))
		fmt.Fprintf(a.out, "report       kingdom report %s\n", shellQuote(s.dir))
		if from := s.file.Forked; from != nil {
			fmt.Fprintf(a.out, "what changed kingdom compare %s %s --society --from %d\n", shellQuote(from.Sweep), shellQuote(s.dir), from.firstOwn())
		}
	}
}

// printModels says what all runs together took of models, and what came of it.
func (s *sweep) printModels(a *app) {
	var spent spend.Total
	var sums answerSums
	for _, r := range s.runs {
		spent.Calls, spent.CostMicroUSD = spent.Calls+r.row.spent.Calls, spent.CostMicroUSD+r.row.spent.CostMicroUSD
		sums.add(r.row.answers.sums())
	}
	if spent.Calls > 0 || sums != (answerSums{}) {
		fmt.Fprintf(a.out, "models       %s, %s, %v\n", llm.Count(spent.Calls, "call"), llm.USD(spent.CostMicroUSD), &sums)
	}
}

// printRefused says in how many runs the world refused inputs of the scenario.
func (s *sweep) printRefused(a *app) {
	var in []*sweepRun
	least, most := 0, 0
	for _, r := range s.runs {
		if n := r.row.refused; n > 0 {
			if len(in) == 0 || n < least {
				least = n
			}
			in, most = append(in, r), max(most, n)
		}
	}
	if len(in) == 0 {
		return
	}
	many := llm.Count(uint64(most), "planned input")
	if least < most {
		many = fmt.Sprintf("%d to %s", least, many)
	}
	fmt.Fprintf(a.out, "refused      the world refused %s in %d of %s; kingdom inspect %s lists them\n", many, len(in), llm.Count(uint64(len(s.runs)), "seed"), shellQuote(in[0].dir))
}

// maxSeed is the longest seed, in runes, with which the printed table fits 80 columns.
const maxSeed = 14

// shortSeeds cuts long seeds in the middle, since they often differ only at their end. Seeds that could not be told apart then
// stay whole, even if the table becomes wider.
func shortSeeds(seeds []string) []string {
	short, times := make([]string, len(seeds)), map[string]int{}
	for i, seed := range seeds {
		short[i] = seed
		if r := []rune(seed); len(r) > maxSeed {
			short[i] = string(r[:6]) + "…" + string(r[len(r)-(maxSeed-7):])
		}
		times[short[i]]++
	}
	for i, seed := range seeds {
		if times[short[i]] > 1 {
			short[i] = seed
		}
	}
	return short
}

// line returns the cells of a run in the printed table; seed is how its seed is shown.
func (s *sweep) line(r *sweepRun, seed string) []string {
	out := []string{seed, string(r.row.status), "", "", "", "", "", ""}
	if !r.row.known {
		return out
	}
	c := &r.row.cycle
	out[2] = fmt.Sprint(c.Cycle)
	if c.AgentTicks > 0 {
		out[3] = fmt.Sprintf("%.0f %%", 100*float64(c.NOPs)/float64(c.AgentTicks))
	}
	out[4], out[5], out[6] = r.metric("gini_coefficient"), r.metric("oracle_entries"), r.metric("completed_bounties")
	if gini, err := strconv.ParseFloat(out[4], 64); err == nil {
		out[4] = fmt.Sprintf("%.3f", gini)
	}
	out[7] = c.WorldHash.String()[:12]
	return out
}

// metric returns a metric of the run's last cycle, as text.
func (r *sweepRun) metric(name string) string {
	if i := slices.Index(metricNames(), name); i >= 0 && i < len(r.row.metrics) {
		return r.row.metrics[i]
	}
	return ""
}

func (s *sweep) runJSON(r *sweepRun) sweepRunJSON {
	out := sweepRunJSON{Seed: r.seed, Run: r.dir, Status: r.row.status, Error: r.row.err}
	if !r.row.known {
		return out
	}
	out.Refused = r.row.refused
	out.Cycle, out.WorldHash, out.Metrics = uint64(r.row.cycle.Cycle), r.row.cycle.WorldHash.String(), map[string]json.Number{}
	heads, cells := s.headings(), s.cells(r)
	skip := slices.Index(heads, "world_hash")
	for i := skip + 1; i < len(heads)-2; i++ {
		out.Metrics[heads[i]] = json.Number(cells[i])
	}
	return out
}
