package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// considerations are what every offer is weighed by beyond the priority of its goal. This is the one place to
// add one: write a function that returns in [0.05,1] how much speaks for an offer (1, of worth 0.5, changes
// nothing; several of one factor are multiplied), and put it here with the layer of memory that it reads. A
// layer that the scenario blinds is not asked. It counts only if it differs between the options of a slot, is
// asked for each of them in each slot, and must not allocate.
var considerations = [...]struct {
	factor llm.Factor
	layer  llm.Layer // 0: none; what the slot itself shows
	of     func(o weigher, a *llm.Affordance, ref *offerRef) float64
}{
	{llm.FactorWorth, llm.LayerBeliefs, weigher.worth},
	{llm.FactorNeed, 0, weigher.stillNeeded},
	{llm.FactorPeer, llm.LayerPeers, weigher.needsCheck},
	{llm.FactorKnow, llm.LayerKnowledge, weigher.knowing},
	{llm.FactorKnow, llm.LayerBeliefs, weigher.judgesWell},
	{llm.FactorPeer, llm.LayerPeers, weigher.knownPeer},
	{llm.FactorPeer, llm.LayerReputation, weigher.stranger},
	{llm.FactorPeer, llm.LayerReputation, weigher.esteem},
	{llm.FactorCommit, llm.LayerPlans, weigher.inPlan},
	{llm.FactorCommit, llm.LayerPlans, weigher.ventures},
	{llm.FactorCommit, llm.LayerNotes, weigher.staysOnGoal},
	{llm.FactorCommit, llm.LayerNotes, weigher.onePromise},
	{llm.FactorNorm, llm.LayerNotes, weigher.notAvoided},
	{llm.FactorCost, llm.LayerMoney, weigher.leftOver},
	{llm.FactorCost, llm.LayerMoney, weigher.pays},
	{llm.FactorNorm, llm.LayerExperiences, weigher.lessonAllows},
	{llm.FactorNorm, llm.LayerExperiences, weigher.failedBefore},
	{llm.FactorNorm, llm.LayerBeliefs, weigher.wentWell},
}

// weigher gives offers their weights.
type weigher struct{ *offers }

// weigh fills in the factors of all offers.
func (o weigher) weigh() {
	o.bestPay = 0
	for i := range o.list {
		o.bestPay = max(o.bestPay, o.list[i].Reward)
	}
	for i := range o.list {
		a, ref := &o.list[i], &o.refs[i]
		for j := range considerations {
			if c := &considerations[j]; !o.rules.Blind.Has(c.layer) {
				if v := c.of(o, a, ref); v != 1 {
					a.Considered.Weigh(c.factor, v)
				}
			}
		}
	}
	o.keepsPromises()
	if !o.rules.Blind.Has(llm.LayerNotes) {
		o.finishesWork()
	}
}

// consider adds a factor to one offer when it is made, for what only its generator knows. It does nothing if the
// scenario blinds the agent to that layer.
func (o weigher) consider(a *llm.Affordance, layer llm.Layer, f llm.Factor, v float64) {
	if a != nil && !o.rules.Blind.Has(layer) {
		a.Considered.Weigh(f, v)
	}
}

// knowing is how well the agent knows what it would write or judge.
func (o weigher) knowing(a *llm.Affordance, _ *offerRef) float64 {
	if a.Know == 0 {
		return 1
	}
	return a.Know
}

// besidePlan is the weight of an act that serves a goal but is not the next step of its plan.
const besidePlan = 0.85

// inPlan prefers the next step of a plan to what else serves its goal.
func (o weigher) inPlan(a *llm.Affordance, _ *offerRef) float64 {
	if a.Plan || a.Goal.IsZero() {
		return 1
	}
	for i := range o.list {
		if b := &o.list[i]; b.Plan && b.Goal == a.Goal {
			return besidePlan
		}
	}
	return 1
}

// hesitates is how much of its weight the first step of a plan that seems bound to fail loses, for an agent that takes no
// risks.
const hesitates = 0.5

// ventures holds back the careful from beginning a plan whose acts have often failed. A plan that is begun, and one for
// what the agent has promised, is not weighed again.
func (o weigher) ventures(a *llm.Affordance, ref *offerRef) float64 {
	p := o.begins(a, ref)
	if p == nil || ref.held {
		return 1
	}
	return 1 - float64(float64(hesitates*float64(1-o.agent.Genome.Traits.RiskTolerance))*float64(p.Risk))
}

// begins is the plan of which an offer is the first step; nil if there is none.
func (o weigher) begins(a *llm.Affordance, ref *offerRef) *memory.Plan {
	if !a.Plan || ref.step != 0 {
		return nil
	}
	return o.agent.Memory.Plans.ByGoal(a.Goal)
}

// leftOver is the share of the money that the agent can spare, including what the goal is expected to pay, that is
// left after the act, or after the whole plan that the act begins. An agent that can spare nothing buys nothing.
func (o weigher) leftOver(a *llm.Affordance, ref *offerRef) float64 {
	price := a.Spark
	if p := o.begins(a, ref); p != nil {
		price = max(price, p.EstimatedCost)
	}
	if price == 0 {
		return 1
	}
	have := float64(o.purse().spare()) + a.Reward
	return 1 - float64(price)/max(have, 1)
}

// payWeight is how much of its weight an act that pays nothing can lose, for an agent that needs money and has a
// better paid act: all that a factor can take.
const payWeight = 0.95

// pays prefers, for an agent that needs money, the goals that are expected to pay as much as the best of the slot. How
// much less a goal pays is measured against the best pay and what the agent earns in a cycle together. The price of
// what is bought counts in [weigher.leftOver].
func (o weigher) pays(a *llm.Affordance, ref *offerRef) float64 {
	if ref.demand {
		return 1
	}
	short := (o.bestPay - a.Reward) / (o.bestPay + max(o.agent.Memory.Market.Wage, 1))
	return 1 - float64(float64(payWeight*o.purse().moneyNeed())*short)
}

// lessonAllows is low for an act of which a lesson says that it seldom succeeds.
func (o weigher) lessonAllows(a *llm.Affordance, _ *offerRef) float64 {
	if a.Lesson.Text == "" || a.Lesson.Sure >= 0.5 { // what the act taught when it went well does not speak against it
		return 1
	}
	return 1 - float64(a.Lesson.Strength*float64(1-float64(a.Lesson.Sure)))
}

// failedBefore holds back from an act on a thing if it failed when the agent did it last, within the last cycles: the
// cause is probably still there.
func (o weigher) failedBefore(a *llm.Affordance, _ *offerRef) float64 {
	const about, nothing = 0.05, 0.3 // what speaks for it still: about the thing, or about nothing in particular
	since := o.seen.tick - min(o.seen.tick, wire.Tick(avoidCycles*o.rules.Calendar.TicksPerCycle))
	_, subject := subjectOf(a.Params)
	why, failed := o.agent.Memory.Experiences.Failed(a.Name(), &subject, since)
	switch {
	case !failed || missingBody(string(why)) || deliversProgram(a):
		return 1
	case subject.IsZero():
		return nothing
	default:
		return about
	}
}

// stillNeeded halves the weight for each other agent that has done the same: answered the question, given the same
// verdict on the entry, signed the message. The second verdict is needed as much as the first, and reading an entry
// for a verdict as much as the verdict; a verdict that contradicts others is always needed.
func (o weigher) stillNeeded(a *llm.Affordance, ref *offerRef) float64 {
	switch {
	case a.Compose == llm.ComposeAnswer || ref.goal == goals.KindAnswer:
		id := a.Subject
		if ref.goal == goals.KindAnswer {
			id = ref.about
		}
		if q := o.notes.Message(id); q != nil {
			return halved(q.Answers)
		}
	case a.Compose == llm.ComposeSignal:
		if m := o.notes.Message(a.Subject); m != nil {
			return halved(m.Signals)
		}
	case a.Compose == llm.ComposeVerdict && doubted(a):
	case a.Compose == llm.ComposeVerdict, ref.goal != goals.KindLearn && reads(a):
		if n := o.notes.Entry(a.Subject); n != nil {
			return halved(n.Agree() - min(n.Agree(), 1)) // the world wants two before it trusts an entry
		}
	}
	return 1
}

// reads reports whether an offer is to read an entry.
func reads(a *llm.Affordance) bool {
	_, ok := a.Params.(*wire.EntryGet)
	return ok
}

// halved is 2^-n.
func halved(n uint8) float64 { return 1 / float64(uint64(1)<<min(n, 8)) }

// deliversProgram reports whether an offer hands in a program. After a failed check it is offered again only once the
// program has changed, so what failed before says nothing of it.
func deliversProgram(a *llm.Affordance) bool {
	p, ok := a.Params.(*wire.BountySubmit)
	return ok && !p.SubmissionSnap.IsZero()
}
