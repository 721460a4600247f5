package agora

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// bars keep agents from claiming a bounty: for some cycles after a failed claim, and for ever after rejecting a
// submission, so that a judge cannot reject work in order to take the bounty itself.
type bars struct {
	*world.Table[string, Bar]                              // bounty ‖ agent
	barred                    map[wire.Hash][]wire.AgentID // index: who is barred from a bounty, ascending
	expiring                  map[wire.Cycle][]wire.Hash   // index: bounties with a bar that ends in that cycle
}

func newBars(s *world.State) *bars {
	return &bars{
		Table:  world.NewTable[string, Bar](s, "bars", barCodec),
		barred: map[wire.Hash][]wire.AgentID{}, expiring: map[wire.Cycle][]wire.Hash{},
	}
}

// until returns the first cycle in which a is not barred from bounty id; 0 if there is no bar. Every view calls it for
// every bounty, so the index is searched first, which needs no allocated key.
func (x *bars) until(id wire.Hash, a wire.AgentID) wire.Cycle {
	if _, barred := slices.BinarySearchFunc(x.barred[id], a, wire.AgentID.Compare); !barred {
		return 0
	}
	if r := x.Get(pair(id, a)); r != nil {
		return r.Until
	}
	return 0
}

// hasRejected reports whether a rejected a submission to bounty id.
func (x *bars) hasRejected(id wire.Hash, a wire.AgentID) bool { return x.until(id, a) == Never }

// set bars a from bounty id until a cycle. A longer bar is kept.
func (x *bars) set(id wire.Hash, a wire.AgentID, until wire.Cycle) {
	if x.until(id, a) >= until {
		return
	}
	r := &Bar{Bounty: id, Agent: a, Until: until}
	x.Put(pair(id, a), r)
	x.index(r)
}

func (x *bars) index(r *Bar) {
	x.barred[r.Bounty] = insert(x.barred[r.Bounty], r.Agent, wire.AgentID.Compare)
	if r.Until != Never {
		x.expiring[r.Until] = append(x.expiring[r.Until], r.Bounty)
	}
}

// remove deletes the bars of a bounty that has ended.
func (x *bars) remove(id wire.Hash) {
	for _, a := range x.barred[id] {
		x.Delete(pair(id, a))
	}
	delete(x.barred, id)
}

// expire deletes the bars that have ended by cycle next.
func (x *bars) expire(next wire.Cycle) {
	for _, until := range det.SortedKeys(x.expiring) {
		if until > next {
			return
		}
		for _, id := range x.expiring[until] {
			for _, a := range slices.Clone(x.barred[id]) {
				if x.until(id, a) <= next {
					x.Delete(pair(id, a))
					x.barred[id] = remove(x.barred[id], a, wire.AgentID.Compare)
				}
			}
			if len(x.barred[id]) == 0 {
				delete(x.barred, id)
			}
		}
		delete(x.expiring, until)
	}
}

func (x *bars) restored() { x.Each(func(_ string, r *Bar) { x.index(r) }) }
