package ooda

import (
	"kingdom/det"
	"kingdom/memory"
	"kingdom/wire"
)

// agreedClaims holds a claim per measure: that two other agents will confirm a paid entry about it.
var agreedClaims = makeAgreedClaims()

func makeAgreedClaims() (out [memory.MeasurePattern + 1]memory.Claim) {
	for m := memory.MeasureReward; m <= memory.MeasurePattern; m++ {
		out[m] = memory.Claim{Subject: []byte(m.Title([]byte("..."))), Predicate: "is agreed on for pay"}
	}
	return out
}

// believeAgreed learns from how a bounty for an entry ended, whoever set it.
func (s believer) believeAgreed(o *memory.OfferNote, paid bool, at wire.Tick) {
	if o.Measure != 0 {
		s.believe(agreedClaims[o.Measure], paid, &o.Bounty, at)
	}
}

// agreed is the chance that two others confirm an entry about a measure.
func (s believer) agreed(m memory.Measure) float64 { return s.chance(agreedClaims[m]) }

// accepted is the chance that an entry about a measure which this agent delivers is accepted: as others agreed on such
// entries or, if it has not seen any end, as its own deliveries fared.
func (s believer) accepted(m memory.Measure) float64 {
	if s.belief(agreedClaims[m]) == nil {
		return s.chance(beliefOwnWork)
	}
	return s.agreed(m)
}

// chance is how likely a claim holds by what the agent has observed; one half without any observation. It fades
// towards one half in each cycle without a new one.
func (s believer) chance(c memory.Claim) float64 {
	b := s.belief(c)
	if b == nil {
		return 0.5
	}
	v := float64(b.Confidence) - 0.5
	for age := (s.seen.tick - min(b.LastTested(), s.seen.tick)) / wire.Tick(s.rules.Calendar.TicksPerCycle); age > 0; age-- {
		if v = float64(v * fadePerCycle); v > -0.01 && v < 0.01 {
			break
		}
	}
	return det.Quantise(0.5 + v)
}

// riskRange is how far below one half a chance may be that the most daring agent takes.
const riskRange = 0.3

// takesChance reports whether the agent takes a chance: one of at least one half, or less the more it dares.
func (s believer) takesChance(chance float64) bool {
	return chance+float64(riskRange*float64(s.agent.Genome.Traits.RiskTolerance)) >= 0.5
}
