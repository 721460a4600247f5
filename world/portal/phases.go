package portal

import (
	"kingdom/wire"
	"kingdom/world"
)

// tickFounded is when Portal's phase of the bootstrap is complete (docs/WORLD.md, bootstrap).
const tickFounded wire.Tick = 85

// Phases set the rules about domains. Portal is closed then.
func (d *Daemon) Phases(*world.Bootstrap) []world.Phase {
	return []world.Phase{{Tick: tickFounded, Run: func(c *world.Context) (wire.EventKind, any) {
		d.domains.addScenarioRules(c)
		return wire.KindPortalReady, &wire.PortalReadyEvent{Level: Level(d.nexus.Epoch())}
	}}}
}
