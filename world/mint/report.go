package mint

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// topEarnersMax is how many agents a report names.
const topEarnersMax = 3

// report describes the economy of the agents that are not DEAD. Money locked in the
// treasury is in its balance already and not subtracted twice from what circulates.
func (d *Daemon) report(c *world.Context) wire.EconomicReport {
	agents := d.living()
	balances := make([]int64, len(agents))
	var locked uint64
	for i, a := range agents {
		balances[i] = a.Balance
		locked += a.Locked
	}
	slices.Sort(balances)
	treasury, reserve := d.Balance(Treasury), d.Balance(wire.ReserveID)
	r := wire.EconomicReport{
		Cycle:             c.Cycle,
		TotalSupply:       d.Total(),
		CirculatingSupply: int64(d.Total()) - treasury - reserve - int64(locked),
		TreasuryBalance:   treasury,
		TotalEscrow:       locked,
		GiniCoefficient:   float32(Gini(balances)),
		AvgBalance:        float32(mean(balances)),
		MedianBalance:     float32(median(balances)),
		TopEarners:        topEarners(agents),
	}
	if acc := d.accounts.Get(Treasury); acc != nil {
		r.TotalEscrow += acc.Locked
	}
	if n := len(d.nexus.Active()); n > 0 {
		r.Velocity = float32(det.Quantise(float64(d.counters().Transfers) / float64(n)))
	}
	return r
}

// Gini returns 1 − (2B − 1)/n with B = Σᵢ cumᵢ/total over balances in ascending order, where debts count as 0. It is
// 0 if all are equal or there is no money.
func Gini(ascending []int64) float64 {
	var cum, sum uint64
	for _, b := range ascending {
		cum += uint64(max(0, b))
		sum += cum
	}
	if cum == 0 {
		return 0
	}
	b := float64(sum) / float64(cum)
	return det.Quantise(1 - (float64(2*b)-1)/float64(len(ascending)))
}

func mean(balances []int64) float64 {
	if len(balances) == 0 {
		return 0
	}
	var sum int64
	for _, b := range balances {
		sum += b
	}
	return float64(sum) / float64(len(balances))
}

// median is the middle balance, or the mean of the two in the middle.
func median(ascending []int64) float64 {
	n := len(ascending)
	if n == 0 {
		return 0
	}
	return float64(float64(ascending[(n-1)/2]+ascending[n/2]) * 0.5)
}

// topEarners returns the agents that received most over their whole life, ties by id. Agents that never received
// anything are left out.
func topEarners(agents []*Account) []wire.Earner {
	best := slices.Clone(agents)
	slices.SortStableFunc(best, func(a, b *Account) int { return cmp.Compare(b.TotalEarned, a.TotalEarned) })
	out := []wire.Earner{}
	for _, a := range best[:min(topEarnersMax, len(best))] {
		if a.TotalEarned == 0 {
			break
		}
		out = append(out, wire.Earner{Agent: a.Owner, Amount: a.TotalEarned})
	}
	return out
}
