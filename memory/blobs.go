package memory

import (
	"bytes"
	"errors"
	"fmt"
	"unique"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// The three blobs of the memory row. All are canonical MessagePack; Restore refuses
// anything else.

// AppendTo appends the canonical map of the notes.
func (w *Working) AppendTo(dst []byte) []byte {
	dst = codec.AppendMapLen(dst, len(w.notes))
	for i := range w.notes {
		dst = codec.AppendString(dst, w.notes[i].Key)
		dst = codec.AppendBytes(dst, w.notes[i].Value)
	}
	return dst
}

type noteMap struct {
	L codec.BinMap `kdom:"l"`
}

var noteMapCodec = codec.New[noteMap]()

// Restore reads what AppendTo wrote; fresh are the keys set in the running cycle.
func (w *Working) Restore(b []byte, fresh []string) error {
	var v noteMap
	if err := noteMapCodec.DecodeCanonical(asMapEntry(b), &v); err != nil {
		return fmt.Errorf("restore working memory: %w", err)
	}
	w.Clear()
	for _, e := range v.L {
		w.put(e.Key, e.Value, false)
	}
	for _, k := range fresh {
		i, ok := w.find(k)
		if !ok {
			return fmt.Errorf("restore working memory: note %q is listed as set in this cycle, but missing", k)
		}
		w.notes[i].fresh = true
	}
	return nil
}

// nodeRow is a node as it is stored.
type nodeRow struct {
	ID         wire.Hash       `kdom:"id"`
	Label      []byte          `kdom:"label"`
	Content    []byte          `kdom:"content"`
	Source     KnowledgeSource `kdom:"source"`
	Confidence float32         `kdom:"confidence"`
}

type graph struct {
	Nodes []nodeRow       `kdom:"nodes"`
	Edges []KnowledgeEdge `kdom:"edges"`
}

var graphCodec = codec.New[graph]()

// AppendTo appends the canonical map {nodes, edges}.
func (k *KnowledgeGraph) AppendTo(dst []byte) []byte {
	dst = codec.AppendMapLen(dst, 2)
	dst = codec.AppendString(dst, "nodes")
	dst = codec.AppendArrayLen(dst, len(k.nodes))
	for i := range k.nodes {
		dst = k.nodes[i].append(dst, k.origins[i].source())
	}
	dst = codec.AppendString(dst, "edges")
	dst = codec.AppendArrayLen(dst, len(k.edges))
	for i := range k.edges {
		dst = k.edges[i].append(dst)
	}
	return dst
}

// append writes what the codec would make of the node's row: a graph is encoded as a whole at every
// cycle's end, and the codec's way through the fields would be half of the cost.
func (n *node) append(dst []byte, source KnowledgeSource) []byte {
	p := n.text.Value()
	dst = append(dst, "\x85\xa2id"...)
	dst = codec.AppendBytes(dst, p.id[:])
	dst = codec.AppendBytes(append(dst, "\xa5label"...), p.label)
	dst = codec.AppendBytes(append(dst, "\xa7content"...), p.content)
	dst = codec.AppendString(append(dst, "\xa6source"...), source.String())
	return codec.AppendFloat32(append(dst, "\xaaconfidence"...), n.confidence)
}

// append writes what the codec would make of the edge's row.
func (e *edge) append(dst []byte) []byte {
	t := e.key.Value()
	dst = codec.AppendBytes(append(dst, "\x84\xa4from"...), t.from[:])
	dst = codec.AppendBytes(append(dst, "\xa2to"...), t.to[:])
	dst = codec.AppendBytes(append(dst, "\xa8relation"...), t.relation)
	return codec.AppendFloat32(append(dst, "\xa6weight"...), e.weight)
}

// Restore reads what AppendTo wrote and the changes after it, in their order; the ticks are those of
// the last confirmations.
func (k *KnowledgeGraph) Restore(b []byte, nodes, edges []wire.Tick, after ...*Changes) error {
	var v graph
	if err := graphCodec.DecodeCanonical(b, &v); err != nil {
		return fmt.Errorf("restore knowledge: %w", err)
	}
	for _, c := range after {
		v.apply(c)
	}
	if len(v.Nodes) != len(nodes) || len(v.Edges) != len(edges) {
		return fmt.Errorf("restore knowledge: got %d nodes and %d edges, but the state has ticks for %d and %d",
			len(v.Nodes), len(v.Edges), len(nodes), len(edges))
	}
	k.lessons, k.nodes, k.origins, k.ids = nil, make([]node, len(nodes)), make([]origin, len(nodes)), make(prefixes, len(nodes))
	for i := range v.Nodes {
		n := &v.Nodes[i]
		if i > 0 && v.Nodes[i-1].ID.Compare(n.ID) >= 0 {
			return fmt.Errorf("restore knowledge: node %s is out of order", n.ID)
		}
		label := string(n.Label)
		k.ids[i], k.origins[i] = prefixOf(&n.ID), origin(n.Source)
		k.nodes[i] = node{text: unique.Make(nodeText{n.ID, label, string(n.Content)}), confirmedAt: tick32(nodes[i]), confidence: n.Confidence}
		k.indexLesson(&n.ID, label)
	}
	k.edges, k.ends = make([]edge, len(edges)), make([]edgeEnds, len(edges))
	for i := range v.Edges {
		t := edgeKey{v.Edges[i].From, v.Edges[i].To, string(v.Edges[i].Relation)}
		k.edges[i], k.ends[i] = edge{key: unique.Make(t), confirmedAt: tick32(edges[i]), weight: v.Edges[i].Weight}, endsOf(&t)
	}
	k.rebuildIncoming()
	k.revision++
	return nil
}

var peerCodec = codec.New[PeerModel]()

// AppendTo appends the canonical map of agent id to PeerModel, sorted by id.
func (m *PeerModels) AppendTo(dst []byte) []byte {
	dst = codec.AppendMapLen(dst, len(m.list))
	for _, p := range m.list {
		id := p.id.Value()
		dst = m.append(codec.AppendBytes(dst, id[:]), p)
	}
	return dst
}

// append writes what the codec would make of the stored form, which need not be made for it.
func (m *PeerModels) append(dst []byte, p *Peer) []byte {
	id := p.id.Value()
	dst = append(dst, "\x85\xa8agent_id"...)
	dst = codec.AppendBytes(dst, id[:])
	dst = codec.AppendFloat32(append(dst, "\xaacompetence"...), p.Competence)
	dst = codec.AppendFloat32(append(dst, "\xabreliability"...), p.Reliability)
	dst = codec.AppendArrayLen(append(dst, "\xa9interests"...), p.interestCount())
	for _, n := range p.interests[:p.interestCount()] {
		dst = codec.AppendBytes(dst, m.tags.name(n))
	}
	return codec.AppendUint(append(dst, "\xb0last_interaction"...), uint64(p.interaction))
}

// Restore reads what AppendTo wrote and the changes after it, in their order; the counts are in the
// order of the ids.
func (m *PeerModels) Restore(b []byte, counts []PeerCount, after ...*Changes) error {
	list, err := decodePeers(b)
	if err != nil {
		return fmt.Errorf("restore peer models: %w", err)
	}
	for _, c := range after {
		list = applyPeers(list, c)
	}
	if len(list) != len(counts) {
		return fmt.Errorf("restore peer models: got %d models, but the state has counts for %d", len(list), len(counts))
	}
	m.list, m.ids, m.tags = make([]*Peer, len(list)), make(prefixes, len(list)), nil
	for i := range list {
		if n := len(list[i].Interests); n > interestMax {
			return fmt.Errorf("restore peer models: model of %s has %d interests, want at most %d", list[i].AgentID, n, interestMax)
		}
		m.list[i], m.ids[i] = m.peer(&list[i], &counts[i]), prefixOf(&list[i].AgentID)
	}
	m.revision++
	return nil
}

func decodePeers(b []byte) (list []PeerModel, err error) {
	again := make([]byte, 0, len(b))
	err = peerCodec.DecodeKeyed(b, func(key []byte, model *PeerModel) error {
		n := len(list)
		switch {
		case string(key) != string(model.AgentID[:]):
			return fmt.Errorf("model of %s is stored under another key", model.AgentID)
		case n > 0 && list[n-1].AgentID.Compare(model.AgentID) >= 0:
			return fmt.Errorf("model of %s is out of order", model.AgentID)
		}
		list = append(list, *model)
		again = peerCodec.Append(codec.AppendBytes(again, key), model)
		return nil
	})
	if err == nil && !bytes.Equal(append(codec.AppendMapLen(nil, len(list)), again...), b) {
		err = errors.New("it is not in the canonical form")
	}
	return list, err
}
