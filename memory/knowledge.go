package memory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"iter"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// KnowledgeSource is where a piece of knowledge came from.
type KnowledgeSource uint8

// Values of [KnowledgeSource].
const (
	KnowledgeOracle KnowledgeSource = iota + 1
	KnowledgeExperience
	KnowledgeInference
	KnowledgePeerCommunication
)

var knowledgeSourceNames = []string{"ORACLE", "EXPERIENCE", "INFERENCE", "PEER_COMMUNICATION"}

func (KnowledgeSource) EnumNames() []string { return knowledgeSourceNames }
func (v KnowledgeSource) String() string    { return codec.EnumString(knowledgeSourceNames, v) }

// KnowledgeNode is a concept or fact. Its id is SHA-256 of its label.
type KnowledgeNode struct {
	ID         wire.Hash       `kdom:"id"`
	Label      []byte          `kdom:"label"`
	Content    []byte          `kdom:"content"`
	Source     KnowledgeSource `kdom:"source"`
	Confidence float32         `kdom:"confidence"` // [0,1], quantised
}

// KnowledgeEdge is a directed relation between two nodes.
type KnowledgeEdge struct {
	From     wire.Hash `kdom:"from"`
	To       wire.Hash `kdom:"to"`
	Relation []byte    `kdom:"relation"`
	Weight   float32   `kdom:"weight"` // [0,1], quantised
}

// edge adds the tick of the last confirmation, which is stored apart.
type edge struct {
	KnowledgeEdge
	touched wire.Tick
}

// NodeID returns the id of the node with a label.
func NodeID(label []byte) wire.Hash { return sha256.Sum256(label) }

// KnowledgeGraph is what an agent knows: nodes by id, edges by (from, to, relation).
// At a limit the piece with the least confidence · recency (edges: weight · recency)
// goes; edges of a lost node go with it.
type KnowledgeGraph struct {
	limits   Limits
	ids      prefixes        // of the nodes, so sorted
	places   []place         // of the same nodes
	nodes    []KnowledgeNode // in no order
	edges    []*edge
	ends     []ends // of edges
	into     into
	lessons  []lesson // nodes that are lessons, by action and id
	revision uint64
}

// place is where a node lies in nodes and what the choice of the one to forget looks at.
type place struct {
	touched    wire.Tick // last confirmation, which is stored apart
	confidence float32   // of the node
	at         uint32
}

// ends are the first bytes of the ids of an edge's nodes: a node that is forgotten looks for
// its edges here.
type ends struct{ from, to uint64 }

func endsOf(e *KnowledgeEdge) ends { return ends{prefixOf(&e.From), prefixOf(&e.To)} }

// Learn adds a node or confirms a known one: content and source become the new ones,
// confidence moves towards the observed one with weight 0.2, from 0.5. The node is valid
// until the next Learn.
func (k *KnowledgeGraph) Learn(label, content []byte, source KnowledgeSource, confidence float64, at wire.Tick) *KnowledgeNode {
	k.revision++
	id := NodeID(label)
	i, ok := k.findNode(&id)
	if !ok {
		free := uint32(len(k.nodes))
		if len(k.places) < k.limits.Nodes {
			k.nodes = append(grow(k.nodes, k.limits.Nodes), KnowledgeNode{})
		} else {
			free = k.evictNode(at)
			i, _ = k.findNode(&id)
		}
		k.nodes[free] = KnowledgeNode{ID: id, Label: label}
		k.indexLesson(&k.nodes[free])
		k.ids = slices.Insert(grow(k.ids, k.limits.Nodes), i, prefixOf(&id))
		k.places = slices.Insert(grow(k.places, k.limits.Nodes), i, place{at: free, confidence: scoreStart})
	}
	p := &k.places[i]
	p.touched, p.confidence = at, confirmed(p.confidence, confidence)
	n := &k.nodes[p.at]
	n.Content, n.Source, n.Confidence = content, source, p.confidence
	return n
}

// FromTheStart is the label of the node from which all that an agent knew when the world began
// is reached, so that it comes to mind whatever the agent thinks of. It has no content.
const FromTheStart = "known from the start"

// Hold is Learn with the confidence set outright, as of what an agent knows from the start.
func (k *KnowledgeGraph) Hold(label, content []byte, source KnowledgeSource, confidence float64, at wire.Tick) *KnowledgeNode {
	k.Learn(label, content, source, confidence, at)
	id := NodeID(label)
	i, _ := k.findNode(&id)
	k.places[i].confidence = float32(det.Quantise(min(max(confidence, 0), 1)))
	n := k.node(i)
	n.Confidence = k.places[i].confidence
	return n
}

// Relate adds an edge between two known nodes or confirms it: its weight moves towards
// the given one with weight 0.2, from 0.5. It reports whether both nodes are known.
func (k *KnowledgeGraph) Relate(from, to wire.Hash, relation []byte, weight float64, at wire.Tick) bool {
	if k.Node(from) == nil || k.Node(to) == nil {
		return false
	}
	k.revision++
	key := KnowledgeEdge{From: from, To: to, Relation: relation}
	i, ok := k.findEdge(&key)
	if !ok {
		if len(k.edges) >= k.limits.Edges {
			k.evictEdge(at)
			i, _ = k.findEdge(&key)
		}
		key.Weight = scoreStart
		k.edges = slices.Insert(k.edges, i, &edge{KnowledgeEdge: key})
		k.ends = slices.Insert(k.ends, i, endsOf(&key))
		k.into.add(endsOf(&key))
	}
	e := k.edges[i]
	e.touched = at
	e.Weight = confirmed(e.Weight, weight)
	return true
}

// confirmed is a confidence or weight after an observation, which is kept within [0,1].
func confirmed(score float32, x float64) float32 { return moved(score, min(max(x, 0), 1), emaRate) }

// evictNode passes over what is at least as sure and as fresh as the worst so far: an
// exponential for each of 512 nodes would cost more than the rest of a turn. It returns the
// place in nodes that the next one takes.
func (k *KnowledgeGraph) evictNode(now wire.Tick) (free uint32) {
	low, worst := 0, 2.0
	for i := range k.places {
		n, p := &k.places[i], &k.places[low]
		if i > 0 && n.confidence >= p.confidence && n.touched >= p.touched {
			continue
		}
		if w := float64(float64(n.confidence) * decay(n.touched, now)); w < worst {
			low, worst = i, w
		}
	}
	k.cutEdges(&k.node(low).ID)
	k.dropLesson(k.node(low))
	free = k.places[low].at
	k.ids = slices.Delete(k.ids, low, low+1)
	k.places = slices.Delete(k.places, low, low+1)
	return free
}

// cutEdges drops the edges of a node.
func (k *KnowledgeGraph) cutEdges(id *wire.Hash) {
	at := prefixOf(id)
	for i := len(k.ends) - 1; i >= 0; i-- {
		if x := k.ends[i]; x.from != at && x.to != at {
			continue
		}
		if e := k.edges[i]; e.From == *id || e.To == *id {
			k.dropEdge(i)
		}
	}
}

func (k *KnowledgeGraph) dropEdge(i int) {
	k.into.drop(k.ends[i])
	k.edges = slices.Delete(k.edges, i, i+1)
	k.ends = slices.Delete(k.ends, i, i+1)
}

func (k *KnowledgeGraph) evictEdge(now wire.Tick) {
	low, worst := 0, 2.0
	for i, e := range k.edges {
		if p := k.edges[low]; i > 0 && e.Weight >= p.Weight && e.touched >= p.touched {
			continue
		}
		if w := float64(float64(e.Weight) * decay(e.touched, now)); w < worst {
			low, worst = i, w
		}
	}
	k.dropEdge(low)
}

// Node returns the node with an id, or nil. It is valid until the next Learn.
func (k *KnowledgeGraph) Node(id wire.Hash) *KnowledgeNode {
	if i, ok := k.findNode(&id); ok {
		return k.node(i)
	}
	return nil
}

// node returns the i-th node by id.
func (k *KnowledgeGraph) node(i int) *KnowledgeNode { return &k.nodes[k.places[i].at] }

// Size returns the numbers of nodes and edges.
func (k *KnowledgeGraph) Size() (nodes, edges int) { return len(k.places), len(k.edges) }

// Nodes yields the nodes by id.
func (k *KnowledgeGraph) Nodes() iter.Seq[*KnowledgeNode] {
	return func(yield func(*KnowledgeNode) bool) {
		for i := range k.places {
			if !yield(k.node(i)) {
				return
			}
		}
	}
}

// Edges yields the edges by from, to and relation.
func (k *KnowledgeGraph) Edges() iter.Seq[*KnowledgeEdge] {
	return func(yield func(*KnowledgeEdge) bool) {
		for _, e := range k.edges {
			if !yield(&e.KnowledgeEdge) {
				return
			}
		}
	}
}

// Revision changes with every change.
func (k *KnowledgeGraph) Revision() uint64 { return k.revision }

func (k *KnowledgeGraph) findNode(id *wire.Hash) (int, bool) {
	at := prefixOf(id)
	i := k.ids.search(at)
	for ; i < len(k.ids) && k.ids[i] == at; i++ {
		if c := k.node(i).ID.Compare(*id); c >= 0 {
			return i, c == 0
		}
	}
	return i, false
}

// findEdge looks at an edge only where its first node agrees.
func (k *KnowledgeGraph) findEdge(e *KnowledgeEdge) (int, bool) {
	at := prefixOf(&e.From)
	lo, hi := 0, len(k.edges)
	for lo < hi {
		mid := (lo + hi) / 2
		c := cmp.Compare(k.ends[mid].from, at)
		if c == 0 {
			c = k.edges[mid].compare(e)
		}
		if c < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(k.edges) && k.ends[lo].from == at && k.edges[lo].compare(e) == 0
}

func (e *KnowledgeEdge) compare(o *KnowledgeEdge) int {
	if c := e.From.Compare(o.From); c != 0 {
		return c
	}
	if c := e.To.Compare(o.To); c != 0 {
		return c
	}
	return bytes.Compare(e.Relation, o.Relation)
}
