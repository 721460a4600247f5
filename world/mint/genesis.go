package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// Genesis amounts in ⚡ per unit of scale (world.Rules.Scale).
const (
	genesisTreasury = 5000
	genesisReserve  = 4200
)

// grantAmount is what a newcomer gets from the reserve or the treasury, in ⚡.
const grantAmount = 100

// Genesis opens the accounts of the treasury, the reserve and the bootstrap agents, in
// that order, and mints what they hold. The realm reports mint_ready afterwards.
func (d *Daemon) Genesis(c *world.Context, agents []wire.AgentID) {
	s := d.rules.Scale()
	d.counters().Pool = genesisTreasury * s / poolCap
	d.Open(c, Treasury, genesisTreasury*s)
	d.Open(c, wire.ReserveID, genesisReserve*s)
	for i, a := range agents {
		d.Open(c, a, d.rules.BalanceOf(i))
	}
}

// Grant pays a new agent from the reserve, all or nothing, and returns what was paid. The money is earmarked: it buys
// what the treasury sells but cannot be locked or paid to other agents, so that no sponsor can get it.
func (l *ledger) Grant(c *world.Context, to wire.AgentID) uint64 {
	if !l.affords(wire.ReserveID, grantAmount) {
		return 0
	}
	l.move(c, movement{from: wire.ReserveID, to: to, amount: grantAmount, kind: wire.TransferKindGrant, reason: "spawn"})
	l.accounts.Edit(to).Earmarked += grantAmount
	return grantAmount
}
