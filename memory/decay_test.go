package memory

import (
	"testing"

	"kingdom/det"
	"kingdom/wire"
)

// What is looked up is what would be computed, to the last bit, on both sides of the table's end.
func TestDecay_IsTheExponential(t *testing.T) {
	for ticks := range wire.Tick(2 * len(decays)) {
		if got, want := decay(7, 7+ticks), det.Exp(-float64(0.001*float64(ticks))); got != want {
			t.Fatalf("after %d ticks %v, want %v", ticks, got, want)
		}
	}
	if decay(9, 3) != 1 {
		t.Error("the future decays")
	}
}
