package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// Ticks at which Nexus's phases of the bootstrap are complete (docs/WORLD.md, bootstrap).
const (
	tickGenesis  wire.Tick = 0
	tickAgents   wire.Tick = 60
	tickObserver wire.Tick = 90
	// TickBigBang is the last tick of the bootstrap.
	TickBigBang wire.Tick = 91
)

// Phases are the start of time, the first agents, the observers, and the Big Bang.
func (d *Daemon) Phases(b *world.Bootstrap) []world.Phase {
	return []world.Phase{
		{Tick: tickGenesis, Run: func(*world.Context) (wire.EventKind, any) {
			return wire.KindGenesis, &wire.GenesisEvent{Epoch: d.rules.Epoch, Tick: tickGenesis, WorldSeed: d.rules.Seed}
		}},
		{Tick: tickAgents, Run: func(c *world.Context) (wire.EventKind, any) {
			b.Agents = d.SpawnFirst(c, b.Genomes)
			return wire.KindAgentsSpawned, &wire.AgentsSpawnedEvent{AgentIDs: b.Agents}
		}},
		{Tick: tickObserver, Run: func(*world.Context) (wire.EventKind, any) {
			return wire.KindObserverActive, &wire.ObserverActiveEvent{}
		}},
		{Tick: TickBigBang, Run: func(c *world.Context) (wire.EventKind, any) {
			d.BigBang(c)
			return 0, nil
		}},
	}
}
