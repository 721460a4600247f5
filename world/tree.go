package world

import (
	"bytes"
	"crypto/sha256"
	"math/bits"
	"slices"
	"sort"

	"kingdom/wire"
)

// tree is the hash over records that change: 65,536 buckets by the first two
// bytes of a key hash, fan-out 16 above them. Nodes are allocated when first
// needed and only dirty paths are hashed again, so the cost of a root follows
// what changed, not what exists (docs/WORLD.md, world hash).
type tree struct {
	root *node
	n    int
}

// node is an inner node: with children, or at the lowest depth with 16 buckets.
type node struct {
	digest  wire.Hash
	dirty   bool
	child   *[16]*node
	buckets *buckets
}

// buckets are the records of 16 neighbouring buckets, in one list: a bucket of its own for each
// would take more memory than the few records in it.
type buckets struct {
	leaves  []leaf      // ascending by key hash, so bucket after bucket
	digests []wire.Hash // of the buckets that full names, in their order
	full    uint16      // buckets that had records at the last sum, by bit
	dirty   uint16      // buckets that changed since
}

type leaf struct{ key, record wire.Hash }

// treeDepth is the depth of the nodes that hold buckets; the root's is 0.
const treeDepth = 3

func nibble(kh *wire.Hash, depth int) byte {
	b := kh[depth/2]
	if depth%2 == 0 {
		return b >> 4
	}
	return b & 15
}

// touch finds the buckets around kh and marks its own and the path to it as dirty.
func (t *tree) touch(kh *wire.Hash) *buckets {
	if t.root == nil {
		t.root = &node{}
	}
	n := t.root
	n.dirty = true
	for d := range treeDepth {
		if n.child == nil {
			n.child = new([16]*node)
		}
		i := nibble(kh, d)
		if n.child[i] == nil {
			n.child[i] = &node{}
		}
		n = n.child[i]
		n.dirty = true
	}
	if n.buckets == nil {
		n.buckets = &buckets{}
	}
	n.buckets.dirty |= 1 << nibble(kh, treeDepth)
	return n.buckets
}

func (b *buckets) find(kh *wire.Hash) (int, bool) {
	i := sort.Search(len(b.leaves), func(i int) bool { return bytes.Compare(b.leaves[i].key[:], kh[:]) >= 0 })
	return i, i < len(b.leaves) && b.leaves[i].key == *kh
}

// of returns the records of bucket i.
func (b *buckets) of(i byte) []leaf {
	from := sort.Search(len(b.leaves), func(j int) bool { return nibble(&b.leaves[j].key, treeDepth) >= i })
	rest := b.leaves[from:]
	return rest[:sort.Search(len(rest), func(j int) bool { return nibble(&rest[j].key, treeDepth) > i })]
}

func (t *tree) put(kh, record wire.Hash) {
	b := t.touch(&kh)
	i, ok := b.find(&kh)
	if ok {
		b.leaves[i].record = record
		return
	}
	t.n++
	if len(b.leaves) == cap(b.leaves) { // append would double it, and there are thousands of these lists
		b.leaves = append(make([]leaf, 0, len(b.leaves)+1+len(b.leaves)/8), b.leaves...)
	}
	b.leaves = slices.Insert(b.leaves, i, leaf{kh, record})
}

func (t *tree) remove(kh wire.Hash) {
	b := t.touch(&kh)
	if i, ok := b.find(&kh); ok {
		t.n--
		b.leaves = slices.Delete(b.leaves, i, i+1)
	}
}

// sum is the root digest; 32 zero bytes for no records.
func (t *tree) sum() wire.Hash {
	if t.root == nil {
		return wire.Hash{}
	}
	return t.root.sum()
}

func (n *node) sum() wire.Hash {
	if !n.dirty {
		return n.digest
	}
	n.dirty = false
	n.digest = wire.Hash{}
	var below [16]wire.Hash
	if n.buckets != nil {
		n.buckets.sum(&below)
	}
	if n.child != nil {
		for i, c := range n.child {
			if c != nil {
				below[i] = c.sum()
			}
		}
	}
	if below == ([16]wire.Hash{}) {
		return n.digest
	}
	var b [16 * 32]byte
	for i := range below {
		copy(b[i*32:], below[i][:])
	}
	n.digest = sha256.Sum256(b[:])
	return n.digest
}

// sum fills in the digests of the buckets and hashes those that changed again.
func (b *buckets) sum(out *[16]wire.Hash) {
	old, full := b.digests, uint16(0)
	for i := range byte(16) {
		if b.full>>i&1 == 1 {
			out[i], old = old[0], old[1:]
		}
		if b.dirty>>i&1 == 1 {
			out[i] = hashLeaves(b.of(i))
		}
		if out[i] != (wire.Hash{}) {
			full |= 1 << i
		}
	}
	if full != b.full {
		b.digests = make([]wire.Hash, bits.OnesCount16(full))
	}
	n := 0
	for i := range out {
		if full>>i&1 == 1 {
			b.digests[n] = out[i]
			n++
		}
	}
	b.full, b.dirty = full, 0
}

// hashLeaves is the digest of a bucket; 32 zero bytes for no records.
func hashLeaves(list []leaf) (digest wire.Hash) {
	if len(list) == 0 {
		return digest
	}
	h := sha256.New()
	for i := range list {
		h.Write(list[i].key[:])
		h.Write(list[i].record[:])
	}
	h.Sum(digest[:0])
	return digest
}
