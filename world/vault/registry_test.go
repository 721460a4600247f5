package vault

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

// The front holds the newest readable repo of each owner, oldest first, whoever publishes what again.
func TestRegistry_FrontHoldsNewestRepoOfEachOwner(t *testing.T) {
	s := world.NewState(wire.SystemVault)
	repos := newRepos(s)
	x := newRegistry(s, &store{repos: repos}, newRefs(s))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		id := wire.Hash{byte(i)}
		repo := &Repo{ID: id, Owner: wire.AgentID{0xF0, byte(i % 12)}}
		repo.Access.Read.Public = i%5 > 0
		repos.Put(id, repo)
	}
	var want []wire.Hash
	for place := range uint64(500) {
		id := wire.Hash{byte(r.IntN(60))}
		if old := x.Get(id); old != nil {
			x.removeFromLists(id, old)
		}
		x.Put(id, &Listing{Place: place + 1})
		x.order = append(x.order, id)
		x.addToLists(id, x.Get(id))
		if repo := repos.Get(id); repo.Access.Read.Public {
			want = slices.DeleteFunc(want, func(other wire.Hash) bool { return repos.Get(other).Owner == repo.Owner })
			want = append(want, id)
		}
		if !slices.EqualFunc(x.newest, want, func(l wire.LibraryView, repo wire.Hash) bool { return l.Repo == repo }) {
			t.Fatalf("after %d: %v, want %v", place, x.newest, want)
		}
	}
}

// A view shows the repos that its agent depends on, however much others publish after them, and otherwise one repo of
// each owner, none twice.
func TestAppendLibraries_OwnDependenciesFirst(t *testing.T) {
	l := newLab(t)
	tags := map[wire.Hash]wire.Hash{}
	publish := func(a int, name string) (repo wire.Hash) {
		t.Helper()
		made, ok := l.send(a, &wire.RepoCreate{Name: []byte(name), Message: []byte(name), AccessPolicy: openToAll}).Body.(*wire.RepoCreateAck)
		if !ok {
			t.Fatalf("repo %s was not made", name)
		}
		tag, ok := l.send(a, &wire.TagCreate{
			Repo: made.RepoID, Name: []byte("v1"), Target: made.SnapID, Publish: &wire.Publication{Category: [][]byte{[]byte("library")}},
		}).Body.(*wire.TagCreateAck)
		if !ok {
			t.Fatalf("repo %s was not tagged", name)
		}
		tags[made.RepoID] = tag.TagID
		return made.RepoID
	}
	shows := func(limit int, want ...wire.Hash) {
		t.Helper()
		var got []wire.Hash
		for _, x := range AppendLibraries(l.Daemon, nil, l.ids[0], limit) {
			got = append(got, x.Repo)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d places: %v, want %v", limit, got, want)
		}
	}
	mine, used := publish(0, "mine"), publish(1, "used")
	newer, last := publish(2, "another"), publish(3, "third")
	shows(2, last, used)
	if r := l.send(0, &wire.DependencyAdd{FromRepo: mine, FromSnap: mine, ToRepo: used, ToTag: tags[used], Required: true}); r.Err != nil {
		t.Fatal(word(r))
	}
	publish(1, "not used") // of its owner the repo that one builds on stays
	shows(3, used, last, newer)
	shows(8, used, last, newer)
	l.registry.follows, l.registry.users = map[wire.AgentID][]wire.Hash{}, map[wire.Hash]map[wire.AgentID]struct{}{}
	l.registry.addUser(used, l.ids[0]) // as after a restart
	shows(8, used, last, newer)
}

// A view shows the newest tag of a repo, also one made after the repo was published, and after a restart.
func TestAppendLibraries_NewestTag(t *testing.T) {
	l := newLab(t)
	made := l.send(1, &wire.RepoCreate{Name: []byte("lib"), Message: []byte("lib"), AccessPolicy: openToAll}).Body.(*wire.RepoCreateAck)
	tag := func(q wire.TagCreate) wire.Hash {
		t.Helper()
		q.Repo = made.RepoID
		ack, ok := l.send(1, &q).Body.(*wire.TagCreateAck)
		if !ok {
			t.Fatalf("tag %s was not made", q.Name)
		}
		return ack.TagID
	}
	shows := func(tag, snap wire.Hash) {
		t.Helper()
		got := AppendLibraries(l.Daemon, nil, l.ids[0], 8)
		if len(got) != 1 || got[0].Tag != tag || got[0].Snap != snap || got[0].Author != l.ids[1] || string(got[0].Name) != "lib" || string(got[0].Description) != "does it" {
			t.Errorf("shown: %+v, want tag %s at snap %s", got, tag, snap)
		}
	}
	first := tag(wire.TagCreate{Name: []byte("v1"), Target: made.SnapID, Publish: &wire.Publication{Category: [][]byte{[]byte("library")}, Description: []byte("does it")}})
	shows(first, made.SnapID)
	next := l.snap(made.RepoID, made.SnapID, files{"a": "text"})
	second := tag(wire.TagCreate{Name: []byte("v2"), Target: next})
	shows(second, next)
	if own := AppendLibraries(l.Daemon, nil, l.ids[1], 8); len(own) != 0 {
		t.Errorf("an agent is shown its own repo: %+v", own)
	}
	x := l.registry
	x.order, x.newest, x.newestPlaces, x.placeOfNewest, x.byCategory = nil, nil, nil, map[wire.AgentID]uint64{}, map[string][]wire.Hash{}
	x.restored()
	shows(second, next)
}

// shownTo are the names of the repos that a view of an agent shows.
func (l *lab) shownTo(a, limit int) (names []string) {
	for _, x := range AppendLibraries(l.Daemon, nil, l.ids[a], limit) {
		names = append(names, string(x.Name))
	}
	return names
}

// At most half of the places are for repos that the agent builds on, last published first and one per owner; of those that not
// everybody may read none is shown.
func TestAppendLibraries_FollowedTakeHalfOfThePlaces(t *testing.T) {
	l := newLab(t)
	l.crowd(12)
	some := []wire.AgentID{l.ids[0]}
	for i := 1; i <= 6; i++ {
		repo := l.published(i, fmt.Sprint("used ", i), "x")
		l.forked(0, repo)
	}
	l.forked(0, l.published(6, "used 6 too", "x"))
	club := l.made(7, "club", wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &some}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true})
	l.tagged(7, club, "v1", "x")
	l.forked(0, club)
	for i := 8; i <= 11; i++ {
		l.published(i, fmt.Sprint("new ", i), "x")
	}
	for _, c := range []struct {
		limit int
		want  []string
	}{
		{0, nil},
		{1, []string{""}},
		{2, []string{"used 6 too", ""}},
		{4, []string{"used 6 too", "used 5", "new 11", ""}},
		{8, []string{"used 6 too", "used 5", "used 4", "used 3", "new 11", "new 10", "", ""}},
		{9, []string{"used 6 too", "used 5", "used 4", "used 3", "new 11", "new 10", "", "", ""}},
	} {
		got := l.shownTo(0, c.limit)
		for i, name := range c.want {
			if len(got) == len(c.want) && name == "" { // which of the older ones is for the agent's own starting point
				got[i] = ""
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d places: %q, want %q", c.limit, got, c.want)
		}
	}
	if got := l.shownTo(0, 100); len(got) != 4+6 { // six used, four new, each owner once
		t.Errorf("all places: %q", got)
	}
	// What a view shows before them does not take their places.
	before := AppendLibraries(l.Daemon, nil, l.ids[0], 8)
	after := AppendLibraries(l.Daemon, make([]wire.LibraryView, 5), l.ids[0], 8)
	if !slices.EqualFunc(before, after[5:], func(a, b wire.LibraryView) bool { return a.Repo == b.Repo }) {
		t.Error("libraries differ behind other entries")
	}
}

// Of the repos that an agent builds on, those that were published last are considered, 32 of them.
func TestAppendLibraries_ConsidersThe32LastPublished(t *testing.T) {
	for _, c := range []struct {
		hidden int
		want   string
	}{{31, "used"}, {32, "new 3"}} {
		l := newLab(t)
		l.n.bought[l.ids[2]] = maxStorage
		l.forked(0, l.published(1, "used", "x"))
		some := []wire.AgentID{l.ids[0]}
		for i := range c.hidden {
			id := l.made(2, fmt.Sprint("hidden ", i), wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &some}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true})
			l.tagged(2, id, "v1", "x")
			l.forked(0, id)
		}
		l.published(3, "new 3", "x")
		if got := l.shownTo(0, 2); got[0] != c.want {
			t.Errorf("behind %d newer ones: %q, want %q first", c.hidden, got, c.want)
		}
	}
}

// Who publishes a repo again and again does not push other repos out of the view of those who build on both.
func TestAppendLibraries_PublishedOftenCountsOnce(t *testing.T) {
	l := newLab(t)
	l.forked(0, l.published(1, "calm", "x"))
	busy := l.published(2, "busy", "x")
	l.forked(0, busy)
	for i := range 2 * maxFollowsShown {
		l.tagged(2, busy, fmt.Sprint(i), "x")
	}
	l.published(3, "new", "x")
	if got := l.shownTo(0, 4); !slices.Equal(got, []string{"busy", "calm", "new"}) {
		t.Errorf("shown: %q", got)
	}
}

// Half of the places are for the newest, the others for the rest in turn from the agent's own starting point.
func TestAppendLibraries_HalfNewestHalfInTurn(t *testing.T) {
	l := newLab(t)
	l.crowd(13)
	for i := 1; i <= 12; i++ {
		l.published(i, fmt.Sprint(i), "x")
	}
	at := int(l.ids[0][0]) % 8 // of the eight that are not among the four newest
	want := []string{"12", "11", "10", "9"}
	for i := range 4 {
		want = append(want, fmt.Sprint((at+i)%8+1))
	}
	if got := l.shownTo(0, 8); !slices.Equal(got, want) {
		t.Errorf("shown: %q, want %q", got, want)
	}
	if got := l.shownTo(12, 8); slices.Contains(got, "12") || got[0] != "11" {
		t.Errorf("to an owner: %q", got)
	}
}

// A view shows 256 bytes of a description.
func TestAppendLibraries_LongDescriptionIsCut(t *testing.T) {
	for _, n := range []int{0, 256, 257, 1024} {
		l := newLab(t)
		repo := l.made(1, "lib", openToAll)
		must[*wire.TagCreateAck](l, 1, &wire.TagCreate{Repo: repo, Name: []byte("v1"), Target: repo, Publish: &wire.Publication{
			Category: [][]byte{[]byte("x")}, Description: bytes.Repeat([]byte("d"), n),
		}})
		if got := AppendLibraries(l.Daemon, nil, l.ids[0], 8); len(got) != 1 || len(got[0].Description) != min(n, 256) {
			t.Errorf("of %d bytes: %+v", n, got)
		}
	}
}

// Who publishes a repo again moves it to the front, under its new categories alone.
func TestRegistry_PublishedAgainMovesToTheFront(t *testing.T) {
	l := newLab(t)
	first, second := l.published(0, "first", "a", "b", "a"), l.published(1, "second", "a")
	l.forked(2, first)
	l.forked(2, second)
	names := func(label string) (out []string) {
		q := wire.RegistryQuery{Sort: wire.RegistrySortRecent}
		if label != "" {
			b := []byte(label)
			q.Category = &b
		}
		for _, e := range l.queried(3, q).Entries {
			out = append(out, string(e.Name))
		}
		return out
	}
	places := func(label string) (out []uint64) {
		for _, p := range Objects(l.Daemon).Published(label) {
			out = append(out, p.Place)
		}
		return out
	}
	check := func(label string, wantPlaces []uint64, want ...string) {
		t.Helper()
		if got := names(label); !slices.Equal(got, want) {
			t.Errorf("category %q: %q, want %q", label, got, want)
		}
		if label != "" && !slices.Equal(places(label), wantPlaces) {
			t.Errorf("category %q: places %v, want %v", label, places(label), wantPlaces)
		}
	}
	check("", nil, "second", "first")
	check("a", []uint64{1, 2}, "second", "first")
	check("b", []uint64{1}, "first")
	l.tagged(0, first, "next", "a", "c")
	want := []any{wire.KindRegistryPublished, &wire.RegistryPublishedEvent{
		RepoID: first, Name: []byte("first"), Author: l.ids[0], Category: [][]byte{[]byte("a"), []byte("c")}, Tick: l.c.Tick,
	}}
	if d := cmp.Diff(want, l.told()[len(l.told())-2:]); d != "" {
		t.Errorf("event (-want +got): %s", d)
	}
	check("", nil, "first", "second")
	check("a", []uint64{2, 3}, "first", "second")
	check("b", nil)
	check("c", []uint64{3}, "first")
	if got := l.shownTo(2, 2); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("who builds on both is shown %q", got)
	}
	l.tagged(1, second, "next", "a") // the other way round
	check("a", []uint64{3, 4}, "second", "first")
	if got := l.shownTo(2, 2); !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("who builds on both is shown %q", got)
	}
	l.tagged(1, second, "not published again")
	check("a", []uint64{3, 4}, "second", "first")
}

// The owner of a published repo is credited once, for the first other owner who uses it and is no kin, also if that was
// before the publication.
func TestRegistry_OwnerIsCreditedOnceForUsers(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(l *lab, repo wire.Hash)
		want int
		used uint32
	}{
		{"published alone", func(l *lab, repo wire.Hash) { l.tagged(0, repo, "v1", "x") }, 0, 0},
		{"used and not published", func(l *lab, repo wire.Hash) { l.forked(1, repo) }, 0, 1},
		{"published and used", func(l *lab, repo wire.Hash) { l.tagged(0, repo, "v1", "x"); l.forked(1, repo) }, 1, 1},
		{"used and published", func(l *lab, repo wire.Hash) { l.forked(1, repo); l.tagged(0, repo, "v1", "x") }, 1, 1},
		{"used by two", func(l *lab, repo wire.Hash) {
			l.tagged(0, repo, "v1", "x")
			l.forked(1, repo)
			l.forked(2, repo)
		}, 1, 2},
		{"by two before the publication", func(l *lab, repo wire.Hash) {
			l.forked(1, repo)
			l.forked(2, repo)
			l.tagged(0, repo, "v1", "x")
		}, 1, 2},
		{"published twice", func(l *lab, repo wire.Hash) {
			l.forked(1, repo)
			l.tagged(0, repo, "v1", "x")
			l.n.pairs = map[[2]wire.AgentID]bool{}
			l.tagged(0, repo, "v2", "x")
		}, 1, 1},
		{"the pair is used up", func(l *lab, repo wire.Hash) {
			l.n.pairs[[2]wire.AgentID{l.ids[1], l.ids[0]}] = true
			l.tagged(0, repo, "v1", "x")
			l.forked(1, repo)
		}, 0, 1},
		{"the pair is used up, another user comes", func(l *lab, repo wire.Hash) {
			l.n.pairs[[2]wire.AgentID{l.ids[1], l.ids[0]}] = true
			l.tagged(0, repo, "v1", "x")
			l.forked(1, repo)
			l.forked(2, repo)
		}, 1, 2},
		{"used by its owner", func(l *lab, repo wire.Hash) { l.tagged(0, repo, "v1", "x"); l.forked(0, repo) }, 0, 0},
		{"used by kin", func(l *lab, repo wire.Hash) {
			l.n.kin[[2]wire.AgentID{l.ids[1], l.ids[0]}] = true
			l.tagged(0, repo, "v1", "x")
			l.forked(1, repo)
		}, 0, 0},
	} {
		l := newLab(t)
		repo := l.made(0, "lib", openToAll)
		c.do(l, repo)
		if got := l.n.valued[l.ids[0]]; got != c.want {
			t.Errorf("%s: %d contributions, want %d", c.name, got, c.want)
		}
		if got := l.registry.popularity(repo); got != c.used {
			t.Errorf("%s: popularity %d, want %d", c.name, got, c.used)
		}
	}
}

// Who publishes again and again pays for what each publication says, and leaves no labels behind.
func TestPublish_ChargesItsTextAndForgetsOldLabels(t *testing.T) {
	l := newLab(t)
	repo := l.made(0, "lib", openToAll)
	text := func(i, n int) []byte { return append(fmt.Appendf(nil, "%08d", i), bytes.Repeat([]byte("x"), n-8)...) }
	used := func() int { return int(l.store.storage.of(l.ids[0])) }
	var publishes [3]int // what each publication takes beside its tag
	for i := range publishes {
		name := fmt.Appendf(nil, "v%d", i)
		q := &wire.TagCreate{Repo: repo, Name: name, Target: repo, Publish: &wire.Publication{Description: text(i, 1024)}}
		for k := range 8 {
			q.Publish.Category = append(q.Publish.Category, text(8*i+k, 96))
		}
		tag := q.Tag(l.ids[0])
		before := used()
		l.ack(0, q)
		publishes[i] = used() - before - len(wire.TagCodec.Append(nil, &tag)) - objectBytes - recordBytes
	}
	if want := [3]int{recordBytes + 1024 + 8*96}; publishes != want {
		t.Errorf("publications take %v bytes, want %v", publishes, want)
	}
	if n := len(l.registry.byCategory); n != 8 {
		t.Errorf("%d labels are kept", n)
	}
}
