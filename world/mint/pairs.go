package mint

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// pairs is who has spoken for whom in the last PairCycles cycles, by class.
type pairs struct {
	rules *world.Rules
	kin   func(a, b wire.AgentID) bool
	table *world.Table[string, Pair] // u8 class ‖ from ‖ to
	spent map[wire.Cycle][]string    // index: keys by the cycle of use
}

func (ps *pairs) restore() {
	ps.spent = map[wire.Cycle][]string{}
	ps.table.Each(func(k string, p *Pair) { ps.spent[p.Cycle] = append(ps.spent[p.Cycle], k) })
}

func classKey(class world.PairClass, from, to wire.AgentID) string {
	return string([]byte{byte(class)}) + string(from[:]) + string(to[:])
}

// PairFree says whether from → to of a class counts in cycle now. If not, until is the
// first cycle in which it may, or 0 if it never does.
func (ps *pairs) PairFree(class world.PairClass, from, to wire.AgentID, now wire.Cycle) (free bool, until wire.Cycle) {
	if from == to || wire.IsSystem(from) && class != world.PairVote || ps.kin(from, to) {
		return false, 0
	}
	p := ps.table.Get(classKey(class, from, to))
	if p == nil {
		return true, 0
	}
	until = p.Cycle + wire.Cycle(ps.rules.PairCycles)
	return now >= until, until
}

// UsePair uses a pair up; false if it does not count now.
func (ps *pairs) UsePair(c *world.Context, class world.PairClass, from, to wire.AgentID) bool {
	if free, _ := ps.PairFree(class, from, to, c.Cycle); !free {
		return false
	}
	k := classKey(class, from, to)
	ps.table.Put(k, &Pair{Cycle: c.Cycle})
	ps.spent[c.Cycle] = append(ps.spent[c.Cycle], k)
	return true
}

// forgetPairs drops pairs that are free again from the next cycle on. It looks at those
// alone, not at all pairs.
func (ps *pairs) forgetPairs(c *world.Context) {
	for _, used := range det.SortedKeys(ps.spent) {
		if used+wire.Cycle(ps.rules.PairCycles) > c.Cycle+1 {
			break
		}
		for _, k := range ps.spent[used] {
			ps.table.Delete(k)
		}
		delete(ps.spent, used)
	}
}
