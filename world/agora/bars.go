package agora

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// bars keep agents from claiming a bounty: for a while after a claim that failed, for
// ever who rejected a submission, or it could reject to take the work over.
type bars struct {
	*world.Table[string, Bar]                              // bounty ‖ agent
	barred                    map[wire.Hash][]wire.AgentID // index: who is barred from a bounty, ascending
	expiring                  map[wire.Cycle][]wire.Hash   // index: bounties with a bar until that cycle
}

func newBars(s *world.State) *bars {
	return &bars{
		Table:  world.NewTable[string, Bar](s, "bars", barCodec),
		barred: map[wire.Hash][]wire.AgentID{}, expiring: map[wire.Cycle][]wire.Hash{},
	}
}

// until is the first cycle in which bounty id does not bar a; 0 if it never did. Every view asks
// it of every bounty, so the index is looked at first: a key is a text that has to be made.
func (x *bars) until(id wire.Hash, a wire.AgentID) wire.Cycle {
	if _, barred := slices.BinarySearchFunc(x.barred[id], a, wire.AgentID.Compare); !barred {
		return 0
	}
	if r := x.Get(pair(id, a)); r != nil {
		return r.Until
	}
	return 0
}

// hasRejected says whether a rejected a submission to bounty id.
func (x *bars) hasRejected(id wire.Hash, a wire.AgentID) bool { return x.until(id, a) == Never }

// set bars a from bounty id before cycle until, or longer if it is barred already.
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

// remove forgets the bars of a bounty that nobody can claim any more.
func (x *bars) remove(id wire.Hash) {
	for _, a := range x.barred[id] {
		x.Delete(pair(id, a))
	}
	delete(x.barred, id)
}

// expire drops the bars that are over from cycle next on.
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
