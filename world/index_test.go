package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// TestIndex_EqualsAMap compares an index over records with a map, with ids that are spread, that
// differ in a few bits, and that share their keys.
func TestIndex_EqualsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records Slab[wire.Hash]
		x := NewIndex(func(n uint32) uint64 { return IndexKey(records.At(n)) })
		want := map[wire.Hash]uint32{}
		find := func(h wire.Hash) (uint32, bool) {
			return x.Find(IndexKey(&h), func(n uint32) bool { return *records.At(n) == h })
		}
		for i := range rapid.IntRange(0, 3000).Draw(t, "records") {
			var h wire.Hash
			switch i % 3 {
			case 0:
				h = sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
			case 1:
				binary.BigEndian.PutUint16(h[2:], uint16(i))
			default:
				h[31] = byte(i / 3) // one key, few ids
			}
			if n, ok := find(h); ok {
				if n != want[h] {
					t.Fatalf("record %v has number %d, want %d", h, n, want[h])
				}
				continue
			}
			if _, ok := want[h]; ok {
				t.Fatalf("record %v is not found", h)
			}
			want[h] = records.Add(h)
			x.Add(want[h])
		}
		for h, n := range want {
			if got, ok := find(h); !ok || got != n {
				t.Fatalf("record %v has number %d, %t, want %d", h, got, ok, n)
			}
		}
		if _, ok := find(wire.Hash{0xFF}); ok {
			t.Fatal("found what was never added")
		}
	})
}

func TestSlab_PointersStayValid(t *testing.T) {
	var s Slab[int]
	first := s.At(s.Add(7))
	for i := range 3 * slabPart {
		if n := s.Add(i); int(n) != i+1 {
			t.Fatalf("record %d got number %d", i+1, n)
		}
	}
	*first = 8
	all := []int{}
	for r := range s.All() {
		all = append(all, *r)
	}
	if len(all) != s.Len() || all[0] != 8 || !slices.IsSorted(all[1:]) || all[len(all)-1] != 3*slabPart-1 {
		t.Errorf("records %v", all)
	}
}

func TestNumbering_AssignsConsecutiveNumbers(t *testing.T) {
	var x Numbering[string]
	if _, ok := x.Find("a"); ok {
		t.Error("an empty numbering knows a key")
	}
	if a, b, again := x.Assign("a"), x.Assign("b"), x.Assign("a"); a != 0 || b != 1 || again != 0 || x.Key(1) != "b" {
		t.Errorf("numbers %d %d %d, key %q", a, b, again, x.Key(1))
	}
	if n, ok := x.Find("b"); !ok || n != 1 {
		t.Errorf("b has number %d, %t", n, ok)
	}
}

// BenchmarkIndex is one search among a million.
func BenchmarkIndex(b *testing.B) {
	var records Slab[wire.Hash]
	x := NewIndex(func(n uint32) uint64 { return IndexKey(records.At(n)) })
	for i := range 1_000_000 {
		x.Add(records.Add(sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))))
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i = (i + 7919) % 1_000_000
		h := *records.At(uint32(i))
		if _, ok := x.Find(IndexKey(&h), func(n uint32) bool { return *records.At(n) == h }); !ok {
			b.Fatal("lost")
		}
	}
}

// Strings read back as they were, however they fill the blocks of memory.
func TestByteSlab_ReadsBackWhatWasAdded(t *testing.T) {
	var s ByteSlab
	var places []uint32
	sizes := []int{0, 1, bytesPart - 1, 1, 0, bytesPart, 3, bytesPart - 3, 2, 40_000, 40_000}
	for i, n := range sizes {
		b := bytes.Repeat([]byte{byte('a' + i)}, n)
		places = append(places, s.Add(b))
		clear(b)
	}
	for i, n := range sizes {
		if n == 0 {
			continue
		}
		if got := s.At(places[i])[:n]; !bytes.Equal(got, bytes.Repeat([]byte{byte('a' + i)}, n)) {
			t.Errorf("string %d of %d bytes came back as %.20q…", i, n, got)
		}
	}
}
