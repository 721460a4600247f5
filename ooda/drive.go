package ooda

import (
	"kingdom/llm"
	"kingdom/wire"
)

// driven is how readily the agent works compared with others, see [memory.Drive]; 1 if it remembers nothing of what it
// did.
func (s deferral) driven() float64 {
	if s.rules.Blind.Has(llm.LayerExperiences) {
		return 1
	}
	return s.agent.Memory.Drive.Level(s.heardOf())
}

// praise counts what an event says was approved: an entry, a delivery, a program.
func (er *eventReader) praise(e *wire.Event) {
	drive := &er.agent.Memory.Drive
	switch p := e.Payload.(type) {
	case *wire.EntryVerifiedEvent:
		if n := er.notes.Entry(p.EntryID); n != nil && p.Verdict == wire.VerdictAccurate {
			drive.CountSuccess(n.Own)
		}
	case *wire.BountyCompletedEvent:
		drive.CountSuccess(p.Claimer == er.agent.ID)
	case *wire.ReviewSubmittedEvent:
		if p.Verdict == wire.ReviewVerdictApprove {
			drive.CountSuccess(er.agent.Memory.Dealings.OwnReview(p.ReviewID))
		}
	default: // nothing is judged
	}
}

// heardOf is the number of other agents whose acts the agent hears of.
func (s deferral) heardOf() int { return min(s.deferral().others(), EverybodyHears-1) }
