package vault

import (
	"math/rand/v2"
	"slices"
	"testing"

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
