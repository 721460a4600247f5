package memory

import (
	"hash/fnv"
	"slices"
)

// titlesMax is how many titles are kept; the oldest goes first. If more entries are written than that, agents
// publish entries again that they have forgotten, many at once.
const titlesMax = 1024

// Titles are the titles of Oracle entries of which an agent has heard, so that it does not write the same again;
// unlike findings they are not forgotten with what was counted. Each is kept as 32 bits of a hash, oldest first. They
// are stored in the agent's state.
type Titles []uint32

// Add adds a title.
func (l *Titles) Add(title []byte) {
	if l.Contains(title) {
		return
	}
	if len(*l) >= titlesMax {
		*l = append((*l)[:0], (*l)[titlesMax/8:]...)
	}
	*l = append(grow(*l, titlesMax), titleHash(title))
}

// Contains reports whether an entry with a title is known.
func (l Titles) Contains(title []byte) bool {
	return slices.Contains(l, titleHash(title))
}

func titleHash(title []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(title)
	return h.Sum32()
}
