package det

import "math"

// Limits of Exp: beyond them the result is +Inf or 0.
const (
	expOverflow  = 709.782712893384
	expUnderflow = -745.1332191019412
)

// ln 2 in two parts: the high part has 32 trailing zero bits, so k*ln2Hi is exact for every
// k that Exp uses.
const (
	ln2Hi  = 6.93147180369123816490e-01
	ln2Lo  = 1.90821492927058770002e-10
	invLn2 = 1.44269504088896338700e+00
)

// expCoefficients are 1/13!, 1/12!, …, 1/1!, 1/0! rounded to float64.
var expCoefficients = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
	1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// Exp returns e**x with the same bits on every machine. Method: x = k·ln2 + r with
// |r| ≤ ln2/2, Taylor polynomial of degree 13 by Horner's rule in plain multiplications and
// additions, then a scaling by 2^k. The relative error is below 4e-16 (two units in the last
// place) wherever the result is a normal number. Exp(NaN) is NaN.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > expOverflow:
		return math.Ldexp(1, 1024)
	case x < expUnderflow:
		return 0
	}
	k := math.Floor(float64(x*invLn2) + 0.5)
	r := x - float64(k*ln2Hi)
	r -= float64(k * ln2Lo)
	p := expCoefficients[0]
	for _, c := range expCoefficients[1:] {
		p = float64(p*r) + c
	}
	if math.Abs(k) < 1000 { // the result is normal, and so the product with a power of two exact
		return float64(p * math.Float64frombits(uint64(int64(k)+1023)<<52))
	}
	return math.Ldexp(p, int(k))
}
