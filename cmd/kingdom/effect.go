package main

import (
	"fmt"
	"io"
	"math"

	"kingdom/society"
)

// effect is how a metric of b differs from that of a. A seed's difference is its value in b less that in a.
type effect struct {
	Group  string  `json:"group,omitempty"` // of agents; none: all
	Metric string  `json:"metric"`
	Seeds  int     `json:"seeds"` // with a value in both
	A      float64 `json:"a"`     // mean
	B      float64 `json:"b"`     // mean
	Change float64 `json:"change"`
	SD     float64 `json:"sd"`   // sample standard deviation of the differences
	Up     int     `json:"up"`   // seeds with more in b
	Down   int     `json:"down"` // seeds with less in b
	P      float64 `json:"p"`    // of the sign test

	Low  float64  `json:"ci_low"` // of the 95 % confidence interval of Change
	High float64  `json:"ci_high"`
	DZ   *float64 `json:"d_z"` // Change / SD; null without a spread
}

// seedEffect is the difference of a metric for one seed.
type seedEffect struct {
	Seed   string  `json:"seed"`
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	Change float64 `json:"change"`
}

// effectOf sums up the differences of a metric.
func effectOf(metric string, values []seedEffect) effect {
	e := effect{Metric: metric, Seeds: len(values)}
	if len(values) < 2 {
		return e
	}
	a, b, changes := make([]float64, len(values)), make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		a[i], b[i], changes[i] = v.A, v.B, v.Change
		switch {
		case v.Change > 0:
			e.Up++
		case v.Change < 0:
			e.Down++
		}
	}
	e.A, _ = society.MeanSD(a)
	e.B, _ = society.MeanSD(b)
	e.Change, e.SD = society.MeanSD(changes)
	e.P = signTest(e.Up, e.Down)
	e.size()
	return e
}

// signTest returns how probable a split is that is at least as uneven, if more and less were equally probable: the exact
// two-sided sign test (Dixon and Mood, "The statistical sign test", 1946). Pairs without a difference do not count.
func signTest(up, down int) float64 {
	if up-down <= 1 && down-up <= 1 {
		return 1 // as even as can be
	}
	n, tail := float64(up+down), 0.0
	all, _ := math.Lgamma(n + 1)
	for k := range min(up, down) + 1 {
		left, _ := math.Lgamma(float64(k) + 1)
		right, _ := math.Lgamma(n - float64(k) + 1)
		tail += math.Exp(all - left - right - n*math.Ln2)
	}
	return 2 * tail
}

// normal975 is the quantile .975 of the normal distribution.
const normal975 = 1.959963984540054

// t975 has the quantile .975 of Student's t distribution for 1, 2, … degrees of freedom.
var t975 = [...]float64{
	12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
	2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
}

// tQuantile returns the quantile .975 of Student's t distribution. Beyond the table it is the normal quantile with the first terms
// of its expansion in 1/df (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5).
func tQuantile(df int) float64 {
	if df <= len(t975) {
		return t975[df-1]
	}
	z, n := normal975, float64(df)
	z3 := z * z * z
	return z + (z3+z)/(4*n) + (5*z3*z*z+16*z3+3*z)/(96*n*n)
}

// size sets how large an effect is for its spread: the 95 % confidence interval of the mean difference (t distribution), and that
// difference divided by the standard deviation of the differences, Cohen's d_z. All differences may be equal; then there is no d_z.
func (e *effect) size() {
	half := tQuantile(e.Seeds-1) * e.SD / math.Sqrt(float64(e.Seeds))
	e.Low, e.High = e.Change-half, e.Change+half
	if d := e.Change / e.SD; e.SD > 0 {
		e.DZ = &d
	}
}

// dzText formats the standardised difference; a dash stands for none.
func (e *effect) dzText() string {
	if e.DZ == nil {
		return "-"
	}
	return formatMetric(*e.DZ)
}

// leastPNote says if so few seeds differ in each metric that the sign test could not reach .05, however large the effect; ""
// if enough do.
func leastPNote(shown []effect) string {
	most := 0
	for _, e := range shown {
		most = max(most, e.Up+e.Down)
	}
	least := signTest(most, 0)
	if most == 0 || least <= .05 {
		return ""
	}
	enough := most
	for signTest(enough, 0) > .05 {
		enough++
	}
	return fmt.Sprintf("no p of this table could reach .05: at most %s in a metric, of which the least p is %.3g; it takes %d", pluralVerb(most, "seed differs", "seeds differ"), least, enough)
}

// noteLeastP prints leastPNote.
func noteLeastP(w io.Writer, shown []effect) {
	if note := leastPNote(shown); note != "" {
		fmt.Fprintln(w, note)
	}
}
