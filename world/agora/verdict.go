package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

const (
	disputeWindow = 256 // ticks after a rejection
	disputeVote   = 512 // ticks the proposal on a dispute is open
	disputeBond   = 5   // ⚡ of the claimer, lost if the vote goes against it
)

// review carries out BOUNTY_REVIEW, which has three uses: a verdict on a submission, the claimer's release of its
// claim, and the claimer's dispute of a rejection.
func (x *board) review(c *world.Context, q *wire.BountyReview) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	if b == nil {
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field("bounty_id"))
	}
	if q.Verdict == wire.BountyVerdictDispute {
		return x.dispute(c, b)
	}
	if q.Verdict == wire.BountyVerdictReject && b.Status == wire.BountyStatusClaimed && *b.Claimer == c.Source {
		x.endClaim(c, b, false)
		x.reopen(c, b, c.Source, "released")
		return c.Ack(nil)
	}
	if b.Status != wire.BountyStatusReviewing {
		return refuse(c, wire.CategoryConflict, "state", world.Status(b.Status))
	}
	j := x.verdicts.judgesOf(b)
	switch {
	case !x.verdicts.mayJudge(j, b, c.Source):
		return refuse(c, wire.CategoryUnauthorized, "not_reviewer")
	case x.verdicts.voted(b.ID, c.Source):
		return refuse(c, wire.CategoryConflict, "already")
	}
	if refusal := x.counters.mayWrite(c, len(q.Comments)); refusal != nil {
		return c.Relay(sys, refusal)
	}
	if j.open {
		if free, until := x.verdicts.pairFree(c.Source, *b.Claimer, c.Cycle); !free {
			return pairUsed(c, until)
		}
		x.ledger.UsePair(c, world.PairJudge, c.Source, *b.Claimer)
	}
	x.counters.countText(c, len(q.Comments))
	x.vote(c, b, c.Source, q.Verdict, q.Comments)
	x.decide(c, b, false)
	return c.Ack(nil)
}

// vote records a verdict on the current claim of b.
func (x *board) vote(c *world.Context, b *Bounty, by wire.AgentID, verdict wire.BountyVerdict, comments []byte) {
	v := &Verdict{Bounty: b.ID, Reviewer: by, Claim: b.Claim, Verdict: verdict, Comments: comments, Tick: c.Tick}
	if v.Comments == nil {
		v.Comments = []byte{}
	}
	x.verdicts.Put(pair(b.ID, by), v)
	x.verdicts.note(v)
	if verdict == wire.BountyVerdictReject {
		x.bars.set(b.ID, by, Never)
	}
}

// dispute freezes the escrow of a rejected bounty and opens a vote on it.
func (x *board) dispute(c *world.Context, b *Bounty) wire.Reply {
	switch {
	case b.Status != wire.BountyStatusRejected || b.failedChecks() || b.withdrawn() || c.Tick > b.RejectedAt+disputeWindow:
		return refuse(c, wire.CategoryConflict, "state", world.Status(b.Status))
	case *b.Claimer != c.Source:
		return refuse(c, wire.CategoryUnauthorized, "not_claimer")
	}
	if refusal := x.ledger.Lock(c, c.Source, disputeBond); refusal != nil {
		return c.Relay(sys, refusal)
	}
	cause := c.Emit(sys, wire.KindBountyDisputed, c.Source, &wire.BountyDisputedEvent{
		BountyID: b.ID, Tick: c.Tick,
	}, b.Cause)
	x.edit(b.ID, func(b *Bounty) { b.Status, b.Cause = wire.BountyStatusDisputed, &cause })
	x.ledger.DisputeEscrow(c, b.Escrow, c.Source)
	x.roster.Propose(c, c.Msg, me, wire.ProposalKindCustom,
		wire.DisputeProposalCodec.Append(nil, &wire.DisputeProposal{BountyID: b.ID}), c.Tick+disputeVote, b.Creator, c.Source)
	return c.Ack(nil)
}

// disputeDecided ends a dispute: PASSED completes the bounty, else it reopens. The bond
// is lost only if the vote went against the claimer. A claimer that died meanwhile cannot
// be paid.
func (x *board) disputeDecided(c *world.Context, bounty wire.Hash, outcome wire.ProposalStatus) {
	b := x.bounties.Get(bounty)
	if b == nil || b.Status != wire.BountyStatusDisputed {
		panic("agora: dispute decided about bounty " + bounty.String() + ", which is not disputed")
	}
	x.ledger.ReopenEscrow(c, b.Escrow)
	if outcome == wire.ProposalStatusFailed {
		x.ledger.PayLocked(c, *b.Claimer, wire.SystemID(wire.SystemMint), disputeBond, wire.TransferKindDirect)
	} else {
		x.ledger.Unlock(c, *b.Claimer, disputeBond)
	}
	if s, _ := x.roster.Status(*b.Claimer); outcome == wire.ProposalStatusPassed && s != wire.StatusDead {
		x.complete(c, b, me)
		return
	}
	x.endClaim(c, b, true)
	x.reopen(c, b, me, "dispute_lost")
}

// pair is the key of a record about an entity and an agent.
func pair(id wire.Hash, a wire.AgentID) string { return string(id[:]) + string(a[:]) }
