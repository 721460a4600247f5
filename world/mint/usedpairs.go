package mint

import (
	"cmp"

	"kingdom/wire"
	"kingdom/world"
)

// pair is an ordered pair of agents, by number, and a class.
type pair struct {
	from, to uint32
	class    world.PairClass
}

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.class, q.class), cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to))
}

// usedPairs holds the cycle in which each pair was used, in 20 bytes instead of 130 for a record with its key. In a
// large world each agent has a hundred of them.
type usedPairs struct {
	agents world.Numbering[wire.AgentID]
	cycles map[pair]uint32 // cycles
}

// last returns the cycle in which a pair was used; ok is false if it was not.
func (u *usedPairs) last(class world.PairClass, from, to wire.AgentID) (used wire.Cycle, ok bool) {
	a, known := u.agents.Find(from)
	b, both := u.agents.Find(to)
	if !known || !both {
		return 0, false
	}
	n, ok := u.cycles[pair{a, b, class}]
	return wire.Cycle(n), ok
}

// pairOf returns a pair, and assigns numbers to new agents.
func (u *usedPairs) pairOf(class world.PairClass, from, to wire.AgentID) pair {
	return pair{u.agents.Assign(from), u.agents.Assign(to), class}
}

// key returns the key of a pair's record: u8 class ‖ from ‖ to.
func (u *usedPairs) key(p pair) string {
	from, to := u.agents.Key(p.from), u.agents.Key(p.to)
	return string([]byte{byte(p.class)}) + string(from[:]) + string(to[:])
}

// pairAt returns the pair of a record's key.
func (u *usedPairs) pairAt(key string) pair {
	var from, to wire.AgentID
	copy(to[:], key[1+copy(from[:], key[1:]):])
	return u.pairOf(world.PairClass(key[0]), from, to)
}

// Pack implements [world.Form].
func (u *usedPairs) Pack(key string, r *Pair) { u.cycles[u.pairAt(key)] = uint32(r.Cycle) }

// Unpack implements [world.Form].
func (u *usedPairs) Unpack(key string, r *Pair) (ok bool) {
	n, ok := u.cycles[u.pairAt(key)]
	r.Cycle = wire.Cycle(n)
	return ok
}

// Keys implements [world.Form].
func (u *usedPairs) Keys() []string {
	keys := make([]string, 0, len(u.cycles))
	for p := range u.cycles { //house:sorted by the table
		keys = append(keys, u.key(p))
	}
	return keys
}
