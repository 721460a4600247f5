package world

import (
	"bytes"
	"crypto/sha256"
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

type node struct {
	digest wire.Hash
	dirty  bool
	child  *[16]*node // inner nodes
	leaves []leaf     // buckets, ascending by key hash
}

type leaf struct{ key, record wire.Hash }

const treeDepth = 4

func nibble(kh *wire.Hash, depth int) byte {
	b := kh[depth/2]
	if depth%2 == 0 {
		return b >> 4
	}
	return b & 15
}

// bucket finds kh's bucket and marks the path to it.
func (t *tree) bucket(kh *wire.Hash) *node {
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
	return n
}

func (n *node) find(kh *wire.Hash) (int, bool) {
	i := sort.Search(len(n.leaves), func(i int) bool { return bytes.Compare(n.leaves[i].key[:], kh[:]) >= 0 })
	return i, i < len(n.leaves) && n.leaves[i].key == *kh
}

func (t *tree) put(kh, record wire.Hash) {
	b := t.bucket(&kh)
	i, ok := b.find(&kh)
	if ok {
		b.leaves[i].record = record
		return
	}
	t.n++
	b.leaves = append(b.leaves, leaf{})
	copy(b.leaves[i+1:], b.leaves[i:])
	b.leaves[i] = leaf{kh, record}
}

func (t *tree) remove(kh wire.Hash) {
	b := t.bucket(&kh)
	if i, ok := b.find(&kh); ok {
		t.n--
		b.leaves = append(b.leaves[:i], b.leaves[i+1:]...)
	}
}

// sum is the root digest; 32 zero bytes for no records.
func (t *tree) sum() wire.Hash {
	if t.root == nil {
		return wire.Hash{}
	}
	return t.root.sum(0)
}

func (n *node) sum(depth int) wire.Hash {
	if !n.dirty {
		return n.digest
	}
	n.dirty = false
	n.digest = wire.Hash{}
	if depth == treeDepth {
		if len(n.leaves) > 0 {
			h := sha256.New()
			for i := range n.leaves {
				h.Write(n.leaves[i].key[:])
				h.Write(n.leaves[i].record[:])
			}
			h.Sum(n.digest[:0])
		}
		return n.digest
	}
	var b [16 * 32]byte
	full := false
	for i, c := range n.child {
		if c == nil {
			continue
		}
		d := c.sum(depth + 1)
		full = full || d != wire.Hash{}
		copy(b[i*32:], d[:])
	}
	if full {
		n.digest = sha256.Sum256(b[:])
	}
	return n.digest
}
