package mint

import (
	"slices"

	"kingdom/wire"
)

// index is what Mint can find again in its tables but does not want to search for.
type index struct {
	open    map[wire.Hash]struct{}    // escrows LOCKED or DISPUTED
	staked  map[wire.Hash][]wire.Hash // stakes by proposal, ids ascending
	pending []string                  // keys of rewards not yet settled
	income  map[wire.AgentID]uint64   // Σ earned by payee
}

func (x *index) clear() {
	x.open = map[wire.Hash]struct{}{}
	x.staked = map[wire.Hash][]wire.Hash{}
	x.pending = nil
	x.income = map[wire.AgentID]uint64{}
}

// Restored rebuilds the index from the tables.
func (d *Daemon) Restored() {
	d.index.clear()
	d.escrows.Each(func(id wire.Hash, e *Escrow) {
		if e.open() {
			d.open[id] = struct{}{}
		}
	})
	d.stakes.Each(func(id wire.Hash, s *Stake) { d.addStake(s.Proposal, id) })
	d.rewards.Each(func(k string, r *Reward) {
		if !r.Settled {
			d.pending = append(d.pending, k)
		}
	})
	d.earned.Each(func(k string, e *Earned) {
		d.income[wire.AgentID([]byte(k[:32]))] += e.Amount
	})
}

func (x *index) addStake(proposal, id wire.Hash) {
	ids := x.staked[proposal]
	i, _ := slices.BinarySearchFunc(ids, id, wire.Hash.Compare)
	x.staked[proposal] = slices.Insert(ids, i, id)
}

func (x *index) dropStake(proposal, id wire.Hash) {
	ids := x.staked[proposal]
	if i, ok := slices.BinarySearchFunc(ids, id, wire.Hash.Compare); ok {
		ids = slices.Delete(ids, i, i+1)
	}
	if len(ids) == 0 {
		delete(x.staked, proposal)
		return
	}
	x.staked[proposal] = ids
}
