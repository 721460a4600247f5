package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// tickFounded is when Oracle's phase of the bootstrap is complete (docs/WORLD.md, bootstrap).
const tickFounded wire.Tick = 20

// Phases publish entry #0.
func (d *Daemon) Phases(b *world.Bootstrap) []world.Phase {
	return []world.Phase{{Tick: tickFounded, Run: func(c *world.Context) (wire.EventKind, any) {
		b.Specification = EntryZero
		for _, e := range examples {
			b.Programs = append(b.Programs, e.source)
		}
		return wire.KindOracleReady, &wire.OracleReadyEvent{EntryID: d.Genesis(c)}
	}}}
}

// Measure counts the published entries.
func (d *Daemon) Measure(m *world.Metrics) { m.OracleEntries = uint64(d.Entries()) }
