package agora

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// offers makes n offers, at most 32 by one creator; edit changes the i-th.
func (l *lab) offers(n int, edit func(i int, q *wire.BountyCreate)) {
	for i := range n {
		by := agent(byte(40 + i/maxCreated))
		l.bank.funds[by], l.crowd.status[by] = 10_000, wire.StatusActive
		q := judgedOffer()
		q.Deadline = 100 * 256
		edit(i, q)
		l.must(by, q)
	}
}

func TestAppendOpen_UpTo32ListsAllBestFirst(t *testing.T) {
	l := newLab(t)
	l.offers(viewOpen, func(i int, q *wire.BountyCreate) { q.Reward = uint64(10 + i%20) })
	got := l.d.views.appendOpen(nil, claimer, 256)
	if len(got) != viewOpen {
		t.Fatalf("%d bounties, want %d", len(got), viewOpen)
	}
	for i := 1; i < len(got); i++ {
		a, b := got[i-1], got[i]
		if a.Reward < b.Reward || a.Reward == b.Reward && a.ID.Compare(b.ID) >= 0 {
			t.Errorf("place %d: %d ⚡ %v before %d ⚡ %v", i, a.Reward, a.ID, b.Reward, b.ID)
		}
	}
	if got[0].Barred || !l.d.views.appendOpen(nil, judge, 256)[0].Barred {
		t.Error("want the reviewer barred and not the others")
	}
	best := got[0].ID
	l.must(claimer, claimOf(best))
	l.must(claimer, verdictOf(best, reject))
	if v := l.d.views.appendOpen(nil, claimer, 256)[0]; v.ID != best || !v.Barred {
		t.Errorf("after a release: %+v, want it barred", v)
	}
	if v := l.d.views.appendOpen(nil, claimer, 17*256)[0]; v.Barred {
		t.Error("the bar of cycle 1 still holds in cycle 17")
	}
	l.d.Post(17 * 256)
	if v := l.d.Open(nil, claimer, 17*256); &v[0] == &l.d.views.shared.list[0] {
		t.Error("an agent that a bar once named shares a list")
	}
}

// Beyond 32 open bounties the list has the best 16, and 16 others that differ by agent and cycle, so that many
// worthless offers cannot hide a good one.
func TestAppendOpen_Beyond32Lists16BestAnd16Drawn(t *testing.T) {
	l := newLab(t)
	const all = 100
	l.offers(all, func(i int, q *wire.BountyCreate) { q.Reward = uint64(10 + i) })
	seen := map[wire.Hash]bool{}
	for cycle := range wire.Cycle(20) {
		for n := range byte(9) {
			got := l.d.views.appendOpen(nil, agent(n+1), wire.Tick(256+256*cycle))
			ids := map[wire.Hash]bool{}
			for i, v := range got {
				if i < viewBest && v.Reward != uint64(10+all-1-i) {
					t.Fatalf("place %d: %d ⚡, want the best first", i, v.Reward)
				}
				ids[v.ID], seen[v.ID] = true, true
			}
			if len(got) != viewOpen || len(ids) != viewOpen {
				t.Fatalf("%d bounties, %d of them different; want %d", len(got), len(ids), viewOpen)
			}
		}
	}
	if len(seen) != all {
		t.Errorf("in 20 cycles nine agents were shown %d of %d bounties", len(seen), all)
	}
	one, again := l.d.views.appendOpen(nil, claimer, 256), l.d.views.appendOpen(nil, claimer, 511)
	if diff := cmp.Diff(one, again); diff != "" {
		t.Errorf("the place changes within a cycle (-first +last tick):\n%s", diff)
	}
}

// TestAppendOpen_LeavesOutWhatCannotBeClaimed: between a deadline and the cycle's end
// a bounty is OPEN, but no claim of it would be taken; the next best gets its place.
func TestAppendOpen_LeavesOutWhatCannotBeClaimed(t *testing.T) {
	l := newLab(t)
	l.offers(viewOpen+1, func(i int, q *wire.BountyCreate) {
		q.Reward, q.Deadline = uint64(80-i), 300
		if i > 0 {
			q.Deadline = 600
		}
	})
	for now, best := range map[wire.Tick]uint64{300: 80, 301: 79} {
		got := l.d.views.appendOpen(nil, claimer, now)
		if len(got) != viewOpen || got[0].Reward != best {
			t.Errorf("tick %d: %d bounties, the best of %d ⚡; want %d, of %d", now, len(got), got[0].Reward, viewOpen, best)
		}
		l.at(now)
		want := "success"
		if now > 300 {
			want = "CONFLICT expired"
		}
		l.refused(claimer, claimOf(l.d.board.open[0].ID), want)
		if now == 300 {
			l.must(claimer, verdictOf(l.d.board.claimedBy[claimer][0], reject))
		}
	}
}

func TestAppendClaims_ListsHeldAndCreatedBounties(t *testing.T) {
	l := newLab(t)
	done := l.inState(wire.BountyStatusCompleted)
	rejected := l.inState(wire.BountyStatusRejected)
	claimed := l.inState(wire.BountyStatusClaimed)
	ids := func(vs []wire.BountyView) map[wire.Hash]string {
		out := map[wire.Hash]string{}
		for _, v := range vs {
			out[v.ID] = v.Status.String()
		}
		return out
	}
	want := map[wire.Hash]string{rejected: "REJECTED", claimed: "CLAIMED"}
	for _, v := range l.d.AppendClaims(nil, claimer, 256) {
		if b := l.d.Bounty(v.ID); &v.Specification[0] != &b.Specification[0] { // what is to be done, and not a copy
			t.Errorf("%v shows %q, want its specification %q", v.ID, v.Specification, b.Specification)
		}
	}
	for _, a := range []wire.AgentID{claimer, creator} {
		if diff := cmp.Diff(want, ids(l.d.AppendClaims(nil, a, 256))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if got := l.d.AppendClaims(nil, other, 256); got != nil {
		t.Errorf("a stranger sees %+v, nor is %v anybody's concern", got, done)
	}
}

func TestAppendReviews_ListsOnlyReviewsTheAgentMayGive(t *testing.T) {
	l := newLab(t)
	v := &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}, author: creator}
	l.d.code = v
	review := func(tick wire.Tick, reviewers ...wire.AgentID) wire.Hash {
		l.at(tick)
		return l.must(creator, &wire.ReviewRequest{
			Repo: v.repo, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Reviewers: reviewers, Urgency: wire.UrgencyHigh,
		})
	}
	bounty := func(tick wire.Tick, q *wire.BountyCreate) wire.Hash {
		l.at(tick)
		id := l.must(creator, q)
		l.must(claimer, claimOf(id))
		l.must(claimer, submitOf(id))
		return id
	}
	named := review(300, judge)
	theirs := bounty(310, offerOf(reviewedBy(2))) // its creator judges
	anyone := review(320)
	listed := offerOf()
	listed.Reviewers = []wire.AgentID{judge}
	namedBounty := bounty(330, listed)

	ask := func(a wire.AgentID) (ids []wire.Hash) {
		for _, v := range l.d.AppendReviews(nil, a, l.c.Tick) {
			ids = append(ids, v.ID)
		}
		return ids
	}
	want := func(a wire.AgentID, ids ...wire.Hash) {
		t.Helper()
		if diff := cmp.Diff(ids, ask(a)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	want(judge, named, namedBounty, anyone)
	want(other, anyone)
	want(creator, theirs)
	want(claimer, anyone)
	if got := l.d.AppendReviews(nil, creator, l.c.Tick)[0]; got.Verdicts != 0 || got.Author != claimer || got.Since != 310 || !got.Bounty || got.Asker != creator || string(got.Title) != "work" || string(got.Asks) != "do it" {
		t.Errorf("view %+v", got)
	}
	l.must(creator, verdictOf(theirs, approve))
	l.must(judge, &wire.ReviewSubmit{Request: named, Verdict: wire.ReviewVerdictApprove})
	l.must(other, &wire.ReviewSubmit{Request: anyone, Verdict: wire.ReviewVerdictApprove})
	want(judge, namedBounty, anyone)
	want(other)
	want(creator)
	l.must(judge, verdictOf(namedBounty, approve))
	want(judge, anyone)
}

// The list has up to 16 reviews that name the reader, and others up to 32 that differ by reader.
func TestAppendReviews_NamedFirstThenDrawn(t *testing.T) {
	l := newLab(t)
	v := &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}}
	l.d.code = v
	ask := func(n int, reviewers ...wire.AgentID) {
		for i := range n {
			v.author = agent(byte(60 + i/maxRequests))
			l.crowd.status[v.author] = wire.StatusActive
			l.must(v.author, &wire.ReviewRequest{
				Repo: v.repo, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Reviewers: reviewers, Urgency: wire.UrgencyLow,
			})
			l.d.reviews.open = map[wire.AgentID]uint64{}
		}
	}
	ask(20, judge)
	ask(200)
	first := map[wire.Hash]bool{}
	for n := range byte(9) {
		got := l.d.AppendReviews(nil, agent(n+1), l.c.Tick)
		if len(got) != viewReviews {
			t.Fatalf("%d reviews, want %d", len(got), viewReviews)
		}
		if agent(n+1) == judge {
			got = got[viewNamed:]
		}
		first[got[0].ID] = true
	}
	if len(first) < 5 {
		t.Errorf("nine agents begin at %d places", len(first))
	}
}

// After any operations the shared and the own lists equal those of AppendOpen, and a list that was shared is not
// changed.
func TestProperty_OpenEqualsAppendOpen(t *testing.T) {
	shared, own := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		for range 3 {
			l.must(creator, offerOf(reviewedBy(1)))
		}
		views := map[wire.AgentID][]wire.BountyView{}
		for i, x := range drawOperations(rt, "deeds") {
			former := l.d.views.shared.list
			posted := fmt.Sprint(former)
			l.apply(x)
			if held := l.d.board.claimedBy[agent(x.By)]; x.N > 4 && len(held) > 0 { // gives it up, which bars it
				l.send(agent(x.By), verdictOf(held[0], reject))
			}
			if now := l.c.Tick + wire.Tick(x.N*x.N*10); x.Kind > 0 { // what was made before may still hold, or not
				l.at(now)
				l.d.Post(now)
			}
			for n := range byte(9) {
				a := agent(n + 1)
				views[a] = l.d.Open(views[a], a, l.c.Tick)
				if cap(views[a]) < ownOpen {
					shared++
				} else {
					own++
				}
				if want, got := fmt.Sprint(l.d.views.appendOpen(nil, a, l.c.Tick)), fmt.Sprint(views[a]); got != want {
					rt.Fatalf("deed %d %+v: agent %d sees %s, want %s", i, x, n+1, got, want)
				}
			}
			if got := fmt.Sprint(former); got != posted {
				rt.Fatalf("deed %d %+v: the shared list changed from %s to %s", i, x, posted, got)
			}
		}
	})
	if shared == 0 || own == 0 {
		t.Errorf("%d lists shared, %d own", shared, own)
	}
}

func TestAppendOpen_OverwritesAllFieldsOfReusedViews(t *testing.T) {
	l := newLab(t)
	l.must(creator, offerOf(reviewedBy(1)))
	x := wire.Hash{9}
	old := []wire.BountyView{{
		ID: x, Creator: wire.AgentID(x), Title: x[:], Specification: x[:], Reward: 1 << 40, Deadline: 1 << 40, Difficulty: 99,
		Requirements: make([]wire.BountyRequirement, 9), Reviewers: make([]wire.AgentID, 9),
		Claimer: new(wire.AgentID), ClaimedAt: 9, Status: 99, Barred: true, Ready: true,
	}}
	for v, i := reflect.ValueOf(old[0]), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Fatalf("this test does not know %s", v.Type().Field(i).Name)
		}
	}
	if diff := cmp.Diff(l.d.views.appendOpen(nil, claimer, 256), l.d.views.appendOpen(old[:0], claimer, 256)); diff != "" {
		t.Errorf("reused slice (-new +reused):\n%s", diff)
	}
}

// Ready is only set for the claimer, before it has submitted, and only for requirements that Oracle checks.
func TestAppendClaims_ReadyOnlyForClaimerWithVerifiedEntries(t *testing.T) {
	l := newLab(t)
	ready := func(a wire.AgentID, id wire.Hash) bool {
		for _, v := range l.d.AppendClaims(nil, a, l.c.Tick) {
			if v.ID == id {
				return v.Ready
			}
		}
		return false
	}
	id := l.must(creator, offerOf(patterns(3)))
	judged := l.must(creator, offerOf(custom()))
	l.must(claimer, claimOf(id))
	l.must(claimer, claimOf(judged))
	for have, want := range map[uint32]bool{0: false, 2: false, 3: true} {
		l.shelf.verified[claimer], l.shelf.verified[creator] = have, 3
		if got := ready(claimer, id); got != want {
			t.Errorf("%d of 3 entries: ready %v, want %v", have, got, want)
		}
		if ready(creator, id) || ready(claimer, judged) {
			t.Errorf("%d of 3 entries: the creator's %v, what a judge decides %v", have, ready(creator, id), ready(claimer, judged))
		}
	}
}
