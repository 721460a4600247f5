package memory

import "kingdom/det"

// Memory is everything one agent remembers.
type Memory struct {
	Working     *Working
	Knowledge   *KnowledgeGraph
	Experiences *Experiences
	Beliefs     *Beliefs
	Plans       *Plans
	Peers       *PeerModels
	// These are part of the state blob.
	Dealings   Dealings   // bounties, reviews and stakes with others
	Market     Market     // prices, and what it would pay for
	Readings   Readings   // what the newest looks showed
	Effects    Effects    // consequences of the newest acts
	Reasonings Reasonings // why it did what it did, in its own words
	Findings   Findings   // what it counted
	Topics     TopicNotes // how well it knows which field
	Grievances Grievances // what it suffered from
	Titles     Titles     // of the entries that it heard of
	Drive      Drive      // how readily it takes up work
}

// Limits are the limits of memory that a scenario may change.
type Limits struct {
	Nodes, Edges int // of the knowledge graph
}

// DefaultLimits are used unless a scenario says otherwise.
var DefaultLimits = Limits{Nodes: 512, Edges: 2048}

// New returns the empty memory of a new agent. ids numbers its rows and is shared with no other agent.
func New(ids *RowIDs, l Limits) *Memory {
	return &Memory{
		Working:     &Working{},
		Knowledge:   &KnowledgeGraph{limits: l},
		Experiences: &Experiences{ids: ids},
		Beliefs:     &Beliefs{ids: ids},
		Plans:       &Plans{ids: ids},
		Peers:       &PeerModels{},
	}
}

// scoreStart is where every learned score begins, emaRate how far one observation moves it.
const (
	scoreStart = 0.5
	emaRate    = 0.2
)

// movedTowards returns a score after one observation x: it moves towards x by rate, quantised.
func movedTowards(score float32, x, rate float64) float32 {
	old := float64(score)
	return float32(det.Quantise(old + float64(rate*(x-old))))
}
