package society

import (
	"errors"
	"math"
	"slices"
)

// Pooled is a measure over several runs.
type Pooled struct {
	*Measure
	Band Band
	Runs int     // that have a figure
	In   int     // of these, how many are in the band by themselves
	N    int     // things that were counted in all runs
	Mean float64 // of the figures
	SD   float64 // of a sample; NaN for fewer than two runs, which have none
	Min  float64
	Max  float64
	Why  string // why no run has a figure; "": one has
}

// Judged reports whether there are a figure and a band to compare it with.
func (p *Pooled) Judged() bool { return p.Runs > 0 && !p.Band.Unbounded() }

// MeanIn reports whether a judged mean is in its band.
func (p *Pooled) MeanIn() bool { return p.Judged() && p.Band.In(p.Mean) }

// ErrMixed says that runs cannot be pooled because their bands differ.
var ErrMixed = errors.New("some runs have fewer than 20 agents and some more, whose bands differ")

// Pool combines the values of several runs, in the order of the catalogue. It returns [ErrMixed] if their bands
// differ.
func Pool(runs [][]Value) ([]Pooled, error) {
	out := make([]Pooled, len(catalogue))
	for i := range out {
		p := &out[i]
		p.Measure = &catalogue[i]
		var xs []float64
		for j, values := range runs {
			v := &values[i]
			if j > 0 && v.Band != p.Band {
				return nil, ErrMixed
			}
			p.Band = v.Band
			if v.Why != "" {
				p.Why = v.Why
				continue
			}
			p.N += v.N
			if xs = append(xs, v.X); v.In() {
				p.In++
			}
		}
		p.summarise(xs)
	}
	return out, nil
}

func (p *Pooled) summarise(xs []float64) {
	p.SD = math.NaN()
	if p.Runs = len(xs); p.Runs == 0 {
		return
	}
	p.Why, p.Min, p.Max = "", slices.Min(xs), slices.Max(xs)
	p.Mean, p.SD = MeanSD(xs)
}

// MeanSD returns the mean of values and their sample standard deviation; NaN where there is none, for no value or for one.
func MeanSD(xs []float64) (mean, sd float64) {
	n, sum, squares := float64(len(xs)), 0.0, 0.0
	for _, x := range xs {
		sum += x
	}
	mean = sum / n
	for _, x := range xs {
		squares += float64((x - mean) * (x - mean))
	}
	if len(xs) < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(squares / (n - 1))
}
