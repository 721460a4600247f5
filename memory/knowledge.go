package memory

import (
	"bytes"
	"crypto/sha256"
	"iter"
	"slices"

	"kingdom/det"
	"kingdom/wire"
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

// EnumNames lists the names in ordinal order.
func (KnowledgeSource) EnumNames() []string { return knowledgeSourceNames }

// String returns the name.
func (v KnowledgeSource) String() string { return nameOf(knowledgeSourceNames, uint8(v)) }

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

// node and edge add the tick of the last confirmation, which is stored apart.
type (
	node struct {
		KnowledgeNode
		touched wire.Tick
	}
	edge struct {
		KnowledgeEdge
		touched wire.Tick
	}
)

// NodeID returns the id of the node with a label.
func NodeID(label []byte) wire.Hash { return sha256.Sum256(label) }

// KnowledgeGraph is what an agent knows: nodes by id, edges by (from, to, relation).
// At a limit the piece with the least confidence · recency (edges: weight · recency)
// goes; edges of a lost node go with it.
type KnowledgeGraph struct {
	limits   Limits
	nodes    []*node
	edges    []*edge
	revision uint64
}

// recencyRate is the decay of recency per tick.
const recencyRate = 0.001

func recency(then, now wire.Tick) float64 {
	return det.Exp(-float64(recencyRate * float64(since(then, now))))
}

// Learn adds a node or confirms a known one: content and source become the new ones,
// confidence moves towards the observed one with weight 0.2, from 0.5.
func (k *KnowledgeGraph) Learn(label, content []byte, source KnowledgeSource, confidence float64, at wire.Tick) *KnowledgeNode {
	k.revision++
	id := NodeID(label)
	i, ok := k.findNode(id)
	if !ok {
		if len(k.nodes) >= k.limits.Nodes {
			k.evictNode(at)
			i, _ = k.findNode(id)
		}
		k.nodes = slices.Insert(k.nodes, i, &node{KnowledgeNode: KnowledgeNode{ID: id, Label: label, Confidence: scoreStart}})
	}
	n := k.nodes[i]
	n.Content, n.Source, n.touched = content, source, at
	n.Confidence = approach(n.Confidence, confidence)
	return &n.KnowledgeNode
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
	}
	e := k.edges[i]
	e.touched = at
	e.Weight = approach(e.Weight, weight)
	return true
}

func approach(score float32, x float64) float32 {
	old := float64(score)
	return float32(det.Quantise(old + float64(emaRate*(min(max(x, 0), 1)-old))))
}

// evictNode passes over what is at least as sure and as fresh as the worst so far: an
// exponential for each of 512 nodes would cost more than the rest of a turn.
func (k *KnowledgeGraph) evictNode(now wire.Tick) {
	low, worst := 0, 2.0
	for i, n := range k.nodes {
		if p := k.nodes[low]; i > 0 && n.Confidence >= p.Confidence && n.touched >= p.touched {
			continue
		}
		if w := float64(float64(n.Confidence) * recency(n.touched, now)); w < worst {
			low, worst = i, w
		}
	}
	id := k.nodes[low].ID
	k.nodes = slices.Delete(k.nodes, low, low+1)
	at := prefixOf(&id)
	k.edges = slices.DeleteFunc(k.edges, func(e *edge) bool {
		return prefixOf(&e.From) == at && e.From == id || prefixOf(&e.To) == at && e.To == id
	})
}

func (k *KnowledgeGraph) evictEdge(now wire.Tick) {
	low, worst := 0, 2.0
	for i, e := range k.edges {
		if p := k.edges[low]; i > 0 && e.Weight >= p.Weight && e.touched >= p.touched {
			continue
		}
		if w := float64(float64(e.Weight) * recency(e.touched, now)); w < worst {
			low, worst = i, w
		}
	}
	k.edges = slices.Delete(k.edges, low, low+1)
}

// Node returns the node with an id, or nil.
func (k *KnowledgeGraph) Node(id wire.Hash) *KnowledgeNode {
	if i, ok := k.findNode(id); ok {
		return &k.nodes[i].KnowledgeNode
	}
	return nil
}

// Size returns the numbers of nodes and edges.
func (k *KnowledgeGraph) Size() (nodes, edges int) { return len(k.nodes), len(k.edges) }

// Nodes yields the nodes by id.
func (k *KnowledgeGraph) Nodes() iter.Seq[*KnowledgeNode] {
	return func(yield func(*KnowledgeNode) bool) {
		for _, n := range k.nodes {
			if !yield(&n.KnowledgeNode) {
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

func (k *KnowledgeGraph) findNode(id wire.Hash) (int, bool) {
	return slices.BinarySearchFunc(k.nodes, id, func(n *node, id wire.Hash) int { return n.ID.Compare(id) })
}

func (k *KnowledgeGraph) findEdge(e *KnowledgeEdge) (int, bool) {
	return slices.BinarySearchFunc(k.edges, e, func(x *edge, e *KnowledgeEdge) int { return x.compare(e) })
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
