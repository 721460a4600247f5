package society

import (
	"cmp"
	"math"
)

// Arm is one side of a comparison: runs with certain seeds, in their order.
type Arm []*Run

// countActs counts the acts of all runs by action and kind of goal.
func (a Arm) countActs() *counter {
	c := newCounter()
	for _, r := range a {
		for i := range r.Acts {
			c.add(r.Acts[i].Action + " " + r.Acts[i].Kind)
		}
	}
	return c
}

// ActVariation returns the total variation between the distributions of acts of two arms, each with all its runs together.
func ActVariation(a, b Arm) float64 { return variation(a.countActs(), b.countActs()) }

// MostSeeds is the largest number of runs for which [Arm.Noise] is computed. There are 1.4 million ways to divide them.
const MostSeeds = 24

// Noise returns the largest total variation between two halves of an arm, over all ways to divide it. This is the
// effect of seeds alone. If the number of runs is odd, the last is left out; with fewer than two runs it is 0.
func (a Arm) Noise() float64 {
	a = a[:min(len(a), MostSeeds)&^1]
	if len(a) == 0 {
		return 0
	}
	all := a.countActs()
	h := halving{total: append(all.n, all.total)}
	for i := range a {
		c := a[i : i+1].countActs()
		counts := make([]float64, 0, len(h.total))
		for _, w := range all.words {
			counts = append(counts, c.of(w))
		}
		h.runs = append(h.runs, append(counts, c.total))
	}
	for range len(a)/2 + 1 {
		h.sums = append(h.sums, make([]float64, len(h.total)))
	}
	h.choose(0, 0)
	return h.worst
}

// halving looks for the two halves of an arm that differ most. A count of acts has a number for each action and kind
// of goal, and at the end their sum.
type halving struct {
	runs  [][]float64 // count of each run
	total []float64   // of all runs
	sums  [][]float64 // of the first n runs of a half, by n
	worst float64
}

// choose adds each run from next on to the first n runs of a half.
func (h *halving) choose(n, next int) {
	if n == len(h.runs)/2 {
		h.worst = max(h.worst, h.variation(h.sums[n]))
		return
	}
	for ; next <= len(h.runs)/2+n; next++ {
		for i, x := range h.runs[next] {
			h.sums[n+1][i] = h.sums[n][i] + x
		}
		if h.choose(n+1, next+1); n == 0 {
			return // the first run is in this half, so that each way is tried once
		}
	}
}

// variation is the total variation between a half and the runs that are not in it.
func (h *halving) variation(half []float64) float64 {
	last := len(half) - 1
	in, out := half[last], h.total[last]-half[last]
	if in == 0 || out == 0 {
		return 0
	}
	sum := 0.0
	for i, x := range half[:last] {
		sum += math.Abs(x/in - (h.total[i]-x)/out)
	}
	return sum / 2
}

// Shift is the expected effect of a blinded layer or a changed trait on one figure.
type Shift struct {
	Subject    string // layer, or trait
	Key        string // of the figure
	Definition string
	Want       string // what is expected of it, in words

	compute func(*Run) figure
	wanted  expectation
}

// expectation is how a figure should move.
type expectation struct {
	up    bool                        // it should grow
	holds func(from, to float64) bool // it has moved far enough
	pairs bool                        // it should also move to this side in 10 of 12 pairs
}

// Shifted is a measured effect.
type Shifted struct {
	*Shift
	From, To float64 // mean of the runs that have the figure on both sides
	Pairs    int     // of seeds that have it
	Right    int     // of these, those in which it moved to the wanted side
	Holds    bool
	Why      string // why there is no figure; "": there is one
}

// Relative returns the change as a share of the old value; it is infinite if that is 0.
func (s *Shifted) Relative() float64 {
	if s.From == s.To {
		return 0
	}
	if s.From == 0 {
		return math.Inf(1)
	}
	return s.To/s.From - 1
}

// Measure measures the effect between two arms whose runs have the same seeds in the same order.
func (s *Shift) Measure(from, to Arm) Shifted {
	out := Shifted{Shift: s}
	for i := range from {
		a, b := s.compute(from[i]), s.compute(to[i])
		if a.why != "" || b.why != "" {
			out.Why = cmp.Or(a.why, b.why)
			continue
		}
		out.Pairs++
		out.From += a.x
		out.To += b.x
		if s.wanted.up && b.x > a.x || !s.wanted.up && b.x < a.x {
			out.Right++
		}
	}
	if out.Pairs == 0 {
		return out
	}
	out.Why = ""
	out.From /= float64(out.Pairs)
	out.To /= float64(out.Pairs)
	out.Holds = s.wanted.holds(out.From, out.To) && (!s.wanted.pairs || 12*out.Right >= 10*out.Pairs)
	return out
}

// grows expects a figure to grow by a share of itself.
func grows(by float64) expectation {
	return expectation{up: true, holds: func(from, to float64) bool { return to > from && to >= float64(from*(1+by)) }}
}

// falls expects a figure to fall by a share of itself.
func falls(by float64) expectation {
	return expectation{holds: func(from, to float64) bool { return to < from && to <= float64(from*(1-by)) }}
}

// fallsBy expects a figure to fall by an amount.
func fallsBy(amount float64) expectation {
	return expectation{holds: func(from, to float64) bool { return to <= from-amount }}
}

// inMostPairs also expects that a figure moves to the wanted side in 10 of 12 pairs.
func inMostPairs(e expectation) expectation {
	e.pairs = true
	return e
}
