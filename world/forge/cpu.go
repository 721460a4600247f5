package forge

import (
	"kingdom/wire"
	"kingdom/world"
)

// cpu counts the forge ticks that each agent has used in this cycle.
type cpu struct {
	*world.Table[wire.AgentID, CPU]
	siblings *siblings
}

func newCPU(s *world.State, x *siblings) *cpu {
	return &cpu{world.NewTable[wire.AgentID](s, "cpu", cpuCodec), x}
}

// left returns the number of forge ticks that a may still use in this cycle.
func (x *cpu) left(a wire.AgentID) uint64 {
	quota, used := uint64(max(0, x.siblings.roster.Param("forge.cpu_quota", world.ForgeQuota))), uint64(0)
	if u := x.Get(a); u != nil {
		quota, used = quota+u.Bought, u.Used
	}
	return quota - min(quota, used)
}

// require refuses a request that may use more forge ticks than a has left.
func (x *cpu) require(c *world.Context, a wire.AgentID, ticks uint64) *world.Refusal {
	if left := x.left(a); ticks > left {
		return refusal(wire.CategoryQuotaExceeded, "cpu_quota", world.Have(left), world.Need(ticks), c.UntilCycle(c.Cycle+1))
	}
	return nil
}

// charge counts forge ticks that a has used.
func (x *cpu) charge(a wire.AgentID, ticks uint64) {
	switch u := x.Edit(a); {
	case ticks == 0:
	case u == nil:
		x.Put(a, &CPU{Used: ticks})
	default:
		u.Used += ticks
	}
}

// renew starts the quotas of the next cycle, with the forge ticks that were bought for it.
func (x *cpu) renew(c *world.Context) {
	x.Each(func(a wire.AgentID, _ *CPU) { x.Delete(a) })
	for _, a := range x.siblings.roster.Living() {
		if n := x.siblings.ledger.TakeForgeTicks(c, a); n > 0 {
			x.Put(a, &CPU{Bought: n})
		}
	}
}

// parseTicks returns the forge ticks for reading a program of size bytes: one for each KiB or part of it.
func parseTicks(size int) uint64 { return (uint64(size) + 1023) / 1024 }
