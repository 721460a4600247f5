package agora

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
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

// Entries and pairs are reserved while a submission is judged or in dispute, and used up only when it is paid for. So a
// creator that rejects work costs its claimer nothing but time.
func TestSubmit_EntriesAreUsedUpByPayment(t *testing.T) {
	pairUsed := func(l *lab) bool {
		free, _ := l.bank.PairFree(world.PairJudge, voucher, claimer, 0)
		return !free
	}
	for _, tc := range []struct {
		name    string
		verdict wire.BountyVerdict
		after   func(l *lab, first wire.Hash)
		second  bool // whether the entry and the verdict count for another bounty
		used    bool
	}{
		{"in review", 0, nil, false, false},
		{"paid", approve, nil, false, true},
		{"rejected", reject, nil, true, false},
		{"in dispute", reject, func(l *lab, id wire.Hash) { l.must(claimer, verdictOf(id, dispute)) }, false, false},
		{"dispute won", reject, func(l *lab, id wire.Hash) {
			l.must(claimer, verdictOf(id, dispute))
			l.d.DisputeDecided(l.c, id, wire.ProposalStatusPassed)
		}, false, true},
		{"dispute lost", reject, func(l *lab, id wire.Hash) {
			l.must(claimer, verdictOf(id, dispute))
			l.d.DisputeDecided(l.c, id, wire.ProposalStatusFailed)
		}, true, false},
		{"claimer dead", 0, func(l *lab, _ wire.Hash) { l.d.AgentLeft(l.c, claimer, wire.StatusDead) }, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			l.shelf.verified[claimer] = 1
			first, second := l.must(creator, offerOf(patterns(1), reviewedBy(1))), l.must(creator, offerOf(patterns(1)))
			l.must(claimer, claimOf(first))
			l.must(claimer, claimOf(second))
			l.must(claimer, submitOf(first))
			if tc.verdict != 0 {
				l.must(creator, verdictOf(first, tc.verdict))
			}
			if tc.after != nil {
				tc.after(l, first)
			}
			l = l.restored()
			if used := len(l.shelf.fulfilled) > 0; used != tc.used || pairUsed(l) != tc.used {
				t.Errorf("entry used up: %t, pair: %t; want %t", used, pairUsed(l), tc.used)
			}
			if l.d.Bounty(second).Status != wire.BountyStatusClaimed { // given up with the rest
				return
			}
			want := wire.BountyStatusClaimed
			if tc.second {
				want = wire.BountyStatusCompleted
			}
			for _, v := range l.d.AppendClaims(nil, claimer, l.c.Tick) {
				if v.ID == second && v.Ready != tc.second {
					t.Errorf("ready %t, want %t", v.Ready, tc.second)
				}
			}
			l.must(claimer, submitOf(second))
			l.status(second, want)
			if tc.second && l.d.Bounty(first).Status == wire.BountyStatusRejected {
				l.refused(claimer, verdictOf(first, dispute), "CONFLICT state") // it is not paid twice
			}
		})
	}
}

// Who vouched for a claimer's entries is no juror of the work that they are part of, also before the pair is used up.
func TestJury_WhoVouchedForTheEntriesDoesNotJudge(t *testing.T) {
	l := newLab(t)
	l.shelf.verified[claimer], l.crowd.status[voucher] = 1, wire.StatusActive
	id := l.must(creator, offerOf(patterns(1), reviewedBy(1)))
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	l.crowd.status[creator] = wire.StatusDead
	l.d.AgentLeft(l.c, creator, wire.StatusDead)
	if n := len(l.d.AppendReviews(nil, voucher, l.c.Tick)); n != 0 {
		t.Error("it is shown to the voucher")
	}
	l.refused(voucher, verdictOf(id, approve), "CONFLICT pair_used")
	l.must(judge, verdictOf(id, approve))
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

// hold lets four agents hold the two bounties of another by all means for 96 cycles: each claims what it may and hands
// nothing in. If they wash, each completes bounties of 1 ⚡ of the next one, as often as it may claim any. It returns the
// percentage of cycle ends at which a bounty is held, and what the four paid.
func hold(t *testing.T, wash bool) (percent int, paid int64) {
	l := newLab(t)
	gang := []wire.AgentID{agent(2), agent(3), agent(4), agent(5)}
	var board []wire.Hash
	for range 2 {
		q := offerOf()
		q.Deadline = 100 * 256
		board = append(board, l.must(creator, q))
	}
	held := 0
	for range 96 {
		for i, a := range gang {
			for n := l.d.board.counters.Get(a); wash && n != nil && n.Vain > 0 && n.ClearedFrom <= l.c.Cycle && n.BarredUntil <= l.c.Cycle && l.d.board.openClaims(a) < 2; {
				friend, q := gang[(i+1)%len(gang)], offerOf()
				q.Reward = 1
				id := l.must(friend, q)
				l.must(a, claimOf(id))
				l.must(a, submitOf(id))
				l.must(friend, verdictOf(id, approve))
			}
			for _, id := range board {
				l.send(a, claimOf(id))
			}
		}
		for _, id := range board {
			if l.d.Bounty(id).Claimer != nil {
				held++
			}
		}
		l.endCycle()
	}
	for _, a := range gang {
		paid += 1000 - l.bank.funds[a]
	}
	return held * 100 / (96 * len(board)), paid
}

// Before completed bounties counted only once in sixteen cycles, four agents that washed held both bounties at all cycle
// ends, for 32 ⚡.
func TestClaim_BountiesOfFriendsClearOneClaimInSixteenCycles(t *testing.T) {
	for wash, most := range map[bool]int{false: 50, true: 65} {
		got, paid := hold(t, wash)
		t.Logf("washing %t: held at %d %% of cycle ends, for %d ⚡", wash, got, paid)
		if got > most {
			t.Errorf("washing %t: held at %d %% of cycle ends, want %d at most", wash, got, most)
		}
	}
}

// A completed bounty clears one claim and all releases, and the next one does so sixteen cycles later.
func TestRecordDelivery_OnceInSixteenCycles(t *testing.T) {
	l := newLab(t)
	*l.d.board.counters.forUpdate(claimer) = Counter{Vain: 3, Released: 4}
	for _, tc := range []struct {
		at             wire.Cycle
		vain, released uint32
	}{
		{20, 2, 0},
		{20, 2, 1},
		{35, 2, 1},
		{36, 1, 0},
		{52, 0, 0},
	} {
		l.d.board.recordDelivery(tc.at, claimer)
		if n := l.d.board.counters.Get(claimer); n.Vain != tc.vain || n.Released != tc.released {
			t.Errorf("cycle %d: %d failed and %d released, want %d and %d", tc.at, n.Vain, n.Released, tc.vain, tc.released)
		}
		l.d.board.counters.Edit(claimer).Released = 1
	}
}

// Four agents ask a creator for four reviews each. What it has to judge in its own bounty, for which it pays if it says
// nothing in eight cycles, and the request of a fifth agent are in its view all the same.
func TestAppendReviews_FloodHidesNothing(t *testing.T) {
	l := newLab(t)
	v := &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}}
	l.d.code = v
	ask := func(by wire.AgentID) wire.Hash {
		v.author = by
		return l.must(by, &wire.ReviewRequest{
			Repo: v.repo, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Reviewers: []wire.AgentID{creator}, Urgency: wire.UrgencyLow,
		})
	}
	for range maxRequests {
		for n := range byte(4) {
			ask(agent(3 + n))
		}
	}
	l.at(l.c.Tick + 1)
	honest := ask(agent(8))
	bounty := l.must(creator, offerOf())
	l.must(claimer, claimOf(bounty))
	l.must(claimer, submitOf(bounty))
	got := l.d.AppendReviews(nil, creator, l.c.Tick)
	if len(got) != viewNamed {
		t.Fatalf("%d reviews, want %d", len(got), viewNamed)
	}
	if got[0].ID != bounty {
		t.Error("the submission to the creator's own bounty is not the first")
	}
	if i := slices.IndexFunc(got, func(v wire.ReviewView) bool { return v.ID == honest }); i < 0 || i > 5 {
		t.Errorf("the fifth agent's request has place %d, want 5 at most", i)
	}
	if again := l.restored().d.AppendReviews(nil, creator, l.c.Tick); !slices.EqualFunc(got, again, func(v, w wire.ReviewView) bool { return v.ID == w.ID }) {
		t.Error("a resumed run shows others")
	}
}

// A stranger that is quicker than the creator of an RFC channel does not make it a discussion of its own proposal. In the
// channel's first cycle four accomplices would otherwise have decided it, for which the creator had paid.
func TestDiscussion_IsAboutTheCreatorsProposal(t *testing.T) {
	for _, again := range []bool{false, true} {
		l := newLab(t)
		ch := rfc(l)
		hijack := l.say(2, ch, wire.MessageKindProposal, "Mine is better")
		l.say(3, ch, wire.MessageKindStatement, "yes")
		l.say(4, ch, wire.MessageKindStatement, "indeed")
		call := wire.ContentCallVote
		l.must(agent(2), &wire.MsgPost{
			Channel: ch, Kind: wire.MessageKindStatement, Confidence: 1, Content: contentOf(wire.Content{Type: &call, Text: ptr("now")}),
		})
		for n := range byte(3) {
			l.must(agent(3+n), signalOf(hijack, wire.SignalKindAgree))
		}
		l.endCycle()
		l.phase(ch, wire.DiscussionPhaseProposal)
		proposal := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
		if again {
			l = l.restored()
		}
		l.endCycle()
		l.endCycle()
		l.phase(ch, wire.DiscussionPhaseVote)
		for n := range byte(3) {
			l.must(agent(7+n), signalOf(proposal, wire.SignalKindAgree))
		}
		l.endCycle()
		l.phase(ch, wire.DiscussionPhaseDecision)
		if got := l.shelf.published[0].title; got != "Use tabs" {
			t.Errorf("restored %t: decided about %q, want the creator's proposal", again, got)
		}
	}
}
