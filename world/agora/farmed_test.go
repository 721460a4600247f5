package agora

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
)

// What clever agents tried, and what it comes to.

// One or four agents of the highest reputation that praise ten messages each make no entry; five agents do.
func TestCrystallize_SignalsOfOneAgentCountOnce(t *testing.T) {
	for voices, want := range map[int]int{1: 0, 4: 0, 5: 1} {
		l := newLab(t)
		for i := range 10 {
			id := l.say(1, wire.ChannelID("help"), wire.MessageKindAnswer, fmt.Sprint("words ", i))
			for n := range byte(voices) {
				l.crowd.repute[agent(2+n)] = 1
				l.must(agent(2+n), signalOf(id, wire.SignalKindHelpful))
			}
		}
		l.endCycle()
		if got := len(l.shelf.published); got != want {
			t.Errorf("%d agents with ten signals each: %d entries, want %d", voices, got, want)
		}
		if got := len(l.restored().d.archive.ready); got != want {
			t.Errorf("%d agents with ten signals each: %d channels are ripe after a restore, want %d", voices, got, want)
		}
	}
}

// Two bounties that ask for one pattern each need two patterns.
func TestSubmit_EntryCountsForOneBountyOnly(t *testing.T) {
	l := newLab(t)
	var ids []wire.Hash
	for range 2 {
		id := l.must(creator, offerOf(patterns(1)))
		l.must(claimer, claimOf(id))
		ids = append(ids, id)
	}
	l.shelf.verified[claimer] = 1
	l.must(claimer, submitOf(ids[0]))
	l.status(ids[0], wire.BountyStatusCompleted)
	l.must(claimer, submitOf(ids[1]))
	l.status(ids[1], wire.BountyStatusClaimed)
	if len(l.shelf.fulfilled) != 1 {
		t.Errorf("%d entries are used up, want one", len(l.shelf.fulfilled))
	}
}

// If all entries of a claimer were verified by the same agent, they complete one bounty only until the pair is free
// again, however many entries there are. The view's Ready says so too.
func TestSubmit_PairOfVerifierAndClaimerCountsOnce(t *testing.T) {
	l := newLab(t)
	l.shelf.verified[claimer] = 9
	for i, want := range []wire.BountyStatus{wire.BountyStatusCompleted, wire.BountyStatusClaimed} {
		id := l.must(creator, offerOf(patterns(3)))
		l.must(claimer, claimOf(id))
		if ready := l.d.AppendClaims(nil, claimer, l.c.Tick)[0].Ready; ready != (i == 0) {
			t.Errorf("bounty %d: ready %t", i+1, ready)
		}
		l.must(claimer, submitOf(id))
		l.status(id, want)
	}
}

// At the eighth cycle end at which all judges sleep, other agents may judge, each if its pair with the claimer is free.
func TestJudge_SleepingJudgeIsReplacedAfterEightCycles(t *testing.T) {
	l := newLab(t)
	q := offerOf()
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	for i := range 8 {
		l.refused(judge, verdictOf(id, approve), "UNAUTHORIZED not_reviewer")
		if n := len(l.d.AppendReviews(nil, judge, l.c.Tick)); n != 0 {
			t.Fatalf("cycle %d: it is shown to who may not judge it", i+1)
		}
		l.crowd.status[creator] = wire.StatusDormant // each time before the cycle ends, and awake again after it
		l.endCycle()
		l.crowd.status[creator] = wire.StatusActive
	}
	if n := len(l.d.AppendReviews(nil, judge, l.c.Tick)); n != 1 {
		t.Fatal("it is not shown to who may judge it")
	}
	l = l.restored()
	l.must(judge, verdictOf(id, approve))
	l.must(other, verdictOf(id, approve))
	l.endCycle()
	l.status(id, wire.BountyStatusCompleted)
	if l.bank.paid[claimer] != 40 {
		t.Errorf("the claimer was paid %d ⚡, want 40", l.bank.paid[claimer])
	}
}

// A judge that slept at seven cycle ends can still judge when it is awake.
func TestJudge_SleepingSevenCyclesKeepsItsSeat(t *testing.T) {
	l := newLab(t)
	q := offerOf()
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.crowd.status[creator] = wire.StatusDormant
	for range 7 {
		l.endCycle()
	}
	l.crowd.status[creator] = wire.StatusActive
	l.refused(judge, verdictOf(id, approve), "UNAUTHORIZED not_reviewer")
	if named := l.d.board.verdicts.judgesOf(l.d.Bounty(id)).named; !slices.Equal(named, []wire.AgentID{creator}) {
		t.Errorf("judges %v, want the creator", named)
	}
	l.must(creator, verdictOf(id, approve))
	l.status(id, wire.BountyStatusCompleted)
}

// Replacements for a sleeping judge are drawn, three of those awake in each cycle, so that a claimer's friends are not
// the first.
func TestJudge_ReplacementsAreDrawnByLot(t *testing.T) {
	const awake = 100
	l := newLab(t)
	l.d.board.verdicts.juries.seats = jurorsPerCycle
	for i := range byte(awake) {
		l.crowd.status[wire.AgentID{i, 0xEE}] = wire.StatusActive
	}
	q := offerOf()
	q.Deadline = 100 * 256
	id := l.must(creator, q)
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.crowd.status[creator] = wire.StatusDormant
	for range 8 {
		l.endCycle()
	}
	drawn := func() (who []wire.AgentID) {
		for a := range l.crowd.status {
			if len(l.d.AppendReviews(nil, a, l.c.Tick)) == 1 {
				who = append(who, a)
			}
		}
		slices.SortFunc(who, wire.AgentID.Compare)
		return who
	}
	first := drawn()
	if n := len(first); n != 3 {
		t.Errorf("%d are drawn at first, want 3", n)
	}
	if again := l.restored(); !slices.Equal(again.d.board.verdicts.juries.juryOf[id], l.d.board.verdicts.juries.juryOf[id]) {
		t.Error("a resumed run draws others")
	}
	l.endCycle()
	l.endCycle()
	later := drawn()
	if n := len(later); n != 9 {
		t.Errorf("%d are drawn after two cycles, want 9", n)
	}
	for _, a := range first {
		if !slices.Contains(later, a) {
			t.Error("one who was drawn is none of the judges any more")
		}
	}
	for i := range byte(awake) {
		if a := (wire.AgentID{i, 0xEE}); !slices.Contains(later, a) {
			l.refused(a, verdictOf(id, approve), "UNAUTHORIZED not_reviewer")
		}
	}
	for _, a := range later[:2] {
		l.must(a, verdictOf(id, approve))
	}
	l.endCycle()
	l.status(id, wire.BountyStatusCompleted)
}
