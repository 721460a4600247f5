package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// purchases is what agents have bought from the treasury.
type purchases struct {
	rules *world.Rules
	table *world.Table[wire.AgentID, Purchases]
}

// quote is what the buyer will own after the purchase, or why it is refused. Ticks above
// the most that a cycle takes cannot be bought.
func (ps *purchases) quote(c *world.Context, q *wire.Transfer) (*Purchases, *world.Refusal) {
	var memo wire.ResourceMemo
	if q.To != Treasury || wire.ResourceMemoCodec.Decode(q.Memo, &memo) != nil {
		return nil, &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "kind"}
	}
	p := Purchases{Cycle: c.Cycle}
	if had := ps.table.Get(c.Source); had != nil {
		p.Storage = had.Storage
		if had.Cycle == c.Cycle {
			p = *had
		}
	}
	// 2^40 ⚡ is far above any supply and keeps the products below exact.
	if q.Amount > 1<<40 {
		return nil, &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: noFunds}
	}
	switch memo.Resource {
	case wire.ResourceTicks:
		p.Ticks += q.Amount * wire.TicksPerSpark
	case wire.ResourceForgeTicks:
		p.ForgeTicks += q.Amount * wire.ForgeTicksPerSpark
	case wire.ResourceStorage:
		p.Storage += q.Amount * wire.BytesPerSpark
	}
	if p.Ticks > ps.rules.MaxExtra {
		return nil, &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "amount"}
	}
	return &p, nil
}

// TakeExtra returns and clears the ticks that a bought in the cycle before. What was
// bought earlier has lapsed: nothing carries over.
func (ps *purchases) TakeExtra(c *world.Context, a wire.AgentID) uint64 {
	p := ps.table.Get(a)
	if p == nil || p.Ticks == 0 {
		return 0
	}
	ticks := p.Ticks
	if c.Cycle > p.Cycle+1 {
		ticks = 0
	}
	ps.table.Edit(a).Ticks = 0
	return ticks
}
