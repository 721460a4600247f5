package agora

import (
	"math/bits"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// jurorsPerCycle is the number of ACTIVE agents that are drawn in each cycle to judge a thing without other judges.
const jurorsPerCycle = 3

// juries are the agents that judge things without other judges, bounties or review requests. Three are drawn when a
// thing is submitted, and three more at the start of each further cycle, so that nothing stays undecided because jurors
// are silent. The draw depends only on the thing, the roster and the cycle, so it is not part of the state: a resumed
// run draws the same jurors.
type juries struct {
	*siblings
	rules *world.Rules

	seats    int                          // per thing and cycle
	cycle    wire.Cycle                   // of the draws; 0 before the first tick
	draws    map[wire.Hash]juryDraw       // by id of the thing that waits for a verdict
	juryOf   map[wire.Hash][]wire.AgentID // jurors by id of the thing
	assigned map[wire.AgentID][]wire.Hash // things by juror, ascending
}

func newJuries(r *world.Rules, others *siblings) *juries {
	return &juries{
		siblings: others, rules: r, seats: jurorsPerCycle,
		draws: map[wire.Hash]juryDraw{}, juryOf: map[wire.Hash][]wire.AgentID{}, assigned: map[wire.AgentID][]wire.Hash{},
	}
}

// juryDraw describes the draw of a jury for a thing.
type juryDraw struct {
	thing wire.Hash
	by    wire.AgentID // the agent that submitted it, which cannot be a juror
	at    wire.Tick    // when it was submitted; the draw depends on it, so nobody knows the jurors before, and agents spawned later are not drawn
	since wire.Cycle   // the first cycle of the draw
}

// add draws the first jury for a thing, unless no cycle has begun yet.
func (x *juries) add(l juryDraw) {
	x.draws[l.thing] = l
	if x.cycle > 0 {
		x.draw(l)
	}
}

// remove ends the draw for a thing.
func (x *juries) remove(id wire.Hash) {
	for _, a := range x.juryOf[id] {
		drop(x.assigned, a, id, wire.Hash.Compare)
	}
	delete(x.juryOf, id)
	delete(x.draws, id)
}

// start draws the juries of a cycle, once.
func (x *juries) start(cycle wire.Cycle) {
	if x.cycle == cycle {
		return
	}
	x.cycle = cycle
	clear(x.assigned)
	for _, l := range x.draws { //house:sorted each draw has numbers of its own, and lists of tasks are kept sorted
		x.draw(l)
	}
}

// drawn reports whether a is a juror for a thing.
func (x *juries) drawn(id wire.Hash, a wire.AgentID) bool { return slices.Contains(x.juryOf[id], a) }

// draw draws the jury of l from the ACTIVE agents. The order of the agents is the same in each cycle, so jurors stay
// jurors while they are ACTIVE.
func (x *juries) draw(l juryDraw) {
	seats := x.seats * (1 + int(x.cycle-min(l.since, x.cycle)))
	var jury []wire.AgentID
	for a := range l.order(x.rules.Seed, x.roster.SpawnedBefore(l.at)) {
		if len(jury) == seats {
			break
		}
		if s, _ := x.roster.Status(a); s == wire.StatusActive && a != l.by {
			jury = append(jury, a)
		}
	}
	x.juryOf[l.thing] = jury
	for _, a := range jury {
		x.assigned[a] = insert(x.assigned[a], l.thing, wire.Hash.Compare)
	}
}

// order yields the agents of a list, each once, in a random order that depends on the thing.
func (l juryDraw) order(seed [32]byte, among []wire.AgentID) func(yield func(wire.AgentID) bool) {
	return func(yield func(wire.AgentID) bool) {
		s := det.NewStream(seed, det.Jury, l.thing, uint64(l.at))
		moved := map[uint64]uint64{} // Fisher-Yates shuffle without a copy: only the indexes whose agent has changed
		at := func(i uint64) uint64 {
			if j, ok := moved[i]; ok {
				return j
			}
			return i
		}
		for i, n := uint64(0), uint64(len(among)); i < n; i++ {
			j, _ := bits.Mul64(s.Uint64(), n-i)
			j += i
			next := at(j)
			moved[j] = at(i)
			if !yield(among[next]) {
				return
			}
		}
	}
}
