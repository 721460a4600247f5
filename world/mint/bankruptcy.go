package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// CycleEnd is step 4 of a cycle end: due escrows are refunded, then every agent's balance is checked for bankruptcy.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.expireEscrows(c)
	for _, acc := range d.living() {
		d.countInsolvency(c, acc.Owner)
	}
}

func (d *Daemon) countInsolvency(c *world.Context, a wire.AgentID) {
	acc := d.accounts.Get(a)
	if acc.Balance >= 0 {
		if acc.BankruptcyCycles > 0 {
			d.accounts.Edit(a).BankruptcyCycles = 0
		}
		return
	}
	acc = d.accounts.Edit(a)
	acc.BankruptcyCycles = min(acc.BankruptcyCycles+1, world.InsolventFatal)
	switch {
	case acc.BankruptcyCycles < world.InsolventSevere:
		c.Emit(wire.SystemMint, wire.KindBankruptcyWarning, a, &wire.BankruptcyWarningEvent{
			Agent: a, Cycle: c.Cycle, Balance: acc.Balance,
		}, nil)
	case acc.BankruptcyCycles == world.InsolventSevere:
		c.Emit(wire.SystemMint, wire.KindBankruptcySevere, a, &wire.BankruptcySevereEvent{
			Agent: a, Cycle: c.Cycle, BudgetReductionPct: 75,
		}, nil)
	}
}

// Insolvent is the count of consecutive cycle ends with a negative balance, 0 to world.InsolventFatal.
func (d *Daemon) Insolvent(a wire.AgentID) uint32 {
	if acc := d.accounts.Get(a); acc != nil {
		return acc.BankruptcyCycles
	}
	return 0
}

// Sweep moves everything that a DEAD agent owns to the treasury. Its stakes and escrows end, but bounties on which
// somebody works stay funded, now by the treasury. The treasury also pays its debt.
func (d *Daemon) Sweep(c *world.Context, dead wire.AgentID) {
	if d.accounts.Get(dead) == nil {
		return
	}
	d.stakes.forfeitForDead(c, dead)
	funded := d.escrows.endForDead(c, dead)
	acc := d.accounts.Edit(dead)
	acc.Locked, acc.Earmarked, acc.Owed = 0, 0, 0
	d.purchases.table.Delete(dead)
	assets := uint64(max(0, acc.Balance))
	switch {
	case acc.Balance > 0:
		d.move(c, movement{from: dead, to: Treasury, amount: assets, kind: wire.TransferKindDirect, reason: "estate"})
	case acc.Balance < 0:
		d.move(c, movement{from: Treasury, to: dead, amount: uint64(-acc.Balance), kind: wire.TransferKindGrant, reason: "debt"})
	}
	d.accounts.Edit(Treasury).Locked += funded
	if acc.BankruptcyCycles >= world.InsolventFatal {
		c.Emit(wire.SystemMint, wire.KindAgentBankruptDead, dead, &wire.AgentBankruptDeadEvent{
			Agent: dead, AssetsToTreasury: assets,
		}, nil)
	}
}
