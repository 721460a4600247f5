package main

import "math"

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
