package goals

import (
	"math"

	"kingdom/det"
	"kingdom/wire"
)

// Numbers of the priority terms (docs/AGENT.md, goals).
const (
	// SurvivalBalance is the balance in ⚡ below which an agent gets a goal of survival.
	SurvivalBalance = 20
	// deadlineHorizon is how many ticks ahead a deadline starts to press.
	deadlineHorizon = 512
	// rewardHalf is the reward in ⚡ at which the reward term is one half.
	rewardHalf = 30

	survivalFloor   = 0.8
	learnFloor      = 0.6
	dependencyFloor = 0.7
)

// Terms are the five parts of a priority, each in [0,1] and quantised.
type Terms struct {
	Urgency, Reward, Capability, Novelty, Social float64
}

// Appraisal is everything besides the goal that its priority depends on: one agent at one tick. It must not change
// while it is used.
type Appraisal struct {
	Tick       wire.Tick
	Balance    int64   // ⚡
	Earned     uint64  // ⚡ ever received
	Reputation float64 // [0,1]
	Role       wire.Role
	Weights    Weights
	Learning   *Learning
	// NoLearning ignores what the agent has learned, because the scenario blinds it to its experiences: every kind of goal is
	// new, has no expected pay, and a success rate of one half.
	NoLearning bool
	// NoMoney and NoStanding ignore what the agent has and is paid, and its reputation, because the scenario blinds the agent
	// to them.
	NoMoney, NoStanding bool
	// Trust returns the trust in a peer and whether there were any interactions;
	// nil stands for an agent that knows nobody.
	Trust func(wire.AgentID) (trust float64, known bool)
}

// Terms computes the five terms of a goal.
func (a *Appraisal) Terms(g *Goal) Terms { return a.terms(g, &lastTrust{}) }

func (a *Appraisal) terms(g *Goal, l *lastTrust) Terms {
	return Terms{
		Urgency:    a.urgency(g),
		Reward:     a.reward(g),
		Capability: a.Capability(g.Domain()),
		Novelty:    a.novelty(g),
		Social:     a.social(g, l),
	}
}

// lastTrust caches the trust in the last peer. Consecutive goals often have the same beneficiary, such as the creator of
// several bounties. It is valid for one tick.
type lastTrust struct {
	peer  wire.AgentID
	asked bool
	trust float64 // one half for a stranger
}

func (l *lastTrust) trustIn(peer *wire.AgentID, a *Appraisal) float64 {
	if l.asked && l.peer == *peer {
		return l.trust
	}
	l.peer, l.asked, l.trust = *peer, true, 0.5
	if a.Trust != nil {
		if trust, known := a.Trust(*peer); known {
			l.trust = trust
		}
	}
	return l.trust
}

// Sum returns the weighted sum of the terms; it is quantised and at most 4.
func (w *Weights) Sum(t Terms) float64 {
	return det.Quantise(float64(w.Urgency*t.Urgency) + float64(w.Reward*t.Reward) +
		float64(w.Capability*t.Capability) + float64(w.Novelty*t.Novelty) + float64(w.Social*t.Social))
}

// Priority is the weighted sum of the terms of a goal.
func (a *Appraisal) Priority(g *Goal) float64 { return a.priority(g, &lastTrust{}) }

func (a *Appraisal) priority(g *Goal, l *lastTrust) float64 { return a.Weights.Sum(a.terms(g, l)) }

// urgency returns the largest of the layer's base, the nearness of the deadline and
// the floor that source and kind give.
func (a *Appraisal) urgency(g *Goal) float64 {
	u := 0.1
	switch g.Layer {
	case LayerTask:
		u = 0.5
	case LayerObjective:
		u = 0.3
	default: // nothing to do for the others
	}
	u = math.Max(u, a.floor(g))
	if g.Deadline != nil {
		left := float64(0)
		if *g.Deadline > a.Tick {
			left = float64(*g.Deadline - a.Tick)
		}
		u = math.Max(u, clamp(1-float64(left*(1.0/deadlineHorizon))))
	}
	return det.Quantise(u)
}

func (a *Appraisal) floor(g *Goal) float64 {
	switch {
	case g.Source == SourceSurvival:
		return math.Max(survivalFloor, clamp(float64(float64(SurvivalBalance-a.Balance)/SurvivalBalance)))
	case g.Source == SourceRole && g.Kind() == KindLearn:
		return learnFloor
	case g.Kind() == KindFixDependency:
		return dependencyFloor
	}
	return 0
}

// Expected predicts what a goal pays in ⚡: an offered reward times the agent's success rate in the domain, else what
// goals of its kind paid before. An agent that is blind to money expects nothing.
func (a *Appraisal) Expected(g *Goal) float64 {
	if a.NoMoney {
		return 0
	}
	if g.Description.Reward > 0 {
		return float64(float64(g.Description.Reward) * a.Rate(g.Domain()))
	}
	if a.NoLearning {
		return 0
	}
	return a.Learning.Expected(g.Domain(), g.Kind())
}

// Rate estimates the chance that the agent's work in a domain is found good.
func (a *Appraisal) Rate(d domain) float64 {
	if a.NoLearning {
		return 0.5
	}
	return a.Learning.Rate(d)
}

func (a *Appraisal) novelty(g *Goal) float64 {
	if a.NoLearning {
		return 1
	}
	return a.Learning.Novelty(g.Domain(), g.Kind())
}

func (a *Appraisal) reward(g *Goal) float64 { return det.Quantise(saturate(a.Expected(g))) }

// saturate maps ⚡ to [0,1).
func saturate(r float64) float64 { return r / (r + rewardHalf) }

// Capability returns how well the agent suits a domain, half by its role and half by its results.
func (a *Appraisal) Capability(d domain) float64 {
	return det.Quantise(float64(0.5*affinity(a.Role, d)) + float64(0.5*a.Rate(d)))
}

// social returns the kind's value to others, more for those whom the agent trusts.
func (a *Appraisal) social(g *Goal, l *lastTrust) float64 {
	factor := 0.75
	if to := g.Description.Beneficiary; to != nil {
		factor = 0.5 + float64(0.5*l.trustIn(to, a))
	}
	return det.Quantise(float64(kindSocial[g.Kind()-1] * factor))
}

var kindSocial = [kinds]float64{
	KindEarn - 1:              0.2,
	KindClaimBounty - 1:       0.5,
	KindDoReview - 1:          1,
	KindFixDependency - 1:     0.2,
	KindExplore - 1:           0.2,
	KindImproveReputation - 1: 0.2,
	KindMentor - 1:            1,
	KindBuildLibrary - 1:      0.7,
	KindRaiseCoverage - 1:     0.7,
	KindDesignSystem - 1:      0.7,
	KindTryNovel - 1:          0.2,
	KindLearn - 1:             0.2,
	KindVote - 1:              0.5,
	KindAnswer - 1:            0.8,
	KindOwn - 1:               0.2,
	KindOperator - 1:          0.2,
}

func clamp(x float64) float64 { return math.Max(0, math.Min(1, x)) }
