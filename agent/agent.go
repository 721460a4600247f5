package agent

import (
	"crypto/ed25519"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// Limits are the limits of an agent that a scenario may change. They are not part of its state: [Restore] must get
// the same limits.
type Limits struct {
	Goals  goals.Capacity
	Memory memory.Limits
}

// DefaultLimits are used unless a scenario says otherwise.
var DefaultLimits = Limits{Goals: goals.DefaultCapacity, Memory: memory.DefaultLimits}

// Agent is the state of one agent. Its turn and the engine change its fields, never both at the same time.
type Agent struct {
	// Fixed at spawn.

	ID         wire.AgentID
	Key        ed25519.PrivateKey
	SpawnIndex uint64 // from 1
	SpawnTick  wire.Tick
	Genome     wire.Genome
	Weights    goals.Weights // of the genome
	Threshold  float64       // cycles without a new experience until a goal to explore, of the genome
	Birth      Birth         // set before its first turn

	// State.

	Status     wire.AgentStatus // change by SetStatus
	Memory     *memory.Memory
	Goals      *goals.Stack
	Learning   *goals.Learning
	Notebook   *memory.Notebook // seen and done in the shared world; written by its turn
	Reputation float32          // [0,1], as last seen
	Balance    int64            // ⚡, as last seen

	// Runtime.

	TickBudget    uint64           // ticks allocated for this cycle
	CurrentTask   *Task            // nil: none
	Subscriptions []wire.Subscribe // own ones, beside the default subscriptions
	NOPStreak     uint32           // slots in a row that ended in a NOP

	rowIDs       memory.RowIDs
	stored       storedRevisions
	storedMemory storedMemory
	hashes       partHashes
}

// New returns a new agent with status EMBRYO.
func New(id Identity, l Limits) *Agent {
	t := &id.Genome.Traits
	a := &Agent{
		ID:         id.ID,
		Key:        id.Key,
		SpawnIndex: id.SpawnIndex,
		SpawnTick:  id.SpawnTick,
		Genome:     id.Genome,
		Weights:    goals.WeightsOf(t.RiskTolerance, t.Collaboration, t.DepthVsBreadth, t.QualityVsSpeed),
		Threshold:  goals.CuriosityThreshold(t.RiskTolerance),
		Status:     wire.StatusEmbryo,
		Goals:      goals.NewStack(l.Goals),
		Learning:   &goals.Learning{},
		Notebook:   &memory.Notebook{},
		rowIDs:     memory.RowIDs{SpawnIndex: id.SpawnIndex},
	}
	a.Memory = memory.New(&a.rowIDs, l.Memory)
	return a
}

// Appraise returns what the priorities of this agent's goals depend on at a tick.
func (a *Agent) Appraise(tick wire.Tick) goals.Appraisal {
	return goals.Appraisal{
		Tick:       tick,
		Balance:    a.Balance,
		Reputation: float64(a.Reputation),
		Role:       a.Genome.Role,
		Weights:    a.Weights,
		Learning:   a.Learning,
		Trust:      func(id wire.AgentID) (float64, bool) { return a.Memory.Peers.Trust(id, tick) },
	}
}
