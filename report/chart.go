package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size of a chart and of the area in it that the axes enclose, in the units of its view box.
const (
	chartWidth, chartHeight    = 320.0, 180.0
	plotLeft, plotRight        = 46.0, 312.0
	plotTop, plotBottom        = 8.0, 156.0
	wishedXTicks, wishedYTicks = 6, 4
)

// chart is what the page draws as a chart of lines over cycles.
type chart struct {
	Title, Unit string
	X, Y        []tick
	Lines       []line
	Marks       []mark
}

// tick is a labelled place on an axis.
type tick struct {
	At    string
	Label string
}

// line is the mean of an arm or of a group of agents.
type line struct {
	Colour int
	Path   string // of the line
	Area   string // from the lowest to the highest run; "": there is one run
	End    string // the last value
}

// scale maps values from low to high to coordinates.
type scale struct{ low, high, from, to float64 }

func (s scale) at(x float64) float64 { return s.from + float64((x-s.low)/(s.high-s.low)*(s.to-s.from)) }

func coordinate(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// step returns the distance of about n ticks over a range: 1, 2 or 5 times a power of ten; 0 for a range of nothing.
func step(width float64, n int) float64 {
	raw := width / float64(n)
	if raw < math.SmallestNonzeroFloat32 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, k := range []float64{1, 2, 5} {
		if raw <= k*unit {
			return k * unit
		}
	}
	return 10 * unit
}

// ticks returns the labelled places of an axis.
func (s scale) ticks(n int, whole bool) (out []tick) {
	d := step(s.high-s.low, n)
	if whole {
		d = max(1, d)
	}
	for k := math.Ceil(s.low / d); k*d <= s.high+d/1e6; k++ {
		out = append(out, tick{coordinate(s.at(k * d)), number(k * d)})
	}
	return out
}

// series is a chart of the page: its title, the unit of its values, and how to compute them for a run.
type series struct {
	title, unit string
	of          func(r *Run) []float64
	optional    bool // it is left out if all values are 0
}

// stored returns a stored series.
func stored(name string) func(r *Run) []float64 {
	return func(r *Run) []float64 { return r.Series[name] }
}

// perCycle returns by how much a stored series grew in each cycle. The first cycle creates the world and counts for nothing.
func perCycle(name string) func(r *Run) []float64 {
	return func(r *Run) []float64 {
		all := r.Series[name]
		out := make([]float64, len(all))
		for i := range out {
			out[i] = math.NaN()
			if i > 0 {
				out[i] = all[i] - all[i-1]
			}
		}
		return out
	}
}

// ratio returns a stored series divided by another one, times a factor.
func ratio(part, whole string, factor float64) func(r *Run) []float64 {
	return func(r *Run) []float64 {
		out := make([]float64, len(r.Series[part]))
		for i := range out {
			out[i] = math.NaN()
			if n := r.Series[whole][i]; n > 0 {
				out[i] = factor * r.Series[part][i] / n
			}
		}
		return out
	}
}

// scaled returns a stored series times a factor.
func scaled(name string, factor float64) func(r *Run) []float64 {
	return func(r *Run) []float64 {
		out := make([]float64, len(r.Series[name]))
		for i, x := range r.Series[name] {
			out[i] = factor * x
		}
		return out
	}
}

// allSeries are the charts of the page, in their order.
var allSeries = []series{
	{title: "Active agents", unit: "at the end of the cycle", of: stored("active")},
	{title: "Dormant agents", unit: "at the end of the cycle", of: stored("dormant")},
	{title: "NOPs", unit: "% of the slots of the cycle; a rest, or a slot without an answer, is none", of: ratio("nops", "agent_ticks", 100)},
	{title: "Messages", unit: "posted in the cycle", of: stored("messages")},
	{title: "Entries of the library", unit: "so far", of: stored("oracle_entries")},
	{title: "Bounties paid", unit: "so far", of: stored("completed_bounties")},
	{title: "Movements of ⚡", unit: "in the cycle, with rewards, fees and upkeep", of: perCycle("total_transactions")},
	{title: "Median balance", unit: "⚡", of: stored("median_balance")},
	{title: "Gini coefficient of the balances", unit: "0: all have the same", of: stored("gini_coefficient")},
	{title: "Repositories", unit: "so far", of: stored("vault_repos")},
	{title: "Calls of models", unit: "in the cycle", of: stored("calls"), optional: true},
	{title: "Failed calls of models", unit: "in the cycle", of: stored("failed_calls"), optional: true},
	{title: "Cost of models", unit: "US dollars in the cycle", of: scaled("cost_micro_usd", 1e-6), optional: true},
}

// Charts returns the charts of the page.
func (r *Report) Charts() (out []chart) {
	for i := range allSeries {
		if c, any := r.chart(&allSeries[i]); any {
			out = append(out, c)
		}
	}
	return out
}

// spread is the mean, the lowest and the highest value of the runs of an arm, by cycle; NaN where no run has a value.
type spread struct{ mean, low, high []float64 }

func (a *Arm) spread(of func(r *Run) []float64) (s spread) {
	var all [][]float64
	n := 0
	for i := range a.Runs {
		xs := of(&a.Runs[i])
		all, n = append(all, xs), max(n, len(xs))
	}
	for c := range n {
		sum, count, low, high := 0.0, 0, math.Inf(1), math.Inf(-1)
		for _, xs := range all {
			if c < len(xs) && !math.IsNaN(xs[c]) {
				sum, count, low, high = sum+xs[c], count+1, min(low, xs[c]), max(high, xs[c])
			}
		}
		mean := math.NaN()
		if count > 0 {
			mean = sum / float64(count)
		}
		s.mean, s.low, s.high = append(s.mean, mean), append(s.low, low), append(s.high, high)
	}
	return s
}

// chart returns a chart of the arms; ok is false if there is nothing to show.
func (r *Report) chart(s *series) (c chart, ok bool) {
	spreads, several := make([]spread, len(r.Arms)), make([]bool, len(r.Arms))
	for i := range r.Arms {
		spreads[i], several[i] = r.Arms[i].spread(s.of), len(r.Arms[i].Runs) > 1
	}
	c, x, ok := s.draw(spreads, several)
	for i := range r.Arms {
		if ok {
			c.Marks = append(c.Marks, r.Arms[i].marks(i, x)...)
		}
	}
	return c, ok
}

// draw returns a chart of lines, and its scale of cycles; several says whether a line is of several runs. ok is false if there
// is nothing to show.
func (s *series) draw(spreads []spread, several []bool) (c chart, x scale, ok bool) {
	c = chart{Title: s.title, Unit: s.unit}
	low, high, cycles, zero := 0.0, 0.0, 0, true
	for i := range spreads {
		for k, mean := range spreads[i].mean {
			if !math.IsNaN(mean) {
				ok, zero = true, zero && mean == 0
				low, high, cycles = min(low, spreads[i].low[k]), max(high, spreads[i].high[k]), max(cycles, k)
			}
		}
	}
	if !ok || s.optional && zero {
		return c, x, false
	}
	d := step(high-low, wishedYTicks)
	if d == 0 { // all values are 0, or so small that they are nothing on any scale
		low, high = 0, 1
		d = step(high, wishedYTicks)
	}
	low, high = d*math.Floor(low/d), d*math.Ceil(high/d)
	x = scale{0, float64(max(cycles, 1)), plotLeft, plotRight}
	y := scale{low, high, plotBottom, plotTop}
	c.X, c.Y = x.ticks(wishedXTicks, true), y.ticks(wishedYTicks, false)
	for i := range spreads {
		p := &spreads[i]
		l := line{Colour: i, Path: path(x, y, p.mean)}
		if several[i] {
			l.Area = area(x, y, p.low, p.high)
		}
		for _, v := range p.mean {
			if !math.IsNaN(v) {
				l.End = number(v)
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return c, x, true
}

// path returns the data of an SVG path through values; it is interrupted where there is none.
func path(x, y scale, values []float64) string {
	var b strings.Builder
	pen := "M"
	for i, v := range values {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%s %s", pen, coordinate(x.at(float64(i))), coordinate(y.at(v)))
		pen = "L"
	}
	return b.String()
}

// area returns the data of an SVG path around the area between two series; it is interrupted where they have no value.
func area(x, y scale, low, high []float64) string {
	var b strings.Builder
	for from := 0; from < len(high); from++ {
		to := from
		for to < len(high) && !math.IsInf(high[to], 0) {
			to++
		}
		outline(&b, x, y, low, high, from, to)
		from = to
	}
	return b.String()
}

// outline writes a closed path around the area between two series, of the cycles from up to but not including to.
func outline(b *strings.Builder, x, y scale, low, high []float64, from, to int) {
	if from == to {
		return
	}
	pen := "M"
	point := func(i int, v float64) {
		fmt.Fprintf(b, "%s%s %s", pen, coordinate(x.at(float64(i))), coordinate(y.at(v)))
		pen = "L"
	}
	for i := from; i < to; i++ {
		point(i, high[i])
	}
	for i := to - 1; i >= from; i-- {
		point(i, low[i])
	}
	b.WriteByte('Z')
}
