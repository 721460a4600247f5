package memory

import (
	"cmp"
	"slices"

	"kingdom/wire"
)

// Bounds of one recall, so that its cost does not grow with the graph: a tag that all entries
// have would lead to hundreds of nodes.
const (
	recallHops  = 2  // largest distance from the starts, in edges
	recallNodes = 32 // most nodes that are recalled
	recallEdges = 96 // most edges that are followed
)

// Recalled is a node of the knowledge graph that was recalled, with its strength.
type Recalled struct {
	Node     KnowledgeNode
	Strength float64   // Weight · confidence · recency
	Weight   float64   // product of the edge weights on the best path, 1 at a start
	At       wire.Tick // when the node was confirmed last
	Hops     int
}

// Recall walks the graph from the given labels over at most two hops, in both directions of an edge, and appends the
// nodes found to dst, ordered by descending strength, then id. For a node reached on several paths the best of the
// shortest ones counts. Nearer nodes and heavier edges come first, until a limit ends the walk.
func (k *KnowledgeGraph) Recall(dst []Recalled, now wire.Tick, starts ...[]byte) []Recalled {
	from := len(dst)
	for _, s := range starts {
		id := NodeID(s)
		dst = k.reach(dst, from, &id, 1, 0, now)
	}
	edges := recallEdges
	for hop, ring := 1, from; hop <= recallHops && edges > 0; hop++ {
		end := len(dst)
		slices.SortFunc(dst[ring:], heavier)
		for ; ring < end && edges > 0; ring++ {
			dst = k.neighbours(dst, from, ring, hop, &edges, now)
		}
	}
	slices.SortFunc(dst[from:], func(a, b Recalled) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), a.Node.ID.Compare(b.Node.ID))
	})
	return dst
}

func heavier(a, b Recalled) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), a.Node.ID.Compare(b.Node.ID))
}

// reach adds the node with an id, or raises the weight of a node that was reached with the same number of hops.
func (k *KnowledgeGraph) reach(dst []Recalled, from int, id *wire.Hash, weight float64, hop int, now wire.Tick) []Recalled {
	i, ok := k.findNode(id)
	if !ok {
		return dst
	}
	for j := from; j < len(dst); j++ {
		if r := &dst[j]; r.Node.ID == *id {
			if r.Hops == hop && weight > r.Weight {
				r.Weight, r.Strength = weight, k.strength(i, weight, now)
			}
			return dst
		}
	}
	if len(dst)-from >= recallNodes {
		return dst
	}
	return append(dst, Recalled{Node: k.node(i), Strength: k.strength(i, weight, now), Weight: weight, At: wire.Tick(k.nodes[i].confirmedAt), Hops: hop})
}

func (k *KnowledgeGraph) strength(i int, weight float64, now wire.Tick) float64 {
	n := &k.nodes[i]
	return float64(weight * float64(float64(n.confidence)*decay(wire.Tick(n.confirmedAt), now)))
}

// neighbours adds the nodes one edge away from a node that was reached: first along its outgoing edges, then along its
// incoming ones.
func (k *KnowledgeGraph) neighbours(dst []Recalled, from, at, hop int, edges *int, now wire.Tick) []Recalled {
	id, weight := dst[at].Node.ID, dst[at].Weight
	for i := k.firstEdge(edgeEnds{from: prefixOf(&id)}); i < len(k.ends) && *edges > 0; i++ {
		e := &k.edges[i]
		t := e.key.Value()
		if t.from != id {
			break
		}
		*edges--
		dst = k.reach(dst, from, &t.to, float64(weight*float64(e.weight)), hop, now)
	}
	for e := range k.incomingEdges(&id) {
		if *edges == 0 {
			break
		}
		*edges--
		t := e.key.Value()
		dst = k.reach(dst, from, &t.from, float64(weight*float64(e.weight)), hop, now)
	}
	return dst
}

// LabelsInto returns the labels of the nodes from which a relation leads to a node, by id: for example the tags of an
// entry.
func (k *KnowledgeGraph) LabelsInto(to wire.Hash, relation []byte) [][]byte {
	var out [][]byte
	for e := range k.incomingEdges(&to) {
		if t := e.key.Value(); t.relation == string(relation) {
			if n, ok := k.Node(t.from); ok {
				out = append(out, []byte(n.Label))
			}
		}
	}
	return out
}
