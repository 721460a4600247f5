package det

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

func TestExp_Golden(t *testing.T) {
	for _, c := range []struct {
		x    float64
		bits uint64
	}{
		{-745.2, 0x0},
		{-745, 0x1},
		{-700, 0xd14f2b0fb9307f},
		{-20.5, 0x3e157a3afeed00ac},
		{-1, 0x3fd78b56362cef38},
		{-0.5, 0x3fe368b2fc6f960a},
		{-1e-09, 0x3fefffffff768fa1},
		{0, 0x3ff0000000000000},
		{1e-300, 0x3ff0000000000000},
		{0.1, 0x3ff1aec7b35a00d4},
		{0.5, 0x3ffa61298e1e069c},
		{1, 0x4005bf0a8b14576a},
		{2, 0x401d8e64b8d4ddae},
		{10.25, 0x40db9ea2aed2a0f1},
		{88.7, 0x47ef4705bbffae5c},
		{300, 0x5afc05c0a7166b4a},
		{709.78, 0x7fefe9ce5c4c52b4},
		{709.79, 0x7ff0000000000000},
		{math.Inf(1), 0x7ff0000000000000},
		{math.Inf(-1), 0},
	} {
		if got := math.Float64bits(Exp(c.x)); got != c.bits {
			t.Errorf("Exp(%v) = %#x, want %#x", c.x, got, c.bits)
		}
	}
	if !math.IsNaN(Exp(math.NaN())) {
		t.Error("Exp(NaN) is a number")
	}
}

func TestExp_Accuracy(t *testing.T) {
	const n = 200_000
	for i := range n {
		x := -700 + 1400*float64(i)/n
		want := math.Exp(x)
		if rel := math.Abs(Exp(x)-want) / want; rel > 5e-16 {
			t.Fatalf("Exp(%v) is off by %v", x, rel)
		}
	}
}

func TestQuantise_Table(t *testing.T) {
	const q = 1.0 / (1 << 20)
	for _, c := range []struct {
		x float64
		k int64
	}{
		{0, 0},
		{1, 1 << 20},
		{0.5, 1 << 19},
		{q, 1},
		{q / 2, 1},    // half rounds up
		{q * 0.49, 0}, // below half
		{q * 1.5, 2},
		{q * 2.5, 3}, // not to even
		{-q / 2, 0},  // towards +Inf
		{-q * 0.51, -1},
		{-1, -(1 << 20)},
		{0.9, 943718}, // 943718.4
		{0.1, 104858}, // 104857.6
		{1.0 / 3, 349525},
	} {
		if got := QuantiseInt(c.x); got != c.k {
			t.Errorf("QuantiseInt(%v) = %d, want %d", c.x, got, c.k)
		}
		if got := Quantise(c.x); got != float64(c.k)*q || got != Dequantise(c.k) {
			t.Errorf("Quantise(%v) = %v", c.x, got)
		}
	}
}

func TestQuantise_StableAndExactAsFloat32(t *testing.T) {
	s := sample()
	for range 10_000 {
		x := Quantise(s.Float64())
		if Quantise(x) != x || float64(float32(x)) != x {
			t.Fatalf("%v is not a fixed point", x)
		}
	}
}

func TestSortedKeys(t *testing.T) {
	m := map[string]int{"b": 1, "a": 2, "": 3, "ab": 4}
	if got := SortedKeys(m); !slices.Equal(got, []string{"", "a", "ab", "b"}) {
		t.Errorf("keys %q", got)
	}
	ids := map[[2]byte]bool{{2, 0}: true, {1, 9}: true, {1, 2}: true}
	got := SortedKeysFunc(ids, func(a, b [2]byte) int { return bytes.Compare(a[:], b[:]) })
	if !slices.Equal(got, [][2]byte{{1, 2}, {1, 9}, {2, 0}}) {
		t.Errorf("keys %v", got)
	}
	if SortedKeys(map[string]int{}) != nil {
		t.Error("no keys are nil")
	}
}

func TestExp_ScalesAsLdexpDoes(t *testing.T) {
	s := NewStream([32]byte{}, "", [32]byte{}, 0)
	for range 100_000 {
		x := expUnderflow + float64((expOverflow-expUnderflow)*s.Float64())
		k := math.Floor(float64(x*invLn2) + 0.5)
		r := x - float64(k*ln2Hi)
		r -= float64(k * ln2Lo)
		p := 0.0
		for _, c := range expCoefficients {
			p = float64(p*r) + c
		}
		if got, want := Exp(x), math.Ldexp(p, int(k)); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("Exp(%v) = %x, want %x", x, got, want)
		}
	}
}

// At its limits Exp is still a number, beyond them it is +Inf or 0.
func TestExp_AtItsLimits(t *testing.T) {
	if got := Exp(expOverflow); math.IsInf(got, 1) || got < 1.797e308 {
		t.Errorf("Exp(%v) = %v, want the largest numbers", expOverflow, got)
	}
	if got := Exp(math.Nextafter(expOverflow, math.Inf(1))); !math.IsInf(got, 1) {
		t.Errorf("just above the limit: %v, want +Inf", got)
	}
	if got := Exp(math.Nextafter(expUnderflow, math.Inf(-1))); got != 0 {
		t.Errorf("just below the limit: %v, want 0", got)
	}
}

func TestQuantise_PanicsBeyondRangeAndNaN(t *testing.T) {
	for x, want := range map[float64]bool{
		math.Nextafter(1<<32, 0): false, -math.Nextafter(1<<32, 0): false,
		1 << 32: true, -(1 << 32): true, math.Inf(1): true, math.NaN(): true,
	} {
		func() {
			defer func() {
				if got := recover() != nil; got != want {
					t.Errorf("%v: panics %t, want %t", x, got, want)
				}
			}()
			QuantiseInt(x)
		}()
	}
}
