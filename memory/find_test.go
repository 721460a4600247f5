package memory

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// Ids that share their first eight bytes, differ in them, or are equal.
func drawID(t *rapid.T) wire.Hash {
	return wire.Hash{0: byte(rapid.IntRange(0, 40).Draw(t, "head")), 31: byte(rapid.IntRange(0, 2).Draw(t, "tail"))}
}

// Every search by prefixes or hints finds what a look at each item finds.
func TestFind_EqualsLinearSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(&RowIDs{SpawnIndex: 1}, Limits{Nodes: 24, Edges: 12})
		n := &Notebook{}
		for i := range rapid.IntRange(1, 300).Draw(t, "steps") {
			id, at := drawID(t), wire.Tick(i)
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				n.SeeEntry(EntryNote{ID: id, At: at, Judged: i%3 == 0, Own: i%5 == 0})
			case 1:
				n.SeeMessage(MessageNote{ID: id, At: at, Signed: i%3 == 0})
			case 2:
				m.Peers.Interact(wire.AgentID(id), DealAnswer, true, at)
			case 3:
				m.Plans.Add(plan(id[0], 2))
			case 4:
				if l := m.Plans.Living(); len(l) > 0 {
					m.Plans.Finish(l[i%len(l)], PlanCompleted)
				}
			case 5:
				m.Beliefs.Test(Claim{Subject: id[:1+i%3], Predicate: "p"}, i%4 > 0, nil, at)
			case 6:
				m.Beliefs.CycleEnd()
			case 7: // as after a resume
				n = &Notebook{Notes: n.Notes}
				st, k := m.State(), New(&RowIDs{}, Limits{Nodes: 24, Edges: 12}).Knowledge
				if err := k.Restore(m.Knowledge.AppendTo(nil), st.Nodes, st.Edges); err != nil {
					t.Fatal(err)
				}
				m.Knowledge = k
			case 8:
				n.SeePeer(wire.AgentID(id), 0.5, at)
			case 9:
				node := m.Knowledge.Learn(id[:1], id[:], KnowledgeOracle, float64(i%4)/3, at)
				m.Knowledge.Relate(node, NodeID([]byte{byte(i % 40)}), []byte("r"), 1, at)
			}
			probe(t, m, n, drawID(t))
		}
	})
}

func probe(t *rapid.T, m *Memory, n *Notebook, id wire.Hash) {
	entry := slices.IndexFunc(n.Entries, func(e EntryNote) bool { return e.ID == id })
	if p := n.Entry(id); (p == nil) != (entry < 0) || p != nil && p != &n.Entries[entry] {
		t.Fatalf("entry %s", id)
	}
	message := slices.IndexFunc(n.Messages, func(e MessageNote) bool { return e.ID == id })
	if p := n.Message(id); (p == nil) != (message < 0) || p != nil && p != &n.Messages[message] {
		t.Fatalf("message %s", id)
	}
	seen := slices.IndexFunc(n.Peers, func(e PeerNote) bool { return e.ID == wire.AgentID(id) })
	if p := n.Peer(wire.AgentID(id)); (p == nil) != (seen < 0) || p != nil && p != &n.Peers[seen] {
		t.Fatalf("note of peer %s", id)
	}
	peer := slices.IndexFunc(m.Peers.list, func(p *Peer) bool { return p.AgentID() == wire.AgentID(id) })
	if p := m.Peers.Get(wire.AgentID(id)); (p == nil) != (peer < 0) || p != nil && p != m.Peers.list[peer] {
		t.Fatalf("peer %s", id)
	}
	if !slices.IsSortedFunc(m.Peers.list, func(p, q *Peer) int { return p.AgentID().Compare(q.AgentID()) }) {
		t.Fatal("peers are out of order")
	}
	probeKnowledge(t, m.Knowledge, id[:1])
	goal := wire.Hash{id[0]}
	living := slices.IndexFunc(m.Plans.living, func(p *Plan) bool { return p.Goal == goal })
	if p := m.Plans.ByGoal(goal); (p == nil) != (living < 0) || p != nil && p != m.Plans.living[living] {
		t.Fatalf("plan of %s", goal)
	}
	c := Claim{Subject: id[:1], Predicate: "p"}
	belief := slices.IndexFunc(m.Beliefs.list, func(h Belief) bool { return h.compare(&c) == 0 })
	if b := m.Beliefs.Get(c); (b == nil) != (belief < 0) || b != nil && b != &m.Beliefs.list[belief] {
		t.Fatalf("belief %x", c.Subject)
	}
}

func probeKnowledge(t *rapid.T, k *KnowledgeGraph, label []byte) {
	var known KnowledgeNode
	last := wire.Hash{}
	for n := range k.Nodes() {
		if n.ID.Compare(last) <= 0 || n.ID != NodeID([]byte(n.Label)) {
			t.Fatalf("node %x is out of order", n.Label)
		}
		if last = n.ID; n.Label == string(label) {
			known = n
		}
	}
	if n, ok := k.Node(NodeID(label)); n != known || ok != (known.Label != "") {
		t.Fatalf("node %x", label)
	}
	for i := range k.edges {
		if e := k.edges[i].key.Value(); !k.knows(&e.from) || !k.knows(&e.to) || k.ends[i] != endsOf(&e) {
			t.Fatalf("edge %d is loose", i)
		}
	}
	if nodes, edges := k.Size(); nodes > k.limits.Nodes || edges > k.limits.Edges || len(k.ends) != edges {
		t.Fatalf("%d nodes, %d edges", nodes, edges)
	}
}
