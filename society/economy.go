package society

import (
	"math"
	"slices"

	"kingdom/wire"
)

func bountiesCreated(r *Run) figure {
	n := 0
	for i := range r.Bounties {
		if r.Bounties[i].Creator >= 0 {
			n++
		}
	}
	return value(100*share(float64(n), float64(r.AgentCycles)), n)
}

func bountiesCompleted(r *Run) figure { return r.bountiesThat(wire.BountyStatusCompleted) }
func bountiesExpired(r *Run) figure   { return r.bountiesThat(wire.BountyStatusExpired) }

// bountiesThat returns the share of ended bounties that ended with a status.
func (r *Run) bountiesThat(ended wire.BountyStatus) figure {
	all, n := 0, 0
	for i := range r.Bounties {
		s := r.Bounties[i].Status
		if isOpen(s) {
			continue
		}
		if all++; s == ended {
			n++
		}
	}
	if all == 0 {
		return none("no bounty ended")
	}
	return value(float64(n)/float64(all), all)
}

func bountiesQuietEnd(r *Run) figure {
	last, n := uint64(0), 0
	for i := range r.Events {
		if _, ok := r.Events[i].Payload.(*wire.BountyCreatedEvent); ok {
			last = max(last, r.cycle(r.Events[i].Tick))
			n++
		}
	}
	if n == 0 {
		return none("no bounty was set")
	}
	return value(float64(r.Last-min(last, r.Last)), n)
}

func incomeFromAgents(r *Run) figure {
	all, fromAgents := 0.0, 0.0
	n := 0
	for i := range r.Transactions {
		t := &r.Transactions[i]
		if t.To < 0 || t.To == t.From || t.Operator || r.cycle(t.Tick) == 0 || t.Tick == r.Agents[t.To].Spawned { // that it begins with
			continue
		}
		n++
		all += float64(t.Amount)
		if t.From >= 0 {
			fromAgents += float64(t.Amount)
		}
	}
	if all == 0 {
		return none("no agent was paid")
	}
	return value(fromAgents/all, n)
}

func velocity(r *Run) figure { return value(r.Velocity, int(r.Last+1-r.firstWhole())) }

// giniBalances leaves out the DEAD, whose property went to the treasury, as the world's own report does.
func giniBalances(r *Run) figure {
	var xs []float64
	for i := range r.Agents {
		if r.Agents[i].Status != wire.StatusDead {
			xs = append(xs, float64(r.Agents[i].Balance))
		}
	}
	if len(xs) == 0 {
		return none("no agent is alive")
	}
	return value(gini(xs), len(xs))
}

// notAddingUp says why there is no figure about balances over time.
const notAddingUp = "the transactions do not add up to the accounts: the run was read while it was written, or its store is damaged"

// povertyLine is the balance in ⚡ below which an agent counts as poor.
const povertyLine = 20

// everPoor follows the balances through all payments; it returns no figure if the result differs from
// the balances of the accounts. Who dies is not poor because its property goes to the treasury.
func everPoor(r *Run) figure {
	was, start := make([]bool, len(r.Agents)), r.First*r.TicksPerCycle
	if !r.all().followBalances(func(tick uint64, a int, balance int64) { was[a] = was[a] && tick >= start || balance < povertyLine }) {
		return none(notAddingUp)
	}
	n := 0
	for _, poor := range was {
		if poor {
			n++
		}
	}
	return value(float64(n)/float64(len(r.Agents)), len(r.Agents))
}

// followBalances computes the balances from what the accounts were opened with and all payments. It calls at with that of
// each agent that is alive, at the end of each tick in which an account was opened, a payment was made or an agent died. It
// reports whether the result is what the accounts hold.
func (r *Run) followBalances(at func(tick uint64, agent int, balance int64)) bool {
	balance, since := make([]int64, len(r.Agents)), make([]uint64, len(r.Agents)) // since: the tick at which the account was opened
	diedAt := make([]uint64, len(r.Agents))
	for i := range diedAt {
		diedAt[i] = math.MaxUint64
	}
	var ticks []uint64
	for i := range r.Events {
		switch e := r.Events[i].Payload.(type) {
		case *wire.AccountCreatedEvent:
			if a := r.agentIndex(e.Owner); a >= 0 {
				balance[a], since[a] = int64(e.InitialBalance), r.Events[i].Tick
				ticks = append(ticks, since[a])
			}
		case *wire.AgentStatusChangeEvent:
			if a := r.agentIndex(e.AgentID); a >= 0 && e.NewStatus == wire.StatusDead {
				diedAt[a] = r.Events[i].Tick
				ticks = append(ticks, diedAt[a])
			}
		}
	}
	for i := range r.Transactions {
		ticks = append(ticks, r.Transactions[i].Tick)
	}
	slices.Sort(ticks)
	left := r.Transactions
	for _, tick := range slices.Compact(ticks) {
		for len(left) > 0 && left[0].Tick <= tick {
			t := &left[0]
			if t.From >= 0 {
				balance[t.From] -= int64(t.Amount + t.Tax)
			}
			if t.To >= 0 {
				balance[t.To] += int64(t.Amount)
			}
			left = left[1:]
		}
		for a, b := range balance {
			if since[a] <= tick && tick < diedAt[a] {
				at(tick, a, b)
			}
		}
	}
	for a := range r.Agents {
		if balance[a] != r.Agents[a].Balance {
			return false
		}
	}
	return true
}

// priceSpeed counts the wait of a bounty from cycle 1 on: nobody can claim in cycle 0, in which the world is created.
func priceSpeed(r *Run) figure {
	created := map[wire.Hash]*wire.BountyCreatedEvent{}
	var rewards, waits []float64
	for i := range r.Events {
		switch e := r.Events[i].Payload.(type) {
		case *wire.BountyCreatedEvent:
			created[e.BountyID] = e
		case *wire.BountyClaimedEvent:
			if c := created[e.BountyID]; c != nil {
				rewards, waits = append(rewards, float64(c.Reward)), append(waits, float64(uint64(e.Tick)-max(uint64(c.Tick), r.TicksPerCycle)))
				delete(created, e.BountyID) // the first claim counts
			}
		}
	}
	const least = 3
	if len(rewards) < least {
		return none("fewer than three bounties were claimed")
	}
	rho, ok := spearman(rewards, waits)
	if !ok {
		return none("all claimed bounties pay or wait alike")
	}
	return value(rho, len(rewards))
}
