package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
)

const (
	// leaves is what speaks for an act for another goal than the one that the agent is about, of who is careful
	// and keeps to its field; leavesPerTrait is added for the daring and for the generalist.
	leaves         = 0.2
	leavesPerTrait = 0.15
	// twoPromises is what speaks for a claim while another is held.
	twoPromises = 0.7
	// askedAgain is what speaks for a question while one waits for its answer.
	askedAgain = 0.4
	// againstNote is what speaks for an act that a note says to avoid.
	againstNote = 0.15
)

// stays prefers what goes on with the goal that the agent is about. The ranking of goals knows no such thing:
// it says what is worth most now, this says what it costs to leave. What cannot wait, or was promised, costs nothing, nor
// does an errand while there is nothing to do for that goal, or straight after another errand.
func (o scale) stays(a *llm.Affordance, ref *offerRef) float64 {
	if o.regs.doing == nil || o.regs.free || a.Goal == o.regs.doing.ID || ref.demand || ref.presses || ref.errand && (!o.goesOn || o.regs.between) {
		return 1
	}
	t := &o.agent.Genome.Traits
	return leaves + float64(leavesPerTrait*float64(t.RiskTolerance)) + float64(leavesPerTrait*float64(t.DepthVsBreadth))
}

// keepsWord holds back from a second promise, and from a question while one waits.
func (o scale) keepsWord(a *llm.Affordance, _ *offerRef) float64 {
	switch {
	case a.Action.Type == wire.TypeBountyClaim && o.regs.has(notePromised):
		return twoPromises
	case a.Compose == llm.ComposeQuestion && o.regs.has(noteAsked):
		return askedAgain
	}
	return 1
}

// notAvoided holds back from what went wrong: to give a promise back is never avoided.
func (o scale) notAvoided(a *llm.Affordance, _ *offerRef) float64 {
	if o.regs.avoids(a.Action.Name, a.Action.Domain.String(), &a.Subject) {
		return againstNote
	}
	return 1
}
