package goals

import (
	"kingdom/wire"
)

// Social numbers (docs/AGENT.md, goals).
const (
	socialCycles     = 4 // cycles before the reputation is considered
	mentorReputation = 0.7
)

// Inject appends the goals that the agent's own state calls for, in this order: survival, role, curiosity, social. It
// appends no goal that is alive already.
func Inject(dst []Goal, s *Situation) []Goal {
	dst = survival(dst, s)
	dst = roleAspirations(dst, s)
	dst = curiosity(dst, s)
	return social(dst, s)
}

// survival adds a goal to earn while the balance is below 20 ⚡.
func survival(dst []Goal, s *Situation) []Goal {
	if s.NoMoney || s.Balance >= SurvivalBalance || s.Stack.Has(SourceSurvival, KindEarn) {
		return dst
	}
	return append(dst, s.goal(LayerTask, SourceSurvival, Description{
		Kind: KindEarn, Text: "Earn until the balance is safe again",
	}))
}

// Spawn appends, for a new agent, one objective per knowledge seed: to read that entry.
func Spawn(dst []Goal, s *Situation, seeds []wire.Hash) []Goal {
	for _, h := range seeds {
		dst = append(dst, s.goal(LayerObjective, SourceRole, Description{
			Kind: KindLearn, Text: "Read the entry the founders left", Subject: &h,
		}))
	}
	return dst
}

// curiosity adds a goal to explore once the pressure is above 1. A waking agent gets
// the same goal without pressure, see [Explore].
func curiosity(dst []Goal, s *Situation) []Goal {
	if s.Learning.CuriosityPressure(s.Threshold) <= 1 || s.Stack.Has(SourceCuriosity, KindExplore) {
		return dst
	}
	return append(dst, Explore(s.Agent, s.Tick))
}

// exploreTicks is the time until the deadline of a goal to explore: four cycles of the usual length.
const exploreTicks = 4 * wire.DefaultTicksPerCycle

// Explore returns a goal to explore.
func Explore(agent wire.AgentID, at wire.Tick) Goal {
	g := New(agent, LayerObjective, SourceCuriosity, Description{
		Kind: KindExplore, Text: "Explore something unfamiliar",
	}, at)
	last := at + exploreTicks
	g.Deadline = &last
	return g
}

// social adds a goal to improve a low reputation, or to mentor others with a high one.
func social(dst []Goal, s *Situation) []Goal {
	switch {
	case s.NoStanding || !s.acquainted():
	case s.Reputation < reputationTarget && s.Cycle > socialCycles && !s.Stack.Has(SourceSocial, KindImproveReputation):
		dst = append(dst, s.goal(LayerObjective, SourceSocial, Description{
			Kind: KindImproveReputation, Text: "Regain the respect of peers",
		}))
	case s.Reputation > mentorReputation && !s.aspires(dst, KindMentor):
		dst = append(dst, s.aspiration(KindMentor, SourceSocial))
	}
	return dst
}

// aspires reports whether an aspiration of the kind is alive, from any source, or among
// those that are about to be added.
func (s *Situation) aspires(added []Goal, k Kind) bool {
	for _, g := range s.Stack.living {
		if g.Layer == LayerAspiration && g.Kind() == k {
			return true
		}
	}
	for i := range added {
		if g := &added[i]; g.Layer == LayerAspiration && g.Kind() == k {
			return true
		}
	}
	return false
}
