package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// settle is the cycle end of the board: bounties whose deadline passed
// expire, leases run out, rejections that nobody disputed reopen.
func (x *board) settle(c *world.Context) {
	for _, id := range sorted(x.live) {
		b := x.bounties.Get(id)
		switch {
		case b.Status == wire.BountyStatusDisputed:
		case c.Tick > b.Deadline:
			x.expire(c, b)
		case b.Status == wire.BountyStatusClaimed && uint64(c.Cycle-b.LeaseFrom) >= x.rules.ClaimLease:
			x.giveUp(c, b, "lease")
		case b.Status == wire.BountyStatusRejected && c.Tick >= b.RejectedAt+disputeWindow:
			x.reopen(c, b, me, "rejected")
		}
	}
}

// expire ends b without payment; the fee goes back too.
func (x *board) expire(c *world.Context, b *Bounty) {
	x.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusExpired })
	delete(x.ballots, b.ID)
	c.Emit(sys, wire.KindBountyExpired, me, &wire.BountyExpiredEvent{BountyID: b.ID, Tick: c.Tick}, nil)
	x.ledger.RefundEscrow(c, b.Escrow)
}

// left reopens the claims of an agent that is no longer ACTIVE, and expires the
// unclaimed bounties of a DEAD one. Claimed ones stay funded.
func (x *board) left(c *world.Context, a wire.AgentID, status wire.AgentStatus) {
	if status == wire.StatusActive {
		return
	}
	for _, id := range slices.Clone(x.held[a]) {
		if b := x.bounties.Get(id); b.claimed() {
			x.reopen(c, b, a, "claimer_gone")
		}
	}
	if status != wire.StatusDead {
		return
	}
	for _, id := range slices.Clone(x.created[a]) {
		if b := x.bounties.Get(id); b.Status == wire.BountyStatusOpen {
			x.expire(c, b)
		}
	}
}
