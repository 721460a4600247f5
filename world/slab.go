package world

import (
	"fmt"
	"iter"
)

// slabPart is how many records lie in one piece of memory.
const slabPart = 256

// Slab keeps records by number, from 0, in blocks that are never moved or copied. So adding a record always costs the
// same, and pointers to records stay valid. Records without pointers cost the garbage collector nothing.
type Slab[T any] struct {
	parts [][]T
	n     uint32
}

// Len returns the number of records.
func (s *Slab[T]) Len() int { return int(s.n) }

// At returns record n, which must exist.
func (s *Slab[T]) At(n uint32) *T { return &s.parts[n/slabPart][n%slabPart] }

// Add appends a record and returns its number.
func (s *Slab[T]) Add(r T) (n uint32) {
	n = s.n
	if n%slabPart == 0 {
		s.parts = append(s.parts, make([]T, slabPart))
	}
	s.parts[n/slabPart][n%slabPart] = r
	s.n++
	return n
}

// All iterates over the records in order.
func (s *Slab[T]) All() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for n := range s.n {
			if !yield(s.At(n)) {
				return
			}
		}
	}
}

// bytesPart is how many bytes lie in one piece of memory.
const bytesPart = 1 << 16

// ByteSlab keeps byte strings for the life of the process in large blocks, without the overhead of a slice for each.
type ByteSlab struct {
	parts [][]byte
	free  []byte // of the last piece
}

// Add keeps a copy of b, of at most 64 KiB, and returns its place.
func (s *ByteSlab) Add(b []byte) (place uint32) {
	if len(b) > bytesPart {
		panic(fmt.Sprintf("world: a slab takes strings of at most %d bytes, not %d", bytesPart, len(b)))
	}
	if len(b) > len(s.free) {
		s.free = make([]byte, bytesPart)
		s.parts = append(s.parts, s.free)
	}
	place = uint32(len(s.parts)*bytesPart - len(s.free))
	s.free = s.free[copy(s.free, b):]
	return place
}

// At returns the bytes from a place on; the caller knows where the string ends. They must not be written.
func (s *ByteSlab) At(place uint32) []byte { return s.parts[place/bytesPart][place%bytesPart:] }

// Numbering gives each key a number, from 0 in the order in which they first occur, so that records can refer to it
// in 4 bytes. It is meant for keys of which there are few, such as agents.
type Numbering[K comparable] struct {
	keys []K
	of   map[K]uint32
}

// Assign returns the number of k, and gives it one if it has none.
func (x *Numbering[K]) Assign(k K) uint32 {
	n, ok := x.of[k]
	if !ok {
		if x.of == nil {
			x.of = map[K]uint32{}
		}
		n = uint32(len(x.keys))
		x.of[k], x.keys = n, append(x.keys, k)
	}
	return n
}

// Find returns the number of k if it has one.
func (x *Numbering[K]) Find(k K) (n uint32, ok bool) {
	n, ok = x.of[k]
	return n, ok
}

// Key returns the key with number n.
func (x *Numbering[K]) Key(n uint32) K { return x.keys[n] }
