package memory

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Changes are the differences of working memory, knowledge and peers from what was last stored, so that a store need
// not write all of it again. Removals apply before additions: a node that was forgotten and learned again is in both
// lists.
type Changes struct {
	Working      *[]byte        `kdom:"working"` // all of it; nil: it did not change
	RemovedNodes []wire.Hash    `kdom:"forgot"`  // nodes; their edges are removed with them
	RemovedEdges []edgeID       `kdom:"cut"`
	Nodes        []nodeChange   `kdom:"nodes"` // by id
	Edges        []edgeChange   `kdom:"edges"` // in the order in which they changed first
	RemovedPeers []wire.AgentID `kdom:"lost"`  // peers
	Peers        []peerChange   `kdom:"peers"` // by id
}

var changesCodec = codec.New[Changes]()

// nodeChange is a new or changed node of a graph. Its id follows from its label.
type nodeChange struct {
	Label      []byte          `kdom:"l"`
	Content    []byte          `kdom:"c"`
	Source     KnowledgeSource `kdom:"s"`
	Confidence float32         `kdom:"w"`
	Touched    wire.Tick       `kdom:"t"`
}

// Tuple makes the stored form a list.
func (nodeChange) Tuple() {}

// edgeID names an edge.
type edgeID struct {
	From     wire.Hash `kdom:"f"`
	To       wire.Hash `kdom:"t"`
	Relation []byte    `kdom:"r"`
}

// Tuple makes the stored form a list.
func (edgeID) Tuple() {}

// edgeChange is a new or changed edge.
type edgeChange struct {
	Edge    KnowledgeEdge `kdom:"e"`
	Touched wire.Tick     `kdom:"t"`
}

// Tuple makes the stored form a list.
func (edgeChange) Tuple() {}

// peerChange is a new or changed peer model.
type peerChange struct {
	Model PeerModel `kdom:"m"`
	Count PeerCount `kdom:"c"`
}

// Tuple makes the stored form a list.
func (peerChange) Tuple() {}

// AppendChanges appends what changed since the last call, or since ForgetChanges, in canonical form. working says
// whether working memory is included.
func (m *Memory) AppendChanges(dst []byte, working bool) []byte {
	var c Changes
	if working {
		b := m.Working.AppendTo(nil)
		c.Working = &b
	}
	m.Knowledge.takeChanges(&c)
	m.Peers.takeChanges(&c)
	return changesCodec.Append(dst, &c)
}

// ForgetChanges is AppendChanges for a caller that stores everything, or nothing.
func (m *Memory) ForgetChanges() {
	m.Knowledge.forgetChanges()
	m.Peers.forgetChanges()
}

// DecodeChanges reads what AppendChanges wrote.
func DecodeChanges(b []byte) (*Changes, error) {
	c := new(Changes)
	if err := changesCodec.DecodeCanonical(b, c); err != nil {
		return nil, fmt.Errorf("read changes of memory: %w", err)
	}
	return c, nil
}
