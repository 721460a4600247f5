package llm_test

import (
	"testing"

	"kingdom/llm"
)

func TestUSD(t *testing.T) {
	for micro, want := range map[uint64]string{
		0: "0.00 USD", 1: "0.000001 USD", 10_000: "0.01 USD", 123_450: "0.12345 USD", 5_000_000: "5.00 USD", 12_345_678: "12.345678 USD",
	} {
		if got := llm.USD(micro); got != want {
			t.Errorf("USD(%d) = %q, want %q", micro, got, want)
		}
	}
}
