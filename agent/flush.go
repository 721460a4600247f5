package agent

import (
	"crypto/sha256"

	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// storedRevisions remembers what the store has: revisions plus one, so that zero means nothing.
type storedRevisions struct {
	working, knowledge, peers uint64
	state                     wire.Hash
}

// storedMemory describes what the store has of an agent's memory: one row with all of it, and rows with later changes.
type storedMemory struct {
	tick    wire.Tick // of the row
	size    int       // of the row, in bytes; 0: there is none
	changes uint64    // how many there are
	sizes   int       // of the changes, in bytes
}

// fitsChanges reports whether changes of a size are to be stored as changes; else a whole new row is written. The changes
// never exceed half the size of the row, and in the long run three times the changed bytes are written.
func (s *storedMemory) fitsChanges(size int) bool { return s.sizes+size <= s.size/2 }

// Flush returns the rows that changed since the last flush, with tick in their updated_at columns. The rows share no
// memory that the agent changes later.
func (a *Agent) Flush(tick wire.Tick) Rows {
	rows, _ := a.flush(tick, LargeBlobs{})
	return rows
}

// LargeBlobs takes the large blobs of a flush while they are encoded: knowledge, peers, changes of memory, and state. The
// rows then have nil in these columns. A function must not keep the bytes. It is not called for a row that is not
// written. If a function is nil, the row has the bytes.
type LargeBlobs struct{ Knowledge, Peers, Changes, State func(b []byte) }

// FlushHash is Flush and StateHash in one call, which encodes the state only once.
func (a *Agent) FlushHash(tick wire.Tick) (Rows, wire.Hash) {
	return a.FlushLarge(tick, LargeBlobs{})
}

// FlushLarge is FlushHash for a caller that takes the large blobs while they are encoded.
func (a *Agent) FlushLarge(tick wire.Tick, large LargeBlobs) (Rows, wire.Hash) {
	rows, state := a.flush(tick, large)
	return rows, a.hashWith(state)
}

// ForgetHash is FlushHash without rows, for a caller that stores nothing.
func (a *Agent) ForgetHash() wire.Hash {
	m, state := a.Memory, a.stateSum()
	a.stored, a.storedMemory = a.revisions(state), storedMemory{}
	m.ForgetChanges()
	m.Experiences.Forget()
	m.Beliefs.Forget()
	m.Plans.Forget()
	a.Goals.Changed()
	return a.hashWith(state)
}

// flush returns the rows and the hash of the state blob.
func (a *Agent) flush(tick wire.Tick, large LargeBlobs) (Rows, wire.Hash) {
	state, sum := a.stateRow(tick, large.State)
	beliefs, deleted := a.beliefRows()
	before := a.storedMemory.changes
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

// revisions returns the revisions that the store has after a flush.
func (a *Agent) revisions(state wire.Hash) storedRevisions {
	m := a.Memory
	return storedRevisions{m.Working.Revision() + 1, m.Knowledge.Revision() + 1, m.Peers.Revision() + 1, state}
}

// memoryRows returns a row with all of an agent's memory, or what changed of it, or neither if
// nothing did.
func (a *Agent) memoryRows(tick wire.Tick, large *LargeBlobs) (*MemoryRow, []ChangesRow) {
	m, was := a.Memory, a.stored
	now := a.revisions(was.state)
	if now == was {
		return nil, nil
	}
	a.stored = now
	s := codec.Borrow()
	s.B = m.AppendChanges(s.B, now.working != was.working)
	if n := len(s.B); a.storedMemory.fitsChanges(n) {
		row := ChangesRow{AgentID: a.ID, Number: a.storedMemory.changes, Since: a.storedMemory.tick, Body: takeOrPass(s, large.Changes), UpdatedAt: tick}
		a.storedMemory.changes++
		a.storedMemory.sizes += n
		return nil, []ChangesRow{row}
	}
	s.Return()
	row := &MemoryRow{AgentID: a.ID, UpdatedAt: tick}
	a.storedMemory = storedMemory{tick: tick}
	row.Working = a.hashes.working.encode(m.Working, &a.storedMemory.size, nil)
	row.Knowledge = a.hashes.knowledge.encode(m.Knowledge, &a.storedMemory.size, large.Knowledge)
	row.PeerModel = a.hashes.peers.encode(m.Peers, &a.storedMemory.size, large.Peers)
	return row, nil
}

// encode keeps the hash of a blob and returns its bytes, or passes them to large. It adds their number to size.
func (p *cachedHash) encode(b blob, size *int, large func(b []byte)) []byte {
	s := codec.Borrow()
	s.B = b.AppendTo(s.B)
	*size += len(s.B)
	p.hash, p.revision = sha256.Sum256(s.B), b.Revision()+1
	return takeOrPass(s, large)
}

// takeOrPass returns the bytes of a scratch. If large is set, it passes the bytes to it and returns nil.
func takeOrPass(s *codec.Scratch, large func(b []byte)) []byte {
	if large == nil {
		return s.Take()
	}
	large(s.B)
	s.Return()
	return nil
}

// encoded returns the bytes that fill appends, in a slice without spare capacity.
func encoded(fill func(dst []byte) []byte) []byte {
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
	return &StateRow{AgentID: a.ID, Body: takeOrPass(s, large), UpdatedAt: tick}, sum
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
			Claim:      encoded(func(dst []byte) []byte { return memory.AppendClaim(dst, &b.Claim) }),
			Confidence: b.Confidence,
			Evidence:   encoded(func(dst []byte) []byte { return memory.AppendHashes(dst, b.Evidence) }),
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
			Steps:          encoded(func(dst []byte) []byte { return memory.AppendSteps(dst, p.Steps) }),
			Dependencies:   encoded(func(dst []byte) []byte { return memory.AppendHashes(dst, p.Dependencies) }),
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
			Description: encoded(g.AppendDescription),
			Priority:    g.Priority,
			Status:      uint8(g.Status) - 1,
			CreatedAt:   g.CreatedAt,
			Deadline:    g.Deadline,
		}
	}
	return rows
}
