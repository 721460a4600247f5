package mint

import (
	"kingdom/wire"
	"kingdom/world"
)

// The bankruptcy counter's stations (docs/WORLD.md, Mint): below Severe a warning and
// half the budget, at Severe a quarter, at Fatal the agent dies in Nexus's maintenance.
const (
	Severe = 4
	Fatal  = 5
)

// CycleEnd is step 4 of a cycle end: due escrows are refunded, then every agent's
// balance is looked at.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.expireEscrows(c)
	for _, a := range d.roster.Agents() {
		if d.citizen(a) != nil {
			d.scan(c, a)
		}
	}
}

func (d *Daemon) scan(c *world.Context, a wire.AgentID) {
	acc := d.accounts.Get(a)
	if acc.Balance >= 0 {
		if acc.BankruptcyCycles > 0 {
			d.accounts.Edit(a).BankruptcyCycles = 0
		}
		return
	}
	acc = d.accounts.Edit(a)
	acc.BankruptcyCycles = min(acc.BankruptcyCycles+1, Fatal)
	switch {
	case acc.BankruptcyCycles < Severe:
		c.Emit(wire.SystemMint, wire.KindBankruptcyWarning, a, &wire.BankruptcyWarningEvent{
			Agent: a, Cycle: c.Cycle, Balance: acc.Balance,
		}, nil)
	case acc.BankruptcyCycles == Severe:
		c.Emit(wire.SystemMint, wire.KindBankruptcySevere, a, &wire.BankruptcySevereEvent{
			Agent: a, Cycle: c.Cycle, BudgetReductionPct: 75,
		}, nil)
	}
}

// Insolvent is the count of consecutive cycle ends with a negative balance, 0 to Fatal.
func (d *Daemon) Insolvent(a wire.AgentID) uint32 {
	if acc := d.accounts.Get(a); acc != nil {
		return acc.BankruptcyCycles
	}
	return 0
}

// Sweep moves all that a DEAD agent owns to the treasury: stakes and escrows end, except
// that bounties somebody works on stay funded, by the treasury from now on. Debt is
// written off against it.
func (d *Daemon) Sweep(c *world.Context, dead wire.AgentID) {
	if d.accounts.Get(dead) == nil {
		return
	}
	d.dropStakes(c, dead)
	var funded uint64
	for _, id := range d.openEscrows() {
		e := d.escrows.Get(id)
		switch {
		case e.Owner != dead:
		case e.Bounty:
			d.escrows.Edit(id).Owner = Treasury
			funded += e.sum()
		default:
			d.RefundEscrow(c, id)
		}
	}
	acc := d.accounts.Edit(dead)
	acc.Locked = 0
	d.purchases.Delete(dead)
	assets := uint64(max(0, acc.Balance))
	switch {
	case acc.Balance > 0:
		d.move(c, movement{from: dead, to: Treasury, amount: assets, kind: wire.TransferKindDirect})
	case acc.Balance < 0:
		d.move(c, movement{from: Treasury, to: dead, amount: uint64(-acc.Balance), kind: wire.TransferKindGrant})
	}
	d.accounts.Edit(Treasury).Locked += funded
	if acc.BankruptcyCycles >= Fatal {
		c.Emit(wire.SystemMint, wire.KindAgentBankruptDead, dead, &wire.AgentBankruptDeadEvent{
			Agent: dead, AssetsToTreasury: assets,
		}, nil)
	}
}

func (d *Daemon) dropStakes(c *world.Context, dead wire.AgentID) {
	for _, id := range d.stakes.Keys() {
		s := d.stakes.Get(id)
		if s == nil || s.Agent != dead {
			continue
		}
		d.unlock(dead, s.Amount)
		d.stakes.Delete(id)
		d.dropStake(s.Proposal, id)
		c.Emit(wire.SystemMint, wire.KindStakeResolved, dead, &wire.StakeResolvedEvent{
			StakeID: id, Agent: dead, Payout: -int64(s.Amount),
		}, nil)
	}
}
