package mint

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Settle is step 9 of a cycle end: rewards are paid, the supply is checked, the economic
// report is published and, where it calls for it, an intervention is proposed.
// bountiesOpen is how many bounties are neither ended nor expired, bountiesCompleted how
// many were ever completed.
func (d *Daemon) Settle(c *world.Context, bountiesOpen, bountiesCompleted uint32) wire.EconomicReport {
	paid, forfeited := d.payRewards(c)
	d.forgetPairs(c)
	d.check()
	r := d.report(c)
	r.BountiesOpen, r.BountiesCompleted = bountiesOpen, bountiesCompleted
	r.RewardsPaid, r.RewardsForfeited = paid, forfeited
	d.counters().Transfers = 0
	c.Emit(wire.SystemMint, wire.KindEconomyReportPublished, Treasury, &r, nil)
	d.propose(c, &r)
	return r
}

// check panics unless the sum of all balances is the total supply.
func (d *Daemon) check() {
	var sum int64
	d.accounts.Each(func(_ wire.AgentID, a *Account) { sum += a.Balance })
	if total := int64(d.Total()); sum != total {
		panic(fmt.Sprintf("mint: the balances add up to %d ⚡ but %d ⚡ were minted: %+d ⚡ came from nowhere", sum, total, sum-total))
	}
}
