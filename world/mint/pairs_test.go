package mint

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

func TestPairs_RestSixteenCyclesPerClass(t *testing.T) {
	b := newBench(t, 6)
	b.roster.kin = map[[2]wire.AgentID]bool{{id(4), id(5)}: true, {id(5), id(4)}: true}
	use := func(cycle wire.Cycle, class world.PairClass, from, to wire.AgentID, want bool, until wire.Cycle) {
		t.Helper()
		b.at(b.rules.Calendar.First(cycle))
		free, next := b.PairFree(class, from, to, cycle)
		if free != want || !free && next != until {
			t.Errorf("cycle %d: %v → %v free %v until %d, want %v and %d", cycle, from, to, free, next, want, until)
		}
		if got := b.UsePair(b.c, class, from, to); got != want {
			t.Errorf("cycle %d: %v → %v used %v, want %v", cycle, from, to, got, want)
		}
	}
	mint := wire.SystemID(wire.SystemMint)
	use(1, world.PairJudge, id(0), id(1), true, 0)
	use(1, world.PairJudge, id(0), id(1), false, 17)
	use(1, world.PairJudge, id(1), id(0), true, 0) // pairs are ordered
	use(1, world.PairPeer, id(0), id(1), true, 0)  // and classes apart
	use(1, world.PairJudge, id(0), id(0), false, 0)
	use(1, world.PairJudge, id(4), id(5), false, 0) // kin
	use(1, world.PairVote, id(5), id(4), false, 0)
	use(1, world.PairJudge, mint, id(1), false, 0)
	use(1, world.PairVote, mint, id(1), true, 0)
	use(16, world.PairJudge, id(0), id(1), false, 17)
	for n := wire.Cycle(1); n <= 15; n++ {
		b.end(n)
		b.forgetPairs(b.c)
	}
	if n := len(b.used.cycles); n != 4 {
		t.Errorf("%d pairs are kept at the end of cycle 15, want all 4", n)
	}
	b.end(16)
	b.forgetPairs(b.c)
	if n := len(b.used.cycles) + len(b.byCycle); n != 0 {
		t.Errorf("%d pairs are kept although they are free again", n)
	}
	use(17, world.PairJudge, id(0), id(1), true, 0)
}
