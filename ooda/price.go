package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// purse is how an agent judges the money that it has.
type purse struct{ *self }

// moneyNeed is how much a ⚡ is worth to the agent, in [0,1]: more, the less it can spare. It is 1 for an agent that
// has only what keeps it out of poverty, and one half for one that can spare as much again. Money that is locked in
// own offers was to spare. 0: the scenario blinds the agent to money.
func (p purse) moneyNeed() float64 {
	if p.rules.Blind.Has(llm.LayerMoney) {
		return 0
	}
	locked := max(p.agent.Balance-p.seen.available, 0)
	return goals.SurvivalBalance / (goals.SurvivalBalance + float64(p.spare()) + float64(locked))
}

// spare is the ⚡ that an agent can part with: all but what keeps it out of poverty and its upkeep until it is paid
// again. An agent that is blind to money does not know what it has and parts with nothing.
func (p purse) spare() uint64 {
	if p.rules.Blind.Has(llm.LayerMoney) {
		return 0
	}
	return uint64(max(p.seen.available-goals.SurvivalBalance-p.ahead()*int64(p.rules.Upkeep), 0))
}

// entryPays is what the world pays for an entry, in ⚡. Most agents live on payments of this size.
const entryPays = 10

// ahead is for how many cycles an agent keeps its upkeep in reserve: as long as it takes to earn what an entry pays,
// so that an agent that earns little or seldom saves. Such payments come by chance, so a careful agent saves for up to
// three times as long.
func (p purse) ahead() int64 {
	m := &p.agent.Memory.Market
	if m.Cycles <= 1 || p.rules.Blind.Has(llm.LayerMoney) {
		return upkeepCycles
	}
	caution := float64(3 * (1 - float64(p.agent.Genome.Traits.RiskTolerance)))
	return int64(max(float64(caution*entryPays)/max(m.Wage, 0.5), upkeepCycles))
}

// most is the greatest reward of a bounty that the agent can spare, with its tax.
func (p purse) most() uint64 {
	spare := p.spare()
	return spare - min(spare, spare/21+1)
}

// holdsOut is for how many ticks the agent waits before it claims an open bounty that pays less than such work has
// brought lately: if nobody takes it, its creator offers more. It waits longer the less the bounty pays; hasty agents
// and those that need money hardly wait.
func (p purse) holdsOut(b *wire.BountyView, going float64) float64 {
	if p.rules.Blind.Has(llm.LayerMoney) || float64(b.Reward) >= going {
		return 0
	}
	short := 1 - float64(b.Reward)/going
	haste := float64(2 * (1 - float64(p.agent.Genome.Traits.QualityVsSpeed)))
	return float64(float64(float64(deferral(p).longestWait()*haste)*short) * (1 - p.moneyNeed()))
}

// becomesGoalLater reports whether an event is about a noted bounty or about a review that the view shows. These
// become goals when the agent's wait for them ends.
func (gt *goalTracker) becomesGoalLater(e *wire.Event) bool {
	switch p := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		return gt.notes.Offered(p.BountyID) != nil
	case *wire.BountyReopenedEvent:
		return gt.notes.Offered(p.BountyID) != nil
	case *wire.ReviewRequestedEvent:
		return gt.seen.review(p.ReviewID) != nil // see reviewsAsked
	default:
		return false
	}
}

// weighAgain is how often in a cycle an agent checks whether it knows enough for a bounty by now.
const weighAgain = 4

// weighOffers proposes goals to claim open bounties, once the agent neither holds out for more pay nor leaves them to
// others any more. An earlier goal would be given up when another agent takes the bounty. Each bounty is decided on
// once each time that it becomes free; if the agent does not know enough for it, it checks again later.
func (gt *goalTracker) weighOffers() {
	for i := range gt.notes.Offers {
		o := &gt.notes.Offers[i]
		if o.Claimed > 0 || gt.seen.tick < o.Again {
			continue
		}
		b := gt.seen.bounty(o.Bounty)
		if b == nil || b.Status != wire.BountyStatusOpen {
			continue
		}
		free := max(o.At, wire.Tick(gt.rules.Calendar.TicksPerCycle)) // nobody acts in the bootstrap
		wait := (purse{&gt.self}).holdsOut(b, gt.agent.Memory.Market.AveragePay[o.Work()]) + (deferral{&gt.self}).leavesBounty(b)
		if float64(gt.seen.tick-min(free, gt.seen.tick)) < wait {
			continue
		}
		o.Again = ^wire.Tick(0)
		if b.Barred || b.Creator == gt.agent.ID {
			continue
		}
		before := len(gt.proposed)
		gt.proposed = goals.Claim(gt.proposed, &gt.situation, &wire.BountyCreatedEvent{ // the view is gone before the goal is
			BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Deadline: b.Deadline, Difficulty: b.Difficulty,
		})
		if len(gt.proposed) == before { // it is not up to it, or not yet
			o.Again = gt.seen.tick + wire.Tick(gt.rules.Calendar.TicksPerCycle/weighAgain)
		}
	}
}

// rank is how an agent's reputation compares with those of the agents that it knows.
type rank struct{ *self }

// waitFactor is how much longer than others the agent leaves a question or a bounty to them, because askers and payers
// believe those of high reputation more: 0 for the highest reputation, 1 for one in the middle, 4 for the lowest.
func (r rank) waitFactor() float64 {
	below := float64(2 * (1 - r.standing()))
	return float64(below * below)
}

// standing is the share of the known peers whose reputation is lower than the agent's, in [0,1]; equal ones count
// half. One half: it knows nobody, or the scenario blinds it to reputation.
func (r rank) standing() float64 {
	if len(r.notes.Peers) == 0 || r.rules.Blind.Has(llm.LayerReputation) {
		return 0.5
	}
	return r.share(r.agent.Reputation)
}

// standingOf is the same share for a peer; 0: its reputation is not known.
func (r rank) standingOf(who wire.AgentID) float64 {
	p := r.notes.Peer(who)
	if p == nil {
		return 0
	}
	return r.share(p.Reputation)
}

// share is the share of the known peers that have less than a reputation; those with the same count half.
func (r rank) share(reputation float32) float64 {
	below := 0
	for i := range r.notes.Peers {
		switch them := r.notes.Peers[i].Reputation; {
		case them < reputation:
			below += 2
		case them == reputation:
			below++
		}
	}
	return float64(below) / float64(2*len(r.notes.Peers))
}
