package mint

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Settle is step 9 of a cycle end: rewards and upkeep are paid, the supply is checked, the economic report is
// published and, if the report calls for it, an intervention is proposed. bountiesOpen is the number of bounties that
// wait for a claim, bountiesCompleted the number ever completed.
func (d *Daemon) Settle(c *world.Context, bountiesOpen, bountiesCompleted uint32) wire.EconomicReport {
	paid, forfeited := d.payRewards(c)
	d.payUpkeep(c)
	d.forgetPairs(c)
	d.checkSupply()
	r := d.report(c)
	r.BountiesOpen, r.BountiesCompleted = bountiesOpen, bountiesCompleted
	r.RewardsPaid, r.RewardsForfeited = paid, forfeited
	d.counters().Transfers = 0
	c.Emit(wire.SystemMint, wire.KindEconomyReportPublished, Treasury, &r, nil)
	d.propose(c, &r)
	return r
}

// checkSupply panics unless the balances of the treasury, the reserve and all living agents add up to the total
// supply. Dead agents have no money.
func (d *Daemon) checkSupply() {
	sum := d.Balance(Treasury) + d.Balance(wire.ReserveID)
	for _, a := range d.living() {
		sum += a.Balance
	}
	if total := int64(d.Total()); sum != total {
		panic(fmt.Sprintf("mint: the balances add up to %d ⚡ but the total supply is %d ⚡, a difference of %+d ⚡", sum, total, sum-total))
	}
}
