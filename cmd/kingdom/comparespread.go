package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"kingdom/llm"
	"kingdom/society"
)

// spread describes how a metric differs between seeds.
type spread struct {
	Metric  string  `json:"metric"`
	Mean    float64 `json:"mean"`
	SD      float64 `json:"sd"`
	Min     float64 `json:"min"`
	MinSeed string  `json:"min_seed"`
	Max     float64 `json:"max"`
	MaxSeed string  `json:"max_seed"`
}

// spreadOf returns the spread of a metric. If several seeds have the extreme value, it names the first.
func (m *sweepResults) spreadOf(name string) spread {
	xs := m.values[name]
	s := spread{Metric: name, Min: xs[0], Max: xs[0], MinSeed: m.seeds[0], MaxSeed: m.seeds[0]}
	s.Mean, s.SD = society.MeanSD(xs)
	for i, x := range xs {
		if x < s.Min {
			s.Min, s.MinSeed = x, m.seeds[i]
		}
		if x > s.Max {
			s.Max, s.MaxSeed = x, m.seeds[i]
		}
	}
	return s
}

// seedPair is two seeds and the difference of a metric between them.
type seedPair struct {
	LowSeed    string  `json:"low_seed"`
	Low        float64 `json:"low"`
	HighSeed   string  `json:"high_seed"`
	High       float64 `json:"high"`
	Difference float64 `json:"difference"`
}

// pairs returns the pairs of seeds that differ in a metric by more than above, the largest difference first.
func (m *sweepResults) pairs(name string, above float64) []seedPair {
	out := []seedPair{}
	xs := m.values[name]
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			low, high := i, j
			if xs[low] > xs[high] {
				low, high = high, low
			}
			if d := xs[high] - xs[low]; d > above {
				out = append(out, seedPair{m.seeds[low], xs[low], m.seeds[high], xs[high], d})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b seedPair) int { return cmp.Compare(b.Difference, a.Difference) })
	return out
}

// sweepComparison is what compare prints of a sweep with --json.
type sweepComparison struct {
	Sweep   string      `json:"sweep"`
	Seeds   int         `json:"seeds"`
	LeftOut []string    `json:"left_out"`
	Metrics []spread    `json:"metrics"`
	Pairs   *[]seedPair `json:"pairs,omitempty"` // with --metric
}

// heading prints what is compared, unless --json is set, and returns the object for --json without its metrics.
func (m *sweepResults) heading(a *app) sweepComparison {
	if !a.json {
		fmt.Fprintf(a.out, "%s, %s at cycle %s\n", m.path, llm.Count(uint64(len(m.seeds)), "seed"), m.cycles[0])
		if len(m.leftOut) > 0 {
			fmt.Fprintf(a.out, "left out, because they did not finish: %s\n", strings.Join(m.leftOut, ", "))
		}
	}
	return sweepComparison{Sweep: m.path, Seeds: len(m.seeds), LeftOut: append([]string{}, m.leftOut...), Metrics: []spread{}}
}

// printSpread prints all metrics. Those that are equal for all seeds are listed together below the table.
func (m *sweepResults) printSpread(a *app) error {
	out := m.heading(a)
	var equal, shown []string
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for i, name := range m.names {
		s := m.spreadOf(name)
		out.Metrics = append(out.Metrics, s)
		if a.json {
			continue
		}
		if i == 0 {
			fmt.Fprintln(w, "METRIC\tMEAN\tSD\tLEAST\tSEED\tMOST\tSEED")
		}
		if s.Min == s.Max {
			equal = append(equal, name+" "+formatMetric(s.Min))
			continue
		}
		shown = append(shown, name)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, formatMetric(s.Mean), formatMetric(s.SD), formatMetric(s.Min), s.MinSeed, formatMetric(s.Max), s.MaxSeed)
	}
	if a.json {
		a.jsonLine(out)
		return nil
	}
	w.Flush()
	a.noteCounted(shown)
	if len(equal) > 0 {
		fmt.Fprintln(a.out, wrapList("equal in all: ", equal))
	}
	return nil
}

// printPairs prints the pairs of seeds that differ in a metric by more than above.
func (m *sweepResults) printPairs(a *app, name string, above float64) error {
	out := m.heading(a)
	s, pairs := m.spreadOf(name), m.pairs(name, above)
	if a.json {
		out.Metrics, out.Pairs = append(out.Metrics, s), &pairs
		a.jsonLine(out)
		return nil
	}
	fmt.Fprintf(a.out, "%s: mean %s, sd %s, from %s (seed %s) to %s (seed %s)\n", name, formatMetric(s.Mean), formatMetric(s.SD), formatMetric(s.Min), s.MinSeed, formatMetric(s.Max), s.MaxSeed)
	more := ""
	if above > 0 {
		more = fmt.Sprintf(" by more than %s", formatMetric(above))
	}
	n := uint64(len(m.seeds))
	fmt.Fprintf(a.out, "%d of %s of seeds differ%s\n", len(pairs), llm.Count(n*(n-1)/2, "pair"), more)
	if len(pairs) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DIFFERENCE\tSEED\tLOW\tSEED\tHIGH")
	for _, p := range pairs[:min(maxPairs, len(pairs))] {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", formatMetric(p.Difference), p.LowSeed, formatMetric(p.Low), p.HighSeed, formatMetric(p.High))
	}
	w.Flush()
	if more := len(pairs) - maxPairs; more > 0 {
		fmt.Fprintf(a.out, "and %d more; --above shows fewer, --json all\n", more)
	}
	return nil
}
