package mint

import (
	"math"

	"kingdom/wire"
	"kingdom/world"
)

func (d *Daemon) escrowCreate(c *world.Context, q *wire.EscrowCreate) wire.Reply {
	switch {
	case q.Amount == 0 || q.Amount > math.MaxInt64:
		return d.refuse(c, wire.CategoryInvalidRequest, "amount")
	case q.Deadline <= c.Tick:
		return d.refuse(c, wire.CategoryInvalidRequest, "deadline")
	case q.Beneficiary != nil && (*q.Beneficiary == c.Source || d.citizen(*q.Beneficiary) == nil):
		return d.refuse(c, wire.CategoryInvalidRequest, "beneficiary")
	}
	for i := range q.Conditions {
		if !wellFormed(&q.Conditions[i]) {
			return d.refuse(c, wire.CategoryInvalidRequest, "conditions")
		}
	}
	r := d.OpenEscrow(c, world.Escrow{
		ID: c.Msg, Owner: c.Source, Amount: q.Amount, Tax: Tax(q.Amount),
		Beneficiary: q.Beneficiary, Conditions: q.Conditions, Deadline: q.Deadline,
	})
	if r != nil {
		return c.Relay(wire.SystemMint, r)
	}
	return c.Ack(&wire.EscrowCreateAck{EscrowID: c.Msg})
}

// escrowRelease: the owner pays whom it named, or anybody if it named nobody; the named
// beneficiary takes the money when every condition holds.
func (d *Daemon) escrowRelease(c *world.Context, q *wire.EscrowRelease) wire.Reply {
	e := d.escrows.table.Get(q.EscrowID)
	if e == nil {
		return d.refuse(c, wire.CategoryNotFound, "escrow")
	}
	owner := c.Source == e.Owner && !e.Bounty
	named := e.Beneficiary != nil && c.Source == *e.Beneficiary && !e.Bounty
	switch {
	case !owner && !named:
		return d.refuse(c, wire.CategoryUnauthorized, "not_party")
	case e.Status != wire.EscrowStatusLocked:
		return d.refuse(c, wire.CategoryInvalidRequest, "state")
	case e.Beneficiary != nil && q.Beneficiary != *e.Beneficiary:
		return d.refuse(c, wire.CategoryInvalidRequest, "beneficiary")
	case q.Beneficiary == e.Owner:
		return d.refuse(c, wire.CategoryInvalidRequest, "beneficiary")
	case d.citizen(q.Beneficiary) == nil:
		return d.refuse(c, wire.CategoryNotFound, "account")
	case named && !d.conditionsHold(e):
		return d.refuse(c, wire.CategoryInvalidRequest, "conditions")
	}
	d.ReleaseEscrow(c, q.EscrowID, q.Beneficiary)
	return c.Ack(nil)
}

// escrowRefund: the named beneficiary may give the money back at any time, the owner may
// take it back after the deadline.
func (d *Daemon) escrowRefund(c *world.Context, q *wire.EscrowRefund) wire.Reply {
	e := d.escrows.table.Get(q.EscrowID)
	if e == nil {
		return d.refuse(c, wire.CategoryNotFound, "escrow")
	}
	owner := c.Source == e.Owner && !e.Bounty
	named := e.Beneficiary != nil && c.Source == *e.Beneficiary && !e.Bounty
	switch {
	case !owner && !named:
		return d.refuse(c, wire.CategoryUnauthorized, "not_party")
	case e.Status != wire.EscrowStatusLocked:
		return d.refuse(c, wire.CategoryInvalidRequest, "state")
	case owner && c.Tick <= e.Deadline:
		return d.refuse(c, wire.CategoryUnauthorized, "deadline")
	}
	d.RefundEscrow(c, q.EscrowID)
	return c.Ack(nil)
}
