package agent

import "kingdom/wire"

// Rows is what one flush of one agent writes, or all that is stored of one agent. Enums are stored by number, from 0.
// Wall-clock columns (created_at, updated_at of type TIMESTAMPTZ) are filled by the database and never hashed.
//
// The kdom tag of a field is the name of its column and of its key in snapshots.
type Rows struct {
	Memory         *MemoryRow   // nil: not written
	Changes        []ChangesRow // of memory; when read: all after the row, by number
	DeletedChanges uint64       // number of rows of changes, from number 0 on, that Memory replaces
	State          *StateRow    // nil: unchanged
	Experiences    []ExperienceRow
	Beliefs        []BeliefRow
	DeletedBeliefs []uint64 // row ids
	Plans          []PlanRow
	Goals          []GoalRow
}

// Empty reports whether there is nothing to write.
func (r *Rows) Empty() bool {
	return r.Memory == nil && r.State == nil &&
		len(r.Changes)+len(r.Experiences)+len(r.Beliefs)+len(r.DeletedBeliefs)+len(r.Plans)+len(r.Goals) == 0
}

// MemoryRow is a row of agent.agent_memory, upserted by agent: memory as it was at UpdatedAt.
type MemoryRow struct {
	AgentID   wire.AgentID `kdom:"agent_id"`
	Working   []byte       `kdom:"working"`    // canonical map of notes
	Knowledge []byte       `kdom:"knowledge"`  // canonical KnowledgeGraph
	PeerModel []byte       `kdom:"peer_model"` // canonical map of agent id to PeerModel
	UpdatedAt wire.Tick    `kdom:"updated_at"`
}

// ChangesRow is a row of agent.changes, upserted by agent and number. It has what a flush found changed since the
// memory row of tick Since and the changes before it. Rows with an older Since are obsolete. They are deleted with
// the next memory row; stores of earlier versions may still have some.
type ChangesRow struct {
	AgentID   wire.AgentID `kdom:"agent_id"`
	Number    uint64       `kdom:"number"` // from 0
	Since     wire.Tick    `kdom:"since"`
	Body      []byte       `kdom:"body"` // memory.Changes
	UpdatedAt wire.Tick    `kdom:"updated_at"`
}

// ExperienceRow is a row of agent.experiences, upserted by ID.
type ExperienceRow struct {
	ID      uint64       `kdom:"id"`
	AgentID wire.AgentID `kdom:"agent_id"`
	Tick    wire.Tick    `kdom:"tick"`
	Action  []byte       `kdom:"action"`
	Outcome uint8        `kdom:"outcome"` // ordinal
	Lesson  []byte       `kdom:"lesson"`
}

// BeliefRow is a row of agent.beliefs, upserted by ID.
type BeliefRow struct {
	ID         uint64       `kdom:"id"`
	AgentID    wire.AgentID `kdom:"agent_id"`
	Claim      []byte       `kdom:"claim"`
	Confidence float32      `kdom:"confidence"`
	Evidence   []byte       `kdom:"evidence"` // canonical list of hashes
	FormedAt   wire.Tick    `kdom:"formed_at"`
	LastTested wire.Tick    `kdom:"last_tested"`
}

// PlanRow is a row of agent.plans, upserted by ID.
type PlanRow struct {
	ID             uint64       `kdom:"id"`
	AgentID        wire.AgentID `kdom:"agent_id"`
	GoalID         wire.Hash    `kdom:"goal_id"`
	Steps          []byte       `kdom:"steps"`        // canonical list of PlanStep
	Dependencies   []byte       `kdom:"dependencies"` // canonical list of hashes
	EstimatedTicks uint64       `kdom:"estimated_ticks"`
	EstimatedCost  uint64       `kdom:"estimated_cost"`
	RiskAssessment float32      `kdom:"risk_assessment"`
	Status         uint8        `kdom:"status"` // ordinal
}

// GoalRow is a row of agent.goals, upserted by ID.
type GoalRow struct {
	ID          wire.Hash    `kdom:"id"`
	AgentID     wire.AgentID `kdom:"agent_id"`
	Layer       uint8        `kdom:"layer"`       // ordinal
	Source      uint8        `kdom:"source"`      // ordinal
	Description []byte       `kdom:"description"` // canonical map
	Priority    float64      `kdom:"priority"`
	Status      uint8        `kdom:"status"` // ordinal
	CreatedAt   wire.Tick    `kdom:"created_at"`
	Deadline    *wire.Tick   `kdom:"deadline"`
}

// StateRow is a row of agent.state, upserted by agent: what the other tables of the agent do not have.
type StateRow struct {
	AgentID   wire.AgentID `kdom:"agent_id"`
	Body      []byte       `kdom:"body"` // canonical map
	UpdatedAt wire.Tick    `kdom:"updated_at"`
}
