package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// purchases holds what agents have bought from the treasury.
type purchases struct {
	rules *world.Rules
	table *world.Table[wire.AgentID, Purchases]
}

// quote returns what the buyer will have after the purchase, or why the purchase is refused. If it exceeds the maximum
// of a resource, the refusal tells how many ⚡ may be spent.
func (ps *purchases) quote(c *world.Context, q *wire.Transfer) (*Purchases, *world.Refusal) {
	var memo wire.ResourceMemo
	if q.To != Treasury || wire.ResourceMemoCodec.Decode(q.Memo, &memo) != nil {
		return nil, world.InvalidIf(true, "kind")
	}
	p := Purchases{Cycle: c.Cycle}
	if previous := ps.table.Get(c.Source); previous != nil {
		p.Storage = previous.Storage
		if previous.Cycle == c.Cycle {
			p = *previous
		}
	}
	for _, r := range []struct {
		kind      wire.Resource
		have      *uint64
		each, cap uint64
	}{
		{wire.ResourceTicks, &p.Ticks, wire.TicksPerSpark, ps.rules.MaxExtra},
		{wire.ResourceForgeTicks, &p.ForgeTicks, wire.ForgeTicksPerSpark, maxForgeTicks},
		{wire.ResourceStorage, &p.Storage, wire.BytesPerSpark, maxStorage},
	} {
		if r.kind != memo.Resource {
			continue
		}
		if left := (r.cap - min(r.cap, *r.have)) / r.each; q.Amount > left {
			return nil, &world.Refusal{
				Category: wire.CategoryInvalidRequest, Reason: "amount", Details: []world.Detail{world.Field("amount"), world.Limit(left)},
			}
		}
		*r.have += q.Amount * r.each
	}
	return &p, nil
}

// Maximum purchases of an agent: forge ticks per cycle, and bytes of storage in all. The maximum of ticks is
// Rules.MaxExtra.
const (
	maxForgeTicks = 3_000
	maxStorage    = 64 << 20
)

// TakeExtra returns and clears the ticks that a bought in the cycle before. Ticks that were bought earlier are lost.
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

// TakeForgeTicks returns and clears the forge ticks that a bought in the cycle that ends. It is called at every cycle
// end, so unused ones are lost.
func (ps *purchases) TakeForgeTicks(c *world.Context, a wire.AgentID) uint64 {
	p := ps.table.Get(a)
	if p == nil || p.ForgeTicks == 0 {
		return 0
	}
	ticks := p.ForgeTicks
	if c.Cycle > p.Cycle {
		ticks = 0
	}
	ps.table.Edit(a).ForgeTicks = 0
	return ticks
}

// Storage is the bytes of storage that a has bought, for good.
func (ps *purchases) Storage(a wire.AgentID) uint64 {
	if p := ps.table.Get(a); p != nil {
		return p.Storage
	}
	return 0
}
