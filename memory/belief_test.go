package memory

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
)

func claim(s string) Claim { return Claim{Subject: []byte(s), Predicate: "pays"} }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 2e-6 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestBeliefs_MoveByAFifth(t *testing.T) {
	m := New(&RowIDs{SpawnIndex: 1}, DefaultLimits)
	b, c := m.Beliefs, claim("work")
	near(t, "first support", float64(b.Test(c, true, nil, 10)), 0.6)
	near(t, "second support", float64(b.Test(c, true, nil, 20)), 0.68)
	near(t, "against", float64(b.Test(c, false, nil, 30)), 0.544)
	near(t, "shift", float64(b.Shift(c, -0.2, nil, 35)), 0.344)
	near(t, "shift below zero", float64(b.Shift(c, -1, nil, 40)), 0)
	p := b.Get(c)
	if p.formed != 10 || p.LastTested() != 40 || b.id(p) != 1<<32|1 || len(b.list) != 1 {
		t.Errorf("belief %+v", p)
	}
}

// An unknown claim starts where the caller says, also if another belief has to go for it.
func TestBeliefs_MoveTowardsStartsAtTheStart(t *testing.T) {
	b := New(&RowIDs{}, DefaultLimits).Beliefs
	near(t, "unknown", float64(b.MoveTowards(claim("work"), 0.25, 1, 0.2, nil, 1)), 0.4)
	near(t, "known", float64(b.MoveTowards(claim("work"), 0.25, 1, 0.5, nil, 2)), 0.7)
	for i := 1; i < beliefMax; i++ {
		b.Test(claim(fmt.Sprint(i)), true, nil, wire.Tick(i))
	}
	near(t, "unknown to an agent that is full of beliefs", float64(b.MoveTowards(claim("new"), 0.25, 1, 0.2, nil, 1000)), 0.4)
	if len(b.list) != beliefMax {
		t.Errorf("%d beliefs", len(b.list))
	}
}

func TestBeliefs_KeepTheNewestReferences(t *testing.T) {
	b := New(&RowIDs{}, DefaultLimits).Beliefs
	for i := range 10 {
		b.Test(claim("x"), true, &wire.Hash{byte(i)}, wire.Tick(i))
	}
	e := b.Evidence(b.Get(claim("x")))
	if len(e) != 4 || e[0] != (wire.Hash{6}) || e[3] != (wire.Hash{9}) {
		t.Errorf("evidence %v", e)
	}
}

// Where the evidence lies between two looks shows nowhere.
func TestBeliefs_EvidenceIsInOrderWheneverItIsLookedAt(t *testing.T) {
	seldom, often := New(&RowIDs{}, DefaultLimits).Beliefs, New(&RowIDs{}, DefaultLimits).Beliefs
	var plain []wire.Hash
	for i := range 40 {
		h := wire.Hash{byte(i)}
		plain = append(plain, h)
		for _, b := range []*Beliefs{seldom, often} {
			b.Test(claim("x"), true, &h, wire.Tick(i))
		}
		for p := range often.All() {
			if want := plain[max(0, len(plain)-EvidenceMax):]; !slices.Equal(often.Evidence(p), want) {
				t.Fatalf("after %d: %v", i, often.Evidence(p))
			}
		}
		if i%11 == 10 && seldom.Digest() != often.Digest() {
			t.Fatalf("after %d the digests differ", i)
		}
	}
	if rows, _ := seldom.Changed(); !slices.Equal(rows[0].Evidence, plain[36:]) {
		t.Errorf("stored evidence %v", rows[0].Evidence)
	}
}

// The digest is the sum of the hashes of what is stored, whenever it is asked for and whatever was dropped.
func TestBeliefs_DigestCoversWhatIsStored(t *testing.T) {
	stored := codec.New[StoredBelief]()
	b := New(&RowIDs{SpawnIndex: 3}, DefaultLimits).Beliefs
	for i := range 2 * beliefMax {
		b.Test(claim(fmt.Sprint(i%300)), i%3 == 0, &wire.Hash{byte(i)}, wire.Tick(i))
		if i%7 == 0 {
			b.Digest()
		}
		if i%50 != 0 {
			continue
		}
		b.CycleEnd()
		var want Digest
		for p := range b.All() {
			row := b.stored(p)
			want.Add(rowHash(stored, &row))
		}
		if b.Digest() != want.Hash() {
			t.Fatalf("after %d tests the digest of %d beliefs is another", i+1, len(b.list))
		}
	}
}

func TestBeliefs_DropBelowFivePercentAtCycleEnd(t *testing.T) {
	b := New(&RowIDs{}, DefaultLimits).Beliefs
	weak, least := Claim{Subject: []byte("weak"), Predicate: "works"}, Claim{Subject: []byte("weak"), Predicate: AmountPredicate}
	b.Set(least, 0, nil, 1)
	for range 10 { // 0.5 · 0.8^10 = 0.0537
		b.Test(weak, false, nil, 1)
	}
	b.CycleEnd()
	if len(b.list) != 2 {
		t.Fatal("dropped at 0.0537")
	}
	b.Changed()
	b.Test(weak, false, nil, 2) // 0.043
	b.CycleEnd()
	changed, gone := b.Changed()
	if len(b.list) != 1 || b.Get(least) == nil || len(changed) != 0 || len(gone) != 1 || gone[0] != 2 {
		t.Errorf("%d left, changed %v, gone %v", len(b.list), changed, gone)
	}
}

func TestBeliefs_WeakestIsEvicted(t *testing.T) {
	b := New(&RowIDs{}, DefaultLimits).Beliefs
	for i := range beliefMax {
		b.Test(claim(fmt.Sprint(i)), i != 77, nil, wire.Tick(i))
	}
	b.Test(claim("new"), true, nil, 1000)
	if len(b.list) != beliefMax || b.Get(claim("77")) != nil || b.Get(claim("new")) == nil {
		t.Errorf("%d beliefs, 77: %v", len(b.list), b.Get(claim("77")))
	}
	b.Test(claim("newer"), true, nil, 1001) // all equal now: the one tested longest ago
	if b.Get(claim("0")) != nil || b.Get(claim("new")) == nil {
		t.Error("of equals, not the oldest went")
	}
}

// Each hash is in memory once, however many beliefs name it, and its place is free again when none does.
func TestBeliefs_HoldEvidenceOnce(t *testing.T) {
	b := New(&RowIDs{}, DefaultLimits).Beliefs
	for i := range 400 {
		h := wire.Hash{byte(i), byte(i >> 8)}
		for _, s := range []string{"a", "b", "c"} {
			b.Test(claim(s), true, &h, wire.Tick(i))
		}
		b.Test(claim(fmt.Sprint("weak", i%3)), false, &h, wire.Tick(i))
		if i%16 == 15 {
			b.CycleEnd()
		}
	}
	if n := len(b.evidence.hashes); n > 32 {
		t.Errorf("%d places for what %d beliefs name", n, len(b.list))
	}
	named := map[evidenceIndex]uint16{}
	for p := range b.All() {
		for _, at := range p.evidence[:p.n] {
			named[at]++
		}
	}
	for i, uses := range b.evidence.uses {
		if named[evidenceIndex(i)] != uses || slices.Contains(b.evidence.free, evidenceIndex(i)) != (uses == 0) {
			t.Errorf("place %d counts %d references, there are %d; the free ones are %d", i, uses, named[evidenceIndex(i)], b.evidence.free)
		}
	}
}
