package engine

import (
	"cmp"
	"slices"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/wire"
)

// Inspection is the state of a stopped engine.
type Inspection struct {
	Scenario  string
	Seed      string
	Physics   uint32
	Cycle     wire.Cycle
	Epoch     uint32
	WorldHash wire.Hash
	Envelopes wire.Hash         // envelope chain of the cycle (docs/WIRE.md)
	Agents    []AgentInspection // in spawn order
}

// AgentInspection is one agent of an Inspection.
type AgentInspection struct {
	ID           wire.AgentID
	Alias        string
	Role         wire.Role
	Status       wire.AgentStatus
	DormantSince *wire.Tick  // when it fell asleep; nil: it is not DORMANT
	HeldUntil    *wire.Cycle // of a sleeper that an operator keeps asleep: the cycle in which it is awake again; nil: nobody does
	Balance      int64       // ⚡
	Locked       uint64
	Reputation   float64
	NOPStreak    uint32
	SpawnTick    wire.Tick
	Goals        []goals.Goal // best first
	Refused      uint64       // goals that found no room on the stack, since the agent was born
}

// Inspect describes the world as it is now. The engine must not be running.
func (e *Engine) Inspect() Inspection {
	in := Inspection{
		Scenario: e.cfg.Name, Seed: e.cfg.SeedText, Physics: e.cfg.Identity().Physics,
		Cycle: e.cycle, Epoch: e.realm.Epoch(), WorldHash: e.last.WorldHash, Envelopes: e.last.Envelopes,
		Agents: make([]AgentInspection, 0, len(e.agents.bySpawn())),
	}
	for _, s := range e.agents.bySpawn() {
		r := e.realm.Agent(s.id)
		a := AgentInspection{
			ID: s.id, Alias: s.id.Alias(), Role: r.Role, Status: r.Status, DormantSince: r.DormantSince, HeldUntil: r.HeldUntil, Reputation: float64(r.Reputation),
			NOPStreak: s.a.NOPStreak, SpawnTick: r.SpawnTick, Goals: rankedGoals(s.a), Refused: s.a.Goals.Refused(),
		}
		a.Balance, a.Locked = e.realm.Balance(s.id)
		in.Agents = append(in.Agents, a)
	}
	return in
}

// rankedGoals is a copy of an agent's living goals, highest priority first.
func rankedGoals(a *agent.Agent) []goals.Goal {
	out := goalsOf(a)
	slices.SortStableFunc(out, func(x, y goals.Goal) int { return cmp.Compare(y.Priority, x.Priority) })
	return out
}
