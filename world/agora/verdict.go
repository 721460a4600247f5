package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

const (
	maxComments   = 65536 // bytes
	disputeWindow = 256   // ticks after a rejection
	disputeVote   = 512   // ticks the proposal on a dispute is open
)

// review carries out BOUNTY_REVIEW, which means three things: a verdict on a
// submission, the claimer's release of its claim, its dispute of a rejection.
func (x *board) review(c *world.Context, q *wire.BountyReview) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	if b == nil {
		return refuse(c, wire.CategoryNotFound, "not_found")
	}
	if len(q.Comments) > maxComments {
		return refuse(c, wire.CategoryInvalidRequest, "comments_too_long")
	}
	if q.Verdict == wire.BountyVerdictDispute {
		return x.dispute(c, b)
	}
	if q.Verdict == wire.BountyVerdictReject && b.Status == wire.BountyStatusClaimed && *b.Claimer == c.Source {
		return x.release(c, b)
	}
	switch {
	case b.Status != wire.BountyStatusReviewing:
		return refuse(c, wire.CategoryConflict, "state")
	case c.Tick > b.Deadline:
		return refuse(c, wire.CategoryConflict, "expired")
	case !judgesOf(b).admits(b, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "not_reviewer")
	case x.voted(b.ID, c.Source):
		return refuse(c, wire.CategoryConflict, "already")
	}
	v := &Verdict{
		Bounty: b.ID, Reviewer: c.Source, Claim: b.Claim, Verdict: q.Verdict, Comments: q.Comments, Tick: c.Tick,
	}
	if v.Comments == nil {
		v.Comments = []byte{}
	}
	x.verdicts.Put(pair(b.ID, c.Source), v)
	x.indexVerdict(v)
	if q.Verdict == wire.BountyVerdictReject { // or it could reject to take the work over
		x.edit(b.ID, func(b *Bounty) { b.bar(c.Source, c.Cycle, Never) })
	}
	x.judge(c, b)
	return c.Ack(nil)
}

// release gives a claim back.
func (x *board) release(c *world.Context, b *Bounty) wire.Reply {
	if c.Tick > b.Deadline {
		return refuse(c, wire.CategoryConflict, "expired")
	}
	x.giveUp(c, b, "released")
	return c.Ack(nil)
}

// dispute freezes the reward and lets the population vote.
func (x *board) dispute(c *world.Context, b *Bounty) wire.Reply {
	switch {
	case b.Status != wire.BountyStatusRejected || c.Tick > b.RejectedAt+disputeWindow:
		return refuse(c, wire.CategoryConflict, "state")
	case c.Tick > b.Deadline:
		return refuse(c, wire.CategoryConflict, "expired")
	case *b.Claimer != c.Source:
		return refuse(c, wire.CategoryUnauthorized, "not_claimer")
	}
	cause := c.Emit(sys, wire.KindBountyDisputed, c.Source, &wire.BountyDisputedEvent{
		BountyID: b.ID, Tick: c.Tick,
	}, b.Cause)
	x.edit(b.ID, func(b *Bounty) { b.Status, b.Cause = wire.BountyStatusDisputed, &cause })
	x.ledger.DisputeEscrow(c, b.Escrow, c.Source)
	x.roster.Propose(c, c.Msg, me, wire.ProposalKindCustom,
		wire.DisputeProposalCodec.Append(nil, &wire.DisputeProposal{BountyID: b.ID}), c.Tick+disputeVote)
	return c.Ack(nil)
}

// disputeDecided ends a dispute: passed completes the bounty, else it reopens. A
// claimer that died meanwhile cannot be paid.
func (x *board) disputeDecided(c *world.Context, bounty wire.Hash, passed bool) {
	b := x.bounties.Get(bounty)
	if b == nil || b.Status != wire.BountyStatusDisputed {
		panic("agora: dispute decided about bounty " + bounty.String() + ", which is not disputed")
	}
	x.ledger.ReopenEscrow(c, b.Escrow)
	if s, _ := x.roster.Status(*b.Claimer); passed && s != wire.StatusDead {
		x.complete(c, b, me)
		return
	}
	x.reopen(c, b, me, "dispute_lost")
}

// pair is the key of a record about an entity and an agent.
func pair(id wire.Hash, a wire.AgentID) string { return string(id[:]) + string(a[:]) }
