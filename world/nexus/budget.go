package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// Allocate gives every ACTIVE agent its ticks for cycle n, ascending by id:
// min(base + bought, ticks of a cycle) cut by bankruptcy.
func (d *Daemon) Allocate(c *world.Context, n wire.Cycle) []wire.TickAlloc {
	active := d.Active()
	out := make([]wire.TickAlloc, 0, len(active))
	for _, a := range active {
		extra := min(d.mint.TakeExtra(c, a), d.rules.MaxExtra)
		ticks := budgetTicks(d.rules.BaseBudget, extra, d.rules.Calendar.TicksPerCycle, d.mint.Insolvent(a))
		if b := d.budgets.Get(a); b == nil || b.Ticks != ticks || b.Extra != extra {
			d.budgets.Put(a, &Budget{Agent: a, Ticks: ticks, Extra: extra})
		}
		out = append(out, wire.TickAlloc{AgentID: a, Budget: ticks, Cycle: n})
	}
	return out
}

// budgetTicks is min(base + extra, whole) × f/100 with f = 100 for a solvent agent,
// 50 in its first three cycles of debt, 25 from the fourth on.
func budgetTicks(base, extra, whole uint64, insolvent uint32) uint64 {
	f := uint64(100)
	switch {
	case insolvent >= world.InsolventSevere:
		f = 25
	case insolvent > 0:
		f = 50
	}
	return min(base+extra, whole) * f / 100
}
