package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// maxTries is how many failed automatic checks end a claim.
const maxTries = 3

// submit carries out BOUNTY_SUBMIT: the automatic requirements are checked at once,
// and what nobody has to judge is paid at once.
func (x *board) submit(c *world.Context, q *wire.BountySubmit) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	switch {
	case b == nil:
		return refuse(c, wire.CategoryNotFound, "not_found")
	case b.Status != wire.BountyStatusClaimed:
		return refuse(c, wire.CategoryConflict, "state")
	case c.Tick > b.Deadline:
		return refuse(c, wire.CategoryConflict, "expired")
	case *b.Claimer != c.Source:
		return refuse(c, wire.CategoryUnauthorized, "not_claimer")
	}
	// A zero hash stands for work that is not in Vault.
	if !q.SubmissionSnap.IsZero() && (x.code == nil || !x.code.Stored(q.SubmissionSnap)) {
		return refuse(c, wire.CategoryNotFound, "not_found")
	}
	cause := c.Emit(sys, wire.KindBountySubmitted, c.Source, &wire.BountySubmittedEvent{
		BountyID: b.ID, Claimer: c.Source, SubmissionSnap: q.SubmissionSnap, Tick: c.Tick,
	}, nil)
	snap := q.SubmissionSnap
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusSubmitted, &snap, c.Tick, &cause
	})
	if x.checks(b) {
		x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusReviewing })
		x.judge(c, b)
	} else {
		x.failCheck(c, b)
	}
	return c.Ack(&wire.BountySubmitAck{Status: b.Status})
}

// checks carries out the automatic requirements of b.
func (x *board) checks(b *Bounty) bool {
	for _, v := range termsOf(b).verified {
		if x.library.Verified(*b.Claimer, *v.Kind, b.ClaimedAt) < *v.Count {
			return false
		}
	}
	return true
}

// failCheck gives the claimer another try with a new lease, twice.
func (x *board) failCheck(c *world.Context, b *Bounty) {
	x.edit(b.ID, func(b *Bounty) { b.Tries++ })
	if b.Tries >= maxTries {
		x.reject(c, b, "check_failed")
		return
	}
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusClaimed, nil, 0, nil
		b.LeaseFrom = c.Cycle
	})
}

// judge ends the review of b when its verdicts suffice.
func (x *board) judge(c *world.Context, b *Bounty) {
	switch decide(b, x.ballots[b.ID]) {
	case approved:
		x.complete(c, b, c.Source)
	case rejected:
		x.reject(c, b, "reviewers")
	case undecided:
	}
}

// complete pays the claimer.
func (x *board) complete(c *world.Context, b *Bounty, origin wire.AgentID) {
	x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusCompleted })
	delete(x.ballots, b.ID)
	c.Emit(sys, wire.KindBountyCompleted, origin, &wire.BountyCompletedEvent{
		BountyID: b.ID, Claimer: *b.Claimer, Reward: b.Reward, Tick: c.Tick,
	}, b.Cause)
	x.ledger.ReleaseEscrow(c, b.Escrow, *b.Claimer)
}

// reject opens the window in which the claimer may dispute.
func (x *board) reject(c *world.Context, b *Bounty, reason string) {
	cause := c.Emit(sys, wire.KindBountyRejected, c.Source, &wire.BountyRejectedEvent{
		BountyID: b.ID, Reason: []byte(reason), Tick: c.Tick,
	}, b.Cause)
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.RejectedAt, b.Cause = wire.BountyStatusRejected, c.Tick, &cause
	})
}
