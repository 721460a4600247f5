package det

import "math"

// QuantumBits is the resolution of stored scores: multiples of 2^-20.
const QuantumBits = 20

// QuantiseInt returns the k for which k/2^20 is nearest to x, halves rounded towards +Inf.
// It panics on NaN and on |x| of 2^32 or more, which scores never have.
func QuantiseInt(x float64) int64 {
	if math.IsNaN(x) || math.Abs(x) >= 1<<32 {
		panic("det: quantise a score: it is NaN, or its absolute value is 2^32 or more")
	}
	return int64(math.Floor(float64(x*(1<<QuantumBits)) + 0.5))
}

// Quantise returns x rounded to the nearest multiple of 2^-20, halves towards +Inf. Every
// stored score is rounded by it. The result of a number in [0,1] is exact as float32 too.
func Quantise(x float64) float64 {
	return Dequantise(QuantiseInt(x))
}

// Dequantise returns k/2^20.
func Dequantise(k int64) float64 { return float64(float64(k) * (1.0 / (1 << QuantumBits))) }
