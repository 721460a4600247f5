package sample

import "testing"

func TestFee(t *testing.T) {
	for amount, want := range map[int]int{0: 2, 50: 5} {
		if got := Fee(amount); got != want {
			t.Errorf("Fee(%d) = %d, want %d", amount, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	if !Open(true, true) || Open(false, true) {
		t.Error("the door does not keep hours")
	}
}

func TestCount(t *testing.T) {
	if n := Count("a", "", "b"); n != 2 {
		t.Errorf("%d, want 2", n)
	}
}
