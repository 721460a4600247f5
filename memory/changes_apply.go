package memory

import (
	"slices"

	"kingdom/wire"
)

// takeChanges adds the changes of a graph to c and resets them.
func (k *KnowledgeGraph) takeChanges(c *Changes) {
	c.RemovedNodes, c.RemovedEdges = k.removedNodes, k.removedEdges
	for i := range k.nodes {
		if n, o := &k.nodes[i], k.origins[i]; o&nodeChanged != 0 {
			p := n.text.Value()
			c.Nodes = append(c.Nodes, nodeChange{[]byte(p.label), []byte(p.content), o.source(), n.confidence, wire.Tick(n.confirmedAt)})
		}
	}
	for _, x := range k.changedEdges {
		t := x.Value()
		if i, ok := k.findEdge(&t); ok { // or it is gone again
			c.Edges = append(c.Edges, edgeChange{k.edges[i].row(), wire.Tick(k.edges[i].confirmedAt)})
		}
	}
	k.forgetChanges()
}

// forgetChanges resets the list of changes.
func (k *KnowledgeGraph) forgetChanges() {
	for i := range k.origins {
		k.origins[i] &^= nodeChanged
	}
	clear(k.changedEdges)
	k.changedEdges, k.removedNodes, k.removedEdges = k.changedEdges[:0], nil, nil
}

// takeChanges adds the changes of the models to c and resets them.
func (m *PeerModels) takeChanges(c *Changes) {
	c.RemovedPeers = m.removed
	m.eachChanged(func(p *Peer) { c.Peers = append(c.Peers, peerChange{m.model(p), p.count()}) })
	m.forgetChanges()
}

// forgetChanges resets the list of changes.
func (m *PeerModels) forgetChanges() {
	m.eachChanged(func(*Peer) {})
	m.removed = nil
}

// eachChanged calls do with each model that changed, by id, and marks it as unchanged.
func (m *PeerModels) eachChanged(do func(p *Peer)) {
	for _, p := range m.list {
		if p.changed {
			p.changed = false
			do(p)
		}
	}
}

// apply applies changes to a stored graph.
func (g *graph) apply(c *Changes) {
	forgot := slices.SortedFunc(slices.Values(c.RemovedNodes), wire.Hash.Compare)
	gone := func(id wire.Hash) bool {
		_, ok := slices.BinarySearchFunc(forgot, id, wire.Hash.Compare)
		return ok
	}
	if len(forgot) > 0 {
		g.Nodes = slices.DeleteFunc(g.Nodes, func(n nodeRow) bool { return gone(n.ID) })
		g.Edges = slices.DeleteFunc(g.Edges, func(e KnowledgeEdge) bool { return gone(e.From) || gone(e.To) })
	}
	for i := range c.RemovedEdges {
		d := &c.RemovedEdges[i]
		if j, ok := g.edge(&KnowledgeEdge{From: d.From, To: d.To, Relation: d.Relation}); ok {
			g.Edges = slices.Delete(g.Edges, j, j+1)
		}
	}
	for i := range c.Nodes {
		n := c.Nodes[i].row()
		j, ok := slices.BinarySearchFunc(g.Nodes, n.ID, func(x nodeRow, id wire.Hash) int { return x.ID.Compare(id) })
		if !ok {
			g.Nodes = slices.Insert(g.Nodes, j, nodeRow{})
		}
		g.Nodes[j] = n
	}
	for i := range c.Edges {
		e := &c.Edges[i].Edge
		j, ok := g.edge(e)
		if !ok {
			g.Edges = slices.Insert(g.Edges, j, KnowledgeEdge{})
		}
		g.Edges[j] = *e
	}
}

// edge returns the index of an edge, or the index at which to insert it.
func (g *graph) edge(e *KnowledgeEdge) (int, bool) {
	return slices.BinarySearchFunc(g.Edges, e, func(x KnowledgeEdge, y *KnowledgeEdge) int { return x.compare(y) })
}

func (c *nodeChange) row() nodeRow {
	return nodeRow{ID: NodeID(c.Label), Label: c.Label, Content: c.Content, Source: c.Source, Confidence: c.Confidence}
}

// applyPeers returns stored models, sorted by id, after changes.
func applyPeers(list []PeerModel, c *Changes) []PeerModel {
	find := func(id wire.AgentID) (int, bool) {
		return slices.BinarySearchFunc(list, id, func(p PeerModel, id wire.AgentID) int { return p.AgentID.Compare(id) })
	}
	for _, id := range c.RemovedPeers {
		if i, ok := find(id); ok {
			list = slices.Delete(list, i, i+1)
		}
	}
	for i := range c.Peers {
		p := &c.Peers[i].Model
		j, ok := find(p.AgentID)
		if !ok {
			list = slices.Insert(list, j, PeerModel{})
		}
		list[j] = *p
	}
	return list
}
