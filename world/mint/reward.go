package mint

import (
	"cmp"
	"slices"
	"strings"

	"kingdom/wire"
	"kingdom/world"
)

// labelVote marks rewards whose subject names a cycle. Such a subject cannot occur again, so the record is deleted when
// the reward is settled, and the table does not grow with every vote.
const labelVote = "vote"

// labelRoyalty marks rewards that are exempt from the cap per payee.
const labelRoyalty = "royalty"

// rewards holds the rewards for work of the open cycle; they are paid from the pool at its end.
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

// poolCap limits the pool to ⌊treasury/poolCap⌋.
const poolCap = 100

// FillPool is step 1 of a cycle end: the reward pool gets its share, and the ACTIVE agents are noted for the upkeep.
func (d *Daemon) FillPool() {
	d.upkeep.recordPayers()
	d.rewards.fillPool()
}

// fillPool adds to the pool a share of the treasury and all that agents paid into it, so that rewards cost little more
// than the income, whatever the agents agree on. Documentation bounties may take half of the pool.
func (rs *rewards) fillPool() {
	s, t := rs.ledger.counters(), uint64(max(0, rs.ledger.Available(Treasury)))
	s.Pool = min(t/poolCap, s.Pool+t/rs.rules.BudgetShare+s.Income)
	s.Gaps, s.Income = s.Pool/2, 0
}

// ReturnBudget returns the reward of an expired bounty that the pool had paid to the pool.
func (rs *rewards) ReturnBudget(_ *world.Context, amount uint64) {
	rs.ledger.counters().Income += amount
}

// TakeBudget takes amount ⚡ out of the reward pool for a documentation bounty. It returns false if the half of the
// pool for such bounties, or the treasury, has less.
func (rs *rewards) TakeBudget(_ *world.Context, amount uint64) bool {
	s := rs.ledger.supply.Get("")
	if s == nil || s.Gaps < amount || !rs.ledger.affords(Treasury, amount) {
		return false
	}
	s = rs.ledger.counters()
	s.Gaps -= amount
	s.Pool -= amount
	return true
}

// AddReward notes a reward for the end of the cycle. It returns false if the reward was noted before, if an approver is
// the payee, or if a pair was used in the last PairCycles cycles. The pairs are used up now, whether or not the pool
// can pay the reward.
func (rs *rewards) AddReward(c *world.Context, r world.Reward) bool {
	key := r.Label + string(r.Subject[:])
	if rs.table.Get(key) != nil || rs.ledger.livingAccount(r.Payee) == nil || r.Amount == 0 {
		return false
	}
	for _, a := range r.Approvers {
		if free, _ := rs.pairs.PairFree(r.Class, a, r.Payee, c.Cycle); !free {
			return false
		}
	}
	for _, a := range r.Approvers {
		rs.pairs.UsePair(c, r.Class, a, r.Payee)
	}
	rs.table.Put(key, &Reward{Payee: r.Payee, Amount: r.Amount, Lamport: c.Next()})
	rs.pending = append(rs.pending, key)
	return true
}

// payRewards pays the pending rewards as long as the pool and the treasury last: payees that have had least rewards
// first, and rewards for votes after all others. What goes beyond the cap of its payee waits for the next cycle end, so
// that nobody loses a reward because another earned it at a bad time. The rest is forfeited.
func (rs *rewards) payRewards(c *world.Context) (paid, forfeited uint64) {
	var works, votes []string
	for _, key := range rs.pending {
		if strings.HasPrefix(key, labelVote) {
			votes = append(votes, key)
		} else {
			works = append(works, key)
		}
	}
	rs.pending = nil
	share := uint64(0)
	if n := len(rs.ledger.nexus.Active()); n > 0 {
		share = 2 * rs.ledger.counters().Pool / uint64(n)
	}
	x := settlement{rewards: rs, maxPerPayee: max(minPayeeCap, share), paidTo: map[wire.AgentID]uint64{}}
	x.settle(c, works)
	x.settle(c, votes)
	return x.paid, x.forfeited
}

// minPayeeCap is the minimum of the cap on rewards per payee and cycle, in ⚡, royalties excluded. The cap is twice an
// equal share of the pool, if that is more.
const minPayeeCap = 10

// waitsMax is at how many cycle ends a reward waits because its payee has reached the cap; then it is forfeited, so
// that no payee has a queue without end.
const waitsMax = 2

// settlement is the payment of the rewards of one cycle.
type settlement struct {
	*rewards
	maxPerPayee     uint64 // cap per payee, royalties excluded
	paidTo          map[wire.AgentID]uint64
	paid, forfeited uint64
}

// queue holds the rewards of one payee, the oldest first.
type queue struct {
	payee wire.AgentID
	keys  []string
}

// settle repeatedly pays the oldest reward of the payee that has had least so far.
func (x *settlement) settle(c *world.Context, keys []string) {
	slices.SortFunc(keys, func(a, b string) int {
		p, q := x.table.Get(a), x.table.Get(b)
		return cmp.Or(cmp.Compare(p.Lamport, q.Lamport), p.Payee.Compare(q.Payee), cmp.Compare(a, b))
	})
	at := map[wire.AgentID]int{}
	var queues []*queue
	for _, key := range keys {
		payee := x.table.Get(key).Payee
		i, known := at[payee]
		if !known {
			i = len(queues)
			at[payee], queues = i, append(queues, &queue{payee: payee})
		}
		queues[i].keys = append(queues[i].keys, key)
	}
	slices.SortFunc(queues, x.comparePayees)
	for len(queues) > 0 {
		q := queues[0]
		queues = queues[1:]
		x.pay(c, q.keys[0])
		if q.keys = q.keys[1:]; len(q.keys) > 0 {
			i, _ := slices.BinarySearchFunc(queues, q, x.comparePayees)
			queues = slices.Insert(queues, i, q)
		}
	}
}

// comparePayees orders payees by the rewards they have had, then by their oldest pending reward, then by id.
func (x *settlement) comparePayees(a, b *queue) int {
	p, q := x.ledger.accounts.Get(a.payee), x.ledger.accounts.Get(b.payee)
	return cmp.Or(
		cmp.Compare(p.Rewarded, q.Rewarded),
		cmp.Compare(x.table.Get(a.keys[0]).Lamport, x.table.Get(b.keys[0]).Lamport),
		a.payee.Compare(b.payee),
	)
}

// pay settles one reward, or leaves it for the next cycle end. Of each payee the first reward of a cycle is paid in any
// case, because votes can make a reward larger than the cap.
func (x *settlement) pay(c *world.Context, key string) {
	r := *x.table.Get(key)
	had := x.paidTo[r.Payee]
	capped := !strings.HasPrefix(key, labelRoyalty) && had > 0 && had+r.Amount > x.maxPerPayee
	if capped && r.Waited < waitsMax && !x.ledger.dead(r.Payee) {
		x.table.Edit(key).Waited++
		x.pending = append(x.pending, key)
		return
	}
	if strings.HasPrefix(key, labelVote) {
		x.table.Delete(key)
	} else {
		x.table.Edit(key).Settled = true
	}
	label := key[:len(key)-len(wire.Hash{})] // the subject follows
	m := movement{from: Treasury, to: r.Payee, amount: r.Amount, kind: wire.TransferKindGrant, reason: label}
	if capped || x.ledger.dead(r.Payee) || x.ledger.counters().Pool < r.Amount || !x.ledger.affords(Treasury, r.Amount) {
		x.forfeited += r.Amount
		x.ledger.emitFailed(c, m, "reward_cap")
		return
	}
	x.ledger.counters().Pool -= r.Amount
	if !strings.HasPrefix(key, labelRoyalty) {
		x.paidTo[r.Payee] += r.Amount
	}
	x.paid += r.Amount
	x.ledger.counters().NetRewards += int64(r.Amount)
	x.ledger.accounts.Edit(r.Payee).Rewarded += r.Amount
	x.ledger.move(c, m)
}
