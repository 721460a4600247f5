package det

import "math/bits"

// IntN returns a uniform number in [0,n): the high word of a 128-bit product, with Lemire's
// rejection of the biased low words (Lemire, "Fast Random Integer Generation in an Interval",
// 2019). It panics if n < 1.
func (s *Stream) IntN(n int) int {
	if n < 1 {
		panic("det: IntN needs n of at least 1")
	}
	return int(s.uint64n(uint64(n)))
}

func (s *Stream) uint64n(n uint64) uint64 {
	hi, lo := bits.Mul64(s.Uint64(), n)
	if lo < n {
		limit := -n % n
		for lo < limit {
			hi, lo = bits.Mul64(s.Uint64(), n)
		}
	}
	return hi
}

// Perm returns the numbers 0 to n-1 in random order, by Fisher and Yates from the last down.
func (s *Stream) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := s.IntN(i + 1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}
