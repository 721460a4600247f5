package world

import (
	"encoding/binary"
	"math/bits"

	"kingdom/wire"
)

// indexParts is in how many parts an index grows, each by itself, so that no single insertion
// has to put all the others in new places.
const indexParts = 256

// Index finds the numbers of records by a hash that the records themselves have. It keeps only 4 bytes per record and
// lets the caller compare, so that each hash is in memory once.
type Index struct {
	key   func(n uint32) uint64 // of record n
	parts [indexParts]indexPart
}

type indexPart struct {
	slots []uint32 // number + 1, from the key's place on the first that was free; 0 is free
	used  int
}

// NewIndex returns an empty index. key must return for the number of a record what it is
// added under and searched by, and few records may have the same one.
func NewIndex(key func(n uint32) uint64) *Index { return &Index{key: key} }

// IndexKey returns the key of an id in an [Index].
func IndexKey(h *wire.Hash) uint64 { return binary.BigEndian.Uint64(h[:]) }

// spread puts keys that differ in few bits far apart: its low bits depend on all of key.
func spread(key uint64) uint64 {
	key *= 0x9E3779B97F4A7C15
	return key ^ key>>32
}

// Find returns the record under a key that is the one looked for.
func (x *Index) Find(key uint64, is func(n uint32) bool) (n uint32, ok bool) {
	place := spread(key)
	slots := x.parts[place%indexParts].slots
	if len(slots) == 0 {
		return 0, false
	}
	for i := first(slots, place); slots[i] != 0; i = next(slots, i) {
		if n := slots[i] - 1; is(n) {
			return n, true
		}
	}
	return 0, false
}

// Add puts record n under its key.
func (x *Index) Add(n uint32) {
	place := spread(x.key(n))
	p := &x.parts[place%indexParts]
	if 4*(p.used+1) > 3*len(p.slots) {
		old := p.slots
		p.slots = make([]uint32, max(4, len(old)+(len(old)+3)/4)) // of twice as many a half would stand empty
		for _, s := range old {
			if s != 0 {
				p.put(spread(x.key(s-1)), s)
			}
		}
	}
	p.put(place, n+1)
	p.used++
}

func (p *indexPart) put(place uint64, slot uint32) {
	i := first(p.slots, place)
	for p.slots[i] != 0 {
		i = next(p.slots, i)
	}
	p.slots[i] = slot
}

// first is where the search for a place begins: its high bits, as a share of all slots, since its low
// ones chose the part.
func first(slots []uint32, place uint64) int {
	i, _ := bits.Mul64(place, uint64(len(slots)))
	return int(i)
}

// next is the slot behind i, around the end.
func next(slots []uint32, i int) int {
	if i++; i == len(slots) {
		return 0
	}
	return i
}
