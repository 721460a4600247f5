package agora

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// Of more than 32 open bounties neither half shows one whose deadline is past.
func TestAppendOpen_NeitherHalfShowsPastDeadlines(t *testing.T) {
	l := newLab(t)
	l.offers(40, func(i int, q *wire.BountyCreate) {
		switch q.Reward = uint64(100 - i); {
		case i >= 28:
			q.Deadline = 299
		case i >= 16:
			q.Deadline = 300
		}
	})
	for now, want := range map[wire.Tick]int{299: 32, 300: 28, 301: 16} {
		got := l.d.views.appendOpen(nil, claimer, now)
		ids := map[wire.Hash]bool{}
		for _, v := range got {
			if ids[v.ID] = true; v.Deadline < now {
				t.Errorf("tick %d: shows a bounty with deadline %d", now, v.Deadline)
			}
		}
		if len(got) != want || len(ids) != want {
			t.Errorf("tick %d: %d bounties, %d different; want %d", now, len(got), len(ids), want)
		}
	}
}

// The asker of a documentation bounty, and an agent that completed one a short time ago, see that it is not for them.
func TestOpen_DocumentationBountyIsBarred(t *testing.T) {
	l := newLab(t)
	id, _ := l.d.OpenGapBounty(l.c, world.Question{Message: wire.Hash{5}, Asker: other, Topic: []byte("why?")}, 10)
	l.d.counters.forUpdate(claimer).GapUntil = 5
	l.d.counters.forUpdate(agent(6)).BarredUntil = 5
	for _, tc := range []struct {
		a          wire.AgentID
		cycle      wire.Cycle
		want, same bool // barred; the list is that of everybody
	}{
		{other, 1, true, false},
		{claimer, 4, true, false},
		{claimer, 5, false, true},
		{agent(6), 4, true, false},
		{agent(6), 5, false, true},
		{agent(7), 4, false, true},
	} {
		l.at(wire.Tick(256 * tc.cycle))
		got := l.d.Open(nil, tc.a, l.c.Tick)
		if len(got) != 1 || got[0].ID != id || got[0].Barred != tc.want {
			t.Errorf("agent %d in cycle %d sees %+v, want it barred: %t", tc.a[0], tc.cycle, got, tc.want)
		}
		if same := &got[0] == &l.d.views.shared.list[0]; same != tc.same {
			t.Errorf("agent %d in cycle %d shares the list: %t", tc.a[0], tc.cycle, same)
		}
	}
}

// requests makes n requests for a review by agents of their own, and returns their ids.
func (l *lab) requests(n int, reviewers ...wire.AgentID) (ids []wire.Hash) {
	v, ok := l.d.code.(*fakeVault)
	if !ok {
		v = &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}}
		l.d.code = v
	}
	for range n {
		v.author = agent(byte(60 + len(l.d.reviews.Keys())/maxRequests))
		l.crowd.status[v.author] = wire.StatusActive
		ids = append(ids, l.must(v.author, &wire.ReviewRequest{
			Repo: v.repo, BaseSnap: wire.Hash{7}, HeadSnap: wire.Hash{8}, Reviewers: reviewers, Urgency: wire.UrgencyLow,
		}))
	}
	return ids
}

// submission makes a bounty of a creator, judged by the reviewers or by the creator, and submits to it.
func (l *lab) submission(by wire.AgentID, reviewers ...wire.AgentID) wire.Hash {
	q := offerOf()
	q.Reviewers, q.Reward = reviewers, 1
	id := l.must(by, q)
	l.c.Rules.ClaimLimit = 99
	l.must(claimer, claimOf(id))
	l.must(claimer, submitOf(id))
	return id
}

func reviewIDs(views []wire.ReviewView) (ids []wire.Hash) {
	for _, v := range views {
		ids = append(ids, v.ID)
	}
	return ids
}

// Up to 16 reviews that name an agent are shown by age, whosever they are. Of 17 its own bounty comes first.
func TestAppendReviews_OwnBountyComesFirstIfThereAreMany(t *testing.T) {
	for n, first := range map[int]bool{15: false, 16: true} {
		l := newLab(t)
		asked := l.requests(n, judge)
		l.at(l.c.Tick + 1)
		own := l.submission(judge)
		got := l.d.AppendReviews(nil, judge, l.c.Tick)
		want := append(slices.Clone(asked), own)
		slices.SortFunc(want[:n], wire.Hash.Compare)
		if first && got[0].ID != own {
			t.Errorf("of %d its own bounty is not the first", n+1)
		}
		if !first && !slices.Equal(reviewIDs(got), want) {
			t.Errorf("%d reviews are not shown by age", n+1)
		}
	}
}

// Of the askers none comes a second time before all have come once, also those with bounties.
func TestAppendReviews_EachAskerOnceBeforeAnyTwice(t *testing.T) {
	l := newLab(t)
	for range 17 {
		l.submission(creator, judge)
	}
	l.at(l.c.Tick + 1)
	late := l.requests(1, judge)[0]
	got := reviewIDs(l.d.AppendReviews(nil, judge, l.c.Tick))
	if len(got) != viewNamed || got[1] != late {
		t.Errorf("the request has place %d of %d, want the second", slices.Index(got, late)+1, len(got))
	}
}

// Of the reviews that name an agent the oldest 256 are looked at.
func TestAppendReviews_LooksAt256ThatNameTheAgent(t *testing.T) {
	for n, first := range map[int]bool{255: true, 256: false} {
		l := newLab(t)
		l.requests(n, judge)
		l.at(l.c.Tick + 1)
		own := l.submission(judge)
		if got := l.d.AppendReviews(nil, judge, l.c.Tick)[0].ID == own; got != first {
			t.Errorf("after %d requests the own bounty is the first: %t, want %t", n, got, first)
		}
	}
}

// Reviews for which an agent is drawn come in the order of their ids from a drawn place, bounties and requests mixed. A
// view says which name the agent.
func TestAppendReviews_DrawnOnesInOrder(t *testing.T) {
	l := newLab(t)
	kinds := map[wire.Hash]bool{}
	for i, id := range l.requests(9) {
		kinds[id] = false
		maker := agent(byte(120 + i))
		l.crowd.status[maker], l.bank.funds[maker] = wire.StatusActive, 100
		kinds[l.submission(maker)] = true
		l.crowd.status[maker] = wire.StatusDead
		l.d.AgentLeft(l.c, maker, wire.StatusDead)
	}
	prefix := make([]wire.ReviewView, 30)
	for cycle := range wire.Cycle(4) {
		l.at(wire.Tick(256 * (1 + cycle)))
		got := l.d.AppendReviews(prefix, judge, l.c.Tick)[len(prefix):]
		ids := reviewIDs(got)
		want := slices.SortedFunc(slices.Values(ids), wire.Hash.Compare)
		at, _ := slices.BinarySearchFunc(want, l.d.views.startID(judge, l.c.Cycle), wire.Hash.Compare)
		want = slices.Concat(want[at:], want[:at])
		if diff := cmp.Diff(want, ids); diff != "" || len(ids) != len(kinds) {
			t.Errorf("cycle %d: %d reviews (-want +got):\n%s", l.c.Cycle, len(ids), diff)
		}
		for _, v := range got {
			if v.Bounty != kinds[v.ID] || v.Asked {
				t.Errorf("%+v", v)
			}
		}
	}
	named := l.requests(1, judge)[0]
	mine := l.submission(judge)
	for _, v := range l.d.AppendReviews(prefix, judge, l.c.Tick)[len(prefix):][:2] {
		if !v.Asked || v.ID != named && v.ID != mine {
			t.Errorf("%+v, want what names the judge", v)
		}
	}
}

// At most 64 reviews for which an agent is drawn are looked at.
func TestAppendReviews_LooksAt64Drawn(t *testing.T) {
	l := newLab(t)
	l.requests(reviewScan + 1)
	r := ring{lists: [2][]wire.Hash{nil, slices.Clone(l.d.reviews.juries.assigned[judge])}}
	r.startAt(l.d.views.startID(judge, l.c.Cycle))
	var ids []wire.Hash
	for range reviewScan + 1 {
		id, _, _ := r.next()
		ids = append(ids, id)
	}
	for at, want := range map[int]int{0: 1, 62: 1, 63: 1, 64: 0} { // the only one that is not answered
		for _, id := range ids {
			l.d.reviews.answered[id] = []wire.AgentID{judge}
		}
		delete(l.d.reviews.answered, ids[at])
		if got := l.d.AppendReviews(nil, judge, l.c.Tick); len(got) != want {
			t.Errorf("place %d: %d are shown, want %d", at, len(got), want)
		}
	}
}
