package world

import "testing"

func TestRules_BalanceOf(t *testing.T) {
	r := &Rules{InitialBalance: 100, Balances: []uint64{7, 0}}
	for i, want := range []uint64{7, 0, 100, 100} {
		if got := r.BalanceOf(i); got != want {
			t.Errorf("agent %d begins with %d, want %d", i, got, want)
		}
	}
}

func TestDefaultPairCycles(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 16, 15: 16, 16: 16, 17: 17, 127: 127, 128: 128, 129: 128, 1000: 128} {
		if got := DefaultPairCycles(n); got != want {
			t.Errorf("%d cycles for %d agents, want %d", got, n, want)
		}
	}
}
