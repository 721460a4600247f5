package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

const (
	// maxSilentCycles is at how many cycle ends a named judge may say nothing, so that nobody keeps work
	// unpaid by waiting: who was ACTIVE at so many has approved, in place of who was not others judge.
	maxSilentCycles = 8
	// maxReviewCycles is how many cycles a submission waits for its verdict.
	maxReviewCycles = 16
)

// settle is the cycle end of the board: reviews are decided, leases run out, rejections
// that nobody disputed reopen, and then bounties whose deadline passed expire. What was submitted is decided first.
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

// lease is at the end of which cycle after its own a claim of b ends: the ClaimLease-th, but sooner than half of the time
// until the deadline is over, so that a claim in vain leaves others the time to do the work; never before the next.
func (x *board) lease(b *Bounty) uint64 {
	left := uint64(x.rules.Calendar.Cycle(b.Deadline) - x.rules.Calendar.Cycle(b.ClaimedAt))
	return min(x.rules.ClaimLease, max(2, left/2)-1)
}

// settleReview counts the silence of named judges, decides, and gives up after a while.
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

// countSilence counts one more cycle end at which judge a said nothing, awake or asleep, and returns at how
// many it was awake.
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

// afterRejection reopens a rejected bounty: after a failed check at once, after a verdict
// when the time for a dispute is over.
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

// testedByAgent says whether programs that an agent chose decide about a delivery. Nobody can tell
// whether anything passes them, so failing them costs no more than time.
func (b *Bounty) testedByAgent() bool {
	t := termsOf(b)
	return !wire.IsSystem(b.Creator) && len(t.programs) > 0
}

// expire ends b without payment. Its fee is spent: a place on the board costs something.
func (x *board) expire(c *world.Context, b *Bounty) {
	x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusExpired })
	x.clearEnded(b)
	c.Emit(sys, wire.KindBountyExpired, me, &wire.BountyExpiredEvent{BountyID: b.ID, Tick: c.Tick}, nil)
	x.ledger.ExpireEscrow(c, b.Escrow)
	if b.Asker != nil {
		x.ledger.ReturnBudget(c, b.Reward)
	}
}

// clearEnded forgets what is kept for a live bounty only.
func (x *board) clearEnded(b *Bounty) {
	x.verdicts.forget(b.ID)
	x.bars.remove(b.ID)
}

// agentLeft reopens the claims of an agent that is no longer ACTIVE. The unclaimed bounties
// of a DEAD one expire, claimed ones stay funded, and where it was to judge others do.
func (x *board) agentLeft(c *world.Context, a wire.AgentID, status wire.AgentStatus) {
	if status == wire.StatusActive {
		return
	}
	for _, id := range slices.Clone(x.claimedBy[a]) {
		if b := x.bounties.Get(id); b.claimed() {
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
