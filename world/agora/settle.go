package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

const (
	// maxSilentCycles is the number of cycle ends without a verdict after which a named judge that was ACTIVE counts
	// as approving, and a judge that was not ACTIVE is replaced by others. So nobody keeps work unpaid by waiting.
	maxSilentCycles = 8
	// maxReviewCycles is the number of cycles that a submission waits for its outcome.
	maxReviewCycles = 16
)

// settle is the cycle end of the board. Reviews are decided, claims end with their lease, and rejected bounties that
// nobody disputed are reopened. Then open bounties past their deadline expire, so a submission is decided first.
func (x *board) settle(c *world.Context) {
	for _, id := range sorted(x.live) {
		b := x.bounties.Get(id)
		switch b.Status {
		case wire.BountyStatusReviewing:
			x.settleReview(c, b)
		case wire.BountyStatusClaimed:
			switch over := uint64(c.Cycle-x.rules.Calendar.Cycle(b.ClaimedAt)) >= x.lease(b); {
			case over:
				x.endClaim(c, b, true)
				x.reopen(c, b, *b.Claimer, "lease")
			case c.Tick > b.Deadline:
				x.endClaim(c, b, false)
				x.reopen(c, b, *b.Claimer, "deadline")
			}
		case wire.BountyStatusRejected:
			x.afterRejection(c, b)
		default: // open, or in dispute
		}
		if b.Status == wire.BountyStatusOpen && c.Tick > b.Deadline {
			x.expire(c, b)
		}
	}
	x.bars.expire(c.Cycle + 1)
}

// lease returns after how many cycles a claim of b ends.
func (x *board) lease(b *Bounty) uint64 {
	return x.rules.Calendar.ClaimCycles(b.ClaimedAt, b.Deadline, x.rules.ClaimLease)
}

// settleReview counts a cycle for the silent judges, decides the review if possible, and reopens the bounty after
// maxReviewCycles.
func (x *board) settleReview(c *world.Context, b *Bounty) {
	j := x.verdicts.judgesOf(b)
	for _, a := range j.named {
		if x.verdicts.voted(b.ID, a) {
			continue
		}
		s, _ := x.roster.Status(a)
		if x.countSilence(b, a, s == wire.StatusActive) >= maxSilentCycles {
			x.vote(c, b, a, wire.BountyVerdictApprove, nil)
		}
	}
	x.decide(c, b, true)
	if b.Status == wire.BountyStatusReviewing && c.Cycle-x.rules.Calendar.Cycle(b.SubmittedAt) >= maxReviewCycles {
		x.reopen(c, b, me, "undecided")
	}
}

// countSilence counts a cycle end at which judge a had not voted, and returns the number of those at which it was
// awake.
func (x *board) countSilence(b *Bounty, a wire.AgentID, awake bool) (cycles uint32) {
	x.edit(b.ID, func(b *Bounty) {
		i := slices.IndexFunc(b.Silent, func(s Silence) bool { return s.Judge == a })
		if i < 0 {
			i, b.Silent = len(b.Silent), append(b.Silent, Silence{Judge: a})
		}
		if awake {
			b.Silent[i].Cycles++
		} else {
			b.Silent[i].Asleep++
		}
		cycles = b.Silent[i].Cycles
	})
	return cycles
}

// afterRejection reopens a rejected bounty: at once if checks failed, and after the dispute window if reviewers
// rejected it.
func (x *board) afterRejection(c *world.Context, b *Bounty) {
	switch {
	case b.failedChecks():
		x.endClaim(c, b, !b.testedByAgent())
		x.reopen(c, b, me, "check_failed")
	case c.Tick >= b.RejectedAt+disputeWindow:
		x.endClaim(c, b, false)
		x.reopen(c, b, me, "rejected")
	}
}

// testedByAgent reports whether the checks run programs that an agent chose. Nobody can tell whether any work passes
// them, so failing them does not count as the claimer's fault.
func (b *Bounty) testedByAgent() bool {
	t := termsOf(b)
	return !wire.IsSystem(b.Creator) && len(t.programs) > 0
}

// expire ends b without payment. The listing fee is not returned.
func (x *board) expire(c *world.Context, b *Bounty) {
	x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusExpired })
	x.clearEnded(b)
	c.Emit(sys, wire.KindBountyExpired, me, &wire.BountyExpiredEvent{BountyID: b.ID, Tick: c.Tick}, nil)
	x.ledger.ExpireEscrow(c, b.Escrow)
	if b.Asker != nil {
		x.ledger.ReturnBudget(c, b.Reward)
	}
}

// clearEnded deletes what is kept for live bounties only.
func (x *board) clearEnded(b *Bounty) {
	x.verdicts.forget(b.ID)
	x.bars.remove(b.ID)
}

// agentLeft reopens the bounties claimed by an agent that is no longer ACTIVE. What it has submitted is judged all the same
// unless it is DEAD: otherwise a creator would have the work for nothing if it judged late and the claimer fell asleep. If it
// is DEAD, its open bounties expire, its claimed ones stay funded, and others judge in its place.
func (x *board) agentLeft(c *world.Context, a wire.AgentID, status wire.AgentStatus) {
	if status == wire.StatusActive {
		return
	}
	for _, id := range slices.Clone(x.claimedBy[a]) {
		if b := x.bounties.Get(id); b.claimed() && (b.Status != wire.BountyStatusReviewing || status == wire.StatusDead) {
			x.endClaim(c, b, false)
			x.reopen(c, b, a, "claimer_gone")
		}
	}
	if status != wire.StatusDead {
		return
	}
	for _, t := range slices.Clone(x.verdicts.asked[a]) {
		b := x.bounties.Get(t.id)
		x.unindex(b)
		x.index(b)
	}
	for _, id := range slices.Clone(x.createdBy[a]) {
		if b := x.bounties.Get(id); b.Status == wire.BountyStatusOpen {
			x.expire(c, b)
		}
	}
}
