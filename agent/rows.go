package agent

import "kingdom/wire"

// Rows is what one flush of one agent writes, or a full load of one agent reads.
// Ordinals are the stored ones, from 0. Wall-clock columns (created_at, updated_at of
// type TIMESTAMPTZ) are the store's own and never hashed.
type Rows struct {
	Memory         *MemoryRow // nil: unchanged
	State          *StateRow  // nil: unchanged
	Experiences    []ExperienceRow
	Beliefs        []BeliefRow
	DeletedBeliefs []uint64 // row ids
	Plans          []PlanRow
	Goals          []GoalRow
}

// Empty reports whether there is nothing to write.
func (r *Rows) Empty() bool {
	return r.Memory == nil && r.State == nil &&
		len(r.Experiences)+len(r.Beliefs)+len(r.DeletedBeliefs)+len(r.Plans)+len(r.Goals) == 0
}

// MemoryRow is a row of agent.agent_memory, upserted by agent.
type MemoryRow struct {
	AgentID   wire.AgentID
	Working   []byte // canonical map of notes
	Knowledge []byte // canonical KnowledgeGraph
	PeerModel []byte // canonical map of agent id to PeerModel
	UpdatedAt wire.Tick
}

// ExperienceRow is a row of agent.experiences, upserted by ID.
type ExperienceRow struct {
	ID      uint64
	AgentID wire.AgentID
	Tick    wire.Tick
	Action  []byte
	Outcome uint8 // ordinal
	Lesson  []byte
}

// BeliefRow is a row of agent.beliefs, upserted by ID.
type BeliefRow struct {
	ID         uint64
	AgentID    wire.AgentID
	Claim      []byte
	Confidence float32
	Evidence   []byte // canonical list of hashes
	FormedAt   wire.Tick
	LastTested wire.Tick
}

// PlanRow is a row of agent.plans, upserted by ID.
type PlanRow struct {
	ID             uint64
	AgentID        wire.AgentID
	GoalID         wire.Hash
	Steps          []byte // canonical list of PlanStep
	Dependencies   []byte // canonical list of hashes
	EstimatedTicks uint64
	EstimatedCost  uint64
	RiskAssessment float32
	Status         uint8 // ordinal
}

// GoalRow is a row of agent.goals, upserted by ID.
type GoalRow struct {
	ID          wire.Hash
	AgentID     wire.AgentID
	Layer       uint8  // ordinal
	Source      uint8  // ordinal
	Description []byte // canonical map
	Priority    float64
	Status      uint8 // ordinal
	CreatedAt   wire.Tick
	Deadline    *wire.Tick
}

// StateRow is a row of agent.state, upserted by agent: what the five tables cannot hold.
type StateRow struct {
	AgentID   wire.AgentID
	Body      []byte // canonical map
	UpdatedAt wire.Tick
}
