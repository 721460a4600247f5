package memory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
	"unique"

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

// KnowledgeNode is a concept or fact as an agent knows it. Its id is SHA-256 of its label.
type KnowledgeNode struct {
	ID         wire.Hash
	Label      string
	Content    string
	Source     KnowledgeSource
	Confidence float32 // [0,1], quantised
}

// nodeText is the content of a node. Most nodes are messages, entries and tags that many agents have read, so equal texts of
// several agents are in memory once.
type nodeText struct {
	id             wire.Hash
	label, content string
}

// node is a node of the graph, in 16 bytes: what eviction looks at is here, the text is elsewhere.
type node struct {
	text        unique.Handle[nodeText]
	confirmedAt tick32 // last confirmation, which is stored apart
	confidence  float32
}

// origin is the source of a node, and whether the node changed since it was stored last.
type origin uint8

const nodeChanged origin = 1 << 7

func (o origin) source() KnowledgeSource { return KnowledgeSource(o &^ nodeChanged) }

// KnowledgeEdge is a directed relation between two nodes.
type KnowledgeEdge struct {
	From     wire.Hash `kdom:"from"`
	To       wire.Hash `kdom:"to"`
	Relation []byte    `kdom:"relation"`
	Weight   float32   `kdom:"weight"` // [0,1], quantised
}

// edgeKey says which nodes an edge relates and how. Equal keys are in memory once for all agents.
type edgeKey struct {
	from, to wire.Hash
	relation string
}

// edge is an edge of the graph, in 16 bytes.
type edge struct {
	key         unique.Handle[edgeKey]
	confirmedAt tick32 // last confirmation, which is stored apart
	weight      float32
}

// row returns the stored form of the edge.
func (e *edge) row() KnowledgeEdge {
	t := e.key.Value()
	return KnowledgeEdge{t.from, t.to, []byte(t.relation), e.weight}
}

// NodeID returns the id of the node with a label.
func NodeID(label []byte) wire.Hash { return sha256.Sum256(label) }

// KnowledgeGraph is what an agent knows: nodes by id, edges by (from, to, relation). At its limits the node with the
// least confidence · recency is dropped together with its edges, or the edge with the least weight · recency.
type KnowledgeGraph struct {
	limits   Limits
	nodes    []node     // by id
	origins  []origin   // of nodes
	ids      prefixes   // of nodes
	edges    []edge     // by from, to and relation
	ends     []edgeEnds // of edges
	incoming []uint32   // positions of edges, by to, from and relation
	lessons  []lesson   // nodes that are lessons, by action and id
	revision uint64

	// Since the graph was stored last.
	changedEdges []unique.Handle[edgeKey] // in the order of their first change
	removedNodes []wire.Hash
	removedEdges []edgeID // without the edges of removed nodes
}

// edgeEnds are the prefixes of the ids of an edge's two nodes. Removing a node searches its edges here.
type edgeEnds struct{ from, to uint64 }

func endsOf(t *edgeKey) edgeEnds { return edgeEnds{prefixOf(&t.from), prefixOf(&t.to)} }

// Learn adds a node or confirms a known one: content and source are replaced, and the confidence moves from 0.5
// towards the observed one with weight 0.2. It returns the node's id, and keeps neither label nor content.
func (k *KnowledgeGraph) Learn(label, content []byte, source KnowledgeSource, confidence float64, at wire.Tick) (id wire.Hash) {
	k.revision++
	id = NodeID(label)
	i, ok := k.findNode(&id)
	if !ok {
		if len(k.nodes) >= k.limits.Nodes {
			k.evictNode(at)
			i, _ = k.findNode(&id)
		}
		k.indexLesson(&id, string(label))
		k.ids = slices.Insert(grow(k.ids, k.limits.Nodes), i, prefixOf(&id))
		k.nodes = slices.Insert(grow(k.nodes, k.limits.Nodes), i, node{confidence: scoreStart})
		k.origins = slices.Insert(grow(k.origins, k.limits.Nodes), i, 0)
	}
	n := &k.nodes[i]
	if !ok || n.text.Value().content != string(content) {
		n.text = unique.Make(nodeText{id, string(label), string(content)})
	}
	n.confirmedAt, n.confidence, k.origins[i] = tick32(at), afterObservation(n.confidence, confidence), origin(source)|nodeChanged
	return id
}

// InitialKnowledge is the label of the node that leads to everything an agent knew when the world began, so that it is
// always recalled. The node has no content.
const InitialKnowledge = "known from the start"

// LearnInitial is Learn with a given confidence, for what an agent knows from the start.
func (k *KnowledgeGraph) LearnInitial(label, content []byte, source KnowledgeSource, confidence float64, at wire.Tick) {
	id := k.Learn(label, content, source, confidence, at)
	i, _ := k.findNode(&id)
	k.nodes[i].confidence = float32(det.Quantise(min(max(confidence, 0), 1)))
}

// Relate adds an edge between two known nodes or confirms it: its weight moves from 0.5 towards the given one with
// weight 0.2. It reports whether both nodes are known.
func (k *KnowledgeGraph) Relate(from, to wire.Hash, relation []byte, weight float64, at wire.Tick) bool {
	if !k.knows(&from) || !k.knows(&to) {
		return false
	}
	k.revision++
	key := edgeKey{from, to, string(relation)}
	i, ok := k.findEdge(&key)
	if !ok {
		if len(k.edges) >= k.limits.Edges {
			k.evictEdge(at)
			i, _ = k.findEdge(&key)
		}
		k.edges = slices.Insert(grow(k.edges, k.limits.Edges), i, edge{key: unique.Make(key), weight: scoreStart})
		k.ends = slices.Insert(grow(k.ends, k.limits.Edges), i, endsOf(&key))
		k.addIncoming(i)
	}
	e := &k.edges[i]
	if !slices.Contains(k.changedEdges, e.key) {
		k.changedEdges = append(k.changedEdges, e.key)
	}
	e.confirmedAt = tick32(at)
	e.weight = afterObservation(e.weight, weight)
	return true
}

// afterObservation returns a confidence or weight after an observation x, which is limited to [0,1].
func afterObservation(score float32, x float64) float32 {
	return movedTowards(score, min(max(x, 0), 1), emaRate)
}

// evictNode drops the node with the least confidence · recency. It skips nodes that are neither less certain nor older than
// the lowest so far: an exponential for each of 512 nodes would cost more than the rest of a turn.
func (k *KnowledgeGraph) evictNode(now wire.Tick) {
	low, worst := 0, 2.0
	for i := range k.nodes {
		n, p := &k.nodes[i], &k.nodes[low]
		if i > 0 && n.confidence >= p.confidence && n.confirmedAt >= p.confirmedAt {
			continue
		}
		if w := float64(float64(n.confidence) * decay(wire.Tick(n.confirmedAt), now)); w < worst {
			low, worst = i, w
		}
	}
	gone := k.nodes[low].text.Value()
	k.removedNodes = append(k.removedNodes, gone.id)
	k.cutEdges(&gone.id)
	k.dropLesson(&gone.id, gone.label)
	k.ids = slices.Delete(k.ids, low, low+1)
	k.nodes = slices.Delete(k.nodes, low, low+1)
	k.origins = slices.Delete(k.origins, low, low+1)
}

// cutEdges removes the edges of a node.
func (k *KnowledgeGraph) cutEdges(id *wire.Hash) {
	at := prefixOf(id)
	for i := len(k.ends) - 1; i >= 0; i-- {
		if x := k.ends[i]; x.from != at && x.to != at {
			continue
		}
		if t := k.edges[i].key.Value(); t.from == *id || t.to == *id {
			k.dropEdge(i)
		}
	}
}

func (k *KnowledgeGraph) dropEdge(i int) {
	k.dropIncoming(i)
	k.edges = slices.Delete(k.edges, i, i+1)
	k.ends = slices.Delete(k.ends, i, i+1)
}

func (k *KnowledgeGraph) evictEdge(now wire.Tick) {
	low, worst := 0, 2.0
	for i := range k.edges {
		e, p := &k.edges[i], &k.edges[low]
		if i > 0 && e.weight >= p.weight && e.confirmedAt >= p.confirmedAt {
			continue
		}
		if w := float64(float64(e.weight) * decay(wire.Tick(e.confirmedAt), now)); w < worst {
			low, worst = i, w
		}
	}
	t := k.edges[low].key.Value()
	k.removedEdges = append(k.removedEdges, edgeID{t.from, t.to, []byte(t.relation)})
	k.dropEdge(low)
}

// Node returns the node with an id; ok is false when there is none.
func (k *KnowledgeGraph) Node(id wire.Hash) (n KnowledgeNode, ok bool) {
	i, ok := k.findNode(&id)
	if !ok {
		return n, false
	}
	return k.node(i), true
}

// knows reports whether there is a node with an id.
func (k *KnowledgeGraph) knows(id *wire.Hash) bool {
	_, ok := k.findNode(id)
	return ok
}

// node returns the i-th node by id.
func (k *KnowledgeGraph) node(i int) KnowledgeNode {
	n := &k.nodes[i]
	p := n.text.Value()
	return KnowledgeNode{ID: p.id, Label: p.label, Content: p.content, Source: k.origins[i].source(), Confidence: n.confidence}
}

// Size returns the numbers of nodes and edges.
func (k *KnowledgeGraph) Size() (nodes, edges int) { return len(k.nodes), len(k.edges) }

// Newest returns the node of a source that was learned or confirmed last, of equals the first by id, among those with content
// whose label does not begin with but; ok is false if there is none.
func (k *KnowledgeGraph) Newest(source KnowledgeSource, but string) (n KnowledgeNode, ok bool) {
	var at tick32
	for i := range k.nodes {
		if k.origins[i].source() != source || ok && k.nodes[i].confirmedAt <= at {
			continue
		}
		if t := k.nodes[i].text.Value(); t.content != "" && !strings.HasPrefix(t.label, but) {
			n, at, ok = k.node(i), k.nodes[i].confirmedAt, true
		}
	}
	return n, ok
}

// Revision changes with every change.
func (k *KnowledgeGraph) Revision() uint64 { return k.revision }

func (k *KnowledgeGraph) findNode(id *wire.Hash) (int, bool) {
	at := prefixOf(id)
	i := k.ids.search(at)
	for ; i < len(k.ids) && k.ids[i] == at; i++ {
		if c := k.nodes[i].text.Value().id.Compare(*id); c >= 0 {
			return i, c == 0
		}
	}
	return i, false
}

// findEdge compares the whole key of an edge only if the prefix of its source agrees.
func (k *KnowledgeGraph) findEdge(t *edgeKey) (int, bool) {
	at := prefixOf(&t.from)
	lo, hi := 0, len(k.edges)
	for lo < hi {
		mid := (lo + hi) / 2
		c := cmp.Compare(k.ends[mid].from, at)
		if c == 0 {
			c = k.edges[mid].compare(t)
		}
		if c < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(k.edges) && k.ends[lo].from == at && k.edges[lo].compare(t) == 0
}

func (e *edge) compare(t *edgeKey) int {
	o := e.key.Value()
	return cmp.Or(o.from.Compare(t.from), o.to.Compare(t.to), cmp.Compare(o.relation, t.relation))
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
