package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

const (
	// barCycles is for how many cycles an agent whose claim failed may not claim the same bounty again.
	barCycles = 16
	// gapCooldown is the number of cycles after which an agent that completed a documentation bounty may claim the next.
	gapCooldown = 4
	// maxDoublings is the maximum number of doublings of the time for which an agent is barred from all bounties.
	maxDoublings = 4
	// clearingCycles is the number of cycles after which a completed bounty clears a failed claim again.
	clearingCycles = 16
	// freeReleases is the number of bounties that an agent may release in the cycle in which it claimed them without being
	// barred.
	freeReleases = 2
	// heldFactor times the claim limit is the number of bounties that an agent keeps from others, with those that wait for
	// its dispute of a rejection. Otherwise junk for bounties whose creators judge at once would keep all of them.
	heldFactor = 2
)

// claim carries out BOUNTY_CLAIM.
func (x *board) claim(c *world.Context, q *wire.BountyClaim) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	switch {
	case b == nil:
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field("bounty_id"))
	case b.Status != wire.BountyStatusOpen:
		return refuse(c, wire.CategoryConflict, "not_open", world.Status(b.Status))
	case c.Tick > b.Deadline:
		return refuse(c, wire.CategoryConflict, "expired", world.Status(b.Status))
	case b.excluded(c.Source):
		return refuse(c, wire.CategoryUnauthorized, "own_bounty")
	case x.bars.hasRejected(b.ID, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "rejecter")
	case x.openClaims(c.Source) >= x.rules.ClaimLimit:
		return refuse(c, wire.CategoryConflict, "claim_limit", world.Limit(x.rules.ClaimLimit))
	case uint64(len(x.claimedBy[c.Source])) >= heldFactor*x.rules.ClaimLimit:
		return refuse(c, wire.CategoryConflict, "claim_limit", world.Limit(heldFactor*x.rules.ClaimLimit))
	}
	if until := x.barredUntil(b, c.Source); until > c.Cycle {
		return refuse(c, wire.CategoryConflict, "barred", c.UntilCycle(until))
	}
	if until := x.gapUntil(b, c.Source); until > c.Cycle {
		return refuse(c, wire.CategoryConflict, "claim_limit", c.UntilCycle(until))
	}
	claimer := c.Source
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Claimer, b.ClaimedAt = wire.BountyStatusClaimed, &claimer, c.Tick
		b.Claim++
	})
	c.Emit(sys, wire.KindBountyClaimed, claimer, &wire.BountyClaimedEvent{
		BountyID: b.ID, Claimer: claimer, Tick: c.Tick,
	}, nil)
	return c.Ack(nil)
}

// excluded reports whether a may never claim b: the creator, the asker of the question, and the listed reviewers may
// not. If a reviewer claimed it, nobody might be left to judge the work.
func (b *Bounty) excluded(a wire.AgentID) bool {
	return a == b.Creator || b.Asker != nil && a == *b.Asker || slices.Contains(b.Reviewers, a)
}

// barredUntil returns the first cycle in which a is barred neither from b nor from all bounties.
func (x *board) barredUntil(b *Bounty, a wire.AgentID) wire.Cycle {
	until := x.bars.until(b.ID, a)
	if n := x.counters.Get(a); n != nil {
		until = max(until, n.BarredUntil)
	}
	return until
}

// gapUntil returns the first cycle in which a may claim b if b is a documentation bounty, and 0 for other bounties.
func (x *board) gapUntil(b *Bounty, a wire.AgentID) wire.Cycle {
	if n := x.counters.Get(a); b.Asker != nil && n != nil {
		return n.GapUntil
	}
	return 0
}

// reopen ends the claim of b and makes it OPEN again. The duration of the claim is added to the deadline, so that a
// failed claim takes no time away from other agents. The deadline is at most maxDeadline after the creation.
func (x *board) reopen(c *world.Context, b *Bounty, origin wire.AgentID, reason string) {
	cause, lost := b.Cause, c.Tick-b.ClaimedAt
	x.edit(b.ID, func(b *Bounty) {
		b.Deadline = min(b.Deadline+lost, b.CreatedAt+maxDeadline)
		b.Status, b.Claimer, b.Submission, b.Cause = wire.BountyStatusOpen, nil, nil, nil
		b.ClaimedAt, b.Tries, b.SubmittedAt, b.RejectedAt = 0, 0, 0, 0
		b.Silent = []Silence{}
		b.use(documents{})
	})
	x.verdicts.forget(b.ID)
	c.Emit(sys, wire.KindBountyReopened, origin, &wire.BountyReopenedEvent{
		BountyID: b.ID, Reason: []byte(reason), Tick: c.Tick,
	}, cause)
}

// endClaim bars the claimer of b, whose claim fails: from b for barCycles, and from all bounties for as long as it held
// b, or for Rules.ClaimBar cycles if it is atFault. For an agent that repeatedly submits nothing worth a review the time
// doubles with each claim; work that failed an agent's programs does not count against it, since nobody can tell whether
// they can be passed. It doubles too for an agent that repeatedly releases bounties in the cycle in which it claimed
// them, after freeReleases of them.
func (x *board) endClaim(c *world.Context, b *Bounty, atFault bool) {
	claimer, all := *b.Claimer, c.Cycle-x.rules.Calendar.Cycle(b.ClaimedAt)
	if atFault {
		all = wire.Cycle(x.rules.ClaimBar)
	}
	x.bars.set(b.ID, claimer, c.Cycle+barCycles)
	n := x.counters.forUpdate(claimer)
	unreviewed := b.Status == wire.BountyStatusClaimed || b.failedChecks()
	idle := unreviewed && (b.Tries == 0 || !b.testedByAgent())
	switch {
	case idle && all == 0:
		if n.Released++; n.Released > freeReleases {
			all = 1 << min(n.Released-freeReleases-1, maxDoublings)
		}
	case idle:
		all <<= min(n.Vain, maxDoublings)
		n.Vain++
	}
	n.BarredUntil = max(n.BarredUntil, c.Cycle+all)
}

// recordDelivery subtracts one from the agent's failed claims, and resets its released claims, once in clearingCycles
// cycles: a friend's bounty of 1 ⚡ is completed in three requests, so squatters would clear every claim.
func (x *board) recordDelivery(now wire.Cycle, claimer wire.AgentID) {
	if n := x.counters.Get(claimer); n != nil && n.Vain+n.Released > 0 && n.ClearedFrom <= now {
		n = x.counters.forUpdate(claimer)
		n.Vain, n.Released, n.ClearedFrom = n.Vain-min(n.Vain, 1), 0, now+clearingCycles
	}
}
