package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// edge is what makes a citation unique.
type edge struct {
	source, target wire.Hash
	kind           wire.CitationKind
}

// citations are all edges of the citation graph, without the contexts they were given,
// which lie in the store.
type citations struct {
	*world.Chain[Citation]
	most     uint64  // how many there may be
	all      []*link // in order of addition
	has      map[edge]struct{}
	linked   map[[2]wire.Hash]struct{} // source, target whatever the kind
	bySource map[wire.Hash][]*link
	byTarget map[wire.Hash][]*link
	citers   map[citer]struct{}
	agents   map[wire.Hash]uint32 // distinct agents by target
}

// citer is an agent that cites a target.
type citer struct {
	target wire.Hash
	agent  wire.AgentID
}

// link is what is kept of one citation.
type link struct {
	record         uint64 // its number in the chain
	source, target wire.Hash
	kind           wire.CitationKind
	author         wire.AgentID
	tick           wire.Tick
	length         uint32 // of the context, in bytes
}

func newCitations(s *world.State, r *world.Rules) *citations {
	x := &citations{
		most: edgesPerS * r.Scale(),
		has:  map[edge]struct{}{}, linked: map[[2]wire.Hash]struct{}{},
		bySource: map[wire.Hash][]*link{}, byTarget: map[wire.Hash][]*link{},
		citers: map[citer]struct{}{}, agents: map[wire.Hash]uint32{},
	}
	x.Chain = world.NewChain(s, "citations", citationCodec, x.see).ReadAgain()
	return x
}

func (x *citations) see(n uint64, c *Citation) {
	e := &link{n, c.Source, c.Target, c.Kind, c.Author, c.Tick, uint32(len(c.Context))}
	x.all = append(x.all, e)
	x.has[edge{e.source, e.target, e.kind}] = struct{}{}
	x.linked[[2]wire.Hash{e.source, e.target}] = struct{}{}
	x.bySource[e.source] = append(x.bySource[e.source], e)
	x.byTarget[e.target] = append(x.byTarget[e.target], e)
	if _, again := x.citers[citer{e.target, e.author}]; !again {
		x.citers[citer{e.target, e.author}] = struct{}{}
		x.agents[e.target]++
	}
}

// citedBy counts the distinct agents that cite a target, its author not counted.
func (x *citations) citedBy(target wire.Hash, author wire.AgentID) uint32 {
	n := x.agents[target]
	if _, own := x.citers[citer{target, author}]; own {
		n--
	}
	return n
}

// wrote says whether r is the record of e; has keeps them apart.
func (e *link) wrote(r *Citation) bool {
	return r.Source == e.source && r.Target == e.target && r.Kind == e.kind && len(r.Context) == int(e.length)
}

// show puts a citation into out; its context follows from the store unless it is in memory.
func (x *citations) show(missing *[]wire.Missing, out *wire.CitationEdge, e *link) {
	*out = wire.CitationEdge{Source: e.source, Target: e.target, Kind: e.kind, Author: e.author, Tick: e.tick}
	out.Context = nothing[:e.length:e.length]
	x.Show(missing, e.record, e.wrote, func(r *Citation) { out.Context = r.Context })
}

func (x *citations) cited(source, target wire.Hash, kind wire.CitationKind) bool {
	_, ok := x.has[edge{source, target, kind}]
	return ok
}

// related says whether an edge in either direction joins a and b.
func (x *citations) related(a, b wire.Hash) bool {
	_, ab := x.linked[[2]wire.Hash{a, b}]
	_, ba := x.linked[[2]wire.Hash{b, a}]
	return ab || ba
}
