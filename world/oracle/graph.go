package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// citations holds all edges of the citation graph, without their contexts, which are in the store. There may be
// millions, so a link is small and has no pointers.
type citations struct {
	*world.Chain[Citation]
	limit   uint64 // maximum number of citations
	all     world.Slab[link]
	ids     *idNumbers       // of the nodes
	nodes   world.Slab[node] // by number of their id
	authors world.Numbering[wire.AgentID]
	byNodes *world.Index // index: links by source and target
	byCiter *world.Index // index: the first link of each author to each target
}

// link is the in-memory form of a citation.
type link struct {
	tick           world.Stamp
	number         uint32    // of its record in the chain
	source, target uint32    // numbers among ids
	author         uint32    // number among authors
	contextLength  uint32    // of the context, in bytes
	previous       [2]uint32 // number + 1 of the previous link from the same source, and to the same target; 0: none
	kind           wire.CitationKind
}

// node holds the links of an entry or object that cites or is cited.
type node struct {
	outgoing, incoming linkList
	citingAgents       uint32 // number of distinct agents that cite it
}

// linkList is a linked list of the links with the same source or the same target, through link.previous.
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

// linkKey is the key of a link in an index by two numbers.
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

// nodeNumber returns the number of a node, and adds a new one.
func (x *citations) nodeNumber(id wire.Hash) uint32 {
	n := x.ids.assign(id)
	if int(n) == x.nodes.Len() {
		x.nodes.Add(node{})
	}
	return n
}

// citedByAgent reports whether an author cites a target; both are numbers.
func (x *citations) citedByAgent(target, author uint32) bool {
	_, ok := x.byCiter.Find(linkKey(target, author), func(n uint32) bool {
		e := x.all.At(n)
		return e.target == target && e.author == author
	})
	return ok
}

// citedBy returns the number of distinct agents that cite a target, its author excluded.
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

// matches returns a function that reports whether a record from the store is that of e.
func (x *citations) matches(e *link) func(r *Citation) bool {
	return func(r *Citation) bool {
		return r.Source == *x.ids.ids.At(e.source) && r.Target == *x.ids.ids.At(e.target) && r.Kind == e.kind && len(r.Context) == int(e.contextLength)
	}
}

// show puts a citation into out. If its context is not in memory, it is added to missing.
func (x *citations) show(missing *[]wire.Missing, out *wire.CitationEdge, e *link) {
	*out = wire.CitationEdge{
		Source: *x.ids.ids.At(e.source), Target: *x.ids.ids.At(e.target), Kind: e.kind, Author: x.authors.Key(e.author), Tick: e.tick.Tick(),
	}
	x.Show(missing, uint64(e.number), x.matches(e), func(r *Citation) { out.Context = r.Context })
}

// linked reports whether there is a link from source to target for which passes returns true.
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

// related reports whether a cites b or b cites a.
func (x *citations) related(a, b wire.Hash) bool {
	of := func(*link) bool { return true }
	return x.linked(a, b, of) || x.linked(b, a, of)
}
