package vault

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

func (l *lab) depend(a int, from, to, tag wire.Hash) {
	l.t.Helper()
	l.ack(a, &wire.DependencyAdd{FromRepo: from, FromSnap: from, ToRepo: to, ToTag: tag, Required: true})
}

// At the end of a cycle each owner of dependents gets one notice per upstream repo, with the newest tag and at most 64
// repos; nothing comes in the next cycle.
func TestDependencies_OneNoticePerOwnerAndRepo(t *testing.T) {
	l := newLab(t)
	l.n.bought[l.ids[2]] = maxStorage
	one, two := l.made(0, "one", openToAll), l.made(0, "two", openToAll)
	tagOne, tagTwo := l.tagged(0, one, "v1"), l.tagged(0, two, "v1")
	user := l.made(1, "user", openToAll)
	l.depend(1, user, one, tagOne)
	l.depend(1, user, two, tagTwo)
	var many []wire.Hash
	for i := range 65 {
		id := l.made(2, fmt.Sprint(i), openToAll)
		l.depend(2, id, one, tagOne)
		many = append(many, id)
	}
	slices.SortFunc(many, wire.Hash.Compare)
	second := must[*wire.SnapCreateAck](l, 1, &wire.SnapCreate{RepoID: user, Parent: &user, Root: wire.EmptyTree, Message: []byte("second")}).SnapID
	l.ack(1, &wire.DependencyAdd{FromRepo: user, FromSnap: second, ToRepo: one, ToTag: tagOne}) // the same repo again
	if l.CycleEnd(l.c); len(l.c.Deliveries) > 0 {
		t.Errorf("%d notices without a new tag", len(l.c.Deliveries))
	}
	l.tagged(0, one, "v2")
	if d := cmp.Diff([]any{
		wire.KindTagCreated, &wire.TagCreatedEvent{RepoID: one, TagName: []byte("v2"), Target: one, Author: l.ids[0], Tick: l.c.Tick},
		wire.KindDependencyUpdated, &wire.DependencyUpdatedEvent{RepoID: one, NewTag: l.history.refs.newest[one], DependentCount: 66},
	}, l.told()); d != "" {
		t.Errorf("events (-want +got): %s", d)
	}
	v3 := l.tagged(0, one, "v3")
	v2 := l.tagged(0, two, "v2")
	l.CycleEnd(l.c)
	notice := func(to int, repo, tag wire.Hash, dependents ...wire.Hash) world.Delivery {
		return world.Delivery{To: l.ids[to], Message: wire.Reply{Type: wire.TypeDependencyNotify, Body: &wire.DependencyNotify{RepoID: repo, NewTag: tag, Dependents: dependents}}}
	}
	want := []world.Delivery{notice(1, one, v3, user), notice(2, one, v3, many[:64]...)}
	if l.ids[2].Compare(l.ids[1]) < 0 {
		slices.Reverse(want)
	}
	if other := notice(1, two, v2, user); one.Compare(two) < 0 {
		want = append(want, other)
	} else {
		want = append([]world.Delivery{other}, want...)
	}
	if d := cmp.Diff(want, l.c.Deliveries); d != "" {
		t.Errorf("notices (-want +got): %s", d)
	}
	l.c.Deliveries = nil
	if l.CycleEnd(l.c); len(l.c.Deliveries) > 0 {
		t.Errorf("%d notices in the next cycle", len(l.c.Deliveries))
	}
}

// The first dependency between repos of different owners is a milestone, and the author of the tagged snap is credited
// once, if it is the owner of the dependent repo who says so and the pair is free.
func TestDependencies_MilestoneAndCredit(t *testing.T) {
	for _, c := range []struct {
		what      string
		by, owner int // who adds it, and who owns the dependent repo
		before    func(l *lab, upstream, tag wire.Hash)
		milestone bool
		credited  int
	}{
		{"another owner", 1, 1, nil, true, 1},
		{"the same owner", 0, 0, nil, false, 0},
		{"not by the owner", 2, 1, nil, false, 0},
		{"a bait", 0, 1, nil, false, 0},
		{"the pair is used up", 1, 1, func(l *lab, _, _ wire.Hash) { l.n.pairs[[2]wire.AgentID{l.ids[1], l.ids[0]}] = true }, true, 0},
		{"the snap was credited for another", 1, 1, func(l *lab, upstream, tag wire.Hash) {
			l.depend(2, l.made(2, "first", openToAll), upstream, tag)
			l.n.valued, l.n.milestones = map[wire.AgentID]int{}, nil
		}, true, 0},
		{"the snap was not credited for another whose pair was used up", 1, 1, func(l *lab, upstream, tag wire.Hash) {
			l.n.pairs[[2]wire.AgentID{l.ids[2], l.ids[0]}] = true
			l.depend(2, l.made(2, "first", openToAll), upstream, tag)
			l.n.milestones = nil
		}, true, 1},
	} {
		l := newLab(t)
		upstream := l.made(0, "lib", openToAll)
		tag := l.tagged(0, upstream, "v1")
		if c.before != nil {
			c.before(l, upstream, tag)
		}
		user := l.made(c.owner, "user", openToAll)
		l.depend(c.by, user, upstream, tag)
		var want []string
		if c.milestone {
			want = []string{world.MilestoneFoundation}
		}
		if !slices.Equal(l.n.milestones, want) {
			t.Errorf("%s: milestones %q, want %q", c.what, l.n.milestones, want)
		}
		if got := l.n.valued[l.ids[0]]; got != c.credited {
			t.Errorf("%s: %d contributions, want %d", c.what, got, c.credited)
		}
	}
}

// A dependency leads from a snap of its own repo to a tag of the other, and is made once.
func TestDependencies_SnapAndTagOfTheRightRepos(t *testing.T) {
	l := newLab(t)
	one, two, user := l.made(0, "one", openToAll), l.made(0, "two", openToAll), l.made(1, "user", openToAll)
	tag := l.tagged(0, two, "v1")
	l.refused(1, &wire.DependencyAdd{FromRepo: user, FromSnap: user, ToRepo: one, ToTag: tag}, wire.CategoryNotFound, "to_tag")
	l.refused(1, &wire.DependencyAdd{FromRepo: user, FromSnap: one, ToRepo: two, ToTag: tag}, wire.CategoryNotFound, "from_snap")
	l.ack(1, &wire.DependencyAdd{FromRepo: user, FromSnap: user, ToRepo: two, ToTag: tag})
	l.refused(1, &wire.DependencyAdd{FromRepo: user, FromSnap: user, ToRepo: two, ToTag: tag}, wire.CategoryConflict, "exists")
}

// Royalties go from each pair of owners once per epoch, in the order of the owners, as many ⚡ as a vote says. What others
// than the owner declared, and what an owner uses of its own, does not count.
func TestRoyalties_ByPairsOfOwnersInOrder(t *testing.T) {
	l := newLab(t)
	type pair [2]int
	repos, tags := map[int]wire.Hash{}, map[int]wire.Hash{}
	for a := range 4 {
		repos[a] = l.made(a, "lib", openToAll)
		tags[a] = l.tagged(a, repos[a], "v1")
	}
	var want []pair // owner and user
	for a := range 4 {
		for b := range 4 {
			id := l.made(b, fmt.Sprint("uses ", a), openToAll)
			l.depend(b, id, repos[a], tags[a])
			if a != b {
				want = append(want, pair{a, b})
			}
		}
	}
	l.crowd(5)
	stranger := l.made(4, "open", openToAll)
	l.depend(0, stranger, repos[0], tags[0]) // bait
	slices.SortFunc(want, func(x, y pair) int {
		if n := l.ids[x[0]].Compare(l.ids[y[0]]); n != 0 {
			return n
		}
		return l.ids[x[1]].Compare(l.ids[y[1]])
	})
	for _, amount := range []int64{1, 3, 0, -1} {
		if l.n.noted = nil; amount != 1 {
			l.n.params["mint.reward.royalty"] = amount
		}
		l.Royalties(l.c)
		var got []pair
		for _, r := range l.n.noted {
			got = append(got, pair{slices.Index(l.ids, r.Payee), slices.Index(l.ids, r.Approvers[0])})
			if r.Amount != uint64(max(0, amount)) || r.Label != "royalty" || r.Class != world.PairReward {
				t.Errorf("a royalty %+v with %d ⚡ each", r, amount)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("royalties of %v, want %v", got, want)
		}
	}
}
