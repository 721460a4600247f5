package ooda

import (
	"kingdom/det"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// restOffered is how many slots an offered rest lasts. A mind may choose another number.
	restOffered = action.MaxRest
	// reserve is the least that a slot is worth to its agent. An act that is worth less is not worth a thought.
	reserve = 0.15
)

// reservation is what doing nothing is worth: what a slot has brought the agent lately, but at least reserve. It is
// more for the poor, who have to choose what they spend a thought on, and for agents whose work is found good less
// often than that of others, because their acts are worth less. It is on the scale of priorities, where 30 ⚡ are one
// half.
func (o *offers) reservation() float64 {
	spark := o.agent.Memory.Market.Cost(1, o.agent.TickBudget)
	poverty := min(max(float64(goals.SurvivalBalance-o.agent.Balance)/goals.SurvivalBalance, 0), 1)
	if o.rules.Blind.Has(llm.LayerMoney) {
		spark, poverty = 0, 0
	}
	return det.Quantise(float64(max(reserve, spark/(spark+30))*(1+poverty)) / o.deferral().driven())
}

// callsFor reports whether somebody waits for an act, or the agent needs it for its own work.
func callsFor(a *llm.Affordance) bool {
	switch a.Compose {
	case llm.ComposeAnswer, llm.ComposeReview, llm.ComposeVerdict, llm.ComposeVote, llm.ComposeProgram, llm.ComposeDescription, llm.ComposeUpdate:
		return true
	case llm.ComposeSignal, llm.ComposeQuestion, llm.ComposeStatement, llm.ComposeArgument, llm.ComposeCall:
		return false
	default:
		return !a.Action.Read || a.Action.Type == wire.TypeEntryGet
	}
}

// withIdling returns the affordances of the slot and, at the end, the two ways to do nothing: rest, if there are more
// slots to let pass, and nop.
func (o *offers) withIdling() []llm.Affordance {
	out, worth := o.list, o.idleWorth
	if slots := min(o.seen.slots-1, restOffered); slots > 0 {
		o.payloads.rest.Slots = uint8(slots)
		out = append(out, llm.Affordance{Action: restRow, Params: &o.payloads.rest, Priority: worth, Success: 1, Ticks: 1})
	}
	return append(out, llm.Affordance{Priority: worth, Success: 1, Ticks: 1})
}

var restRow, _ = action.ByName("rest")

// startRest lets the agent's next slots pass, at most to the end of the cycle. It sends nothing and is no NOP: the
// streak stays as it is.
func (t *Turn) startRest(r *action.Rest, row *action.Row, think *ThinkRecord) Step {
	p := &t.pending
	p.row, p.payload, p.rested = row, r, true
	t.offers.attribute(p)
	t.notes.BeginRest(t.seen.tick, min(uint64(r.Slots), t.seen.slots-1))
	why := t.rest.sleepReason()
	if why != "" {
		t.notes.StopRest(why)
	}
	step := Step{Kind: StepNone, Think: think, Resting: why == "", RestLeft: t.notes.Rest}
	step.NOP = &NOPRecord{
		Reason: NOPRest, Streak: t.agent.NOPStreak, Slots: t.notes.Rest, Goal: t.goalRef(), Tier: t.prompt.Tier, Model: think.Model,
		Attempts: t.try + 1, Reasoning: think.Reasoning,
		StatusFrom: t.agent.Status, StatusTo: t.agent.Status, Balance: t.agent.Balance, Reputation: float64(t.agent.Reputation),
	}
	if why == "" {
		return step
	}
	p.rested, p.slept, step.NOP.StatusTo = false, true, wire.StatusDormant
	return t.report(step, why)
}

// rester decides for how long an agent that chose to rest lets slots pass, and when its rest becomes a sleep.
type rester struct {
	self
	goals *goalTracker
}

// unproductiveCycles is after how many cycles without productive work a rest becomes a sleep; the agent's collaboration
// is added, so that it takes three cycles, or four for the more sociable half of the agents.
const unproductiveCycles = 2.5

// Reasons for which an agent that chooses to rest goes to sleep.
const (
	sleepPoor     = "poverty"   // its upkeep is more than it earns, and it has hardly anything left, or is poor and has done nothing productive for cycles
	sleepBlocked  = "blocked"   // its plans wait for something that does not come
	sleepNoDemand = "no_demand" // nobody has needed anything of it for cycles
)

// sleepReason returns why a rest that the mind chose becomes a sleep, which costs no upkeep and lasts until somebody
// calls the agent; "" if it stays a rest.
func (r *rester) sleepReason() string {
	idle := float64(r.notes.IdleCycles) >= unproductiveCycles+float64(r.agent.Genome.Traits.Collaboration) && !r.notes.Worked
	if upkeep := r.rules.Upkeep; upkeep > 0 && !r.rules.Blind.Has(llm.LayerMoney) && r.agent.Memory.Market.Wage < float64(upkeep) {
		if r.seen.available < int64(2*upkeep) || idle && r.seen.available < goals.SurvivalBalance {
			return sleepPoor
		}
	}
	if !idle {
		return ""
	}
	for _, p := range r.agent.Memory.Plans.Living() {
		if g := r.agent.Goals.Get(p.Goal); g != nil && g.Layer != goals.LayerAspiration && (p.Blocked != nil || p.Tries > 0) {
			return sleepBlocked
		}
	}
	return sleepNoDemand
}

// productive reports whether an act is work for others: it makes, judges, answers, decides or pays something.
func productive(payload any) bool {
	switch q := payload.(type) {
	case *wire.MsgPost:
		return q.Kind == wire.MessageKindAnswer
	case *wire.EntryPublish, *wire.EntryUpdate, *wire.EntryVerify, *wire.CitationAdd, *wire.BountyCreate, *wire.BountyClaim, *wire.BountySubmit,
		*wire.BountyReview, *wire.ReviewRequest, *wire.ReviewSubmit, *wire.ProposalVote, *wire.ProposalSubmit, *wire.Transfer, *wire.EscrowCreate,
		*wire.EscrowRelease, *wire.SnapCreate, *wire.RepoCreate, *wire.TagCreate, *wire.DependencyAdd, *wire.ServiceCreate, *wire.StakeCreate:
		return true
	}
	return false
}

// resting reports whether a rest takes this slot. It ends when something came for the agent: a delivery, an event
// that names it, a message to it or to a question of its own, or an opportunity that became a goal.
func (r *rester) resting() bool {
	n := r.notes
	if n.Rest == 0 {
		return false
	}
	switch {
	case r.goals.offered:
		n.StopRest(restOpportunity)
	case r.calledFor():
		n.StopRest(restCalled)
	case r.deferral().waitEnded():
		n.StopRest(restWaited)
	default:
		n.PassRest()
		return true
	}
	return false
}

// What ends a rest early.
const (
	restOpportunity = "opportunity"
	restCalled      = "called"
	restWaited      = "waited"
)

// restWords say what ended a rest, or why it became a sleep.
var restWords = map[string]string{
	restOpportunity: "something new can be done",
	restCalled:      "something came for you",
	restWaited:      "a wait of yours ended",
	sleepPoor:       "you fell asleep: your upkeep is more than you earn",
	sleepBlocked:    "you fell asleep: your plans wait for what does not come",
	sleepNoDemand:   "you fell asleep: nothing productive for cycles",
}

// waitsForMore reports whether an agent that can do nothing now waits for something: it has left work to others, or
// waits until there is enough of it to be worth a thought. It rests until then, which takes no thought.
func (r *rester) waitsForMore() bool {
	for _, g := range r.agent.Goals.Living() {
		if r.deferral().defers(g) {
			return true
		}
	}
	for i := range r.notes.Offers {
		if n := &r.notes.Offers[i]; n.Claimed == 0 && n.Again < ^wire.Tick(0) && r.seen.bounty(n.Bounty) != nil {
			return true
		}
	}
	for i := range r.notes.Messages {
		if m := &r.notes.Messages[i]; !m.Read && !m.Signed {
			return true
		}
	}
	for i := range r.notes.Entries {
		if n := &r.notes.Entries[i]; !n.Read && !n.Judged && !n.Own && n.Agree() < enoughVerdicts {
			return true
		}
	}
	return false
}

// calledFor reports whether the view holds something for this agent in particular.
func (r *rester) calledFor() bool {
	v, me := r.seen.view, r.agent.ID
	if delivered(v) {
		return true
	}
	for _, e := range v.Events {
		if e.Names(me) && !informs(e.Kind) {
			return true
		}
		if p, ok := e.Payload.(*wire.MessagePostedEvent); ok && p.Reference != nil {
			q := r.notes.Message(*p.Reference)
			if wire.AgentID(*p.Reference) == me || q != nil && q.Author == me && q.Kind == wire.MessageKindQuestion {
				return true
			}
		}
	}
	return false
}

// delivered reports whether a view holds a delivery for its agent in particular. The newest state of the world and the
// reports on its economy and on what it read outside go to everybody at the end of each cycle.
func delivered(v *wire.View) bool {
	for i := range v.Deliveries {
		switch v.Deliveries[i].Type {
		case wire.TypeWorldState, wire.TypeEconomyReport, wire.TypePortalReport:
		default:
			return true
		}
	}
	return false
}

// informs reports whether events of a kind call for no act of the agent that they name. Anybody can send them for
// nothing, so an agent that they ended the rest of could be made to think at will.
func informs(k wire.EventKind) bool {
	return k == wire.KindEscrowCreated || k == wire.KindTransferFailed
}
