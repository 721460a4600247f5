package realm

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// Wake asks for the waking of a DORMANT agent at cycle end.
type Wake = nexus.Wake

// CycleEnd is the result of a cycle.
type CycleEnd struct {
	Cycle      wire.Cycle
	Tick       wire.Tick // the cycle's last
	Epoch      uint32
	WorldHash  wire.Hash
	Components [7]wire.Hash // nexus, vault, agora, oracle, forge, mint, portal
	Envelopes  wire.Hash    // envelope chain of the cycle
	BusHash    wire.Hash    // of what waits for agents; in no other hash
	Embryo     uint32
	Active     uint32
	Dormant    uint32
	Dead       uint32
	TotalTicks uint64 // agent ticks consumed since genesis

	Woken   []nexus.Change // status changes of this cycle end
	Slept   []nexus.Change
	Died    []nexus.Change
	Spawned []wire.AgentID // newcomers of this cycle end, in spawn order

	Report  wire.EconomicReport
	Metrics world.Metrics
}

// EndCycle runs the end of the open cycle, in the fixed order of docs/WORLD.md. wakes are the requests to wake agents
// that were made during the cycle, in any order.
func (r *Realm) EndCycle(wakes []Wake) CycleEnd {
	last := r.rules.Calendar.Last(r.cycle)
	c := &r.ctx
	c.CycleEnd(last)
	c.Msg, c.Epoch = wire.Hash{}, r.nexus.Epoch()
	r.nexus.Advance(last)
	r.nexus.BeginCycleEnd()

	r.ctx.ActAs(wire.SystemMint)
	r.mint.FillPool()
	for _, d := range r.daemons {
		if m, ok := d.(world.Maintainer); ok {
			r.ctx.ActAs(d.System())
			m.CycleEnd(c)
		}
	}
	r.ctx.ActAs(wire.SystemNexus)
	r.nexus.Maintain(c, wakes)
	r.nexus.UpdateReputations(c)
	if r.nexus.NextEpoch(c) {
		r.vault.Royalties(c)
	}
	open, completed := r.agora.Totals()
	r.ctx.ActAs(wire.SystemMint)
	report := r.mint.Settle(c, open, completed)
	r.ctx.ActAs(wire.SystemPortal)
	traffic := r.portal.Report(c)
	r.ctx.ActAs(wire.SystemNexus)
	return r.close(report, traffic)
}

// close takes the hashes, reports, and sends out what the cycle end brought.
func (r *Realm) close(report wire.EconomicReport, traffic wire.PortalReport) CycleEnd {
	k, n := r.nexus.Clock(), r.nexus.Count()
	end := CycleEnd{
		Cycle: r.cycle, Tick: r.ctx.Tick, Epoch: k.Epoch, Components: r.Components(), Envelopes: r.receiver.chain,
		Embryo: n.Embryo, Active: n.Active, Dormant: n.Dormant, Dead: n.Dead, TotalTicks: k.Ticks,
		Report: report, Metrics: measure(r.daemons, r.cycle, r.nexus.Epoch(), &report, n),
	}
	end.WorldHash = worldHash(end.Components)
	end.changes(r.nexus)
	r.ctx.Emit(wire.SystemNexus, wire.KindCycleEnd, wire.SystemID(wire.SystemNexus), &wire.CycleEndEvent{
		Cycle: end.Cycle, Epoch: end.Epoch, WorldHash: end.WorldHash, ActiveAgents: end.Active, TotalTicks: end.TotalTicks,
	}, nil)
	r.collect()
	r.bus.route()
	r.bus.broadcast(end.WorldState(), &report, &traffic)
	r.bus.save()
	end.BusHash = r.BusHash()
	return end
}

func (e *CycleEnd) changes(d *nexus.Daemon) {
	changes, newcomers := d.Changes()
	e.Spawned = newcomers
	for _, x := range changes {
		switch {
		case x.Cause != 0:
			e.Woken = append(e.Woken, x)
		case x.New == wire.StatusDormant:
			e.Slept = append(e.Slept, x)
		case x.New == wire.StatusDead:
			e.Died = append(e.Died, x)
		}
	}
}

// WorldState returns the message WORLD_STATE about this cycle end.
func (e *CycleEnd) WorldState() *wire.WorldState {
	h := &e.Components
	return &wire.WorldState{
		Cycle: e.Cycle, WorldHash: e.WorldHash, Epoch: e.Epoch,
		NexusHash: h[0], VaultHash: h[1], AgoraHash: h[2], OracleHash: h[3], ForgeHash: h[4], MintHash: h[5], PortalHash: h[6],
		ActiveAgents: e.Active, TotalTicks: e.TotalTicks,
	}
}

// Components returns the hashes of the daemons in the order of the world hash; 32 zero bytes for an absent one.
func (r *Realm) Components() (h [7]wire.Hash) {
	r.Each(len(r.daemons), func(i int) {
		d := r.daemons[i]
		h[d.System()-1] = d.State().Hash()
	})
	return h
}

// worldHash is SHA-256 of the seven component hashes.
func worldHash(h [7]wire.Hash) wire.Hash {
	b := make([]byte, 0, len(h)*32)
	for i := range h {
		b = append(b, h[i][:]...)
	}
	return sha256.Sum256(b)
}

// measure makes the metrics row of a cycle from the report and what daemons add of their own.
func measure(daemons []world.Daemon, c wire.Cycle, epoch uint32, report *wire.EconomicReport, n nexus.Counts) world.Metrics {
	m := world.Metrics{
		Cycle: c, Epoch: epoch, Agents: n.Living(),
		CirculatingSupply: report.CirculatingSupply, Treasury: report.TreasuryBalance,
		Gini: report.GiniCoefficient, Velocity: report.Velocity,
		OpenBounties: report.BountiesOpen, CompletedBounties: report.BountiesCompleted,
	}
	for _, d := range daemons {
		if x, ok := d.(world.MetricsReporter); ok {
			x.Measure(&m)
		}
	}
	return m
}
