package memory

import (
	"encoding/hex"
	"math"
	"slices"
	"unique"

	"kingdom/det"
	"kingdom/wire"
)

// Limits of peer models.
const (
	// PeerMax is how many peers an agent models, about as many as people know (Dunbar, "Neocortex size as a constraint
	// on group size in primates", 1992). For another one the agent drops the one seen least recently, of equals the lower
	// id, and first of those with whom it had no interaction.
	PeerMax = 150
	// interestMax is how many tags a model keeps; the oldest goes first.
	interestMax = 8

	minJudgeWeight = 0.1 // least weight of a verdict
)

// PeerModel is an agent's opinion of a peer in its stored form.
type PeerModel struct {
	AgentID         wire.AgentID `kdom:"agent_id"`
	Competence      float32      `kdom:"competence"`       // [0,1], quantised
	Reliability     float32      `kdom:"reliability"`      // [0,1], quantised
	Interests       [][]byte     `kdom:"interests"`        // tags, oldest first
	LastInteraction wire.Tick    `kdom:"last_interaction"` // 0 while there was none
}

// Peer is an agent's opinion of a peer, with the counts behind it. An agent has many of them, so it is kept small: 64
// bytes. Ids are in memory once for all agents; tags are numbers in a list of the models.
type Peer struct {
	id                   unique.Handle[wire.AgentID]
	Competence           float32 // [0,1], quantised
	Reliability          float32 // [0,1], quantised
	Successes            uint32  // see [PeerCount]
	Interactions         uint32
	Helped               uint32
	Served               uint32
	interaction          tick32 // the last one
	seen                 tick32
	reviewed             tick32
	Last                 DealKind
	LastSuccess, changed bool  // changed: since it was stored last
	approvals            uint8 // see [PeerCount]
	interests            [interestMax]tagNumber
}

// AgentID returns the peer's id.
func (p *Peer) AgentID() wire.AgentID { return p.id.Value() }

// LastInteraction returns the tick of the last interaction; 0 if there was none.
func (p *Peer) LastInteraction() wire.Tick { return wire.Tick(p.interaction) }

// Seen returns when anything was last learned about the peer.
func (p *Peer) Seen() wire.Tick { return wire.Tick(p.seen) }

// Reviewed returns when the agent last reviewed a program of the peer; 0 means never.
func (p *Peer) Reviewed() wire.Tick { return wire.Tick(p.reviewed) }

// ApprovesAll reports whether the agent has read at least n reviews of the peer and all of them approved.
func (p *Peer) ApprovesAll(n uint8) bool { return p.approvals != critical && p.approvals >= n }

// critical stands in the place of a number of approvals if a review of the peer wanted changes.
const critical = math.MaxUint8

// count returns the stored form of the counts.
func (p *Peer) count() PeerCount {
	return PeerCount{
		Successes: p.Successes, Interactions: p.Interactions, Seen: p.Seen(), Last: p.Last, LastSuccess: p.LastSuccess,
		Helped: p.Helped, Served: p.Served, Reviewed: p.Reviewed(), Approvals: p.approvals,
	}
}

// tick32 is a tick in 4 bytes. Event ids hold a tick in 4 bytes too, so no world has later ticks.
type tick32 uint32

// PeerCount counts the interactions with one peer.
type PeerCount struct {
	Successes    uint32 `kdom:"successes"` // those that went well
	Interactions uint32 `kdom:"interactions"`
	// Seen is when anything was learned of the peer last; the least recent is dropped first.
	Seen        wire.Tick `kdom:"seen"`
	Last        DealKind  `kdom:"last"` // what the last interaction was; 0 while there was none
	LastSuccess bool      `kdom:"well"` // whether the last interaction went well
	// Helped is how often this agent answered a question of the peer, Served how often the peer answered
	// one of this agent or paid it of its own accord.
	Helped uint32 `kdom:"helped"`
	Served uint32 `kdom:"served"`
	// Reviewed is when this agent reviewed a program of the peer last; 0: never.
	Reviewed wire.Tick `kdom:"reviewed"`
	// Approvals is how many approving reviews of the peer this agent has read, at most 254; 255 once one wanted changes.
	Approvals uint8 `kdom:"approvals"`
}

// Tuple makes the stored form a list.
func (PeerCount) Tuple() {}

// PeerModels has the opinions of all peers, sorted by agent id.
type PeerModels struct {
	list     []*Peer
	ids      prefixes       // of list, so sorted too
	tags     tags           // that the models name
	removed  []wire.AgentID // since they were stored last
	revision uint64
}

// Get returns the model of a peer, or nil.
func (m *PeerModels) Get(id wire.AgentID) *Peer {
	if i, ok := m.find(id); ok {
		return m.list[i]
	}
	return nil
}

// All returns the models by agent id. The slice is PeerModels' own.
func (m *PeerModels) All() []*Peer { return m.list }

// Revision changes with every change.
func (m *PeerModels) Revision() uint64 { return m.revision }

// Observe notes that a peer exists, without an interaction. A stranger takes nobody's place: in a large population an agent
// sees strangers all the time.
func (m *PeerModels) Observe(id wire.AgentID, at wire.Tick) {
	if len(m.list) >= PeerMax {
		if _, known := m.find(id); !known {
			return
		}
	}
	m.findOrAdd(id, at)
}

// Interact counts an interaction with a peer and whether it went well. Trust decays from this tick on; merely seeing
// a peer does not renew it.
func (m *PeerModels) Interact(id wire.AgentID, kind DealKind, success bool, at wire.Tick) {
	p := m.findOrAdd(id, at)
	p.interaction, p.Last, p.LastSuccess = tick32(at), kind, success
	p.Interactions++
	if success {
		p.Successes++
	}
}

// Help counts an answer that this agent gave to a question of a peer.
func (m *PeerModels) Help(id wire.AgentID, at wire.Tick) {
	if p := m.findOrAdd(id, at); p.Helped < 1<<32-1 {
		p.Helped++
	}
}

// Serve counts an answer of a peer to a question of this agent, or a voluntary payment.
func (m *PeerModels) Serve(id wire.AgentID, at wire.Tick) {
	if p := m.findOrAdd(id, at); p.Served < 1<<32-1 {
		p.Served++
	}
}

// Review notes that this agent reviewed a program of a peer.
func (m *PeerModels) Review(id wire.AgentID, at wire.Tick) { m.findOrAdd(id, at).reviewed = tick32(at) }

// ReadReview notes the verdict of a review of a peer that this agent read, and returns the model of the peer; nil if the
// agent does not know the reviewer.
func (m *PeerModels) ReadReview(alias []byte, approves bool) *Peer {
	p := m.byAlias(alias)
	if p == nil || p.approvals == critical {
		return p
	}
	m.revision++
	p.changed = true
	switch {
	case !approves:
		p.approvals = critical
	case p.approvals < critical-1:
		p.approvals++
	}
	return p
}

// Balance returns how often the peer served this agent minus how often this agent helped the peer.
func (p *Peer) Balance() int { return int(p.Served) - int(p.Helped) }

// AddInitial adds a peer that an agent knows from the start, with interactions before the world began, of which some went
// well.
func (m *PeerModels) AddInitial(id wire.AgentID, successes, interactions uint32, at wire.Tick) {
	p := m.findOrAdd(id, at)
	p.interaction, p.Last, p.LastSuccess = tick32(at), DealBefore, 2*successes >= interactions
	p.Successes, p.Interactions = min(successes, interactions), interactions
}

// Commitment notes a promise that was kept (a bounty completed, a review given) or broken (a claim given back, a
// deadline missed). The reliability moves by weight 0.2.
func (m *PeerModels) Commitment(id wire.AgentID, kept bool, at wire.Tick) {
	p := m.findOrAdd(id, at)
	p.Reliability = movedTowardsEnd(p.Reliability, kept, emaRate)
}

// Verdict notes a judgement of the peer's work: the competence moves by weight 0.2 · max(judge's reputation, 0.1).
func (m *PeerModels) Verdict(id wire.AgentID, good bool, judge float64, at wire.Tick) {
	p := m.findOrAdd(id, at)
	p.Competence = movedTowardsEnd(p.Competence, good, float64(emaRate*max(judge, minJudgeWeight)))
}

// StatementChecked notes whether a statement of the peer agreed with this agent's own count. The competence moves by weight
// 0.2; StatementChecked returns by how much it changed.
func (m *PeerModels) StatementChecked(id wire.AgentID, right bool, at wire.Tick) (moved float64) {
	p := m.findOrAdd(id, at)
	x := 0.0
	if right {
		x = 1
	}
	moved = float64(emaRate * math.Abs(x-float64(p.Competence)))
	p.Competence = movedTowardsEnd(p.Competence, right, emaRate)
	return moved
}

// Forget drops the model of a peer that is dead.
func (m *PeerModels) Forget(id wire.AgentID) {
	if i, ok := m.find(id); ok {
		m.revision++
		m.drop(i)
	}
}

// Trust returns successes/interactions · exp(−0.001 · ticks since the last interaction), quantised. Without
// interactions it is 0 and known is false.
func (m *PeerModels) Trust(id wire.AgentID, now wire.Tick) (trust float64, known bool) {
	p := m.Get(id)
	if p == nil || p.Interactions == 0 {
		return 0, false
	}
	return p.Trust(now), true
}

// Trust is the trust in the modelled peer at a tick; see [PeerModels.Trust].
func (p *Peer) Trust(now wire.Tick) float64 {
	if p.Interactions == 0 {
		return 0
	}
	return det.Quantise(float64(p.Ratio() * decay(p.LastInteraction(), now)))
}

// Ratio returns successes/interactions without decay; 0 without interactions.
func (p *Peer) Ratio() float64 {
	if p.Interactions == 0 {
		return 0
	}
	return float64(p.Successes) / float64(p.Interactions)
}

// findOrAdd finds or makes the model of a peer and marks it as seen now.
func (m *PeerModels) findOrAdd(id wire.AgentID, at wire.Tick) *Peer {
	m.revision++
	i, ok := m.find(id)
	if ok {
		m.list[i].seen = tick32(at)
		m.list[i].changed = true
		return m.list[i]
	}
	p := &Peer{id: unique.Make(id), Competence: scoreStart, Reliability: scoreStart, seen: tick32(at), changed: true}
	if len(m.list) >= PeerMax {
		old := m.oldest()
		m.removed = append(m.removed, m.list[old].id.Value())
		replace(m.list, old, i, p)
		replace(m.ids, old, i, prefixOf(&id))
		return p
	}
	m.list = slices.Insert(m.list, i, p)
	m.ids = slices.Insert(m.ids, i, prefixOf(&id))
	return p
}

// oldest returns the index of the peer to drop: the one seen least recently, of those without an interaction if there are any.
func (m *PeerModels) oldest() (old int) {
	for i, p := range m.list {
		q := m.list[old]
		if dealt, other := p.Interactions > 0, q.Interactions > 0; dealt != other {
			if other {
				old = i
			}
		} else if p.seen < q.seen {
			old = i
		}
	}
	return old
}

func (m *PeerModels) drop(i int) {
	m.removed = append(m.removed, m.list[i].id.Value())
	m.list = slices.Delete(m.list, i, i+1)
	m.ids = slices.Delete(m.ids, i, i+1)
}

// find searches the prefixes and compares whole ids only where they agree.
func (m *PeerModels) find(id wire.AgentID) (int, bool) {
	k := prefixOf(&id)
	i := m.ids.search(k)
	for ; i < len(m.ids) && m.ids[i] == k; i++ {
		if c := m.list[i].id.Value().Compare(id); c >= 0 {
			return i, c == 0
		}
	}
	return i, false
}

// byAlias returns the model of the peer with an alias, or nil.
func (m *PeerModels) byAlias(alias []byte) *Peer {
	var id wire.AgentID
	if n, err := hex.Decode(id[:], alias[:min(len(alias), 2*len(id))]); err != nil || 2*n != len(alias) {
		return nil
	}
	if i := m.ids.search(prefixOf(&id)); i < len(m.list) && m.list[i].id.Value().Alias() == string(alias) {
		return m.list[i]
	}
	return nil
}

// movedTowardsEnd moves a score towards 1 if up is set, else towards 0.
func movedTowardsEnd(score float32, up bool, rate float64) float32 {
	x := float64(0)
	if up {
		x = 1
	}
	return movedTowards(score, x, rate)
}
