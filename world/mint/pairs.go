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
	heard map[wire.AgentID]uint32    // index: how many pairs of class REWARD to an agent are used
}

func (ps *pairs) restore() {
	ps.spent, ps.heard = map[wire.Cycle][]string{}, map[wire.AgentID]uint32{}
	ps.table.Each(func(k string, p *Pair) { ps.note(k, p.Cycle) })
}

// note puts a used pair into the indexes.
func (ps *pairs) note(k string, used wire.Cycle) {
	ps.spent[used] = append(ps.spent[used], k)
	if to, ok := rewarded(k); ok {
		ps.heard[to]++
	}
}

// rewarded is the agent that a pair of class REWARD points to.
func rewarded(k string) (to wire.AgentID, ok bool) {
	copy(to[:], k[1+len(to):])
	return to, k[0] == byte(world.PairReward)
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
	ps.note(k, c.Cycle)
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
			if to, ok := rewarded(k); ok {
				if ps.heard[to]--; ps.heard[to] == 0 {
					delete(ps.heard, to)
				}
			}
		}
		delete(ps.spent, used)
	}
}

// Approvers returns how many ACTIVE agents' verdicts can still earn a a reward: all others except those whose pair to
// a is used. It does not subtract kin, and it counts a used pair of a sleeper too, so it is not exact.
func (d *Daemon) Approvers(a wire.AgentID) uint32 {
	others := max(int(d.ledger.nexus.ActiveCount()), 1) - 1
	return uint32(max(0, others-int(d.pairs.heard[a])))
}
