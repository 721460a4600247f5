package agora

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// jurors draws the juries of a thing in a crowd of so many for each of some cycles.
func jurors(crowd *fakeNexus, thing byte, by wire.AgentID, cycles wire.Cycle) (drawn [][]wire.AgentID) {
	x := newJuries(&world.Rules{Seed: wire.WorldSeed("42")}, &siblings{roster: crowd})
	x.start(1)
	x.add(juryDraw{thing: wire.Hash{thing}, by: by, at: 300, since: 1})
	for cycle := range cycles {
		x.start(1 + cycle)
		drawn = append(drawn, x.juryOf[wire.Hash{thing}])
	}
	return drawn
}

func newFakeNexus(n byte) *fakeNexus {
	c := &fakeNexus{status: map[wire.AgentID]wire.AgentStatus{}}
	for i := range n {
		c.status[agent(i+1)] = wire.StatusActive
	}
	return c
}

// Three of those awake are drawn, and three more in each further cycle, until all but the submitter are. Those drawn
// before stay, and every agent is drawn about equally often.
func TestJury_ThreeMoreAreDrawnEachCycle(t *testing.T) {
	const n, things, cycles = 16, 240, 6
	times := map[wire.AgentID]int{}
	for thing := range byte(things) {
		before := []wire.AgentID{}
		for cycle, jury := range jurors(newFakeNexus(n), thing, agent(1), cycles) {
			if want := min(n-1, 3*(1+cycle)); len(jury) != want {
				t.Fatalf("%d are drawn in cycle %d, want %d", len(jury), cycle, want)
			}
			if !slices.Equal(before, jury[:len(before)]) || slices.Contains(jury, agent(1)) {
				t.Fatalf("cycle %d: drawn %v, before %v", cycle, jury, before)
			}
			if before = jury; cycle == 0 {
				for _, a := range jury {
					times[a]++
				}
			}
		}
		if distinct := slices.Compact(slices.SortedFunc(slices.Values(before), wire.AgentID.Compare)); len(distinct) != n-1 {
			t.Fatalf("%d different agents of %d", len(distinct), n-1)
		}
	}
	for i := range byte(n - 1) {
		if got := times[agent(i+2)]; got < 24 || got > 80 { // 48 in the mean
			t.Errorf("agent %d is drawn first for %d of %d things, want about 48", i+2, got, things)
		}
	}
}

// A sleeping agent is skipped and the others stay; when it is awake it is drawn as before.
func TestJury_DormantAgentsAreSkipped(t *testing.T) {
	c := newFakeNexus(16)
	first := jurors(c, 1, agent(1), 1)[0]
	c.status[first[1]] = wire.StatusDormant
	second := jurors(c, 1, agent(1), 1)[0]
	if len(second) != 3 || second[0] != first[0] || second[1] != first[2] || slices.Contains(first, second[2]) {
		t.Errorf("drawn %v, and with the second asleep %v", first, second)
	}
	for a := range c.status {
		c.status[a] = wire.StatusDormant
	}
	if got := jurors(c, 1, agent(1), 3)[2]; len(got) != 0 {
		t.Errorf("%v are drawn of sleepers", got)
	}
}

// Agents spawned after a submission are not drawn for it, so nobody can spawn an agent to judge its own submission.
func TestJury_AgentSpawnedAfterSubmissionIsNotDrawn(t *testing.T) {
	c := newFakeNexus(9)
	c.came = map[wire.AgentID]wire.Tick{agent(2): 299, agent(3): 300, agent(4): 301}
	jury := jurors(c, 1, agent(1), 6)[5]
	if len(jury) != 6 || !slices.Contains(jury, agent(2)) || slices.Contains(jury, agent(3)) || slices.Contains(jury, agent(4)) {
		t.Errorf("drawn %v for what was handed in at tick 300", jury)
	}
}

// A submission that needs no verdict any more is in no list. One that is handed in before the first tick is drawn for
// at that tick.
func TestJury_RemovedSubmissionIsForgotten(t *testing.T) {
	x := newJuries(&world.Rules{Seed: wire.WorldSeed("42")}, &siblings{roster: newFakeNexus(9)})
	x.add(juryDraw{thing: wire.Hash{1}, by: agent(1), at: 300, since: 1})
	if len(x.juryOf)+len(x.assigned) != 0 {
		t.Error("drawn before the first tick")
	}
	x.start(4)
	if len(x.juryOf[wire.Hash{1}]) != 8 || len(x.assigned) != 8 {
		t.Errorf("drawn %v", x.juryOf)
	}
	x.remove(wire.Hash{1})
	x.start(5)
	if len(x.draws)+len(x.juryOf)+len(x.assigned) != 0 {
		t.Errorf("still kept: %v %v %v", x.draws, x.juryOf, x.assigned)
	}
}

// A submission whose first cycle of the draw is still to come has three jurors until then, and three more in each cycle
// after its first.
func TestJury_BeforeItsFirstCycleHasThreeSeats(t *testing.T) {
	x := newJuries(&world.Rules{Seed: wire.WorldSeed("42")}, &siblings{roster: newFakeNexus(16)})
	x.start(1)
	x.add(juryDraw{thing: wire.Hash{1}, by: agent(1), at: 300, since: 3})
	for cycle, want := range []int{1: 3, 2: 3, 3: 3, 4: 6, 5: 9} {
		if cycle == 0 {
			continue
		}
		x.start(wire.Cycle(cycle))
		if got := len(x.juryOf[wire.Hash{1}]); got != want {
			t.Errorf("cycle %d: %d are drawn, want %d", cycle, got, want)
		}
	}
}

// BenchmarkJuries is what a cycle's draw costs per thing, in its ninth cycle among a thousand agents.
func BenchmarkJuries(b *testing.B) {
	c := newFakeNexus(0)
	for i := range 1000 {
		c.status[wire.AgentID{byte(i), byte(i >> 8)}] = wire.StatusActive
	}
	x := newJuries(&world.Rules{Seed: wire.WorldSeed("42")}, &siblings{roster: sortedNexus{c, c.SpawnedBefore(0)}})
	x.cycle = 9
	for b.Loop() {
		x.add(juryDraw{thing: wire.Hash{1}, at: 300, since: 1})
		x.remove(wire.Hash{1})
	}
}

type sortedNexus struct {
	*fakeNexus
	came []wire.AgentID
}

func (c sortedNexus) SpawnedBefore(wire.Tick) []wire.AgentID { return c.came }
