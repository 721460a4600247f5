package ooda

import (
	"math"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// beliefOwnWork is that what the agent delivers is accepted.
var beliefOwnWork = memory.Claim{Subject: []byte("own submissions"), Predicate: "are accepted"}

// difficulties holds, by difficulty, the least knowledge [0,1] with which an agent attempts a bounty.
var difficulties = [...]float64{
	wire.DifficultyTrivial: 0.1, wire.DifficultyEasy: 0.25, wire.DifficultyModerate: 0.45, wire.DifficultyHard: 0.65, wire.DifficultyLegendary: 0.8,
}

// dare scales how far beyond its knowledge an agent goes, with the square of how far its risk tolerance lies from one
// half: at 0.7 it goes 0.56 beyond, at 0.3 it stays as far below, and near the middle it goes by what it knows. With a
// linear scale either the careful among eight agents would leave too much undone, or many agents would hardly differ.
const dare = 14.0

// reachBeyond is by how much the difficulty of a bounty may exceed what the agent knows; negative for the careful.
func (gt *goalTracker) reachBeyond() float64 {
	far := float64(gt.agent.Genome.Traits.RiskTolerance) - 0.5
	return float64(dare * float64(far*math.Abs(far)))
}

// attempts reports whether the agent attempts a bounty of a difficulty, for which it knows so much.
func (gt *goalTracker) attempts(d wire.Difficulty, know float64) bool {
	return int(d) < len(difficulties) && difficulties[d] <= know+gt.reachBeyond()
}

// rates is the difficulty that an agent gives to a task at which such a share of those who try it fails.
func rates(fails float64) wire.Difficulty {
	d := wire.DifficultyTrivial
	for int(d)+1 < len(difficulties) && difficulties[d+1] <= fails {
		d++
	}
	return d
}

// prospects is the chance that this agent's delivery of a bounty is accepted, and whether the agent knows enough to
// try. For an entry about something it must have counted that, and for a program know programs; for other work its
// capability decides. If it has not counted enough yet it looks again later, see [goalTracker.weighOffers]: a goal now
// would only wait until somebody else delivers.
func (gt *goalTracker) prospects(b *wire.BountyCreatedEvent) (success float64, able bool) {
	domain := goals.KindClaimBounty.Domain()
	if m, subject, about := readDocumented(b.Title); about {
		if gt.expert().counted(m, subject) == nil {
			return 0, false
		}
		know := max(gt.expert().knowOf(m, subject), knows) // it was counted since somebody pays for it
		return float64(gt.believer().accepted(m) * gt.relations().dealQuality(b.Creator)), gt.attempts(b.Difficulty, know)
	}
	if v := gt.seen.bounty(b.BountyID); v != nil && !gt.expert().canDeliver(v) {
		return 0, false
	}
	know := gt.agent.Memory.Topics.Know(memory.TopicPrograms)
	if !gt.seen.asksForCode(b.BountyID) {
		domain = action.DomainDocumentation
		know = gt.situation.Capability(domain)
	}
	return gt.situation.Rate(domain), gt.attempts(b.Difficulty, know)
}

// noticeBounty follows a bounty through its life: what it says of its claimer, of the
// other side when it is a matter between a peer and this agent, and of bounties.
func (er *eventReader) noticeBounty(e *wire.Event) {
	at := e.Timestamp
	switch p := e.Payload.(type) {
	case *wire.BountyClaimedEvent:
		er.noticeClaim(p)
	case *wire.BountySubmittedEvent:
		er.notes.Claim(p.BountyID, p.Claimer, at)
	case *wire.BountyCompletedEvent:
		er.noticeCompleted(p, e)
	case *wire.BountyRejectedEvent:
		if claimer, ok := er.notes.Claimer(p.BountyID); ok {
			er.judgeAuthor(claimer, false, &p.BountyID, e)
		}
		er.countDeal(p.BountyID, false, at)
	case *wire.BountyExpiredEvent:
		er.goals.tell(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID, Reason: goals.Closed("expired")})
		er.believer().believe(beliefBounties, false, &p.BountyID, at)
		er.claimBroken(p.BountyID, true, at)
		er.agent.Memory.Market.Expired(p.BountyID, p.Tick, er.rules.Calendar.TicksPerCycle)
	case *wire.BountyReopenedEvent:
		er.believer().believe(beliefBounties, false, &p.BountyID, at)
		switch string(p.Reason) {
		case "rejected", "dispute_lost":
			er.claimBroken(p.BountyID, false, at)
		default:
			er.claimBroken(p.BountyID, true, at)
		}
	}
}

// noticeClaim notes the claimer of a bounty and, if the bounty is between a peer and this agent, that peer: later the
// view may not show the bounty any more.
func (er *eventReader) noticeClaim(p *wire.BountyClaimedEvent) {
	me := er.agent.ID
	er.notes.Claim(p.BountyID, p.Claimer, p.Tick)
	er.agent.Memory.Market.Claimed(p.BountyID, p.Tick, er.rules.Calendar.TicksPerCycle)
	if p.Claimer != me {
		er.goals.tell(&goals.Fact{Kind: goals.FactBountyLost, Subject: p.BountyID, Reason: goals.Closed("claimed"), Agent: p.Claimer})
	}
	b := er.seen.claim(p.BountyID)
	if b == nil {
		return
	}
	switch {
	case b.Creator == me && er.isPeer(p.Claimer):
		er.agent.Memory.Dealings.Deal(p.BountyID, p.Claimer)
	case p.Claimer == me && er.isPeer(b.Creator):
		er.agent.Memory.Dealings.Deal(p.BountyID, b.Creator)
	}
}

func (er *eventReader) noticeCompleted(p *wire.BountyCompletedEvent, e *wire.Event) {
	fact := goals.Fact{Kind: goals.FactBountyCompleted, Subject: p.BountyID, Agent: p.Claimer}
	if p.Claimer == er.agent.ID {
		fact.Reward = p.Reward
		er.prize += p.Reward
		if b := er.seen.claim(p.BountyID); b != nil {
			er.expert().practised(er.expert().topicAsked(b))
		}
		if made := er.agent.Memory.Effects.ByObject(p.BountyID); made != nil {
			made.Reward += p.Reward
		}
	}
	er.goals.tell(&fact)
	er.believer().believe(beliefBounties, true, &p.BountyID, e.Timestamp)
	er.relations().countPromise(p.Claimer, true, e.Timestamp)
	er.judgeAuthor(p.Claimer, true, &p.BountyID, e)
	er.countDeal(p.BountyID, true, e.Timestamp)
	if w := er.notes.Work(memory.WorkReview, p.BountyID); w != nil && w.Stage == memory.WorkDone {
		er.expert().practised(memory.TopicReviews)
	}
	if at, ok := er.notes.ClaimedAt(p.BountyID); ok {
		er.agent.Memory.Market.NoteDuration(p.Tick - at)
	}
	er.giveUpOwn(p.BountyID)
	er.agent.Memory.Market.Completed(p.BountyID)
	er.forgetClaim(p.BountyID)
}

// giveUpOwn gives up a faulty program of the agent if another one was delivered for it by a bounty, so that the agent
// does not pay for it again.
func (er *eventReader) giveUpOwn(bounty wire.Hash) {
	if want := er.agent.Memory.Market.WantOf(bounty); want != nil && want.Program {
		if w := er.notes.WorkOf(want.Subject); w != nil && w.Stage == memory.WorkFaulty {
			er.notes.DropWork(w.Kind, w.About)
		}
	}
}

// judgeAuthor takes the end of a submission as a verdict on its author's work. If the author itself caused the event,
// the world has checked the work, which weighs as much as a verdict of a system.
func (er *eventReader) judgeAuthor(claimer wire.AgentID, good bool, bounty *wire.Hash, e *wire.Event) {
	if claimer == er.agent.ID {
		er.agent.Learning.Credit(goals.KindClaimBounty.Domain(), good)
		er.believer().believe(beliefOwnWork, good, bounty, e.Timestamp)
		return
	}
	if !er.isPeer(claimer) {
		return
	}
	weight := 1.0
	if e.Origin != claimer {
		weight = er.standing(e.Origin)
	}
	er.agent.Memory.Peers.Verdict(claimer, good, weight, e.Timestamp)
}

// claimBroken notes a claim that ended without payment. fresh is false if an earlier rejection was counted between the
// two sides already.
func (er *eventReader) claimBroken(bounty wire.Hash, fresh bool, at wire.Tick) {
	if claimer, ok := er.notes.Claimer(bounty); ok {
		er.relations().countPromise(claimer, false, at)
	}
	if fresh {
		er.countDeal(bounty, false, at)
	}
	er.forgetClaim(bounty)
}

// countDeal counts the outcome of a bounty between a peer and this agent.
func (er *eventReader) countDeal(bounty wire.Hash, well bool, at wire.Tick) {
	if peer, ok := er.agent.Memory.Dealings.Other(bounty); ok {
		er.relations().interact(peer, memory.DealBounty, well, at)
	}
}

// forgetClaim forgets who had claimed a bounty.
func (er *eventReader) forgetClaim(bounty wire.Hash) {
	er.notes.Unclaim(bounty)
	er.regs.remove(notePromised, bounty)
	er.agent.Memory.Dealings.EndDeal(bounty)
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
		wait := gt.purse().holdsOut(b, gt.agent.Memory.Market.AveragePay[o.Work()]) + gt.deferral().leavesBounty(b)
		if float64(gt.seen.tick-min(free, gt.seen.tick)) < wait {
			continue
		}
		o.Again = ^wire.Tick(0)
		if b.Barred || b.Creator == gt.agent.ID {
			continue
		}
		before := len(gt.proposed)
		gt.proposeClaim(b)
		if len(gt.proposed) == before { // it is not up to it, or not yet
			o.Again = gt.seen.tick + wire.Tick(gt.rules.Calendar.TicksPerCycle/weighAgain)
		}
	}
}

// weighBoard proposes goals to claim open bounties that the view shows and the agent has no note of: it was asleep when they were
// created, or newer ones have pushed the notes out, as happens in large populations. Such a bounty has been left to others before, so
// each is considered in one slot of the cycle, drawn for agent and bounty: not all who can do it claim it at once.
func (gt *goalTracker) weighBoard() {
	calendar := gt.rules.Calendar
	now := float64(gt.seen.tick - calendar.First(gt.seen.cycle))
	for i := range gt.seen.bounties {
		b := &gt.seen.bounties[i]
		if gt.deferral().cameDue(now, float64(gt.deferral().hashDraw(b.ID)*float64(calendar.TicksPerCycle))) &&
			b.Status == wire.BountyStatusOpen && !b.Barred && b.Creator != gt.agent.ID && gt.notes.Offered(b.ID) == nil {
			gt.proposeClaim(b)
		}
	}
}

// proposeClaim proposes a goal to claim a bounty, if the agent is up to it.
func (gt *goalTracker) proposeClaim(b *wire.BountyView) {
	gt.proposed = goals.Claim(gt.proposed, &gt.situation, &wire.BountyCreatedEvent{ // the view is gone before the goal is
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Deadline: b.Deadline, Difficulty: b.Difficulty,
	})
}
