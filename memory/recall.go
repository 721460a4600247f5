package memory

import (
	"bytes"
	"cmp"
	"slices"

	"kingdom/wire"
)

// recallHops is how far recall walks from its starting points.
const recallHops = 2

// Recalled is a node and how strongly it came to mind.
type Recalled struct {
	Node *KnowledgeNode
	Rank float64 // product of edge weights on the best way here · confidence
	Hops int
}

// Recall walks the graph from the given labels over at most two hops, in both directions
// of an edge, and returns the nodes found: rank descending, then id. A start counts with
// weight 1; a node reached on several ways counts with the best of the shortest ones.
// The caller cuts the list by its token budget.
func (k *KnowledgeGraph) Recall(starts ...[]byte) []Recalled {
	weight := make(map[wire.Hash]float64)
	var out []Recalled
	visit := func(id wire.Hash, w float64, hops int) {
		if n := k.Node(id); n != nil {
			weight[id] = w
			out = append(out, Recalled{Node: n, Rank: float64(w * float64(n.Confidence)), Hops: hops})
		}
	}
	for _, s := range starts {
		if id := NodeID(s); weight[id] == 0 {
			visit(id, 1, 0)
		}
	}
	for hop, from := 1, 0; hop <= recallHops; hop++ {
		to := len(out)
		for _, r := range k.reach(out[from:to], weight) {
			visit(r.id, r.weight, hop)
		}
		from = to
	}
	slices.SortFunc(out, func(a, b Recalled) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), a.Node.ID.Compare(b.Node.ID))
	})
	return out
}

// Into returns the labels of the nodes that a relation leads from into a node, by id: the
// tags of an entry, for instance.
func (k *KnowledgeGraph) Into(to wire.Hash, relation []byte) [][]byte {
	var out [][]byte
	for _, e := range k.edges {
		if e.To == to && bytes.Equal(e.Relation, relation) {
			out = append(out, k.Node(e.From).Label)
		}
	}
	return out
}

type reached struct {
	id     wire.Hash
	weight float64
}

// reach lists the nodes one edge away from the ring that were not seen yet, by id, each
// with its best weight.
func (k *KnowledgeGraph) reach(ring []Recalled, seen map[wire.Hash]float64) []reached {
	in := make(map[wire.Hash]float64, len(ring))
	for _, r := range ring {
		in[r.Node.ID] = seen[r.Node.ID]
	}
	var out []reached
	for _, e := range k.edges {
		for _, way := range [2][2]wire.Hash{{e.From, e.To}, {e.To, e.From}} {
			w, ok := in[way[0]]
			if _, old := seen[way[1]]; ok && !old {
				out = append(out, reached{way[1], float64(w * float64(e.Weight))})
			}
		}
	}
	slices.SortFunc(out, func(a, b reached) int {
		return cmp.Or(a.id.Compare(b.id), cmp.Compare(b.weight, a.weight))
	})
	return slices.CompactFunc(out, func(a, b reached) bool { return a.id == b.id })
}
