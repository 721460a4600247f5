package table

import (
	"kingdom/agent"
	"kingdom/engine"
)

// Memory is agent.agent_memory: working memory, knowledge and peers of each agent.
var Memory = deriveEach("agent", "agent_memory", 1, func(b *engine.Batch, each func(r *agent.MemoryRow)) {
	for i := range b.Minds {
		if r := b.Memory(i); r != nil {
			each(r)
		}
	}
})

// State is agent.state: what the other tables of an agent cannot hold.
var State = deriveEach("agent", "state", 1, func(b *engine.Batch, each func(r *agent.StateRow)) {
	for i := range b.Minds {
		if r := b.State(i); r != nil {
			each(r)
		}
	}
})

// Experiences is agent.experiences: what agents did and what came of it.
var Experiences = derive("agent", "experiences", 1,
	func(b *engine.Batch) []agent.ExperienceRow {
		return minds(b, func(r *agent.Rows) []agent.ExperienceRow { return r.Experiences })
	}).fresh()

// Beliefs is agent.beliefs: what agents hold true.
var Beliefs = derive("agent", "beliefs", 1,
	func(b *engine.Batch) []agent.BeliefRow {
		return minds(b, func(r *agent.Rows) []agent.BeliefRow { return r.Beliefs })
	}).stamped().without(droppedBeliefs)

// Plans is agent.plans: plans of agents.
var Plans = derive("agent", "plans", 1,
	func(b *engine.Batch) []agent.PlanRow {
		return minds(b, func(r *agent.Rows) []agent.PlanRow { return r.Plans })
	}).stamped()

// Goals is agent.goals: goals of agents.
var Goals = derive("agent", "goals", 1,
	func(b *engine.Batch) []agent.GoalRow {
		return minds(b, func(r *agent.Rows) []agent.GoalRow { return r.Goals })
	})

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

func droppedBeliefs(b *engine.Batch, put func(v ...any)) {
	for i := range b.Minds {
		for _, id := range b.Minds[i].DeletedBeliefs {
			put(int64(id))
		}
	}
}
