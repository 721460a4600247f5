package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// citations are all edges of the citation graph, without the contexts they were given,
// which lie in the store. There may be millions: what is kept of one is small and without pointers.
type citations struct {
	*world.Chain[Citation]
	limit   uint64 // how many there may be
	all     world.Slab[link]
	ids     *idNumbers       // of what cites or is cited
	nodes   world.Slab[node] // by number of the id
	authors world.Numbering[wire.AgentID]
	byNodes *world.Index // links by source and target
	byCiter *world.Index // the first link of each author to each target
}

// link is what is kept of one citation.
type link struct {
	tick           world.Stamp
	number         uint32    // of its record in the chain
	source, target uint32    // numbers among ids
	author         uint32    // number among authors
	contextLength  uint32    // of the context, in bytes
	previous       [2]uint32 // number + 1 of the link before it from the same source, to the same target; 0: none
	kind           wire.CitationKind
}

// node is what is kept of a thing that cites or is cited.
type node struct {
	outgoing, incoming linkList
	citingAgents       uint32 // distinct ones that cite it
}

// linkList is the links with one end in common.
type linkList struct {
	newest uint32 // number + 1; 0: there is none
	count  uint32
}

func newCitations(s *world.State, r *world.Rules) *citations {
	x := &citations{limit: edgesPerS * r.Scale(), ids: newIDNumbers()}
	x.byNodes = world.NewIndex(func(n uint32) uint64 { e := x.all.At(n); return linkKey(e.source, e.target) })
	x.byCiter = world.NewIndex(func(n uint32) uint64 { e := x.all.At(n); return linkKey(e.target, e.author) })
	x.Chain = world.NewChain(s, "citations", citationCodec, x.indexRecord).KeepRecent()
	return x
}

// linkKey is what a link is found by under two numbers.
func linkKey(a, b uint32) uint64 { return uint64(a)<<32 | uint64(b) }

func (x *citations) indexRecord(_ uint64, c *Citation) {
	source, target := x.nodeNumber(c.Source), x.nodeNumber(c.Target)
	s, t := x.nodes.At(source), x.nodes.At(target)
	e := link{
		tick: world.StampOf(c.Tick), number: uint32(x.all.Len()), source: source, target: target, author: x.authors.Assign(c.Author),
		contextLength: uint32(len(c.Context)), previous: [2]uint32{s.outgoing.newest, t.incoming.newest}, kind: c.Kind,
	}
	n := x.all.Add(e)
	s.outgoing = linkList{n + 1, s.outgoing.count + 1}
	t.incoming = linkList{n + 1, t.incoming.count + 1}
	x.byNodes.Add(n)
	if !x.citedByAgent(target, e.author) {
		x.byCiter.Add(n)
		t.citingAgents++
	}
}

// nodeNumber is the number of a thing, which gets one if it has none.
func (x *citations) nodeNumber(id wire.Hash) uint32 {
	n := x.ids.assign(id)
	if int(n) == x.nodes.Len() {
		x.nodes.Add(node{})
	}
	return n
}

// citedByAgent says whether an author cites a target, both by number.
func (x *citations) citedByAgent(target, author uint32) bool {
	_, ok := x.byCiter.Find(linkKey(target, author), func(n uint32) bool {
		e := x.all.At(n)
		return e.target == target && e.author == author
	})
	return ok
}

// citedBy counts the distinct agents that cite a target, its author not counted.
func (x *citations) citedBy(target wire.Hash, author wire.AgentID) uint32 {
	n, known := x.ids.find(target)
	if !known {
		return 0
	}
	count := x.nodes.At(n).citingAgents
	if a, cites := x.authors.Find(author); cites && x.citedByAgent(n, a) {
		count--
	}
	return count
}

// matches returns what says whether a record is that of e.
func (x *citations) matches(e *link) func(r *Citation) bool {
	return func(r *Citation) bool {
		return r.Source == *x.ids.ids.At(e.source) && r.Target == *x.ids.ids.At(e.target) && r.Kind == e.kind && len(r.Context) == int(e.contextLength)
	}
}

// show puts a citation into out; its context follows from the store unless it is in memory.
func (x *citations) show(missing *[]wire.Missing, out *wire.CitationEdge, e *link) {
	*out = wire.CitationEdge{
		Source: *x.ids.ids.At(e.source), Target: *x.ids.ids.At(e.target), Kind: e.kind, Author: x.authors.Key(e.author), Tick: e.tick.Tick(),
	}
	out.Context = placeholder[:e.contextLength:e.contextLength]
	x.Show(missing, uint64(e.number), x.matches(e), func(r *Citation) { out.Context = r.Context })
}

// linked says whether there is a link from source to target that passes.
func (x *citations) linked(source, target wire.Hash, passes func(e *link) bool) bool {
	s, known := x.ids.find(source)
	t, too := x.ids.find(target)
	if !known || !too {
		return false
	}
	_, ok := x.byNodes.Find(linkKey(s, t), func(n uint32) bool {
		e := x.all.At(n)
		return e.source == s && e.target == t && passes(e)
	})
	return ok
}

func (x *citations) cited(source, target wire.Hash, kind wire.CitationKind) bool {
	return x.linked(source, target, func(e *link) bool { return e.kind == kind })
}

// related says whether an edge in either direction joins a and b.
func (x *citations) related(a, b wire.Hash) bool {
	of := func(*link) bool { return true }
	return x.linked(a, b, of) || x.linked(b, a, of)
}
