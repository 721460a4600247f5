package memory

import (
	"encoding/binary"
	"math/bits"

	"kingdom/wire"
)

// prefixes are the first eight bytes of the ids of a list, in its order. A search looks at them
// and touches an item only where they agree: lists hold long items, agents are many, and
// what a search touches is not in the processor's cache.
type prefixes []uint64

func prefixOf[ID wire.Hash | wire.AgentID](h *ID) uint64 { return binary.BigEndian.Uint64((*h)[:8]) }

// search returns where in a sorted list a prefix is or would be. Ids are hashes, spread evenly:
// the place that the prefix's size suggests is off by a few items only, where halving would
// look into one part of memory after the other.
func (p prefixes) search(x uint64) int {
	guess, _ := bits.Mul64(x, uint64(len(p)))
	i := int(guess)
	for i < len(p) && p[i] < x {
		i++
	}
	for i > 0 && p[i-1] >= x {
		i--
	}
	return i
}

// noteAt finds the note with an id, the newest of them first, for that one is asked about
// most; -1: there is none. A notebook that was restored has no prefixes yet.
func noteAt[Note any, ID wire.Hash | wire.AgentID](p *prefixes, notes []Note, id *ID, of func(*Note) *ID) int {
	if len(*p) != len(notes) {
		*p = (*p)[:0]
		for i := range notes {
			*p = append(*p, prefixOf(of(&notes[i])))
		}
	}
	k := prefixOf(id)
	for i := len(notes) - 1; i >= 0; i-- {
		if (*p)[i] == k && *of(&notes[i]) == *id {
			return i
		}
	}
	return -1
}

// grow returns a list with room for one more item. Once it is long it grows by a quarter, where
// append would double it, and never beyond the most that it will hold.
func grow[T any](list []T, most int) []T {
	if len(list) < cap(list) || len(list) >= most {
		return list
	}
	grown := make([]T, len(list), min(max(min(2*len(list), len(list)+len(list)/4+4), 4), most))
	copy(grown, list)
	return grown
}
