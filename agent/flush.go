package agent

import (
	"crypto/sha256"

	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// stored remembers what the store has: revisions plus one, so that zero means nothing.
type stored struct {
	working, knowledge, peers uint64
	state                     wire.Hash
}

// Flush returns the rows that changed since the last flush and forgets them as changed.
// updated_at columns get the tick. The rows share no memory that the agent changes.
func (a *Agent) Flush(tick wire.Tick) Rows {
	rows, _ := a.flush(tick, Large{})
	return rows
}

// Large takes the blobs of a flush that are large, what the agent knows, what it makes of peers and
// its state, in place of the rows, which then hold nil there. A function must not keep the bytes; it
// is not called for a row that did not change. Where it is nil the row holds them.
type Large struct{ Knowledge, Peers, State func(b []byte) }

// FlushHash is Flush and StateHash in one: the state is encoded once for both.
func (a *Agent) FlushHash(tick wire.Tick) (Rows, wire.Hash) {
	return a.FlushLarge(tick, Large{})
}

// FlushLarge is FlushHash for who takes the large blobs while they are made.
func (a *Agent) FlushLarge(tick wire.Tick, large Large) (Rows, wire.Hash) {
	rows, state := a.flush(tick, large)
	return rows, a.hashWith(state)
}

// ForgetHash is FlushHash without rows: for who stores nothing.
func (a *Agent) ForgetHash() wire.Hash {
	m, state := a.Memory, a.stateSum()
	a.stored = a.now(state)
	m.Experiences.Forget()
	m.Beliefs.Forget()
	m.Plans.Forget()
	a.Goals.Changed()
	return a.hashWith(state)
}

// flush returns the rows and the hash of the state blob.
func (a *Agent) flush(tick wire.Tick, large Large) (Rows, wire.Hash) {
	state, sum := a.stateRow(tick, large.State)
	beliefs, deleted := a.beliefRows()
	return Rows{
		Memory:         a.memoryRow(tick, large),
		State:          state,
		Experiences:    a.experienceRows(),
		Beliefs:        beliefs,
		DeletedBeliefs: deleted,
		Plans:          a.planRows(),
		Goals:          a.goalRows(),
	}, sum
}

// now is what the store has after a flush.
func (a *Agent) now(state wire.Hash) stored {
	m := a.Memory
	return stored{m.Working.Revision() + 1, m.Knowledge.Revision() + 1, m.Peers.Revision() + 1, state}
}

func (a *Agent) memoryRow(tick wire.Tick, large Large) *MemoryRow {
	m := a.Memory
	now := a.now(a.stored.state)
	if now == a.stored {
		return nil
	}
	a.stored = now
	return &MemoryRow{
		AgentID:   a.ID,
		Working:   a.hashes.working.encode(m.Working, nil),
		Knowledge: a.hashes.knowledge.encode(m.Knowledge, large.Knowledge),
		PeerModel: a.hashes.peers.encode(m.Peers, large.Peers),
		UpdatedAt: tick,
	}
}

// encode keeps the hash of a blob and returns its bytes, or gives them to whoever takes them.
func (p *part) encode(b blob, large func(b []byte)) []byte {
	s := codec.Borrow()
	s.B = b.AppendTo(s.B)
	p.hash, p.made = sha256.Sum256(s.B), b.Revision()+1
	return given(s, large)
}

// given is what a scratch holds, or nil if somebody else takes it.
func given(s *codec.Scratch, large func(b []byte)) []byte {
	if large == nil {
		return s.Take()
	}
	large(s.B)
	s.Return()
	return nil
}

// exact returns what fill appends, in a slice of its own size.
func exact(fill func(dst []byte) []byte) []byte {
	s := codec.Borrow()
	s.B = fill(s.B)
	return s.Take()
}

func (a *Agent) stateRow(tick wire.Tick, large func(b []byte)) (*StateRow, wire.Hash) {
	s := codec.Borrow()
	s.B = a.appendState(s.B)
	sum := wire.Hash(sha256.Sum256(s.B))
	if sum == a.stored.state {
		s.Return()
		return nil, sum
	}
	a.stored.state = sum
	return &StateRow{AgentID: a.ID, Body: given(s, large), UpdatedAt: tick}, sum
}

func (a *Agent) experienceRows() []ExperienceRow {
	changed := a.Memory.Experiences.Changed()
	rows := make([]ExperienceRow, len(changed))
	for i, e := range changed {
		rows[i] = ExperienceRow{ID: e.ID, AgentID: a.ID, Tick: e.Tick, Action: e.Action, Outcome: uint8(e.Outcome) - 1, Lesson: e.Lesson}
	}
	return rows
}

func (a *Agent) beliefRows() (rows []BeliefRow, deleted []uint64) {
	changed, deleted := a.Memory.Beliefs.Changed()
	rows = make([]BeliefRow, len(changed))
	for i := range changed {
		b := &changed[i]
		rows[i] = BeliefRow{
			ID:         b.ID,
			AgentID:    a.ID,
			Claim:      exact(func(dst []byte) []byte { return memory.AppendClaim(dst, &b.Claim) }),
			Confidence: b.Confidence,
			Evidence:   exact(func(dst []byte) []byte { return memory.AppendHashes(dst, b.Evidence) }),
			FormedAt:   b.FormedAt,
			LastTested: b.LastTested,
		}
	}
	return rows, deleted
}

func (a *Agent) planRows() []PlanRow {
	changed := a.Memory.Plans.Changed()
	rows := make([]PlanRow, len(changed))
	for i, p := range changed {
		rows[i] = PlanRow{
			ID:             p.ID,
			AgentID:        a.ID,
			GoalID:         p.Goal,
			Steps:          exact(func(dst []byte) []byte { return memory.AppendSteps(dst, p.Steps) }),
			Dependencies:   exact(func(dst []byte) []byte { return memory.AppendHashes(dst, p.Dependencies) }),
			EstimatedTicks: p.EstimatedTicks,
			EstimatedCost:  p.EstimatedCost,
			RiskAssessment: p.Risk,
			Status:         uint8(p.Status) - 1,
		}
	}
	return rows
}

func (a *Agent) goalRows() []GoalRow {
	changed := a.Goals.Changed()
	rows := make([]GoalRow, len(changed))
	for i, g := range changed {
		rows[i] = GoalRow{
			ID:          g.ID,
			AgentID:     a.ID,
			Layer:       uint8(g.Layer) - 1,
			Source:      uint8(g.Source) - 1,
			Description: exact(g.AppendDescription),
			Priority:    g.Priority,
			Status:      uint8(g.Status) - 1,
			CreatedAt:   g.CreatedAt,
			Deadline:    g.Deadline,
		}
	}
	return rows
}
