package society

import "math"

// Measure is one figure of a metric: its definition and its bands.
type Measure struct {
	Metric     int    // 1 to 20: the numbered metric of docs/SOCIETY.md that it belongs to
	Key        string // short name
	Definition string
	Anchor     string // a value from the literature for comparison; "": none
	Small      Band   // of a population below Village
	Large      Band   // of one from Village on
	Village    bool   // it means nothing in a small population

	compute func(r *Run) figure
}

// Village is the population from which on the bands for large populations apply. Some effects do not occur
// in smaller populations.
const Village = 20

// Band is the range in which a figure is expected, both ends included. A figure without a band has Low -Inf and High
// +Inf.
type Band struct{ Low, High float64 }

// In reports whether a figure is in the band.
func (b Band) In(x float64) bool { return b.Low <= x && x <= b.High }

// Unbounded reports whether the band contains every figure, so that the figure is shown but not judged.
func (b Band) Unbounded() bool { return math.IsInf(b.Low, -1) && math.IsInf(b.High, 1) }

func from(low float64) Band          { return Band{low, math.Inf(1)} }
func upTo(high float64) Band         { return Band{math.Inf(-1), high} }
func between(low, high float64) Band { return Band{low, high} }

var unbounded = Band{math.Inf(-1), math.Inf(1)}

// figure is the value of a measure: x, computed from n counted things, or why there is none.
type figure struct {
	x   float64
	n   int
	why string
}

func value(x float64, n int) figure { return figure{x: x, n: n} }
func none(why string) figure        { return figure{why: why} }

// Value is a figure of one run.
type Value struct {
	*Measure
	Band Band    // that of the run's population
	X    float64 // the figure; 0 with Why
	N    int     // things that were counted
	Why  string  // why there is no figure; "": there is one
}

// Judged reports whether there are a figure and a band to compare it with.
func (v *Value) Judged() bool { return v.Why == "" && !v.Band.Unbounded() }

// In reports whether a judged figure is in its band.
func (v *Value) In() bool { return v.Judged() && v.Band.In(v.X) }

// Measure computes all measures of a run, in the order of the catalogue.
func (r *Run) Measure() []Value {
	out := make([]Value, len(catalogue))
	for i := range catalogue {
		m := &catalogue[i]
		v := Value{Measure: m, Band: m.Small}
		village := len(r.Agents) >= Village
		if village {
			v.Band = m.Large
		}
		f := none("only of populations from 20 agents on")
		if village || !m.Village {
			f = m.compute(r)
		}
		v.X, v.N, v.Why = f.x, f.n, f.why
		out[i] = v
	}
	return out
}
