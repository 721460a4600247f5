package det

// Norm returns an approximately normal number with mean 0 and variance 1: the sum of twelve
// uniform numbers minus 6. It lies in [-6,6); the tails beyond ±3 are lighter than the true
// normal's. It needs only additions, so it has the same bits everywhere, and it always takes
// exactly twelve values of the stream.
func (s *Stream) Norm() float64 {
	var sum float64
	for range 12 {
		sum += s.Float64()
	}
	return sum - 6
}
