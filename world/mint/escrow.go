package mint

import (
	"bytes"
	"fmt"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// escrows holds money that is locked until it is released or refunded.
type escrows struct {
	ledger     *ledger
	forum      world.Agora  // nil: no review is approved
	code       world.Vault  // nil: this world has no Vault
	proofs     world.Proofs // nil: nothing is proved
	table      *world.Table[wire.Hash, Escrow]
	rules      *world.Rules
	open       map[wire.AgentID]map[wire.Hash]struct{} // index: those LOCKED or DISPUTED, by owner
	openCount  map[wire.AgentID]uint64                 // index: number of those of an owner that are not bounties
	byDeadline world.Dues                              // index: those that are not bounties, by the cycle of their deadline
}

func (es *escrows) restore() {
	es.open, es.openCount, es.byDeadline = map[wire.AgentID]map[wire.Hash]struct{}{}, map[wire.AgentID]uint64{}, world.Dues{}
	es.table.Each(func(id wire.Hash, e *Escrow) {
		if e.open() {
			es.index(e)
		}
	})
}

func (es *escrows) index(e *Escrow) {
	es.list(e)
	if !e.Bounty {
		es.openCount[e.Owner]++
		es.byDeadline.Schedule(es.rules.Calendar.Cycle(e.Deadline), e.ID)
	}
}

// list adds an open escrow to those of its owner.
func (es *escrows) list(e *Escrow) {
	if es.open[e.Owner] == nil {
		es.open[e.Owner] = map[wire.Hash]struct{}{}
	}
	es.open[e.Owner][e.ID] = struct{}{}
}

func (es *escrows) unlist(e *Escrow) {
	if delete(es.open[e.Owner], e.ID); len(es.open[e.Owner]) == 0 {
		delete(es.open, e.Owner)
	}
}

// OpenEscrow locks amount and tax of the owner.
func (es *escrows) OpenEscrow(c *world.Context, e world.Escrow) *world.Refusal {
	if e.Amount > 1<<62 || e.Tax > 1<<62 {
		return es.ledger.refuseFunds(e.Owner, e.Amount)
	}
	if r := es.ledger.Lock(c, e.Owner, e.Amount+e.Tax); r != nil {
		return r
	}
	record := &Escrow{
		ID: e.ID, Owner: e.Owner, Amount: e.Amount, Tax: e.Tax,
		Deadline: e.Deadline, Bounty: e.Bounty, Status: wire.EscrowStatusLocked,
	}
	if e.Beneficiary != nil {
		to := *e.Beneficiary
		record.Beneficiary = &to
	}
	for _, k := range e.Conditions {
		record.Conditions = append(record.Conditions, wire.EscrowCondition{Kind: k.Kind, Params: bytes.Clone(k.Params)})
	}
	es.table.Put(e.ID, record)
	es.index(record)
	c.Emit(wire.SystemMint, wire.KindEscrowCreated, c.Origin(wire.SystemMint, e.Owner), &wire.EscrowCreatedEvent{
		EscrowID: e.ID, Owner: e.Owner, Amount: e.Amount, Beneficiary: record.Beneficiary, Conditions: announced(record.Conditions), Deadline: e.Deadline,
	}, nil)
	return nil
}

// announced returns conditions as the event of an escrow repeats them.
func announced(list []wire.EscrowCondition) []wire.EscrowCondition {
	out := make([]wire.EscrowCondition, len(list))
	for i := range list {
		if out[i] = list[i]; len(out[i].Params) > wire.MaxEventText {
			out[i].Params = wire.ContentCodec.Append(nil, &wire.Content{}) // an empty map
		}
	}
	return out
}

// ReleaseEscrow pays the beneficiary and the tax. If the beneficiary has died, the treasury gets the money.
func (es *escrows) ReleaseEscrow(c *world.Context, id wire.Hash, to wire.AgentID) {
	e := es.close(id, wire.EscrowStatusReleased)
	if es.ledger.dead(to) {
		to = Treasury
	}
	c.Emit(wire.SystemMint, wire.KindEscrowReleased, c.Origin(wire.SystemMint, to), &wire.EscrowReleasedEvent{
		EscrowID: id, Beneficiary: to, Amount: e.Amount,
	}, nil)
	kind := wire.TransferKindDirect
	if e.Bounty {
		kind = wire.TransferKindBountyReward
	}
	es.ledger.move(c, movement{from: e.Owner, to: to, amount: e.Amount, tax: e.Tax, kind: kind, locked: true})
}

// RefundEscrow gives the owner everything back, the tax too.
func (es *escrows) RefundEscrow(c *world.Context, id wire.Hash) {
	e := es.close(id, wire.EscrowStatusRefunded)
	c.Emit(wire.SystemMint, wire.KindEscrowRefunded, c.Origin(wire.SystemMint, e.Owner), &wire.EscrowRefundedEvent{
		EscrowID: id, Owner: e.Owner, Amount: e.lockedAmount(),
	}, nil)
}

// ExpireEscrow gives the owner the amount back; the tax goes to the treasury.
func (es *escrows) ExpireEscrow(c *world.Context, id wire.Hash) {
	e := es.close(id, wire.EscrowStatusRefunded)
	c.Emit(wire.SystemMint, wire.KindEscrowRefunded, c.Origin(wire.SystemMint, e.Owner), &wire.EscrowRefundedEvent{
		EscrowID: id, Owner: e.Owner, Amount: e.Amount,
	}, nil)
	if e.Tax > 0 && e.Owner != Treasury {
		es.ledger.move(c, movement{from: e.Owner, to: Treasury, amount: e.Tax, kind: wire.TransferKindResourceBuy, locked: true})
	}
}

// DisputeEscrow freezes an escrow; disputer is who asked.
func (es *escrows) DisputeEscrow(c *world.Context, id wire.Hash, disputer wire.AgentID) {
	es.setStatus(id, wire.EscrowStatusLocked, wire.EscrowStatusDisputed)
	c.Emit(wire.SystemMint, wire.KindEscrowDisputed, c.Origin(wire.SystemMint, disputer), &wire.EscrowDisputedEvent{
		EscrowID: id, Disputer: disputer,
	}, nil)
}

// ReopenEscrow makes a disputed escrow LOCKED again.
func (es *escrows) ReopenEscrow(_ *world.Context, id wire.Hash) {
	es.setStatus(id, wire.EscrowStatusDisputed, wire.EscrowStatusLocked)
}

// Escrow is a copy of the escrow; ok is false if there never was one.
func (es *escrows) Escrow(id wire.Hash) (e Escrow, ok bool) {
	if p := es.table.Get(id); p != nil {
		return *p, true
	}
	return Escrow{}, false
}

// close ends an open escrow and unlocks the owner's money.
func (es *escrows) close(id wire.Hash, status wire.EscrowStatus) *Escrow {
	e := es.table.Edit(id)
	if e == nil || !e.open() {
		panic(fmt.Sprintf("mint: escrow %v is to become %v but is not open", id, status))
	}
	es.ledger.unlock(e.Owner, e.lockedAmount())
	e.Status, e.Conditions = status, nil // the record is kept for ever, but nobody reads its conditions again
	es.unlist(e)
	if !e.Bounty {
		if es.openCount[e.Owner]--; es.openCount[e.Owner] == 0 {
			delete(es.openCount, e.Owner)
		}
	}
	return e
}

func (es *escrows) setStatus(id wire.Hash, from, to wire.EscrowStatus) {
	e := es.table.Edit(id)
	if e == nil || e.Status != from {
		panic(fmt.Sprintf("mint: escrow %v is to become %v but is not %v", id, to, from))
	}
	e.Status = to
}

// expireEscrows refunds the LOCKED escrows whose deadline is in this cycle. Escrows of bounties are left to Agora,
// which decides at its own deadline; a disputed escrow never expires.
func (es *escrows) expireEscrows(c *world.Context) {
	for _, id := range es.byDeadline.Take(c.Cycle) {
		e := es.table.Get(id)
		if e.Status == wire.EscrowStatusLocked {
			es.RefundEscrow(c, id)
		}
	}
}

// endForDead refunds the escrows of a DEAD owner. Bounties on which somebody works stay funded: the treasury becomes
// their owner. It returns the ⚡ that the treasury must lock for them.
func (es *escrows) endForDead(c *world.Context, dead wire.AgentID) (funded uint64) {
	for _, id := range det.SortedKeysFunc(es.open[dead], wire.Hash.Compare) {
		if !es.table.Get(id).Bounty {
			es.RefundEscrow(c, id)
			continue
		}
		e := es.table.Edit(id)
		es.unlist(e)
		e.Owner = Treasury
		es.list(e)
		funded += e.lockedAmount()
	}
	return funded
}
