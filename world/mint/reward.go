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

// rewards is what the treasury owes for work of the open cycle, and the budget it pays from.
type rewards struct {
	rules   *world.Rules
	ledger  *ledger
	table   *world.Table[string, Reward] // label ‖ subject
	pairs   *pairs
	pending []string // index: keys of those not yet settled
}

func (rs *rewards) restore() {
	rs.pending = nil
	rs.table.Each(func(k string, r *Reward) {
		if !r.Settled {
			rs.pending = append(rs.pending, k)
		}
	})
}

// FixBudget is step 1 of a cycle end: what the treasury will spend on rewards is a share
// of what it has now and the taxes since the last time.
func (rs *rewards) FixBudget(_ *world.Context) {
	s := rs.ledger.counters()
	s.Budget = s.Taxes + uint64(max(0, rs.ledger.Available(Treasury)))/rs.rules.BudgetShare
	s.Taxes = 0
}

// ReturnBudget gives the reward of a bounty that the budget paid for and that expired back to
// the budget of the cycles to come.
func (rs *rewards) ReturnBudget(_ *world.Context, amount uint64) {
	rs.ledger.counters().Taxes += amount
}

// TakeBudget takes amount ⚡ out of the cycle's reward budget; false when it, or the
// treasury, holds less.
func (rs *rewards) TakeBudget(_ *world.Context, amount uint64) bool {
	if rs.ledger.supply.Get("") == nil || rs.ledger.supply.Get("").Budget < amount || !rs.ledger.affords(Treasury, amount) {
		return false
	}
	rs.ledger.counters().Budget -= amount
	return true
}

// Note notes a reward for the end of the cycle; false when it was noted before, when an
// approver is the payee, or when a pair was used in the last PairCycles cycles. The pairs
// are used up now, whether the reward will fit into the budget or not.
func (rs *rewards) Note(c *world.Context, r world.Reward) bool {
	key := r.Label + string(r.Subject[:])
	if rs.table.Get(key) != nil || rs.ledger.citizen(r.Payee) == nil || r.Amount == 0 {
		return false
	}
	for _, a := range r.Approvers {
		if free, _ := rs.pairs.PairFree(world.PairReward, a, r.Payee, c.Cycle); !free {
			return false
		}
	}
	for _, a := range r.Approvers {
		rs.pairs.UsePair(c, world.PairReward, a, r.Payee)
	}
	rs.table.Put(key, &Reward{Payee: r.Payee, Amount: r.Amount, Lamport: c.Next()})
	rs.pending = append(rs.pending, key)
	return true
}

// payRewards pays what was noted, oldest first, as long as budget and treasury last; the
// rest is forfeited for good.
func (rs *rewards) payRewards(c *world.Context) (paid, forfeited uint64) {
	slices.SortFunc(rs.pending, func(a, b string) int {
		x, y := rs.table.Get(a), rs.table.Get(b)
		return cmp.Or(cmp.Compare(x.Lamport, y.Lamport), x.Payee.Compare(y.Payee), cmp.Compare(a, b))
	})
	for _, key := range rs.pending {
		r := rs.table.Edit(key)
		r.Settled = true
		if strings.HasPrefix(key, labelVote) {
			rs.table.Delete(key)
		}
		m := movement{from: Treasury, to: r.Payee, amount: r.Amount, kind: wire.TransferKindGrant}
		if rs.ledger.dead(r.Payee) || !rs.TakeBudget(c, r.Amount) {
			forfeited += r.Amount
			rs.ledger.failed(c, m, "reward_cap")
			continue
		}
		paid += r.Amount
		rs.ledger.move(c, m)
	}
	rs.pending = rs.pending[:0]
	return paid, forfeited
}
