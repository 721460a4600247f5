package forge

import (
	"kingdom/wire"
	"kingdom/world"
)

// cpuQuota is the forge ticks of an agent and cycle, unless a vote changed it.
const cpuQuota = 1_000

// cpu is how much of their forge ticks agents have used in this cycle.
type cpu struct {
	*world.Table[wire.AgentID, CPU]
	siblings *siblings
}

func newCPU(s *world.State, x *siblings) *cpu {
	return &cpu{world.NewTable[wire.AgentID](s, "cpu", cpuCodec), x}
}

// left is the forge ticks that a may still use in this cycle.
func (x *cpu) left(a wire.AgentID) uint64 {
	quota, used := uint64(max(0, x.siblings.roster.Param("forge.cpu_quota", cpuQuota))), uint64(0)
	if u := x.Get(a); u != nil {
		quota, used = quota+u.Bought, u.Used
	}
	return quota - min(quota, used)
}

// holds refuses what may use more than a has left.
func (x *cpu) holds(c *world.Context, a wire.AgentID, ticks uint64) *world.Refusal {
	if left := x.left(a); ticks > left {
		return no(wire.CategoryQuotaExceeded, "cpu_quota", world.Have(left), world.Need(ticks), c.UntilCycle(c.Cycle+1))
	}
	return nil
}

// charge counts what a has used.
func (x *cpu) charge(a wire.AgentID, ticks uint64) {
	switch u := x.Edit(a); {
	case ticks == 0:
	case u == nil:
		x.Put(a, &CPU{Used: ticks})
	default:
		u.Used += ticks
	}
}

// renew begins the next cycle: nothing is used, and what was bought for it is there.
func (x *cpu) renew(c *world.Context) {
	x.Each(func(a wire.AgentID, _ *CPU) { x.Delete(a) })
	for _, a := range x.siblings.roster.Living() {
		if n := x.siblings.ledger.TakeForgeTicks(c, a); n > 0 {
			x.Put(a, &CPU{Bought: n})
		}
	}
}

// parsing is the forge ticks that reading so many bytes of a program counts.
func parsing(size int) uint64 { return (uint64(size) + 1023) / 1024 }
