package mint

import (
	"cmp"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// labelVote marks rewards whose subject names a cycle: it cannot come again, so the record
// goes when the reward is settled and voting does not grow the table for ever.
const labelVote = "vote"

// FixBudget is step 1 of a cycle end: what the treasury will spend on rewards is a share
// of what it has now and the taxes since the last time.
func (d *Daemon) FixBudget(_ *world.Context) {
	s := d.counters()
	s.Budget = s.Taxes + uint64(max(0, d.Available(Treasury)))/d.rules.BudgetShare
	s.Taxes = 0
}

// TakeBudget takes amount ⚡ out of the cycle's reward budget; false when it, or the
// treasury, holds less.
func (d *Daemon) TakeBudget(_ *world.Context, amount uint64) bool {
	if d.supply.Get("") == nil || d.supply.Get("").Budget < amount || !d.affords(Treasury, amount) {
		return false
	}
	d.counters().Budget -= amount
	return true
}

// Note notes a reward for the end of the cycle; false when it was noted before, when an
// approver is the payee, or when a pair was used in the last PairCycles cycles. The pairs
// are used up now, whether the reward will fit into the budget or not.
func (d *Daemon) Note(c *world.Context, r world.Reward) bool {
	key := r.Label + string(r.Subject[:])
	if d.rewards.Get(key) != nil || d.citizen(r.Payee) == nil || r.Amount == 0 {
		return false
	}
	for _, a := range r.Approvers {
		if a == r.Payee || d.used(c, pairKey(a, r.Payee)) {
			return false
		}
	}
	for _, a := range r.Approvers {
		d.pairs.Put(pairKey(a, r.Payee), &Pair{Cycle: c.Cycle})
	}
	d.rewards.Put(key, &Reward{Payee: r.Payee, Amount: r.Amount, Lamport: c.Next()})
	d.pending = append(d.pending, key)
	return true
}

func (d *Daemon) used(c *world.Context, pair string) bool {
	p := d.pairs.Get(pair)
	return p != nil && uint64(c.Cycle-p.Cycle) < d.rules.PairCycles
}

// payRewards pays what was noted, oldest first, as long as budget and treasury last; the
// rest is forfeited for good.
func (d *Daemon) payRewards(c *world.Context) (paid, forfeited uint64) {
	slices.SortFunc(d.pending, func(a, b string) int {
		x, y := d.rewards.Get(a), d.rewards.Get(b)
		return cmp.Or(cmp.Compare(x.Lamport, y.Lamport), x.Payee.Compare(y.Payee), cmp.Compare(a, b))
	})
	for _, key := range d.pending {
		r := d.rewards.Edit(key)
		r.Settled = true
		if strings.HasPrefix(key, labelVote) {
			d.rewards.Delete(key)
		}
		m := movement{from: Treasury, to: r.Payee, amount: r.Amount, kind: wire.TransferKindGrant}
		if d.dead(r.Payee) || !d.TakeBudget(c, r.Amount) {
			forfeited += r.Amount
			d.failed(c, m, "reward_cap")
			continue
		}
		paid += r.Amount
		d.move(c, m)
	}
	d.pending = d.pending[:0]
	return paid, forfeited
}

// forgetPairs drops pairs that may be used again.
func (d *Daemon) forgetPairs(c *world.Context) {
	d.pairs.Each(func(k string, _ *Pair) {
		if !d.used(c, k) {
			d.pairs.Delete(k)
		}
	})
}
