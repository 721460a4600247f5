package det

import (
	"crypto/sha256"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func sample() *Stream {
	return NewStream([32]byte{1, 2, 3}, MindChoice, [32]byte{4, 5, 6}, 1<<40|7)
}

// The golden values freeze every stream of every run: if one changes, recorded histories stop
// replaying, so a change needs a physics flag.
func TestStream_GoldenByPurpose(t *testing.T) {
	for purpose, want := range map[Purpose][3]uint64{
		MindChoice:      {0x0d90eaf5125a12ea, 0xeb520b88eef0d234, 0xd89b4d5564c910df},
		MindMalformed:   {0xdf63871a1a59fcf5, 0xd8e7068beb0a8e71, 0xc304b7061525aeae},
		MindContent:     {0xbed2724d5e9502e2, 0x2301b280628776c8, 0x20a7f32d613e6c39},
		RoleAspirations: {0x48640c9a9755e139, 0x23c584d88143b8cd, 0x2eb3cb4cd5872bd4},
		PeersSample:     {0x20950611dd23da0c, 0x9d43818fed6d7e3e, 0xa057471226f7a1bc},
		ViewBoard:       {0x8993bd9b30e3cae3, 0x436d48652e160e23, 0xd27d208fc166579},
		Jury:            {0x4f5c4158b17b9e00, 0x57cc1f187b22c1e4, 0x8d8dc1bbd9422edc},
		ScenarioGenome:  {0xe8cfc0cf5332d4ed, 0x8e53d41f3ededc7, 0x984b495046dfc8f9},
	} {
		s := NewStream([32]byte{}, purpose, [32]byte{}, 0)
		if got := [3]uint64{s.Uint64(), s.Uint64(), s.Uint64()}; got != want {
			t.Errorf("%s: %#x, want %#x", purpose, got, want)
		}
	}
}

// The key is exactly the documented preimage, built here by hand.
func TestStream_KeyEqualsDocumentedPreimage(t *testing.T) {
	pre := []byte("kingdom-rng-v1")
	pre = append(pre, 1, 2, 3)
	pre = append(pre, make([]byte, 29)...)
	pre = append(pre, 0, 11)
	pre = append(pre, "mind.choice"...)
	pre = append(pre, 4, 5, 6)
	pre = append(pre, make([]byte, 29)...)
	pre = append(pre, 0, 0, 1, 0, 0, 0, 0, 7)
	want, got := rand.NewChaCha8(sha256.Sum256(pre)), sample()
	for i := range 100 {
		if w, g := want.Uint64(), got.Uint64(); w != g {
			t.Fatalf("value %d: %#x, want %#x", i, g, w)
		}
	}
}

func TestStream_GoldenDerived(t *testing.T) {
	s := sample()
	for i, want := range []uint64{0x3fb4b5d5f172d2a0, 0x3fdf18e52f0e6512, 0x3fb7f5595fa3f648, 0x3fee35e1c7a8420f} {
		if got := math.Float64bits(s.Float64()); got != want {
			t.Errorf("Float64 %d: %#x, want %#x", i, got, want)
		}
	}
	s = sample()
	for i, want := range []uint64{0x3ff6cbf3332c4f00, 0x3fd48ac18bf68550, 0xbfe8cc3387bd52a8, 0xbfd2da6fbafce9d0} {
		if got := math.Float64bits(s.Norm()); got != want {
			t.Errorf("Norm %d: %#x, want %#x", i, got, want)
		}
	}
	s = sample()
	for _, c := range []struct{ n, want int }{
		{1, 0},
		{2, 0},
		{3, 0},
		{10, 9},
		{100, 79},
		{1000, 242},
		{1 << 31, 1972687811},
		{1<<62 + 1, 4353096323873271665},
		{1<<63 - 1, 7013248110563605509},
	} {
		if got := s.IntN(c.n); got != c.want {
			t.Errorf("IntN(%d) = %d, want %d", c.n, got, c.want)
		}
	}
	if got := sample().Perm(12); !slices.Equal(got, []int{9, 2, 7, 3, 4, 10, 1, 6, 8, 11, 5, 0}) {
		t.Errorf("Perm(12) = %v", got)
	}
}

func TestStream_ResetEqualsNew(t *testing.T) {
	var s Stream
	s.Reset([32]byte{9}, PeersSample, [32]byte{}, 1)
	s.Uint64()
	s.Reset([32]byte{1, 2, 3}, MindChoice, [32]byte{4, 5, 6}, 1<<40|7)
	if s.Uint64() != sample().Uint64() {
		t.Error("Reset leaves something of the former key")
	}
	if n := testing.AllocsPerRun(100, func() { s.Reset([32]byte{}, MindChoice, [32]byte{}, 3) }); n != 0 {
		t.Errorf("Reset allocates %v times", n)
	}
}

func TestStream_Distributions(t *testing.T) {
	s := sample()
	const n = 200_000
	var counts [7]int
	var sum, squares float64
	for range n {
		counts[s.IntN(7)]++
		x := s.Norm()
		sum += x
		squares += x * x
	}
	for i, c := range counts {
		if math.Abs(float64(c)-n/7) > 800 {
			t.Errorf("IntN(7) gave %d %d times of %d", i, c, n)
		}
	}
	if mean, variance := sum/n, squares/n; math.Abs(mean) > 0.01 || math.Abs(variance-1) > 0.02 {
		t.Errorf("Norm has mean %v and variance %v", mean, variance)
	}
}

func TestIntN_PanicsOnZero(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("IntN(0) returned")
		}
	}()
	sample().IntN(0)
}

// Three quarters of the low words are free of bias for this n, so some draws are repeated;
// the next value shows how many were taken.
func TestIntN_RejectsBiasedDraws(t *testing.T) {
	s := sample()
	for i, want := range []int{
		559625281700035719, 3361189207326825598, 647394112302767565,
		5487921651725255242, 1680138508718388251, 6529644485809907495,
	} {
		if got := s.IntN(3<<61 - 1); got != want {
			t.Errorf("draw %d = %d, want %d", i, got, want)
		}
	}
	if got := s.Uint64(); got != 0xc2a81fff5fa5780d {
		t.Errorf("the next value is %#x: another number of draws was taken", got)
	}
}

func TestPerm_ConsumesNMinusOneValues(t *testing.T) {
	a, b := sample(), sample()
	a.Perm(12)
	for range 11 {
		b.Uint64()
	}
	if a.Uint64() != b.Uint64() {
		t.Error("Perm(12) must take exactly eleven values")
	}
}
