package society

import (
	"cmp"
	"math"
	"math/bits"
)

// Arm is one side of a comparison: runs with certain seeds, in their order.
type Arm []*Run

// countActs counts the acts of the selected runs by action and kind of goal.
func (a Arm) countActs(counts func(i int) bool) *counter {
	c := newCounter()
	for i, r := range a {
		if !counts(i) {
			continue
		}
		for j := range r.Acts {
			c.add(r.Acts[j].Action + " " + r.Acts[j].Kind)
		}
	}
	return c
}

func allRuns(int) bool { return true }

// ActVariation returns the total variation between the distributions of acts of two arms, each with all its runs together.
func ActVariation(a, b Arm) float64 { return variation(a.countActs(allRuns), b.countActs(allRuns)) }

// MostSeeds is the largest number of runs for which [Arm.Noise] is computed.
const MostSeeds = 16

// Noise returns the largest total variation between two halves of an arm, over all ways to divide it. This is the
// effect of seeds alone. If the number of runs is odd, the last is left out; with fewer than two runs it is 0.
func (a Arm) Noise() float64 {
	a = a[:min(len(a), MostSeeds)&^1]
	worst := 0.0
	for half := uint32(0); half < 1<<len(a); half++ {
		if half&1 == 0 || bits.OnesCount32(half) != len(a)/2 { // each way once: the first run is in this half
			continue
		}
		in := func(i int) bool { return half>>i&1 == 1 }
		worst = max(worst, variation(a.countActs(in), a.countActs(func(i int) bool { return !in(i) })))
	}
	return worst
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
	out.Holds = s.wanted.holds(out.From, out.To)
	return out
}

// grows expects a figure to grow by a share of itself.
func grows(by float64) expectation {
	return expectation{true, func(from, to float64) bool { return to > from && to >= float64(from*(1+by)) }}
}

// falls expects a figure to fall by a share of itself.
func falls(by float64) expectation {
	return expectation{false, func(from, to float64) bool { return to < from && to <= float64(from*(1-by)) }}
}

// fallsBy expects a figure to fall by an amount.
func fallsBy(amount float64) expectation {
	return expectation{false, func(from, to float64) bool { return to <= from-amount }}
}
