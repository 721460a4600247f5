package mint

import (
	"math"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of escrows that agents make; those of bounties are Agora's.
const (
	maxEscrowTicks = 25_600 // from now to the deadline
	maxEscrows     = 32     // open ones per owner
)

func (d *Daemon) escrowCreate(c *world.Context, q *wire.EscrowCreate) wire.Reply {
	switch {
	case q.Amount == 0 || q.Amount > math.MaxInt64:
		return d.invalidField(c, "amount")
	case q.Deadline <= c.Tick || q.Deadline > c.Tick+maxEscrowTicks:
		return d.invalidField(c, "deadline", world.Limit(uint64(c.Tick+maxEscrowTicks)))
	case q.Beneficiary != nil && (*q.Beneficiary == c.Source || d.livingAccount(*q.Beneficiary) == nil):
		return d.invalidField(c, "beneficiary")
	case d.openCount[c.Source] >= maxEscrows:
		return d.refuse(c, wire.CategoryQuotaExceeded, "too_many_open", world.Limit(maxEscrows))
	}
	conditions := slices.Clone(q.Conditions)
	for i := range conditions {
		if !wellFormed(&conditions[i]) {
			return d.invalidField(c, "conditions")
		}
	}
	r := d.OpenEscrow(c, world.Escrow{
		ID: c.Msg, Owner: c.Source, Amount: q.Amount, Tax: Tax(q.Amount),
		Beneficiary: q.Beneficiary, Conditions: conditions, Deadline: q.Deadline,
	})
	if r != nil {
		return c.Relay(wire.SystemMint, r)
	}
	return c.Ack(&wire.EscrowCreateAck{EscrowID: c.Msg})
}

// escrowRelease carries out ESCROW_RELEASE. The owner may pay the named beneficiary, or anybody if it named nobody.
// The named beneficiary may take the money if every condition holds.
func (d *Daemon) escrowRelease(c *world.Context, q *wire.EscrowRelease) wire.Reply {
	e := d.escrows.table.Get(q.EscrowID)
	if e == nil {
		return d.refuse(c, wire.CategoryNotFound, "escrow", world.Field("escrow_id"))
	}
	owner := c.Source == e.Owner && !e.Bounty
	named := e.Beneficiary != nil && c.Source == *e.Beneficiary && !e.Bounty
	switch {
	case !owner && !named:
		return d.refuse(c, wire.CategoryUnauthorized, "not_party")
	case e.Status != wire.EscrowStatusLocked:
		return d.refuse(c, wire.CategoryInvalidRequest, "state", world.Status(e.Status))
	case e.Beneficiary != nil && q.Beneficiary != *e.Beneficiary:
		return d.invalidField(c, "beneficiary")
	case q.Beneficiary == e.Owner:
		return d.invalidField(c, "beneficiary")
	case d.livingAccount(q.Beneficiary) == nil:
		return d.refuse(c, wire.CategoryNotFound, "account", world.Field("beneficiary"))
	case named && !d.conditionsHold(e, q.Proof):
		return d.invalidField(c, "conditions")
	}
	if r := coversLocked(e, d.accounts.Get(e.Owner)); r != nil {
		return c.Relay(wire.SystemMint, r)
	}
	d.ReleaseEscrow(c, q.EscrowID, q.Beneficiary)
	return c.Ack(nil)
}

// coversLocked refuses to release an escrow of owner if upkeep that it owes, or forced debits, have taken what is locked. It
// never refuses one with both a beneficiary and conditions: somebody has worked for it, as for a bounty.
func coversLocked(e *Escrow, owner *Account) *world.Refusal {
	have := uint64(max(0, owner.Balance)) - owner.Owed
	if have >= owner.Locked || e.Beneficiary != nil && len(e.Conditions) > 0 {
		return nil
	}
	return &world.Refusal{
		Category: wire.CategoryQuotaExceeded, Reason: reasonFunds, Details: []world.Detail{world.Have(have), world.Need(owner.Locked)},
	}
}

// escrowRefund carries out ESCROW_REFUND. The named beneficiary may give the money back at any time; the owner may
// take it back after the deadline.
func (d *Daemon) escrowRefund(c *world.Context, q *wire.EscrowRefund) wire.Reply {
	e := d.escrows.table.Get(q.EscrowID)
	if e == nil {
		return d.refuse(c, wire.CategoryNotFound, "escrow", world.Field("escrow_id"))
	}
	owner := c.Source == e.Owner && !e.Bounty
	named := e.Beneficiary != nil && c.Source == *e.Beneficiary && !e.Bounty
	switch {
	case !owner && !named:
		return d.refuse(c, wire.CategoryUnauthorized, "not_party")
	case e.Status != wire.EscrowStatusLocked:
		return d.refuse(c, wire.CategoryInvalidRequest, "state", world.Status(e.Status))
	case owner && c.Tick <= e.Deadline:
		return d.refuse(c, wire.CategoryUnauthorized, "deadline", world.Until(e.Deadline+1))
	}
	d.RefundEscrow(c, q.EscrowID)
	return c.Ack(nil)
}
