package mint

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// pairs holds the pairs of agents that were used in the last PairCycles cycles, by class. A verdict of one agent for
// another uses up the pair, and does not count again before PairCycles cycles have passed.
type pairs struct {
	rules         *world.Rules
	kin           func(a, b wire.AgentID) bool
	used          *usedPairs
	table         *world.Packed[string, Pair] // used, by u8 class ‖ from ‖ to
	byCycle       map[wire.Cycle][]pair       // index: pairs by the cycle of use
	rewardPairsTo map[wire.AgentID]uint32     // index: number of used pairs of class REWARD to an agent
}

func newPairs(r *world.Rules, s *world.State) *pairs {
	used := &usedPairs{cycles: map[pair]uint32{}}
	return &pairs{rules: r, used: used, table: world.NewPacked[string](s, "pairs", pairCodec, used)}
}

func (ps *pairs) restore() {
	ps.byCycle, ps.rewardPairsTo = map[wire.Cycle][]pair{}, map[wire.AgentID]uint32{}
	for _, k := range det.SortedKeysFunc(ps.used.cycles, pair.compare) {
		ps.index(k, wire.Cycle(ps.used.cycles[k]))
	}
}

// index adds a used pair to the indexes.
func (ps *pairs) index(k pair, used wire.Cycle) {
	ps.byCycle[used] = append(ps.byCycle[used], k)
	if k.class == world.PairReward {
		ps.rewardPairsTo[ps.used.agents.Key(k.to)]++
	}
}

// PairFree reports whether the pair from → to of a class counts in cycle now. If not, until is the first cycle in
// which it does, or 0 if it never does.
func (ps *pairs) PairFree(class world.PairClass, from, to wire.AgentID, now wire.Cycle) (free bool, until wire.Cycle) {
	if from == to || wire.IsSystem(from) && class != world.PairVote || ps.kin(from, to) {
		return false, 0
	}
	used, ok := ps.used.last(class, from, to)
	if !ok {
		return true, 0
	}
	until = used + wire.Cycle(ps.rules.PairCycles)
	return now >= until, until
}

// UsePair marks a pair as used in this cycle; false if it does not count now.
func (ps *pairs) UsePair(c *world.Context, class world.PairClass, from, to wire.AgentID) bool {
	if free, _ := ps.PairFree(class, from, to, c.Cycle); !free {
		return false
	}
	k := ps.used.pairOf(class, from, to)
	ps.used.cycles[k] = uint32(c.Cycle)
	ps.table.Changed(ps.used.key(k))
	ps.index(k, c.Cycle)
	return true
}

// forgetPairs deletes the pairs that are free again in the next cycle. It uses byCycle, so its cost does not depend on
// the number of all pairs.
func (ps *pairs) forgetPairs(c *world.Context) {
	for _, used := range det.SortedKeys(ps.byCycle) {
		if used+wire.Cycle(ps.rules.PairCycles) > c.Cycle+1 {
			break
		}
		for _, k := range ps.byCycle[used] {
			delete(ps.used.cycles, k)
			ps.table.Changed(ps.used.key(k))
			if k.class != world.PairReward {
				continue
			}
			to := ps.used.agents.Key(k.to)
			if ps.rewardPairsTo[to]--; ps.rewardPairsTo[to] == 0 {
				delete(ps.rewardPairsTo, to)
			}
		}
		delete(ps.byCycle, used)
	}
}

// Approvers returns how many ACTIVE agents' verdicts can still earn a a reward: all others except those whose pair to
// a is used. It does not subtract kin, and it counts a used pair of a sleeper too, so it is not exact.
func (d *Daemon) Approvers(a wire.AgentID) uint32 {
	others := max(int(d.ledger.nexus.ActiveCount()), 1) - 1
	return uint32(max(0, others-int(d.pairs.rewardPairsTo[a])))
}
