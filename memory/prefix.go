package memory

import (
	"encoding/binary"

	"kingdom/wire"
)

// prefixes are the first eight bytes of the ids of a list, in its order. A search looks at them
// and touches an item only where they agree: lists hold long items, agents are many, and
// what a search touches is not in the processor's cache.
type prefixes []uint64

func prefixOf[ID wire.Hash | wire.AgentID](h *ID) uint64 { return binary.BigEndian.Uint64((*h)[:8]) }

// room returns a list with room for one more item. It grows like append but never beyond
// the most that the list will hold.
func room[T any](list []T, most int) []T {
	if len(list) < cap(list) || len(list) >= most {
		return list
	}
	grown := make([]T, len(list), min(max(2*len(list), 4), most))
	copy(grown, list)
	return grown
}
