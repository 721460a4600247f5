package memory

import (
	"cmp"
	"iter"
	"slices"

	"kingdom/wire"
)

// The list incoming is the index of edges by target node. It holds positions in the list of edges, of 4 bytes each, instead of
// edgeEnds of 16 bytes. The positions are adjusted whenever an edge is inserted or removed.

// addIncoming adds the edge at position i, after it was inserted there.
func (k *KnowledgeGraph) addIncoming(i int) {
	for j := range k.incoming {
		if int(k.incoming[j]) >= i {
			k.incoming[j]++
		}
	}
	at := k.firstIncoming(k.ends[i])
	for at < len(k.incoming) && k.ends[k.incoming[at]] == k.ends[i] && int(k.incoming[at]) < i {
		at++
	}
	k.incoming = slices.Insert(grow(k.incoming, k.limits.Edges), at, uint32(i))
}

// dropIncoming removes the edge at position i, before it is deleted there.
func (k *KnowledgeGraph) dropIncoming(i int) {
	at := k.firstIncoming(k.ends[i])
	for int(k.incoming[at]) != i {
		at++
	}
	k.incoming = slices.Delete(k.incoming, at, at+1)
	for j := range k.incoming {
		if int(k.incoming[j]) > i {
			k.incoming[j]--
		}
	}
}

// firstIncoming returns the first position in the index whose edge is not before x, by target and source. Like firstEdge it is an
// inlined binary search, because one recall makes dozens of them.
func (k *KnowledgeGraph) firstIncoming(x edgeEnds) int {
	lo, hi := 0, len(k.incoming)
	for lo < hi {
		mid := (lo + hi) / 2
		if y := k.ends[k.incoming[mid]]; y.to < x.to || y.to == x.to && y.from < x.from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// rebuildIncoming rebuilds the index.
func (k *KnowledgeGraph) rebuildIncoming() {
	k.incoming = make([]uint32, len(k.ends))
	for i := range k.incoming {
		k.incoming[i] = uint32(i)
	}
	slices.SortFunc(k.incoming, func(a, b uint32) int {
		x, y := k.ends[a], k.ends[b]
		return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.from, y.from), cmp.Compare(a, b))
	})
}

// firstEdge returns the position of the first edge that is not before x, by source and target. Ids are hashes: no two
// nodes share their first eight bytes.
func (k *KnowledgeGraph) firstEdge(x edgeEnds) int {
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

// incomingEdges yields the edges that lead to a node, ordered by the prefix of the source id.
func (k *KnowledgeGraph) incomingEdges(to *wire.Hash) iter.Seq[*edge] {
	at := prefixOf(to)
	return func(yield func(*edge) bool) {
		for i := k.firstIncoming(edgeEnds{to: at}); i < len(k.incoming) && k.ends[k.incoming[i]].to == at; i++ {
			if !yield(&k.edges[k.incoming[i]]) {
				return
			}
		}
	}
}
