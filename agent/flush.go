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

// since is what the store has of an agent's memory: a row with all of it, and changes after it.
type since struct {
	tick    wire.Tick // of the row
	size    int       // of the row, in bytes; 0: there is none
	changes uint64    // how many there are
	sizes   int       // of the changes, in bytes
}

// takes says whether more changes of a size are to be stored, or a new row. So a store never
// holds more of changes than half of the row, and on the long run takes three times what changed.
func (s *since) takes(size int) bool { return s.sizes+size <= s.size/2 }

// Flush returns the rows that changed since the last flush, with tick in their updated_at columns. The rows share no
// memory that the agent changes later.
func (a *Agent) Flush(tick wire.Tick) Rows {
	rows, _ := a.flush(tick, Large{})
	return rows
}

// Large takes the large blobs of a flush while they are encoded: knowledge, peers, changes of memory, and state. The
// rows then have nil in these columns. A function must not keep the bytes. It is not called for a row that is not
// written. If a function is nil, the row has the bytes.
type Large struct{ Knowledge, Peers, Changes, State func(b []byte) }

// FlushHash is Flush and StateHash in one call, which encodes the state only once.
func (a *Agent) FlushHash(tick wire.Tick) (Rows, wire.Hash) {
	return a.FlushLarge(tick, Large{})
}

// FlushLarge is FlushHash for a caller that takes the large blobs while they are encoded.
func (a *Agent) FlushLarge(tick wire.Tick, large Large) (Rows, wire.Hash) {
	rows, state := a.flush(tick, large)
	return rows, a.hashWith(state)
}

// ForgetHash is FlushHash without rows, for a caller that stores nothing.
func (a *Agent) ForgetHash() wire.Hash {
	m, state := a.Memory, a.stateSum()
	a.stored, a.since = a.now(state), since{}
	m.ForgetChanges()
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
	before := a.since.changes
	memory, changes := a.memoryRows(tick, &large)
	if memory == nil {
		before = 0
	}
	return Rows{
		Memory:         memory,
		Changes:        changes,
		DeletedChanges: before,
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

// memoryRows returns a row with all of an agent's memory, or what changed of it, or neither if
// nothing did.
func (a *Agent) memoryRows(tick wire.Tick, large *Large) (*MemoryRow, []ChangesRow) {
	m, was := a.Memory, a.stored
	now := a.now(was.state)
	if now == was {
		return nil, nil
	}
	a.stored = now
	s := codec.Borrow()
	s.B = m.AppendChanges(s.B, now.working != was.working)
	if n := len(s.B); a.since.takes(n) {
		row := ChangesRow{AgentID: a.ID, Number: a.since.changes, Since: a.since.tick, Body: given(s, large.Changes), UpdatedAt: tick}
		a.since.changes++
		a.since.sizes += n
		return nil, []ChangesRow{row}
	}
	s.Return()
	row := &MemoryRow{AgentID: a.ID, UpdatedAt: tick}
	a.since = since{tick: tick}
	row.Working = a.hashes.working.encode(m.Working, &a.since.size, nil)
	row.Knowledge = a.hashes.knowledge.encode(m.Knowledge, &a.since.size, large.Knowledge)
	row.PeerModel = a.hashes.peers.encode(m.Peers, &a.since.size, large.Peers)
	return row, nil
}

// encode keeps the hash of a blob and returns its bytes, or gives them to whoever takes them. Their
// number is added to size.
func (p *part) encode(b blob, size *int, large func(b []byte)) []byte {
	s := codec.Borrow()
	s.B = b.AppendTo(s.B)
	*size += len(s.B)
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
