package table

import (
	"kingdom/agent"
	"kingdom/engine"
)

// Memory is agent.agent_memory: working memory, knowledge and peers of each agent, as they were when last written as
// a whole.
var Memory = deriveEach("agent", "agent_memory", 1, func(b *engine.Batch, each func(r *agent.MemoryRow)) {
	for i := range b.Minds {
		if r := b.Memory(i); r != nil {
			each(r)
		}
	}
}).lent()

// Changes is agent.changes: the changes of an agent's memory since its row of agent.agent_memory. Writing that row
// deletes the changes before it.
var Changes = deriveEach("agent", "changes", 2, lists((*engine.Batch).Changes)).lent().without(droppedChanges)

// State is agent.state: the rest of an agent's state.
var State = deriveEach("agent", "state", 1, func(b *engine.Batch, each func(r *agent.StateRow)) {
	for i := range b.Minds {
		if r := b.State(i); r != nil {
			each(r)
		}
	}
}).lent()

// Experiences is agent.experiences: what agents did, and the results.
var Experiences = deriveEach("agent", "experiences", 1, lists((*engine.Batch).Experiences)).fresh().owned()

// Beliefs is agent.beliefs: what agents believe.
var Beliefs = deriveEach("agent", "beliefs", 1, lists((*engine.Batch).Beliefs)).stamped().owned().without(droppedBeliefs)

// Plans is agent.plans: plans of agents.
var Plans = deriveEach("agent", "plans", 1, lists((*engine.Batch).Plans)).stamped().owned()

// Goals is agent.goals: goals of agents.
var Goals = deriveEach("agent", "goals", 1, lists((*engine.Batch).Goals)).owned()

// lists hands over the rows of one agent after the other.
func lists[R any](of func(b *engine.Batch, i int) []R) func(b *engine.Batch, each func(r *R)) {
	return func(b *engine.Batch, each func(r *R)) {
		for i := range b.Minds {
			rows := of(b, i)
			for j := range rows {
				each(&rows[j])
			}
		}
	}
}

func droppedBeliefs(b *engine.Batch, put func(v ...any)) {
	for i := range b.Minds {
		for _, id := range b.Minds[i].DeletedBeliefs {
			put(int64(id))
		}
	}
}

func droppedChanges(b *engine.Batch, put func(v ...any)) {
	for i := range b.Minds {
		if r := &b.Minds[i]; r.DeletedChanges > 0 {
			for n := range r.DeletedChanges {
				put(r.Memory.AgentID[:], int64(n))
			}
		}
	}
}
