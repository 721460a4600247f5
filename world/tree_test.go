package world

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
)

// plainRoot is the definition of docs/WORLD.md, written down without any
// incremental bookkeeping.
func plainRoot(recs map[wire.Hash]wire.Hash) wire.Hash {
	level := map[int]wire.Hash{}
	buckets := map[int][]byte{}
	for _, kh := range det.SortedKeysFunc(recs, wire.Hash.Compare) {
		i, r := int(binary.BigEndian.Uint16(kh[:2])), recs[kh]
		buckets[i] = append(append(buckets[i], kh[:]...), r[:]...)
	}
	for i, leaves := range buckets {
		level[i] = sha256.Sum256(leaves)
	}
	for width := 65536; width > 1; width /= 16 {
		up := map[int][]byte{}
		for i, h := range level {
			if up[i/16] == nil {
				up[i/16] = make([]byte, 16*32)
			}
			copy(up[i/16][i%16*32:], h[:])
		}
		clear(level)
		for i, b := range up {
			level[i] = sha256.Sum256(b)
		}
	}
	return level[0]
}

func TestTree_EqualsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr tree
		recs := map[wire.Hash]wire.Hash{}
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			for range rapid.IntRange(0, 12).Draw(t, "changes") {
				// Few distinct first bytes, so that buckets are shared and emptied.
				kh := wire.Hash{byte(rapid.IntRange(0, 1).Draw(t, "b0")), 7, byte(rapid.IntRange(0, 3).Draw(t, "b2"))}
				if rapid.Bool().Draw(t, "remove") {
					tr.remove(kh)
					delete(recs, kh)
				} else {
					r := wire.Hash{rapid.Byte().Draw(t, "record")}
					tr.put(kh, r)
					recs[kh] = r
				}
			}
			if got, want := tr.sum(), plainRoot(recs); got != want {
				t.Fatalf("root of %d records is %v, want %v", len(recs), got, want)
			}
			if tr.n != len(recs) {
				t.Fatalf("tree counts %d records, want %d", tr.n, len(recs))
			}
		}
	})
}

func TestTree_EmptyIsZero(t *testing.T) {
	var tr tree
	if got := tr.sum(); got != (wire.Hash{}) {
		t.Errorf("root of a new tree is %v, want zeros", got)
	}
	kh := wire.Hash{0xAB, 0xCD}
	tr.put(kh, wire.Hash{1})
	if got := tr.sum(); got == (wire.Hash{}) {
		t.Error("root with a record is zero")
	}
	tr.remove(kh)
	if got := tr.sum(); got != (wire.Hash{}) {
		t.Errorf("root after the last removal is %v, want zeros", got)
	}
}

func BenchmarkTree_HundredChanges(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		var tr tree
		key := func(i int) wire.Hash { return sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i))) }
		for i := range n {
			tr.put(key(i), wire.Hash{1})
		}
		tr.sum()
		b.Run(name(n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				for j := range 100 {
					tr.put(key((i*100+j)%n), wire.Hash{byte(i), byte(j)})
				}
				tr.sum()
			}
		})
	}
}

func name(n int) string {
	if n == 10_000 {
		return "10k"
	}
	return "100k"
}
