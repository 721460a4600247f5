package mint

import (
	"bytes"
	"fmt"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// OpenEscrow locks amount and tax of the owner.
func (d *Daemon) OpenEscrow(c *world.Context, e world.Escrow) *world.Refusal {
	if e.Amount > 1<<62 || e.Tax > 1<<62 {
		return lacking
	}
	if r := d.Lock(c, e.Owner, e.Amount+e.Tax); r != nil {
		return r
	}
	kept := &Escrow{
		ID: e.ID, Owner: e.Owner, Amount: e.Amount, Tax: e.Tax,
		Deadline: e.Deadline, Bounty: e.Bounty, Status: wire.EscrowStatusLocked,
	}
	if e.Beneficiary != nil {
		to := *e.Beneficiary
		kept.Beneficiary = &to
	}
	for _, k := range e.Conditions {
		kept.Conditions = append(kept.Conditions, wire.EscrowCondition{Kind: k.Kind, Params: bytes.Clone(k.Params)})
	}
	d.escrows.Put(e.ID, kept)
	d.open[e.ID] = struct{}{}
	c.Emit(wire.SystemMint, wire.KindEscrowCreated, origin(c, e.Owner), &wire.EscrowCreatedEvent{
		EscrowID: e.ID, Owner: e.Owner, Amount: e.Amount, Beneficiary: kept.Beneficiary, Deadline: e.Deadline,
	}, nil)
	return nil
}

// ReleaseEscrow pays the beneficiary and the tax. A beneficiary that is DEAD by now is
// swept: the treasury takes its place.
func (d *Daemon) ReleaseEscrow(c *world.Context, id wire.Hash, to wire.AgentID) {
	e := d.close(id, wire.EscrowStatusReleased)
	if d.dead(to) {
		to = Treasury
	}
	c.Emit(wire.SystemMint, wire.KindEscrowReleased, origin(c, to), &wire.EscrowReleasedEvent{
		EscrowID: id, Beneficiary: to, Amount: e.Amount,
	}, nil)
	kind := wire.TransferKindDirect
	if e.Bounty {
		kind = wire.TransferKindBountyReward
	}
	d.move(c, movement{from: e.Owner, to: to, amount: e.Amount, tax: e.Tax, kind: kind})
}

// RefundEscrow gives the owner everything back, the tax too.
func (d *Daemon) RefundEscrow(c *world.Context, id wire.Hash) {
	e := d.close(id, wire.EscrowStatusRefunded)
	c.Emit(wire.SystemMint, wire.KindEscrowRefunded, origin(c, e.Owner), &wire.EscrowRefundedEvent{
		EscrowID: id, Owner: e.Owner, Amount: e.sum(),
	}, nil)
}

// DisputeEscrow freezes an escrow; disputer is who asked.
func (d *Daemon) DisputeEscrow(c *world.Context, id wire.Hash, disputer wire.AgentID) {
	d.turn(id, wire.EscrowStatusLocked, wire.EscrowStatusDisputed)
	c.Emit(wire.SystemMint, wire.KindEscrowDisputed, origin(c, disputer), &wire.EscrowDisputedEvent{
		EscrowID: id, Disputer: disputer,
	}, nil)
}

// ReopenEscrow makes a disputed escrow LOCKED again.
func (d *Daemon) ReopenEscrow(_ *world.Context, id wire.Hash) {
	d.turn(id, wire.EscrowStatusDisputed, wire.EscrowStatusLocked)
}

// Escrow is a copy of the escrow; ok is false if there never was one.
func (d *Daemon) Escrow(id wire.Hash) (e Escrow, ok bool) {
	if p := d.escrows.Get(id); p != nil {
		return *p, true
	}
	return Escrow{}, false
}

// close ends an open escrow and unlocks the owner's money.
func (d *Daemon) close(id wire.Hash, status wire.EscrowStatus) *Escrow {
	e := d.escrows.Edit(id)
	if e == nil || !e.open() {
		panic(fmt.Sprintf("mint: escrow %v is to become %v but is not open", id, status))
	}
	d.unlock(e.Owner, e.sum())
	e.Status = status
	delete(d.open, id)
	return e
}

func (d *Daemon) turn(id wire.Hash, from, to wire.EscrowStatus) {
	e := d.escrows.Edit(id)
	if e == nil || e.Status != from {
		panic(fmt.Sprintf("mint: escrow %v is to become %v but is not %v", id, to, from))
	}
	e.Status = to
}

// openEscrows lists the escrows that hold money, ids ascending.
func (d *Daemon) openEscrows() []wire.Hash {
	return det.SortedKeysFunc(d.open, wire.Hash.Compare)
}

// expireEscrows refunds what is due. Bounties are left to Agora, which decides at its own
// deadline; a disputed escrow never expires.
func (d *Daemon) expireEscrows(c *world.Context) {
	for _, id := range d.openEscrows() {
		e := d.escrows.Get(id)
		if !e.Bounty && e.Status == wire.EscrowStatusLocked && e.Deadline <= c.Tick {
			d.RefundEscrow(c, id)
		}
	}
}
