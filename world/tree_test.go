package world

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"syscall"
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

func TestTree_EqualsPlainDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr tree
		recs := map[wire.Hash]wire.Hash{}
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			for range rapid.IntRange(0, 12).Draw(t, "changes") {
				// Few distinct first bytes, so that buckets are shared and emptied.
				kh := wire.Hash{byte(rapid.IntRange(0, 1).Draw(t, "b0")), byte(rapid.IntRange(6, 9).Draw(t, "b1")), byte(rapid.IntRange(0, 3).Draw(t, "b2"))}
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

func TestTree_EmptyTreeHashIsZero(t *testing.T) {
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

// With 100 changed records at most 501 nodes above their buckets are hashed again, and of each bucket its records, 15
// where there are a million.
func TestTree_RehashesOnlyChangedNodes(t *testing.T) {
	for _, n := range []int{10_000, 300_000} {
		tr := treeOf(n)
		for j := range 100 {
			tr.put(treeKey(j*(n/100)), wire.Hash{2})
		}
		nodes, leaves := tr.root.stale()
		if nodes > 501 || leaves > 100*(n/65_536+1)*4 {
			t.Errorf("%d records, 100 changed: %d nodes with %d records are hashed again", n, nodes, leaves)
		}
		if tr.sum(); tr.root.dirty {
			t.Error("a root is dirty after its sum")
		}
	}
}

// stale counts the nodes that the next sum hashes, and the records in their buckets.
func (n *node) stale() (nodes, leaves int) {
	if !n.dirty {
		return 0, 0
	}
	nodes = 1
	for i := range byte(16) {
		if n.buckets != nil && n.buckets.dirty>>i&1 == 1 {
			nodes, leaves = nodes+1, leaves+len(n.buckets.of(i))
		}
	}
	if n.child == nil {
		return nodes, leaves
	}
	for _, c := range n.child {
		if c != nil {
			more, of := c.stale()
			nodes, leaves = nodes+more, leaves+of
		}
	}
	return nodes, leaves
}

func treeKey(i int) wire.Hash { return sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i))) }

func treeOf(n int) *tree {
	tr := &tree{}
	for i := range n {
		tr.put(treeKey(i), wire.Hash{1})
	}
	tr.sum()
	return tr
}

func BenchmarkTree_HundredChanges(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		tr := treeOf(n)
		b.Run(fmt.Sprint("records=", n), func(b *testing.B) {
			b.ReportAllocs()
			before, turns := cpuTime(b), 0
			for i := 0; b.Loop(); i++ {
				turns++
				for j := range 100 {
					tr.put(treeKey((i*100+j)%n), wire.Hash{byte(i), byte(j)})
				}
				tr.sum()
			}
			b.ReportMetric(float64(cpuTime(b)-before)/float64(turns), "cpu-ns/op")
		})
	}
}

// cpuTime is the user and system time of the process in nanoseconds: other work on the machine does not count.
func cpuTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
