package agora

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// A thing that needs no verdict any more leaves the lists of its jurors at once, and those of other things stay.
func TestJury_RemovedAtOnce(t *testing.T) {
	x := newJuries(&world.Rules{Seed: wire.WorldSeed("42")}, &siblings{roster: newFakeNexus(9)})
	x.start(1)
	for n := range byte(2) {
		x.add(juryDraw{thing: wire.Hash{n + 1}, by: agent(1), at: 300, since: 1})
	}
	x.remove(wire.Hash{1})
	if len(x.draws) != 1 || len(x.juryOf) != 1 || x.drawn(wire.Hash{1}, agent(2)) {
		t.Errorf("still kept: %v %v", x.draws, x.juryOf)
	}
	n := 0
	for a, things := range x.assigned {
		if n += len(things); things[0] != (wire.Hash{2}) {
			t.Errorf("agent %v is assigned %v", a, things)
		}
	}
	if n != jurorsPerCycle {
		t.Errorf("%d are assigned, want 3", n)
	}
}

// Only the judge that overslept a submission is replaced. One that has just fallen asleep still judges.
func TestJudge_EachSleepsForItself(t *testing.T) {
	l := newLab(t)
	q := offerOf()
	q.Reviewers, q.Deadline = []wire.AgentID{judge, other}, 90*256
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.crowd.status[judge] = wire.StatusDormant
	l.must(other, verdictOf(id, approve))
	for range maxSilentCycles {
		l.status(id, wire.BountyStatusReviewing)
		l.endCycle()
	}
	l.status(id, wire.BountyStatusCompleted)

	id = l.must(creator, q)
	l.must(agent(5), claimOf(id))
	l.must(agent(5), submitOf(id))
	for range maxSilentCycles {
		l.endCycle()
	}
	b := l.d.Bounty(id)
	if b.overslept(other) || !b.overslept(judge) {
		t.Errorf("silent: %+v", b.Silent)
	}
}

// A judge that was awake approves at the end of the eighth cycle, not before.
func TestJudge_SilenceCountsFromTheEighthCycleEnd(t *testing.T) {
	l := newLab(t)
	id := l.must(creator, judgedOffer())
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	for range 8 {
		l.status(id, wire.BountyStatusReviewing)
		l.endCycle()
	}
	l.status(id, wire.BountyStatusCompleted)
}

// A release in the cycle of a claim that is in review is none: it ends with the claimer, not by its will.
func TestClaim_GoneWhileInReviewIsNoRelease(t *testing.T) {
	l := newLab(t)
	id := l.inState(wire.BountyStatusReviewing)
	l.d.AgentLeft(l.c, claimer, wire.StatusDead)
	l.status(id, wire.BountyStatusOpen)
	if n := l.d.counters.Get(claimer); n.Released != 0 || n.Vain != 0 {
		t.Errorf("%+v", n)
	}
}
