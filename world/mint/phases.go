package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// tickFounded is when Mint's phase of the bootstrap is complete (docs/WORLD.md, bootstrap).
const tickFounded wire.Tick = 70

// Phases open the first accounts.
func (d *Daemon) Phases(b *world.Bootstrap) []world.Phase {
	return []world.Phase{{Tick: tickFounded, Run: func(c *world.Context) (wire.EventKind, any) {
		d.Genesis(c, b.Agents)
		return wire.KindMintReady, &wire.MintReadyEvent{
			Supply: d.Total(), Treasury: uint64(d.Balance(Treasury)), Reserve: uint64(d.Balance(wire.ReserveID)),
		}
	}}}
}

// Measure counts the transactions.
func (d *Daemon) Measure(m *world.Metrics) { m.TotalTransactions = d.Transactions() }
