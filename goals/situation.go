package goals

import (
	"kingdom/wire"
)

// Situation is what the five sources of goals need: one agent in one orient phase. It is read-only. Sources return
// goals, and the caller adds them to the stack.
type Situation struct {
	Appraisal
	Agent     wire.AgentID
	Cycle     wire.Cycle
	WorldSeed wire.Hash // seeds the choice of a generalist's aspirations
	Threshold float64   // cycles without a new experience after which the agent gets a goal to explore
	Stack     *Stack
	// Bounties are the open ones the agent can see; a reopened bounty is looked up there.
	Bounties []wire.BountyView
	// BountyCost estimates in ⚡ what claiming and delivering a bounty costs; nil: no cost.
	BountyCost func() float64
	// SuccessChance estimates the chance that a delivery of a bounty is found good; able is false if the agent does not
	// know enough for it. nil: the success rate in the domain.
	SuccessChance func(b *wire.BountyCreatedEvent) (success float64, able bool)
	// HasOpinion reports whether the agent is for or against a proposal; nil: it votes on all.
	HasOpinion func(proposal wire.Hash) bool
	// WorkPays returns what the agent believes that work in a domain brings, compared with its acts on average, in (0,2); 1: as
	// much, or it has no evidence. nil: it has no beliefs.
	WorkPays func(d domain) float64
	// Acquainted reports whether the agent knows anybody; nil: it does.
	Acquainted func() bool
}

// CapabilityFloor is the least capability at which an event becomes an opportunity.
const CapabilityFloor = 0.3

// capable reports whether goals of a kind suit the agent.
func (s *Situation) capable(k Kind) bool { return s.Capability(k.Domain()) >= CapabilityFloor }

func (s *Situation) goal(l Layer, src Source, d Description) Goal {
	return New(s.Agent, l, src, d, s.Tick)
}
