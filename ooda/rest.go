package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// restOffered is for how many slots a rest is offered. A mind may choose another number.
const restOffered = 8

// withIdling are the affordances of the slot and, last, the two ways to do nothing: to rest, where
// there is a slot to let pass, and nop.
func (o *offers) withIdling() []llm.Affordance {
	out := o.list
	if slots := min(o.seen.slots-1, restOffered); slots > 0 {
		o.payloads.rest.Slots = uint8(slots)
		out = append(out, llm.Affordance{Action: restRow, Params: &o.payloads.rest, Success: 1, Ticks: 1})
	}
	return append(out, llm.Affordance{Success: 1, Ticks: 1})
}

var restRow, _ = action.ByName("rest")

// letPass lets the agent's next slots pass, as far as the cycle has them. It sends nothing, and it is no
// NOP: the streak stays as it is.
func letPass(t *Turn, r *action.Rest, row *action.Row, think *ThinkRecord) Step {
	p := &t.pending
	p.row, p.payload, p.rested = row, r, true
	t.offers.attribute(p)
	t.notes.Rest = min(uint64(r.Slots), t.seen.slots-1)
	step := Step{Kind: StepNone, Think: think, Resting: true, RestLeft: t.notes.Rest}
	step.NOP = &NOPRecord{
		Reason: NOPRest, Streak: t.agent.NOPStreak, Slots: t.notes.Rest, Goal: t.goalRef(), Tier: t.prompt.Tier, Model: think.Model,
		Attempts: t.try + 1, Reasoning: think.Reasoning,
		StatusFrom: t.agent.Status, StatusTo: t.agent.Status, Balance: t.agent.Balance, Reputation: float64(t.agent.Reputation),
	}
	return step
}

// resting reports whether a rest takes this slot. It ends when something came for the agent: a
// delivery, or an event that names it.
func resting(n *memory.Notebook, v *wire.View, me wire.AgentID) bool {
	if n.Rest == 0 {
		return false
	}
	if called(v, me) {
		n.Rest = 0
		return false
	}
	n.Rest--
	return true
}

// called reports whether a view holds something for the agent in particular. The newest state of
// the world and the report on its economy go to everybody.
func called(v *wire.View, me wire.AgentID) bool {
	for i := range v.Deliveries {
		if kind := v.Deliveries[i].Type; kind != wire.TypeWorldState && kind != wire.TypeEconomyReport {
			return true
		}
	}
	for _, e := range v.Events {
		if e.Names(me) {
			return true
		}
	}
	return false
}
