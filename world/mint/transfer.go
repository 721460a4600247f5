package mint

import (
	"math"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// transfer carries out TRANSFER: DIRECT to another agent, or RESOURCE_BUY from the treasury. Agents can request no
// other kind.
func (d *Daemon) transfer(c *world.Context, q *wire.Transfer) wire.Reply {
	m := movement{id: c.Msg, from: c.Source, to: q.To, amount: q.Amount, kind: q.Kind, memo: canonical(q.Memo)}
	if q.Amount == 0 || q.Amount > math.MaxInt64 {
		return d.invalidField(c, "amount")
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
		return d.invalidField(c, "kind")
	}
	if q.To == c.Source {
		return d.refuse(c, wire.CategoryInvalidRequest, "self", world.Field("to"))
	}
	if buy == nil && d.livingAccount(q.To) == nil {
		return d.refuse(c, wire.CategoryNotFound, "account", world.Field("to"))
	}
	if d.accounts.Get(c.Source) == nil {
		return d.refuse(c, wire.CategoryNotFound, "account", world.Field("account"))
	}
	enough, refusal := d.affords, d.refuseFunds
	if buy == nil {
		enough, refusal = d.mayGive, d.refuseFreeFunds
	}
	if !enough(c.Source, m.amount+m.tax) {
		d.emitFailed(c, m, reasonFunds)
		return c.Relay(wire.SystemMint, refusal(c.Source, m.amount+m.tax))
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
		return d.refuse(c, wire.CategoryNotFound, "account", world.Field("account"))
	}
	return c.Answer(wire.TypeBalanceQuery, &wire.BalanceQueryReply{
		Owner: a.Owner, Balance: a.Balance, Locked: a.Held(), TotalEarned: a.TotalEarned, TotalSpent: a.TotalSpent,
	})
}

// canonical returns a free map in its canonical form. If b is not a map, it is returned unchanged.
func canonical(b []byte) []byte {
	if m, err := codec.CanonicalFreeMap(b); err == nil {
		return m
	}
	return b
}
