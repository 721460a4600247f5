package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// barCycles is how long an agent that gave a claim up may not take it again.
const barCycles = 16

// claim carries out BOUNTY_CLAIM.
func (x *board) claim(c *world.Context, q *wire.BountyClaim) wire.Reply {
	b := x.bounties.Get(q.BountyID)
	switch {
	case b == nil:
		return refuse(c, wire.CategoryNotFound, "not_found")
	case b.Status != wire.BountyStatusOpen:
		return refuse(c, wire.CategoryConflict, "not_open")
	case c.Tick > b.Deadline:
		return refuse(c, wire.CategoryConflict, "expired")
	case x.openClaims(c.Source) >= x.rules.ClaimLimit:
		return refuse(c, wire.CategoryConflict, "claim_limit")
	case b.own(c.Source):
		return refuse(c, wire.CategoryUnauthorized, "own_bounty")
	case b.barred(c.Source, c.Cycle):
		return refuse(c, wire.CategoryUnauthorized, "rejecter")
	}
	claimer := c.Source
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Claimer, b.ClaimedAt, b.LeaseFrom = wire.BountyStatusClaimed, &claimer, c.Tick, c.Cycle
		b.Claim++
	})
	c.Emit(sys, wire.KindBountyClaimed, claimer, &wire.BountyClaimedEvent{
		BountyID: b.ID, Claimer: claimer, Tick: c.Tick,
	}, nil)
	return c.Ack(nil)
}

// own: neither the creator, nor who asked the question, nor a listed reviewer may earn
// the reward. With the reviewer as claimer nobody could be left to judge the work.
func (b *Bounty) own(a wire.AgentID) bool {
	return a == b.Creator || b.Asker != nil && a == *b.Asker || slices.Contains(b.Reviewers, a)
}

// barred says whether a rejected a submission or gave a claim up not long ago. The
// wire has one word for both, "rejecter": a claim is given up by a REJECT too.
func (b *Bounty) barred(a wire.AgentID, now wire.Cycle) bool {
	return slices.ContainsFunc(b.Bars, func(x Bar) bool { return x.Agent == a && now < x.Until })
}

// bar keeps a from claiming b before cycle until, and forgets bars that are over.
func (b *Bounty) bar(a wire.AgentID, now, until wire.Cycle) {
	b.Bars = slices.DeleteFunc(b.Bars, func(x Bar) bool {
		return x.Until <= now || x.Agent == a && x.Until <= until
	})
	if !b.barred(a, now) {
		b.Bars = append(b.Bars, Bar{Agent: a, Until: until})
	}
}

// reopen takes b from its claimer and puts it back on the board.
func (x *board) reopen(c *world.Context, b *Bounty, origin wire.AgentID, reason string) {
	cause := b.Cause
	x.edit(b.ID, func(b *Bounty) {
		b.Status, b.Claimer, b.Submission, b.Cause = wire.BountyStatusOpen, nil, nil, nil
		b.ClaimedAt, b.LeaseFrom, b.Tries, b.SubmittedAt, b.RejectedAt = 0, 0, 0, 0, 0
	})
	delete(x.ballots, b.ID)
	c.Emit(sys, wire.KindBountyReopened, origin, &wire.BountyReopenedEvent{
		BountyID: b.ID, Reason: []byte(reason), Tick: c.Tick,
	}, cause)
}

// giveUp reopens b and bars its claimer for a while.
func (x *board) giveUp(c *world.Context, b *Bounty, reason string) {
	claimer := *b.Claimer
	x.edit(b.ID, func(b *Bounty) { b.bar(claimer, c.Cycle, c.Cycle+barCycles) })
	x.reopen(c, b, claimer, reason)
}
