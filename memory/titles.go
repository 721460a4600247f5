package memory

import "hash/fnv"

// titlesMax is how many titles are kept; the oldest goes first. Where more entries are written than that, agents write
// what they have forgotten to be there again, all at once.
const titlesMax = 1024

// Titles are the titles of Oracle entries of which an agent has heard, so that it does not write the same again;
// unlike findings they are not forgotten with what was counted. Each is kept as 32 bits of a hash, oldest first. They
// are stored in the agent's state.
type Titles []uint32

// Note adds a title.
func (l *Titles) Note(title []byte) {
	if l.Known(title) {
		return
	}
	if len(*l) >= titlesMax {
		*l = append((*l)[:0], (*l)[titlesMax/8:]...)
	}
	*l = append(grow(*l, titlesMax), markOf(title))
}

// Known reports whether an entry with a title is known.
func (l Titles) Known(title []byte) bool {
	mark := markOf(title)
	for _, x := range l {
		if x == mark {
			return true
		}
	}
	return false
}

func markOf(title []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(title)
	return h.Sum32()
}
