package oracle

import "kingdom/wire"

// edge is what makes a citation unique.
type edge struct {
	source, target wire.Hash
	kind           wire.CitationKind
}

// graph finds citations.
type graph struct {
	edges    []*Citation // in order of addition
	has      map[edge]struct{}
	linked   map[[2]wire.Hash]struct{} // source, target whatever the kind
	bySource map[wire.Hash][]*Citation
	byTarget map[wire.Hash][]*Citation
}

func newGraph() graph {
	return graph{
		has: map[edge]struct{}{}, linked: map[[2]wire.Hash]struct{}{},
		bySource: map[wire.Hash][]*Citation{}, byTarget: map[wire.Hash][]*Citation{},
	}
}

func (g *graph) link(e *Citation) {
	g.edges = append(g.edges, e)
	g.has[edge{e.Source, e.Target, e.Kind}] = struct{}{}
	g.linked[[2]wire.Hash{e.Source, e.Target}] = struct{}{}
	g.bySource[e.Source] = append(g.bySource[e.Source], e)
	g.byTarget[e.Target] = append(g.byTarget[e.Target], e)
}

// related says whether an edge in either direction joins a and b.
func (g *graph) related(a, b wire.Hash) bool {
	_, ab := g.linked[[2]wire.Hash{a, b}]
	_, ba := g.linked[[2]wire.Hash{b, a}]
	return ab || ba
}
