package memory

import "iter"

// Nodes yields the nodes by id.
func (k *KnowledgeGraph) Nodes() iter.Seq[KnowledgeNode] {
	return func(yield func(KnowledgeNode) bool) {
		for i := range k.nodes {
			if !yield(k.node(i)) {
				return
			}
		}
	}
}

// Edges yields the edges by from, to and relation.
func (k *KnowledgeGraph) Edges() iter.Seq[KnowledgeEdge] {
	return func(yield func(KnowledgeEdge) bool) {
		for i := range k.edges {
			if !yield(k.edges[i].row()) {
				return
			}
		}
	}
}
