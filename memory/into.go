package memory

import (
	"cmp"
	"iter"
	"slices"

	"kingdom/wire"
)

// The list into is the index of edges by where they lead. It names edges by their places, which are 4 bytes where the
// ends of an edge are 16; they move with every new edge, as the edges behind it do.

// addInto takes in the edge at a place, where there was none before.
func (k *KnowledgeGraph) addInto(i int) {
	for j := range k.into {
		if int(k.into[j]) >= i {
			k.into[j]++
		}
	}
	at := k.firstInto(k.ends[i])
	for at < len(k.into) && k.ends[k.into[at]] == k.ends[i] && int(k.into[at]) < i {
		at++
	}
	k.into = slices.Insert(grow(k.into, k.limits.Edges), at, uint32(i))
}

// dropInto takes out the edge at a place, which is still there.
func (k *KnowledgeGraph) dropInto(i int) {
	at := k.firstInto(k.ends[i])
	for int(k.into[at]) != i {
		at++
	}
	k.into = slices.Delete(k.into, at, at+1)
	for j := range k.into {
		if int(k.into[j]) > i {
			k.into[j]--
		}
	}
}

// firstInto is the place in the index of the first edge whose ends are not before x. Like firstEdge it is a binary search
// written out: recall makes dozens.
func (k *KnowledgeGraph) firstInto(x ends) int {
	lo, hi := 0, len(k.into)
	for lo < hi {
		mid := (lo + hi) / 2
		if y := k.ends[k.into[mid]]; y.to < x.to || y.to == x.to && y.from < x.from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// sortInto makes the index anew.
func (k *KnowledgeGraph) sortInto() {
	k.into = make([]uint32, len(k.ends))
	for i := range k.into {
		k.into[i] = uint32(i)
	}
	slices.SortFunc(k.into, func(a, b uint32) int {
		x, y := k.ends[a], k.ends[b]
		return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.from, y.from), cmp.Compare(a, b))
	})
}

// firstEdge is the place of the first edge whose ends are not before x. Ids are hashes: no two
// nodes share their first eight bytes.
func (k *KnowledgeGraph) firstEdge(x ends) int {
	lo, hi := 0, len(k.ends)
	for lo < hi {
		mid := (lo + hi) / 2
		if y := k.ends[mid]; y.from < x.from || y.from == x.from && y.to < x.to {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// edgesInto yields the edges that lead to a node, by the first bytes of where they come from.
func (k *KnowledgeGraph) edgesInto(to *wire.Hash) iter.Seq[*edge] {
	at := prefixOf(to)
	return func(yield func(*edge) bool) {
		for i := k.firstInto(ends{to: at}); i < len(k.into) && k.ends[k.into[i]].to == at; i++ {
			if !yield(&k.edges[k.into[i]]) {
				return
			}
		}
	}
}
