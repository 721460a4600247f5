package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// settleBounties is the cycle end of the board: bounties whose deadline passed
// expire, leases run out, rejections that nobody disputed reopen.
func (d *Daemon) settleBounties(c *world.Context) {
	for _, id := range sorted(d.board.live) {
		b := d.bounties.Get(id)
		switch {
		case b.Status == wire.BountyStatusDisputed:
		case c.Tick > b.Deadline:
			d.expire(c, b)
		case b.Status == wire.BountyStatusClaimed && uint64(c.Cycle-b.LeaseFrom) >= d.rules.ClaimLease:
			d.giveUp(c, b, "lease")
		case b.Status == wire.BountyStatusRejected && c.Tick >= b.RejectedAt+disputeWindow:
			d.reopen(c, b, me, "rejected")
		}
	}
}

// expire ends b without payment; the fee goes back too.
func (d *Daemon) expire(c *world.Context, b *Bounty) {
	d.edit(b.ID, func(b *Bounty) { b.Status = wire.BountyStatusExpired })
	delete(d.board.ballots, b.ID)
	c.Emit(sys, wire.KindBountyExpired, me, &wire.BountyExpiredEvent{BountyID: b.ID, Tick: c.Tick}, nil)
	d.ledger.RefundEscrow(c, b.Escrow)
}

// Left reopens the claims of an agent that is no longer ACTIVE, and expires the
// unclaimed bounties of a DEAD one. Claimed ones stay funded.
func (d *Daemon) Left(c *world.Context, a wire.AgentID, status wire.AgentStatus) {
	if status == wire.StatusActive {
		return
	}
	for _, id := range slices.Clone(d.board.held[a]) {
		if b := d.bounties.Get(id); b.claimed() {
			d.reopen(c, b, a, "claimer_gone")
		}
	}
	if status != wire.StatusDead {
		return
	}
	for _, id := range slices.Clone(d.board.created[a]) {
		if b := d.bounties.Get(id); b.Status == wire.BountyStatusOpen {
			d.expire(c, b)
		}
	}
}
