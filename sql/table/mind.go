package table

import (
	"kingdom/agent"
	"kingdom/engine"
)

// Memory is agent.agent_memory: working memory, knowledge and peers of each agent.
var Memory = derive("agent", "agent_memory", 1,
	func(b *engine.Batch) []agent.MemoryRow { return memories(b) })

// State is agent.state: what the other tables of an agent cannot hold.
var State = derive("agent", "state", 1,
	func(b *engine.Batch) []agent.StateRow { return states(b) })

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
