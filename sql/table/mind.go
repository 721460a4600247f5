package table

import (
	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
)

// Memory is agent.agent_memory: working memory, knowledge and peers of each agent.
var Memory = define("agent", "agent_memory", 1,
	func(b *engine.Batch) []agent.MemoryRow { return memories(b) },
	id32("agent_id", func(r *agent.MemoryRow) *wire.AgentID { return &r.AgentID }),
	blob("working", func(r *agent.MemoryRow) []byte { return r.Working }),
	blob("knowledge", func(r *agent.MemoryRow) []byte { return r.Knowledge }),
	blob("peer_model", func(r *agent.MemoryRow) []byte { return r.PeerModel }),
	num("updated_at", func(r *agent.MemoryRow) wire.Tick { return r.UpdatedAt }),
)

// State is agent.state: what the other tables of an agent cannot hold.
var State = define("agent", "state", 1,
	func(b *engine.Batch) []agent.StateRow { return states(b) },
	id32("agent_id", func(r *agent.StateRow) *wire.AgentID { return &r.AgentID }),
	blob("body", func(r *agent.StateRow) []byte { return r.Body }),
	num("updated_at", func(r *agent.StateRow) wire.Tick { return r.UpdatedAt }),
)

// Experiences is agent.experiences: what agents did and what came of it.
var Experiences = define("agent", "experiences", 1,
	func(b *engine.Batch) []agent.ExperienceRow {
		return minds(b, func(r *agent.Rows) []agent.ExperienceRow { return r.Experiences })
	},
	num("id", func(r *agent.ExperienceRow) uint64 { return r.ID }),
	id32("agent_id", func(r *agent.ExperienceRow) *wire.AgentID { return &r.AgentID }),
	num("tick", func(r *agent.ExperienceRow) wire.Tick { return r.Tick }),
	blob("action", func(r *agent.ExperienceRow) []byte { return r.Action }),
	small("outcome", func(r *agent.ExperienceRow) uint8 { return r.Outcome }),
	blob("lesson", func(r *agent.ExperienceRow) []byte { return r.Lesson }),
).fresh()

// Beliefs is agent.beliefs: what agents hold true.
var Beliefs = define("agent", "beliefs", 1,
	func(b *engine.Batch) []agent.BeliefRow {
		return minds(b, func(r *agent.Rows) []agent.BeliefRow { return r.Beliefs })
	},
	num("id", func(r *agent.BeliefRow) uint64 { return r.ID }),
	id32("agent_id", func(r *agent.BeliefRow) *wire.AgentID { return &r.AgentID }),
	blob("claim", func(r *agent.BeliefRow) []byte { return r.Claim }),
	single("confidence", func(r *agent.BeliefRow) float32 { return r.Confidence }),
	blob("evidence", func(r *agent.BeliefRow) []byte { return r.Evidence }),
	num("formed_at", func(r *agent.BeliefRow) wire.Tick { return r.FormedAt }),
	num("last_tested", func(r *agent.BeliefRow) wire.Tick { return r.LastTested }),
).stamped().without(droppedBeliefs)

// Plans is agent.plans: plans of agents.
var Plans = define("agent", "plans", 1,
	func(b *engine.Batch) []agent.PlanRow {
		return minds(b, func(r *agent.Rows) []agent.PlanRow { return r.Plans })
	},
	num("id", func(r *agent.PlanRow) uint64 { return r.ID }),
	id32("agent_id", func(r *agent.PlanRow) *wire.AgentID { return &r.AgentID }),
	id32("goal_id", func(r *agent.PlanRow) *wire.Hash { return &r.GoalID }),
	blob("steps", func(r *agent.PlanRow) []byte { return r.Steps }),
	blob("dependencies", func(r *agent.PlanRow) []byte { return r.Dependencies }),
	num("estimated_ticks", func(r *agent.PlanRow) uint64 { return r.EstimatedTicks }),
	num("estimated_cost", func(r *agent.PlanRow) uint64 { return r.EstimatedCost }),
	single("risk_assessment", func(r *agent.PlanRow) float32 { return r.RiskAssessment }),
	small("status", func(r *agent.PlanRow) uint8 { return r.Status }),
).stamped()

// Goals is agent.goals: goals of agents.
var Goals = define("agent", "goals", 1,
	func(b *engine.Batch) []agent.GoalRow {
		return minds(b, func(r *agent.Rows) []agent.GoalRow { return r.Goals })
	},
	id32("id", func(r *agent.GoalRow) *wire.Hash { return &r.ID }),
	id32("agent_id", func(r *agent.GoalRow) *wire.AgentID { return &r.AgentID }),
	small("layer", func(r *agent.GoalRow) uint8 { return r.Layer }),
	small("source", func(r *agent.GoalRow) uint8 { return r.Source }),
	blob("description", func(r *agent.GoalRow) []byte { return r.Description }),
	double("priority", func(r *agent.GoalRow) float64 { return r.Priority }),
	small("status", func(r *agent.GoalRow) uint8 { return r.Status }),
	num("created_at", func(r *agent.GoalRow) wire.Tick { return r.CreatedAt }),
	optNum("deadline", func(r *agent.GoalRow) *wire.Tick { return r.Deadline }),
)

func minds[R any](b *engine.Batch, of func(r *agent.Rows) []R) []R {
	n := 0
	for i := range b.Minds {
		n += len(of(&b.Minds[i]))
	}
	out := make([]R, 0, n)
	for i := range b.Minds {
		out = append(out, of(&b.Minds[i])...)
	}
	return out
}

func memories(b *engine.Batch) []agent.MemoryRow {
	return minds(b, func(r *agent.Rows) []agent.MemoryRow { return one(r.Memory) })
}

func states(b *engine.Batch) []agent.StateRow {
	return minds(b, func(r *agent.Rows) []agent.StateRow { return one(r.State) })
}

func one[R any](p *R) []R {
	if p == nil {
		return nil
	}
	return []R{*p}
}

func droppedBeliefs(b *engine.Batch, put func(v ...any)) {
	for i := range b.Minds {
		for _, id := range b.Minds[i].DeletedBeliefs {
			put(int64(id))
		}
	}
}
