package mint

import (
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// What one ⚡ buys.
const (
	TicksPerSpark      = 4
	ForgeTicksPerSpark = 4
	BytesPerSpark      = 10 * 1024
)

var memoCodec = codec.New[wire.ResourceMemo]()

// quote is what the buyer will own after the purchase, or why it is refused. Ticks above
// the most that a cycle takes cannot be bought.
func (d *Daemon) quote(c *world.Context, q *wire.Transfer) (*Purchases, *world.Refusal) {
	var memo wire.ResourceMemo
	if q.To != Treasury || memoCodec.Decode(q.Memo, &memo) != nil {
		return nil, &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "kind"}
	}
	p := Purchases{Cycle: c.Cycle}
	if had := d.purchases.Get(c.Source); had != nil {
		p.Storage = had.Storage
		if had.Cycle == c.Cycle {
			p = *had
		}
	}
	// 2^40 ⚡ is far above any supply and keeps the products below exact.
	if q.Amount > 1<<40 {
		return nil, lacking
	}
	switch memo.Resource {
	case wire.ResourceTicks:
		p.Ticks += q.Amount * TicksPerSpark
	case wire.ResourceForgeTicks:
		p.ForgeTicks += q.Amount * ForgeTicksPerSpark
	case wire.ResourceStorage:
		p.Storage += q.Amount * BytesPerSpark
	}
	if p.Ticks > d.rules.MaxExtra {
		return nil, &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "amount"}
	}
	return &p, nil
}

// TakeExtra returns and clears the ticks that a bought in the cycle before. What was
// bought earlier has lapsed: nothing carries over.
func (d *Daemon) TakeExtra(c *world.Context, a wire.AgentID) uint64 {
	p := d.purchases.Get(a)
	if p == nil || p.Ticks == 0 {
		return 0
	}
	ticks := p.Ticks
	if c.Cycle > p.Cycle+1 {
		ticks = 0
	}
	d.purchases.Edit(a).Ticks = 0
	return ticks
}
