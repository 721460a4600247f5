package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

const (
	// switchesGoal is what speaks for an act for another goal than the one that the agent is about, of who is careful
	// and keeps to its field; switchesPerTrait is added for the daring and for the generalist.
	switchesGoal     = 0.12
	switchesPerTrait = 0.15
	// forLater is what speaks for an act that can wait while there is work for the goal that the agent is about.
	forLater = 0.05
	// twoPromises is what speaks for a claim while another is held.
	twoPromises = 0.7
	// askedAgain is what speaks for a question while one waits for its answer.
	askedAgain = 0.4
	// againstNote is what speaks for an act that a note says to avoid.
	againstNote = 0.15
)

// staysOnGoal prefers what goes on with the goal that the agent is about. The ranking of goals knows no such thing:
// it says what is worth most now, this says what it costs to leave. What cannot wait, or was promised, costs nothing, nor
// does what [offerRef.now] lets through while something calls or there is nothing to do for that goal, nor an errand straight
// after another.
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

// now reports whether an act may come before what the agent is about as soon as that pauses: one that cannot wait, and an
// answer, which is one act and for which somebody waits. A review, a claim or a correction takes several, with the way back
// to the work that it interrupts, and votes are given several at a time, so that these wait for the end of that work, for
// other errands, or until they cannot wait any more.
func (r *offerRef) now() bool { return !r.canWait || r.goal == goals.KindAnswer }

// finishesWork keeps the agent at what it has begun, see [weigher.staysOnGoal], as long as there is work for it: another goal of its
// own waits for that, and an errand as long as nobody minds, see [deferral.canWait]. Straight after an errand the others come
// first: each that is done alone takes the agent away from its goal and back.
func (o weigher) finishesWork() {
	if o.regs.doing == nil {
		return
	}
	worth, work, errands, reading := reservation(o.offers), false, false, errand(o.regs.doing)
	for i := range o.list {
		a := &o.list[i]
		if float64(float64(a.Priority*a.Success)*a.Considered.Product()) < worth {
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

// onePromise holds back from a second promise, and from a question while one waits.
func (o weigher) onePromise(a *llm.Affordance, _ *offerRef) float64 {
	switch {
	case a.Action.Type == wire.TypeBountyClaim && o.regs.has(notePromised):
		return twoPromises
	case a.Compose == llm.ComposeQuestion && o.regs.has(noteAsked):
		return askedAgain
	}
	return 1
}

// notAvoided holds back from what went wrong: to give a promise back is never avoided.
func (o weigher) notAvoided(a *llm.Affordance, _ *offerRef) float64 {
	if o.regs.avoids(a.Action.Name, a.Action.Domain.String(), &a.Subject) {
		return againstNote
	}
	return 1
}
