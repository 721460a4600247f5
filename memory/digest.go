package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Digest is the hash of a set of rows: the sum of their SHA-256 values modulo 2^256.
// Rows can be added and removed in any order, at a cost that does not depend on the size of the set.
// Every row carries its own id, so the order of rows is covered too. It tells equal
// sets from unequal ones; it is no defence against somebody who can choose rows.
type Digest struct {
	limbs [4]uint64 // least significant first
}

// Add adds the hash of a row.
func (d *Digest) Add(h wire.Hash) {
	var c uint64
	for i := range d.limbs {
		d.limbs[i], c = bits.Add64(d.limbs[i], limb(&h, i), c)
	}
}

// Sub removes the hash of a row.
func (d *Digest) Sub(h wire.Hash) {
	var b uint64
	for i := range d.limbs {
		d.limbs[i], b = bits.Sub64(d.limbs[i], limb(&h, i), b)
	}
}

// Hash returns the sum, big-endian; the empty set is 32 zero bytes.
func (d *Digest) Hash() (h wire.Hash) {
	for i, v := range d.limbs {
		binary.BigEndian.PutUint64(h[24-8*i:], v)
	}
	return h
}

func limb(h *wire.Hash, i int) uint64 { return binary.BigEndian.Uint64(h[24-8*i:]) }

// rowHash is SHA-256 of the canonical bytes of a row.
func rowHash[T any](c *codec.Codec[T], row *T) wire.Hash {
	s := codec.Borrow()
	defer s.Return()
	s.B = c.Append(s.B, row)
	return sha256.Sum256(s.B)
}
