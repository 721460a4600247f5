package agora

import (
	"math/bits"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// jurorsPerCycle is how many of those awake are drawn in each cycle to judge what names nobody who can.
const jurorsPerCycle = 3

// juries are the agents who judge things that name nobody who can: three are drawn when a thing is handed in, and three more
// at the start of each further cycle, so that nothing stays undecided because those drawn say nothing. They follow from the
// thing, the roster and the cycle, so that they are no state: a resumed run draws them again.
type juries struct {
	*siblings
	rules *world.Rules

	seats    int                          // per thing and cycle
	cycle    wire.Cycle                   // of the draws; 0 before the first tick
	draws    map[wire.Hash]juryDraw       // of things that wait for a verdict
	juryOf   map[wire.Hash][]wire.AgentID // who is drawn for a thing
	assigned map[wire.AgentID][]wire.Hash // what an agent is drawn for, ascending
}

func newJuries(r *world.Rules, others *siblings) *juries {
	return &juries{
		siblings: others, rules: r, seats: jurorsPerCycle,
		draws: map[wire.Hash]juryDraw{}, juryOf: map[wire.Hash][]wire.AgentID{}, assigned: map[wire.AgentID][]wire.Hash{},
	}
}

// juryDraw is the draw for a thing.
type juryDraw struct {
	thing wire.Hash
	by    wire.AgentID // who handed it in, and does not judge it
	at    wire.Tick    // when; nobody knows before who will be drawn, and who comes later is not
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
	clear(x.juryOf)
	clear(x.assigned)
	for _, l := range x.draws { //house:sorted each draw has numbers of its own, and lists of tasks are kept sorted
		x.draw(l)
	}
}

// drawn says whether a is drawn to judge a thing.
func (x *juries) drawn(id wire.Hash, a wire.AgentID) bool { return slices.Contains(x.juryOf[id], a) }

// draw fills the jury of l from those who are awake. Who is drawn stays so while awake, since the order in which agents are
// asked is the same in each cycle.
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

// order yields the agents of a list in an order drawn for the thing, each once.
func (l juryDraw) order(seed [32]byte, among []wire.AgentID) func(yield func(wire.AgentID) bool) {
	return func(yield func(wire.AgentID) bool) {
		s := det.NewStream(seed, det.Jury, l.thing, uint64(l.at))
		moved := map[uint64]uint64{} // places of a shuffled list that hold another agent than at first
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
