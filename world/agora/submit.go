package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// maxTries is the number of failed automatic checks that end a claim.
const maxTries = 3

// submit carries out BOUNTY_SUBMIT. The automatic requirements are checked at once, and a bounty that nobody has to
// judge is paid at once.
func (x *board) submit(c *world.Context, q *wire.BountySubmit) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	if refusal := x.checkSubmission(c.Tick, c.Source, b, q.SubmissionSnap); refusal != nil {
		return c.Relay(sys, refusal)
	}
	work, failed, refusal := x.runChecks(c, b, q.SubmissionSnap)
	if refusal != nil {
		return c.Relay(sys, refusal)
	}
	cause := c.Emit(sys, wire.KindBountySubmitted, c.Source, &wire.BountySubmittedEvent{
		BountyID: b.ID, Claimer: c.Source, SubmissionSnap: q.SubmissionSnap, Tick: c.Tick,
	}, nil)
	x.withdraw(c.Source, work)
	snap := q.SubmissionSnap
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusSubmitted, &snap, c.Tick, &cause
		b.use(work)
	})
	switch {
	case failed != nil:
		x.failCheck(c, b)
	case b.judged():
		x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusReviewing })
	default:
		x.complete(c, b, c.Source)
	}
	return c.Ack(&wire.BountySubmitAck{Status: b.Status, Failed: failed})
}

// checkSubmission returns why agent by may not submit a snap for b at tick t, or nil. The snap must be its own work, and
// the named judges must be able to read it, because their silence counts as approval.
func (x *board) checkSubmission(t wire.Tick, by wire.AgentID, b *Bounty, snap wire.Hash) *world.Refusal {
	switch {
	case b == nil:
		return refusalOf(wire.CategoryNotFound, "not_found", world.Field("bounty_id"))
	case b.Status != wire.BountyStatusClaimed:
		return refusalOf(wire.CategoryConflict, "state", world.Status(b.Status))
	case t > b.Deadline:
		return refusalOf(wire.CategoryConflict, "expired", world.Status(b.Status))
	case *b.Claimer != by:
		return refusalOf(wire.CategoryUnauthorized, "not_claimer")
	case snap.IsZero() && len(termsOf(b).programs) == 0: // work that is not in Vault, where nobody runs it
		return nil
	case snap.IsZero() || x.code == nil || !x.code.Stored(snap, t):
		return refusalOf(wire.CategoryNotFound, "not_found", world.Field("submission_snap"))
	}
	if _, author, _ := x.code.Owner(snap); author != by {
		return refusalOf(wire.CategoryUnauthorized, "not_author", world.Field("submission_snap"))
	}
	if b.judged() && !x.code.Readable(snap, x.verdicts.judgesOf(b).named...) {
		return refusalOf(wire.CategoryUnauthorized, "read", world.Field("submission_snap"))
	}
	return nil
}

// failCheck counts a failed check. The claimer keeps the claim and its lease, until it has used up its tries.
func (x *board) failCheck(c *world.Context, b *Bounty) {
	x.edit(b.ID, func(b *Bounty) { b.Tries++ })
	if b.failedChecks() {
		x.reject(c, b, c.Source, "check_failed")
		return
	}
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Submission, b.SubmittedAt, b.Cause = wire.BountyStatusClaimed, nil, 0, nil
	})
}

// failedChecks reports whether the claim has used up its tries.
func (b *Bounty) failedChecks() bool { return b.Tries >= maxTries }

// decide ends the review of b if its verdicts decide it. The origin of what follows is the source of c: the judge, or at a
// cycle end AGORA_0.
func (x *board) decide(c *world.Context, b *Bounty, cycleEnd bool) {
	switch x.verdicts.outcomeOf(b, cycleEnd) {
	case approved:
		x.complete(c, b, c.Source)
	case rejected:
		x.reject(c, b, c.Source, "reviewers")
	case undecided:
	}
}

// complete pays the claimer.
func (x *board) complete(c *world.Context, b *Bounty, origin wire.AgentID) {
	comments := x.verdicts.comments(b.ID, wire.BountyVerdictApprove)
	x.useUp(c, b)
	x.edit(b.ID, func(b *Bounty) {
		b.Status = wire.BountyStatusCompleted
		b.use(documents{})
	})
	x.clearEnded(b)
	x.recordDelivery(c.Cycle, *b.Claimer)
	if b.Asker != nil {
		x.counters.forUpdate(*b.Claimer).GapUntil = c.Cycle + gapCooldown
	}
	c.Emit(sys, wire.KindBountyCompleted, origin, &wire.BountyCompletedEvent{
		BountyID: b.ID, Claimer: *b.Claimer, Reward: b.Reward, Comments: comments, Tick: c.Tick,
	}, b.Cause)
	x.ledger.ReleaseEscrow(c, b.Escrow, *b.Claimer)
}

// reject ends the review against the claimer, who may dispute a verdict for a while.
func (x *board) reject(c *world.Context, b *Bounty, origin wire.AgentID, reason string) {
	cause := c.Emit(sys, wire.KindBountyRejected, origin, &wire.BountyRejectedEvent{
		BountyID: b.ID, Reason: []byte(reason), Comments: x.verdicts.comments(b.ID, wire.BountyVerdictReject), Tick: c.Tick,
	}, b.Cause)
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.RejectedAt, b.Cause = wire.BountyStatusRejected, c.Tick, &cause
	})
}
