package memory

import (
	"encoding/binary"
	"math/bits"

	"kingdom/wire"
)

// prefixes are the first eight bytes of the ids of a list, in its order. A search compares
// them first and reads an item only where they agree. Items are long and agents are many, so an item that is read is usually
// not in the processor's cache.
type prefixes []uint64

func prefixOf[ID wire.Hash | wire.AgentID](h *ID) uint64 { return binary.BigEndian.Uint64((*h)[:8]) }

// search returns the index of the first prefix that is not below x. It is an interpolation search: ids are hashes and evenly
// distributed, so the first guess is off by a few items only. A binary search would have more cache misses.
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

// findNote finds the note with an id, newest first, because the newest are looked up most; -1 if there is none. It
// fills in the prefixes of a notebook that was restored.
func findNote[Note any, ID wire.Hash | wire.AgentID](p *prefixes, notes []Note, id *ID, of func(*Note) *ID) int {
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

// grow returns a list with room for one more item. A long list grows by a quarter instead of doubling as in
// append, and never beyond most items.
func grow[T any](list []T, most int) []T {
	if len(list) < cap(list) || len(list) >= most {
		return list
	}
	grown := make([]T, len(list), min(max(min(2*len(list), len(list)+len(list)/4+4), 4), most))
	copy(grown, list)
	return grown
}

// replace drops the item at old, puts item before the one at next, and returns where it is then. Only the items between the
// two move.
func replace[T any](list []T, old, next int, item T) (at int) {
	if old < next {
		next--
		copy(list[old:next], list[old+1:next+1])
	} else {
		copy(list[next+1:old+1], list[next:old])
	}
	list[next] = item
	return next
}
