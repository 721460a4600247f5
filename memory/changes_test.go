package memory

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

// stored is what a store has of a memory: all of it at some time, and what changed after.
type stored struct {
	working, knowledge, peers []byte
	after                     []*Changes
}

func (s *stored) all(m *Memory) {
	m.ForgetChanges()
	*s = stored{working: m.Working.AppendTo(nil), knowledge: m.Knowledge.AppendTo(nil), peers: m.Peers.AppendTo(nil)}
}

func (s *stored) changes(t *rapid.T, m *Memory) {
	c, err := DecodeChanges(m.AppendChanges(nil, true))
	if err != nil {
		t.Fatal(err)
	}
	s.after = append(s.after, c)
}

// restored is the memory that the store gives back for one whose state is st.
func (s *stored) restored(t *rapid.T, st State) *Memory {
	m := New(&RowIDs{}, Limits{Nodes: 6, Edges: 8})
	working := s.working
	for _, c := range s.after {
		working = *c.Working
	}
	for _, err := range []error{
		m.Working.Restore(working, st.Fresh), m.Knowledge.Restore(s.knowledge, st.Nodes, st.Edges, s.after...), m.Peers.Restore(s.peers, st.Peers, s.after...),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// A full copy and the changes stored after it restore the memory, whatever was learned and forgotten, and a restored
// memory has no changes.
func TestChanges_AfterFullCopyRestoreTheMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(&RowIDs{}, Limits{Nodes: 6, Edges: 8})
		var s stored
		s.all(m)
		for tick := range wire.Tick(rapid.IntRange(1, 60).Draw(t, "ticks")) {
			label := func(what string) []byte { return fmt.Append(nil, rapid.IntRange(0, 9).Draw(t, what)) }
			peer := wire.AgentID{byte(rapid.IntRange(0, 5).Draw(t, "peer"))}
			switch rapid.IntRange(0, 9).Draw(t, "deed") {
			case 0, 1, 2:
				m.Knowledge.Learn(label("label"), label("content"), KnowledgeOracle, 0.25, tick)
			case 3, 4:
				m.Knowledge.Relate(NodeID(label("from")), NodeID(label("to")), label("relation"), 0.75, tick)
			case 5:
				m.Peers.Interact(peer, DealAnswer, true, tick)
			case 6:
				m.Peers.Forget(peer)
			case 7:
				_ = m.Working.Set("note", label("note"))
			case 8:
				s.changes(t, m)
			case 9:
				if rapid.IntRange(0, 3).Draw(t, "rarely") == 0 {
					s.all(m)
				}
			}
		}
		s.changes(t, m)
		r := s.restored(t, m.State())
		for what, same := range map[string][2][]byte{
			"working":   {m.Working.AppendTo(nil), r.Working.AppendTo(nil)},
			"knowledge": {m.Knowledge.AppendTo(nil), r.Knowledge.AppendTo(nil)},
			"peers":     {m.Peers.AppendTo(nil), r.Peers.AppendTo(nil)},
		} {
			if !bytes.Equal(same[0], same[1]) {
				t.Fatalf("%s: restored %x, want %x", what, same[1], same[0])
			}
		}
		none := changesCodec.Append(nil, &Changes{})
		if again, left := r.AppendChanges(nil, false), m.AppendChanges(nil, false); !bytes.Equal(again, none) || !bytes.Equal(left, none) {
			t.Fatalf("restored: %x, stored: %x; want no changes", again, left)
		}
	})
}

// The cost of a flush follows what changed, not what is known.
func TestChanges_HoldOnlyWhatChanged(t *testing.T) {
	m := New(&RowIDs{}, DefaultLimits)
	for i := range 500 {
		m.Knowledge.Learn(fmt.Append(nil, i), make([]byte, 200), KnowledgeOracle, 0.5, 1)
		m.Knowledge.Relate(NodeID(fmt.Append(nil, i)), NodeID([]byte("0")), []byte("r"), 0.5, 1)
		m.Peers.Observe(wire.AgentID{1, byte(i % 100)}, 1)
	}
	m.ForgetChanges()
	m.Knowledge.Learn([]byte("7"), []byte("c"), KnowledgeOracle, 0.5, 2)
	m.Knowledge.Learn([]byte("7"), []byte("d"), KnowledgeOracle, 0.5, 3)
	m.Knowledge.Relate(NodeID([]byte("7")), NodeID([]byte("0")), []byte("r"), 0.5, 3)
	m.Peers.Observe(wire.AgentID{1, 9}, 3)
	c, err := DecodeChanges(m.AppendChanges(nil, false))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Nodes) != 1 || string(c.Nodes[0].Content) != "d" || len(c.Edges) != 1 || len(c.Peers) != 1 || len(c.RemovedNodes)+len(c.RemovedEdges)+len(c.RemovedPeers) != 0 || c.Working != nil {
		t.Errorf("%+v", c)
	}
}
