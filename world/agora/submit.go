package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// maxTries is how many failed automatic checks end a claim.
const maxTries = 3

// submit carries out BOUNTY_SUBMIT: the automatic requirements are checked at once,
// and what nobody has to judge is paid at once.
func (d *Daemon) submit(c *world.Context, q *wire.BountySubmit) wire.Reply {
	b := d.bounties.Get(q.BountyID)
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
	if !q.SubmissionSnap.IsZero() && (d.code == nil || !d.code.Stored(q.SubmissionSnap)) {
		return refuse(c, wire.CategoryNotFound, "not_found")
	}
	cause := c.Emit(sys, wire.KindBountySubmitted, c.Source, &wire.BountySubmittedEvent{
		BountyID: b.ID, Claimer: c.Source, SubmissionSnap: q.SubmissionSnap, Tick: c.Tick,
	}, nil)
	snap := q.SubmissionSnap
	d.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusSubmitted, &snap, c.Tick, &cause
	})
	if d.checks(b) {
		d.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusReviewing })
		d.judge(c, b)
	} else {
		d.failCheck(c, b)
	}
	return c.Ack(&wire.BountySubmitAck{Status: b.Status})
}

// checks carries out the automatic requirements of b.
func (d *Daemon) checks(b *Bounty) bool {
	for _, v := range termsOf(b).verified {
		if d.library.Verified(*b.Claimer, *v.Kind, b.ClaimedAt) < *v.Count {
			return false
		}
	}
	return true
}

// failCheck gives the claimer another try with a new lease, twice.
func (d *Daemon) failCheck(c *world.Context, b *Bounty) {
	d.edit(b.ID, func(b *Bounty) { b.Tries++ })
	if b.Tries >= maxTries {
		d.reject(c, b, "check_failed")
		return
	}
	d.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusClaimed, nil, 0, nil
		b.LeaseFrom = c.Cycle
	})
}

// judge ends the review of b when its verdicts suffice.
func (d *Daemon) judge(c *world.Context, b *Bounty) {
	switch decide(b, d.board.ballots[b.ID]) {
	case approved:
		d.complete(c, b, c.Source)
	case rejected:
		d.reject(c, b, "reviewers")
	case undecided:
	}
}

// complete pays the claimer.
func (d *Daemon) complete(c *world.Context, b *Bounty, origin wire.AgentID) {
	d.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusCompleted })
	delete(d.board.ballots, b.ID)
	c.Emit(sys, wire.KindBountyCompleted, origin, &wire.BountyCompletedEvent{
		BountyID: b.ID, Claimer: *b.Claimer, Reward: b.Reward, Tick: c.Tick,
	}, b.Cause)
	d.ledger.ReleaseEscrow(c, b.Escrow, *b.Claimer)
}

// reject opens the window in which the claimer may dispute.
func (d *Daemon) reject(c *world.Context, b *Bounty, reason string) {
	cause := c.Emit(sys, wire.KindBountyRejected, c.Source, &wire.BountyRejectedEvent{
		BountyID: b.ID, Reason: []byte(reason), Tick: c.Tick,
	}, b.Cause)
	d.edit(b.ID, func(b *Bounty) {
		b.Status, b.RejectedAt, b.Cause = wire.BountyStatusRejected, c.Tick, &cause
	})
}
