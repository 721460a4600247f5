package ooda

import (
	"kingdom/det"
	"kingdom/memory"
	"kingdom/wire"
)

// agreedClaims are the beliefs that entries about each measure, which somebody pays for, find two who agree.
var agreedClaims = makeAgreedClaims()

func makeAgreedClaims() (out [memory.MeasurePattern + 1]memory.Claim) {
	for m := memory.MeasureReward; m <= memory.MeasurePattern; m++ {
		out[m] = memory.Claim{Subject: []byte(m.Title([]byte("..."))), Predicate: "is agreed on for pay"}
	}
	return out
}

// believeAgreed learns from what became of a bounty, anybody's, for an entry.
func (s *believer) believeAgreed(o *memory.OfferNote, paid bool, at wire.Tick) {
	if o.Measure != 0 {
		s.believe(agreedClaims[o.Measure], paid, &o.Bounty, at)
	}
}

// agreed is the chance that an entry about a measure finds two who agree.
func (s *believer) agreed(m memory.Measure) float64 { return s.chance(agreedClaims[m]) }

// chance is how likely what a claim says is, by what the agent saw: even if it saw nothing. What was not seen for long fades.
func (s *believer) chance(c memory.Claim) float64 {
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

// riskRange is how much below an even one the chances are that the most daring agent takes.
const riskRange = 0.3

// takesChance reports whether the agent takes a chance: one that is even, or less so the more it dares.
func (s *believer) takesChance(chance float64) bool {
	return chance+float64(riskRange*float64(s.agent.Genome.Traits.RiskTolerance)) >= 0.5
}
