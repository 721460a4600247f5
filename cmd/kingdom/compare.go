package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/scenarios"
)

func newCompare(a *app) *cobra.Command {
	var c comparing
	cmd := &cobra.Command{
		Use:   "compare RUN RUN | SWEEP SWEEP | SWEEP",
		Short: "Show where two runs begin to differ, what a treatment changed, or how much the seeds of a sweep differ",
		Long: "With two runs, such as a run and its fork: print where their scenarios and caps differ, and what a resume changed of\n" +
			"caps and models, the first difference in what happened, and their metrics at the last cycle that both have: velocity,\n" +
			"messages, nops, agent_ticks and the figures about calls to models are counted in that cycle alone, those that begin\n" +
			"with total since the run began, and the others are as they stand at its end. The first difference is the first tick at\n" +
			"which one run had another input from outside, or an agent thought or sent something else. If the end of a cycle shows\n" +
			"one before, it is the part of the world whose hash differs there. It is found in what both runs have recorded. Then its\n" +
			"cycle is executed again in both, to name the agent; if this build does something else than a run has recorded, because\n" +
			"another build wrote it, that is said. Fields of --json: a, b, cycle, same, scenario[] {path, a, b}, physics {a, b} (if\n" +
			"the versions of the rules differ), metrics[] {metric, a, b} and, if the runs differ, first {cycle, tick, agent,\n" +
			"component, want (in a), got (in b), chose (what the agent does in b), after {until, act}} (as in kingdom replay; what is\n" +
			"not known is left out), acts {a, b} (what that agent did in each, as its logs have it: action, reasoning, or rests_since,\n" +
			"the tick at which it began to rest) and foreign[] {run, written_by, at} of runs that this build does not repeat; at is\n" +
			"like first, of what is recorded and what is computed. If a journal is damaged or ends early, only the ends of cycles are\n" +
			"compared from there on, and warnings[] says so. The exit code is 0 whether or not they differ; same says which.\n\n" +
			"With two sweeps, such as a control and a treatment (their directories, or their results.csv): print where their\n" +
			"scenarios, caps and budgets differ and compare the runs that have the same seed. For each metric at the last cycle:\n" +
			"its mean in both, the mean change from a to b and its sample standard deviation, how many seeds have more and less in\n" +
			"b, and p, how probable a split at least as uneven is if nothing was changed (exact two-sided sign test; seeds without a\n" +
			"difference do not count). Of many metrics some have a small p by chance. The metrics are those of results.csv, with\n" +
			"--society those of docs/SOCIETY.md, with --from counted from a cycle on (see kingdom society). With --society --by they\n" +
			"are the figures of groups of agents, as kingdom society --by has them: each group of a against the same group of b, or\n" +
			"that of --group alone. LOW and HIGH are the 95 % confidence interval of the mean change (t distribution), which\n" +
			"supposes that the changes of the seeds are about normal; D_Z is the mean change divided by the standard deviation of\n" +
			"the changes (Cohen's d of pairs). --metric prints the seeds that differ in it, the largest difference first; --above\n" +
			"leaves out smaller differences. A column SEEDS stands where a metric has a figure in both for fewer seeds. Seeds that\n" +
			"did not finish in both, or that only one has, are left out. Fields of --json: a, b, from (of --from), cycle, by (of\n" +
			"--by), seeds, left_out[], only_in_one[] (of left_out), scenario[] {path, a, b}, physics {a, b} (as with runs),\n" +
			"metrics[] {group (with --by), metric, seeds (with a figure in both; the rest is 0 if there are fewer than two), a, b,\n" +
			"change, sd, up, down, p, ci_low, ci_high, d_z (null if sd is 0)} and with --metric pairs[] {seed, a, b, change}.\n\n" +
			"With one sweep (its directory, or its results.csv): print for each metric its mean, its sample standard deviation, and\n" +
			"the seeds with the lowest and the highest value. --metric takes the name of a metric, or the beginning of it, and\n" +
			"prints the pairs of seeds that differ in it, the largest difference first; --above leaves out smaller differences.\n" +
			"Seeds that did not finish are left out. Fields of --json: sweep, seeds, left_out[], metrics[] {metric, mean, sd, min,\n" +
			"min_seed, max, max_seed} and with --metric pairs[] {low_seed, low, high_seed, high, difference}.",
		Example: "  kingdom compare runs/epoch0-42 runs/epoch0-42-at20\n  kingdom compare runs/control runs/rich --society\n  kingdom compare runs/control runs/persona --society --by group --group treated\n  kingdom compare runs/epoch0-sweep\n  kingdom compare runs/epoch0-sweep --metric gini --above 0.1",
		Args: func(cmd *cobra.Command, names []string) error {
			if len(names) == 2 {
				return nil
			}
			return args(1, "a directory of a sweep, or two directories of runs or of sweeps")(cmd, names)
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			aboveGiven := cmd.Flags().Changed("above")
			sweeps := len(names) == 1 || sweepOf(names[0]) != "" || sweepOf(names[1]) != ""
			switch {
			case cmd.Flags().Changed(fromFlag) && !c.society:
				return usagef("--%s needs --society, because only these metrics can be counted from a cycle on", fromFlag)
			case c.by != "" && !c.society:
				return usagef("--by needs --society, because only these figures are of groups of agents")
			case c.group != "" && c.by == "":
				return usagef("--group chooses one of the groups of --by; add --by group, --by role or --by mind")
			case c.society && (!sweeps || len(names) == 1):
				return usagef("--society is for two sweeps; kingdom society prints the metrics of a run or a sweep")
			case !sweeps && (cmd.Flags().Changed("metric") || aboveGiven):
				return usagef("--metric and --above are for sweeps; leave them out, since all metrics of two runs are printed")
			case !sweeps:
				for _, dir := range names {
					warnOfAnswers(a.say, dir, []string{dir})
				}
				return compareRuns(a, cmd, [2]string(names))
			case aboveGiven && (c.metric == "" || !(c.above >= 0)):
				return usagef("--above needs --metric, and a number from 0")
			case len(names) == 2:
				return compareSweeps(cmd.Context(), a, [2]string(names), &c)
			}
			r, err := readResults(names[0])
			if err != nil {
				return err
			}
			warnOfAnswers(a.say, names[0], r.dirs)
			if c.metric == "" {
				return r.printSpread(a)
			}
			name, err := r.metric(c.metric)
			if err != nil {
				return err
			}
			return r.printPairs(a, name, c.above)
		},
	}
	cmd.Flags().BoolVar(&c.society, "society", false, "of two sweeps, compare the metrics of docs/SOCIETY.md")
	cmd.Flags().StringVar(&c.by, "by", "", "with --society, compare the figures of groups of agents: group, role or mind")
	cmd.Flags().StringVar(&c.group, "group", "", "with --by, only this group, role or mind")
	c.addFrom(cmd)
	cmd.Flags().StringVar(&c.metric, "metric", "", "of sweeps, print which seeds differ in this metric, such as gini")
	cmd.Flags().Float64Var(&c.above, "above", 0, "with --metric, only seeds that differ by more than this")
	return cmd
}

// sweepResults has the metrics of the finished runs of a sweep.
type sweepResults struct {
	path    string // as the user named it
	seeds   []string
	cycles  []string // last cycles of the runs, without duplicates
	dirs    []string // of the runs, in the order of seeds
	leftOut []string // seeds of runs that are not finished
	names   []string
	values  map[string][]float64 // by metric, in the order of seeds
}

// readResults reads results.csv.
func readResults(path string) (*sweepResults, error) {
	file := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		file = filepath.Join(path, resultsFile)
	}
	f, err := os.Open(file)
	switch {
	case isMissing(err) && filepath.Base(file) == resultsFile && isSweep(filepath.Dir(file)):
		dir := filepath.Dir(file)
		return nil, usagef("%s has no %s: no seed has ended, or it was removed; kingdom resume %s goes on and writes it", dir, resultsFile, shellQuote(dir))
	case isMissing(err) && isRun(path):
		return nil, usagef("%s is a run; name a second run to compare it with: kingdom compare %s OTHER", path, shellQuote(path))
	case isMissing(err) && file == path:
		return nil, usagef("%s does not exist; want the directory of a sweep, its %s, or two runs", path, resultsFile)
	case isMissing(err):
		return nil, usagef("%s is not a sweep: it has no %s; kingdom run SCENARIO --seeds 1..10 makes a sweep", path, file)
	case err != nil:
		return nil, usage(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if sweep := filepath.Dir(file); err != nil && isSweep(sweep) {
		return nil, usagef("%s: %w; kingdom resume %s writes it anew", file, err, shellQuote(sweep))
	}
	if err != nil {
		return nil, usagef("%s: %w; want the table of a sweep, as kingdom run --seeds writes it", file, err)
	}
	m := &sweepResults{path: path, values: map[string][]float64{}}
	if err := m.parse(file, lines); err != nil {
		return nil, err
	}
	return m, nil
}

// parse reads the lines of results.csv. The metrics are the columns between world_hash and run.
func (m *sweepResults) parse(file string, lines [][]string) error {
	var heads []string
	if len(lines) > 0 {
		heads = lines[0]
	}
	at := func(name string) int { return slices.Index(heads, name) }
	from, to := at("world_hash")+1, at("run")
	if at("seed") < 0 || at("status") < 0 || at("cycle") < 0 || from == 0 || to < from {
		return usagef("%s is not the table of a sweep: it wants columns seed, status, cycle, world_hash, metrics and run", file)
	}
	m.names = heads[from:to]
	for n, line := range lines[1:] {
		if line[at("status")] != string(engine.StatusFinished) {
			m.leftOut = append(m.leftOut, line[at("seed")])
			continue
		}
		dir := filepath.Join(filepath.Dir(file), filepath.Base(line[to]))
		rf, err := readRunFile(dir)
		if asType[*damagedError](err) {
			return err
		}
		if err == nil && strconv.FormatUint(rf.Cycle, 10) != line[at("cycle")] {
			return usagef("%s was written when seed %s was at cycle %s, but its run is at cycle %d; kingdom resume %s --cycles %d brings all seeds to the same",
				file, shellQuote(line[at("seed")]), line[at("cycle")], rf.Cycle, shellQuote(filepath.Dir(file)), rf.Cycle)
		}
		m.seeds, m.dirs = append(m.seeds, line[at("seed")]), append(m.dirs, dir)
		if c := line[at("cycle")]; !slices.Contains(m.cycles, c) {
			m.cycles = append(m.cycles, c)
		}
		for i, name := range m.names {
			x, err := strconv.ParseFloat(line[from+i], 64)
			if err != nil {
				return usagef("%s line %d: %s is %q; want a number", file, n+2, name, line[from+i])
			}
			m.values[name] = append(m.values[name], x)
		}
	}
	if len(m.cycles) > 1 {
		return usagef("%s has seeds that ended at cycle %s, so their metrics do not mean the same; kingdom resume %s with the greater --cycles brings all to the same", file, strings.Join(m.cycles, " or "), shellQuote(filepath.Dir(file)))
	}
	if len(m.seeds) < 2 {
		hint := ""
		if len(m.leftOut) > 0 && isSweep(filepath.Dir(file)) {
			hint = fmt.Sprintf("; kingdom resume %s goes on with the others", shellQuote(filepath.Dir(file)))
		}
		return usagef("%s has %s that finished; comparing needs two%s", file, llm.Count(uint64(len(m.seeds)), "seed"), hint)
	}
	return nil
}

// metric finds a metric by its name or the beginning of it.
func (m *sweepResults) metric(word string) (string, error) {
	var found []string
	for _, name := range m.names {
		if name == word {
			return name, nil
		}
		if strings.HasPrefix(name, word) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", usagef("--metric %s may be %s", word, strings.Join(found, " or "))
	}
	if near := scenarios.Nearest(word, m.names); near != "" {
		return "", usagef("%s has no metric %s; did you mean %s?", m.path, shellQuote(word), near)
	}
	return "", usagef("%s has no metric %s; it has %s", m.path, shellQuote(word), strings.Join(m.names, ", "))
}

// ofOneCycle are the metrics of observer.metrics that are counted in the cycle; all others are as they stand at its end.
var ofOneCycle = []string{"velocity", "messages", "nops", "agent_ticks", "calls", "failed_calls", "prompt_tokens", "output_tokens", "cost_micro_usd"}

// noteCounted says which of the metrics in a table are counted in its cycle alone, because the summary of a run counts them
// since it began.
func (a *app) noteCounted(shown []string) {
	shown = slices.DeleteFunc(shown, func(name string) bool { return !slices.Contains(ofOneCycle, name) })
	if len(shown) > 0 {
		fmt.Fprintln(a.out, wrapList("counted in that cycle alone: ", shown))
	}
}

// wrapList joins a list with commas and breaks it into lines of at most 80 columns.
func wrapList(line string, list []string) string {
	var b strings.Builder
	for i, word := range list {
		if i < len(list)-1 {
			word += ", "
		}
		if len(line)+len(strings.TrimSpace(word)) > 80 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "  "
		}
		line += word
	}
	return b.String() + line
}

// maxPairs is how many pairs are printed without --json.
const maxPairs = 50

// formatMetric formats a metric for people: whole numbers in full, others with about 4 digits.
func formatMetric(x float64) string {
	switch {
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case math.Abs(x) >= 1000 && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// formatChange formats the change of a metric as formatMetric does, with a sign.
func formatChange(x float64) string {
	if x > 0 {
		return "+" + formatMetric(x)
	}
	return formatMetric(x)
}
