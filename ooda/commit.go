package ooda

import (
	"kingdom/det"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

const (
	// switchesGoal is the weight of an act for another goal than the one that the agent works for, for a careful agent
	// that keeps to its field; switchesPerTrait is added for the daring and for the generalist.
	switchesGoal     = 0.12
	switchesPerTrait = 0.15
	// forLater is the weight of an act that can wait while there is work for the goal that the agent works for.
	forLater = 0.05
	// twoPromises is the weight of a claim while another bounty is held.
	twoPromises = 0.7
	// leastOwed is what an act for a bounty that the agent holds must be worth to be done rather than nothing.
	leastOwed = 0.1
	// askedAgain is the weight of a question while an earlier one waits for its answer.
	askedAgain = 0.4
	// againstNote is the weight of an act that a note says to avoid.
	againstNote = 0.15
)

// staysOnGoal prefers acts for the goal that the agent works for. The ranking of goals says only what is worth most
// now; this is what it costs to leave a goal. An act costs nothing if it cannot wait or was promised, if
// [offerRef.now] admits it while something calls the agent away or there is nothing to do for its goal, or if it is an
// errand right after another one.
func (o weigher) staysOnGoal(a *llm.Affordance, ref *offerRef) float64 {
	switch {
	case o.regs.doing == nil, a.Goal == o.regs.doing.ID, ref.demand, ref.presses:
		return 1
	case o.regs.mayChange && ref.now(), ref.errand && (o.regs.errandEnded || !o.goesOn && ref.now()):
		return 1
	}
	t := &o.agent.Genome.Traits
	return switchesGoal + float64(switchesPerTrait*float64(t.RiskTolerance)) + float64(switchesPerTrait*float64(t.DepthVsBreadth))
}

// now reports whether an act may come before the agent's goal as soon as the work for that pauses: an act that cannot
// wait, or an answer, which is one act and for which somebody waits. A review, a claim or a correction takes several
// acts and interrupts the work, and votes are given several at a time. So these wait until that work ends, until there
// are other errands, or until they cannot wait any longer.
func (r *offerRef) now() bool { return !r.canWait || r.goal == goals.KindAnswer }

// keepsPromises makes doing nothing worth at most half of the best act for a bounty that the agent holds. Other acts have
// to be worth as much as before.
func (o weigher) keepsPromises() {
	o.idleWorth = o.offers.reservation()
	if o.rules.Blind.Has(llm.LayerNotes) {
		return
	}
	owed := 0.0
	for i := range o.list {
		if o.refs[i].held {
			owed = max(owed, value(&o.list[i]))
		}
	}
	half := float64(owed * 0.5)
	if owed < leastOwed || half >= o.idleWorth {
		return
	}
	for i := range o.list {
		if a := &o.list[i]; !o.refs[i].held && value(a) < o.idleWorth {
			a.Considered.Weigh(llm.FactorCommit, forLater)
		}
	}
	o.idleWorth = det.Quantise(half)
}

// value is what an offer is worth to the agent, compared with doing nothing.
func value(a *llm.Affordance) float64 {
	return float64(float64(a.Priority*a.Success) * a.Considered.Product())
}

// finishesWork keeps the agent at the goal that it has begun, see [weigher.staysOnGoal], as long as there is work for
// it. Its other goals wait for that, and errands as long as they have slack, see [deferral.canWait]. Right after an
// errand other errands come first: each that is done alone interrupts the agent's work.
func (o weigher) finishesWork() {
	if o.regs.doing == nil {
		return
	}
	worth, work, errands, reading := o.idleWorth, false, false, errand(o.regs.doing)
	for i := range o.list {
		a := &o.list[i]
		if value(a) < worth {
			continue
		}
		work = work || a.Goal == o.regs.doing.ID && (reading || a.Plan || !a.Action.Read)
		errands = errands || o.refs[i].errand
	}
	for i := range o.list {
		a, ref := &o.list[i], &o.refs[i]
		switch {
		case ref.demand || ref.presses || o.regs.mayChange && ref.now():
		case o.regs.errandEnded && errands:
			if !ref.errand {
				a.Considered.Weigh(llm.FactorCommit, switchesGoal)
			}
		case work && ref.canWait && a.Goal != o.regs.doing.ID:
			a.Considered.Weigh(llm.FactorCommit, forLater)
		}
	}
}

// onePromise holds back from a claim while another bounty is held, and from a question while another one waits for its
// answer.
func (o weigher) onePromise(a *llm.Affordance, _ *offerRef) float64 {
	switch {
	case a.Action.Type == wire.TypeBountyClaim && o.regs.has(notePromised):
		return twoPromises
	case a.Compose == llm.ComposeQuestion && o.regs.has(noteAsked):
		return askedAgain
	}
	return 1
}

// notAvoided holds back from what went wrong. What was promised is not avoided because such acts in general went wrong:
// the agent knew that when it promised.
func (o weigher) notAvoided(a *llm.Affordance, ref *offerRef) float64 {
	if deliversProgram(a) || ref.held && a.Subject.IsZero() {
		return 1
	}
	if o.regs.avoids(a.Action.Name, a.Action.Domain.String(), &a.Subject) {
		return againstNote
	}
	return 1
}
