package realm

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Ticks of cycle 0 at which a phase is complete (docs/WORLD.md, bootstrap). The
// phases of Starlark, Vault, Forge and Portal come with those daemons.
const (
	tickGenesis  wire.Tick = 0
	tickOracle   wire.Tick = 20
	tickAgents   wire.Tick = 60
	tickMint     wire.Tick = 70
	tickAgora    wire.Tick = 80
	tickObserver wire.Tick = 90
	tickBigBang  wire.Tick = 91
)

// BootResult is what Bootstrap made.
type BootResult struct {
	Agents []wire.AgentID // in spawn order
	End    CycleEnd       // of cycle 0
}

// Bootstrap runs cycle 0: the phases of the daemons that exist, the Big Bang, and
// the cycle's end. A cycle must have room for it: more than 91 ticks.
func (r *Realm) Bootstrap(genomes []wire.Genome) BootResult {
	if last := r.rules.Calendar.Last(0); last < tickBigBang {
		panic(fmt.Sprintf("realm: bootstrap takes %d ticks but a cycle has %d; the scenario loader must refuse this", tickBigBang+1, last+1))
	}
	r.phase(tickGenesis, func(c *world.Context) (wire.EventKind, any) {
		return wire.KindGenesis, &wire.GenesisEvent{Epoch: 0, Tick: tickGenesis, WorldSeed: r.rules.Seed}
	})
	var entry wire.Hash
	r.phase(tickOracle, func(c *world.Context) (wire.EventKind, any) {
		entry = r.oracle.Genesis(c)
		return wire.KindOracleReady, &wire.OracleReadyEvent{EntryID: entry}
	})
	var agents []wire.AgentID
	r.phase(tickAgents, func(c *world.Context) (wire.EventKind, any) {
		agents = r.nexus.Born(c, genomes)
		return wire.KindAgentsSpawned, &wire.AgentsSpawnedEvent{AgentIDs: agents}
	})
	r.phase(tickMint, func(c *world.Context) (wire.EventKind, any) {
		r.mint.Genesis(c, agents)
		return wire.KindMintReady, &wire.MintReadyEvent{
			Supply: r.mint.Total(), Treasury: uint64(r.mint.Balance(wire.SystemID(wire.SystemMint))), Reserve: uint64(r.mint.Balance(wire.ReserveID)),
		}
	})
	r.phase(tickAgora, func(c *world.Context) (wire.EventKind, any) {
		return wire.KindAgoraReady, &wire.AgoraReadyEvent{ChannelIDs: r.agora.Found(c)}
	})
	r.phase(tickObserver, func(c *world.Context) (wire.EventKind, any) {
		return wire.KindObserverActive, &wire.ObserverActiveEvent{}
	})
	r.phase(tickBigBang, func(c *world.Context) (wire.EventKind, any) {
		r.nexus.BigBang(c)
		return wire.KindBigBang, &wire.BigBangEvent{BountyIDs: r.agora.BigBang(c)}
	})
	return BootResult{Agents: agents, End: r.EndCycle(nil)}
}

// phase carries out a phase at its last tick; the event it returns ends it.
func (r *Realm) phase(t wire.Tick, run func(c *world.Context) (wire.EventKind, any)) {
	c := r.at(t)
	r.nexus.Advance(t)
	kind, payload := run(c)
	c.Emit(wire.SystemNexus, kind, wire.SystemID(wire.SystemNexus), payload, nil)
	r.leave()
}
