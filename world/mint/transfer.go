package mint

import (
	"math"

	"kingdom/wire"
	"kingdom/world"
)

// transfer is the one payment that agents make by themselves: DIRECT to another agent or
// RESOURCE_BUY from the treasury.
func (d *Daemon) transfer(c *world.Context, q *wire.Transfer) wire.Reply {
	m := movement{id: c.Msg, from: c.Source, to: q.To, amount: q.Amount, kind: q.Kind, memo: q.Memo}
	if q.Amount == 0 || q.Amount > math.MaxInt64 {
		return d.refuse(c, wire.CategoryInvalidRequest, "amount")
	}
	var buy *Purchases
	switch q.Kind {
	case wire.TransferKindDirect:
		m.tax = Tax(q.Amount)
	case wire.TransferKindResourceBuy:
		var r *world.Refusal
		if buy, r = d.quote(c, q); r != nil {
			return c.Relay(wire.SystemMint, r)
		}
	default:
		return d.refuse(c, wire.CategoryInvalidRequest, "kind")
	}
	if q.To == c.Source {
		return d.refuse(c, wire.CategoryInvalidRequest, "self")
	}
	if buy == nil && d.citizen(q.To) == nil {
		return d.refuse(c, wire.CategoryNotFound, "account")
	}
	if d.accounts.Get(c.Source) == nil {
		return d.refuse(c, wire.CategoryNotFound, "account")
	}
	enough := d.affords
	if buy == nil {
		enough = d.mayGive
	}
	if !enough(c.Source, m.amount+m.tax) {
		d.failed(c, m, noFunds)
		return c.Relay(wire.SystemMint, d.funds(c.Source, m.amount+m.tax))
	}
	if buy != nil {
		d.purchases.table.Put(c.Source, buy)
	}
	d.move(c, m)
	return c.Ack(&wire.TransferAck{TxID: m.id, Tax: m.tax})
}

func (d *Daemon) balanceQuery(c *world.Context, q *wire.BalanceQuery) wire.Reply {
	a := d.accounts.Get(q.AgentID)
	if a == nil {
		return d.refuse(c, wire.CategoryNotFound, "account")
	}
	return c.Answer(wire.TypeBalanceQuery, &wire.BalanceQueryReply{
		Owner: a.Owner, Balance: a.Balance, Locked: a.Locked, TotalEarned: a.TotalEarned, TotalSpent: a.TotalSpent,
	})
}
