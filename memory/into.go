package memory

import (
	"cmp"
	"iter"
	"slices"

	"kingdom/wire"
)

// into is the index of edges by where they lead: the ends of all edges, sorted by to and
// from. It holds no positions, which would move with every new edge.
type into []ends

func (t *into) add(x ends) {
	*t = slices.Insert(*t, t.first(x), x)
}

func (t *into) drop(x ends) {
	if i := t.first(x); i < len(*t) && (*t)[i] == x {
		*t = slices.Delete(*t, i, i+1)
	}
}

// first is the place of the first one that is not before x. Like firstEdge it is a binary search
// written out: recall makes dozens.
func (t into) first(x ends) int {
	lo, hi := 0, len(t)
	for lo < hi {
		mid := (lo + hi) / 2
		if y := t[mid]; y.to < x.to || y.to == x.to && y.from < x.from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func sortInto(list []ends) into {
	slices.SortFunc(list, func(a, b ends) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
	return list
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
		first := k.into.first(ends{to: at})
		for i := first; i < len(k.into) && k.into[i].to == at; i++ {
			if i > first && k.into[i] == k.into[i-1] { // several relations between the same two, all seen already
				continue
			}
			for j := k.firstEdge(k.into[i]); j < len(k.ends) && k.ends[j] == k.into[i]; j++ {
				if !yield(&k.edges[j]) {
					return
				}
			}
		}
	}
}
