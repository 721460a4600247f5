package vault

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// A tag is outdated for good as soon as its repo has a newer one, and is named once, in the cycle in which that
// happened.
func TestTags_NewerTagOutdatesTheLast(t *testing.T) {
	l := newLab(t)
	repo := l.repo("lib", files{"a": "1"})
	tagAs := func(name string) wire.Hash {
		r := l.send(0, &wire.TagCreate{Repo: repo, Name: []byte(name), Target: repo})
		if r.Err != nil {
			t.Fatal(word(r))
		}
		return r.Body.(*wire.TagCreateAck).TagID
	}
	outdated := func(id wire.Hash, want bool) {
		t.Helper()
		if _, got, ok := l.Tag(id); !ok || got != want {
			t.Errorf("outdated: %v (known %v), want %v", got, ok, want)
		}
	}
	if _, _, ok := l.Tag(repo); ok {
		t.Error("a snap is no tag")
	}
	v1 := tagAs("v1")
	outdated(v1, false)
	if n := len(l.OutdatedTags()); n != 0 {
		t.Errorf("the first tag overtook %d", n)
	}
	v2 := tagAs("v2")
	v3 := tagAs("v0") // names do not matter
	outdated(v1, true)
	outdated(v2, true)
	outdated(v3, false)
	if d := cmp.Diff([]wire.Hash{v1, v2}, l.OutdatedTags()); d != "" {
		t.Error(d)
	}
	l.CycleEnd(l.c)
	if n := len(l.OutdatedTags()); n != 0 {
		t.Errorf("%d are named again in the next cycle", n)
	}
	outdated(v1, true)

	// After a restore the newest is the same, in whichever order the rows come.
	l.history.refs.newest = map[wire.Hash]wire.Hash{}
	l.history.refs.restored()
	outdated(v2, true)
	outdated(v3, false)

	// Of two tags of one tick that with the higher id is the newer, before and after a restore.
	l.c.Tick-- // send will move on to the tick of v3
	v4 := tagAs("v4")
	outdated(v4, v4.Compare(v3) < 0)
	outdated(v3, v4.Compare(v3) > 0)
	if len(l.OutdatedTags()) != 1 || l.OutdatedTags()[0] != lower(v3, v4) {
		t.Errorf("overtaken: %v", l.OutdatedTags())
	}
}

// Of two tags of one tick that with the higher id is the newer, whichever came first, before and after a restore.
func TestTags_OfOneTick(t *testing.T) {
	higherFirst := map[bool]int{}
	for n := range 12 {
		l := newLab(t)
		repo := l.repo("lib", files{"a": fmt.Sprint(n)})
		first := l.tagged(0, repo, "v1")
		l.c.Tick-- // the next comes in the same tick
		second := l.tagged(0, repo, "v2")
		if newest := l.history.refs.newest[repo]; newest == lower(first, second) {
			t.Errorf("of %v and %v, %v is the newest", first, second, newest)
		}
		for _, id := range []wire.Hash{first, second} {
			_, outdated, _ := l.Tag(id)
			_, again, ok := l.restored().Tag(id)
			if want := id == lower(first, second); !ok || outdated != want || again != want {
				t.Errorf("of %v and %v, %v is outdated: %t, restored %t", first, second, id, outdated, again)
			}
		}
		higherFirst[first.Compare(second) > 0]++
	}
	if len(higherFirst) != 2 {
		t.Errorf("only one order came up: %v", higherFirst)
	}
}

func lower(a, b wire.Hash) wire.Hash {
	if a.Compare(b) < 0 {
		return a
	}
	return b
}

// list puts a repo into the registry, as publishing its first tag does.
func (l *lab) list(n int, a wire.AgentID, open bool) wire.Hash {
	id := wire.Hash{byte(n), byte(n >> 8), byte(n >> 16), 7}
	l.store.repos.Put(id, &Repo{ID: id, Name: fmt.Append(nil, "r", n), Owner: a, Snaps: 1, Access: wire.AccessPolicy{Read: wire.ReadAccess{Public: open, OwnerOnly: !open}}})
	x := &Listing{Place: uint64(n) + 1, Category: [][]byte{[]byte("many")}, Description: []byte("text")}
	l.registry.Put(id, x)
	l.registry.order = append(l.registry.order, id)
	l.registry.addToLists(id, x)
	return id
}

// A query of the registry looks at the newest 4,096 listings that its reader may read, 1,024 where it
// compares texts, and goes through four times as many for them.
func TestRegistry_LooksAtTheNewest4096(t *testing.T) {
	word, category := []byte("text"), []byte("many")
	count := func(l *lab, q *wire.RegistryQuery) int { return len(l.registry.search(l.ids[1], q)) }
	l := newLab(t)
	for n := range searchWindow + 1 {
		l.list(n, l.ids[0], true)
	}
	recent := wire.RegistrySortRecent
	if a, b, c := count(l, &wire.RegistryQuery{Sort: recent}), count(l, &wire.RegistryQuery{Sort: recent, Category: &category}), count(l, &wire.RegistryQuery{Sort: recent, TextMatch: &word}); a != 4096 || b != 4096 || c != 1024 {
		t.Errorf("found %d, of a category %d, by text %d; want 4096, 4096 and 1024", a, b, c)
	}
	l = newLab(t)
	l.list(0, l.ids[0], true) // one step too far
	l.list(1, l.ids[0], true)
	for n := range scanFactor*searchWindow - 1 {
		l.list(n+2, l.ids[0], false)
	}
	if found := l.registry.search(l.ids[1], &wire.RegistryQuery{Sort: recent}); len(found) != 1 || string(found[0].Name) != "r1" {
		t.Errorf("found %d listings behind %d that cannot be read, want the newest alone", len(found), scanFactor*searchWindow-1)
	}
}

// A tag counts its bytes and its record; a publication counts a record more, its description and its labels. One that
// replaces another counts instead of that.
func TestTag_ChargesItsRecordsAndItsBytes(t *testing.T) {
	l := newLab(t)
	repo := l.made(0, "lib", openToAll)
	for _, c := range []struct {
		name   string
		labels []string
		more   int // than the TAG and its record
	}{
		{"v1", nil, 0},
		{"v2", []string{"x"}, recordBytes + len("about v2") + 1},
		{"v3", []string{"long", "words"}, 8},
		{"v4", nil, 0},
		{"v5", []string{"long", "y"}, -4},
	} {
		before := l.store.storage.of(l.ids[0])
		id := l.tagged(0, repo, c.name, c.labels...)
		o, ok := Objects(l.Daemon).Object(id)
		if !ok || o.Type != wire.ObjectTag {
			t.Errorf("%s is stored as %+v", c.name, o)
		}
		if got, want := l.store.storage.of(l.ids[0])-before, uint64(int(o.Size)+objectBytes+recordBytes+c.more); got != want {
			t.Errorf("%s takes %d bytes, want %d", c.name, got, want)
		}
		var tag wire.Tag
		if err := wire.TagCodec.DecodeCanonical(must[*wire.ObjectGetReply](l, 1, &wire.ObjectGet{ObjectID: id}).Data, &tag); err != nil || string(tag.Name) != c.name || tag.Target != repo || tag.Author != l.ids[0] {
			t.Errorf("%s reads as %+v: %v", c.name, tag, err)
		}
	}
	// What is missing for the publication alone refuses it.
	l = newLab(t)
	repo = l.made(0, "lib", openToAll)
	q := &wire.TagCreate{Repo: repo, Name: []byte("v1"), Target: repo, Publish: &wire.Publication{Category: [][]byte{[]byte("x")}}}
	l.sign(0, q)
	t1 := q.Tag(l.ids[0])
	need := len(wire.TagCodec.Append(nil, &t1)) + objectBytes + 2*recordBytes + len("x")
	l.n.params["vault.quota_bytes"] = int64(l.store.storage.of(l.ids[0])) + int64(need) - 1
	l.refused(0, q, wire.CategoryQuotaExceeded, fmt.Sprintf("storage have=%d limit=%d need=%d", need-1, l.n.params["vault.quota_bytes"], need))
	l.n.params["vault.quota_bytes"]++
	must[*wire.TagCreateAck](l, 0, q)
	// A shorter publication gives room back only when it is made: the tag itself must fit before.
	delete(l.n.params, "vault.quota_bytes")
	long := *q.Publish
	long.Description = bytes.Repeat([]byte{'x'}, 1000)
	must[*wire.TagCreateAck](l, 0, &wire.TagCreate{Repo: repo, Name: []byte("v2"), Target: repo, Publish: &long})
	q.Name = []byte("v3")
	need -= recordBytes + len("x")
	l.n.params["vault.quota_bytes"] = int64(l.store.storage.of(l.ids[0])) + int64(need) - 1
	l.refused(0, q, wire.CategoryQuotaExceeded, fmt.Sprintf("storage have=%d limit=%d need=%d", need-1, l.n.params["vault.quota_bytes"], need))
	l.n.params["vault.quota_bytes"]++
	must[*wire.TagCreateAck](l, 0, q)
}

// The author of a snap is credited once for the tags that others make on it.
func TestTag_AuthorIsCreditedOncePerSnap(t *testing.T) {
	for _, c := range []struct {
		what  string
		by    []int  // who tags
		first bool   // the first snap of the repo, or a second one of agent 1
		want  [4]int // contributions
	}{
		{"its author", []int{0}, true, [4]int{}},
		{"another", []int{1}, true, [4]int{1}},
		{"two others", []int{1, 2}, true, [4]int{1}},
		{"its author and another", []int{0, 2}, true, [4]int{1}},
		{"of another's snap the owner", []int{0}, false, [4]int{0, 1}},
		{"of another's snap two", []int{2, 3, 0}, false, [4]int{0, 1}},
	} {
		for _, restored := range []bool{false, true} {
			l := newLab(t)
			target := l.made(0, "lib", openToAll)
			repo := target
			if !c.first {
				target = must[*wire.SnapCreateAck](l, 1, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: wire.EmptyTree, Message: []byte("2")}).SnapID
			}
			for i, a := range c.by {
				must[*wire.TagCreateAck](l, a, &wire.TagCreate{Repo: repo, Name: fmt.Append(nil, i), Target: target})
				if restored {
					l = l.restored()
				}
			}
			for i, want := range c.want {
				if got := l.n.valued[l.ids[i]]; got != want {
					t.Errorf("%s (restored %t): agent %d has %d contributions, want %d", c.what, restored, i, got, want)
				}
			}
		}
	}
}

// VAULT_0, who signs merges, is not credited for them, and the pair with it is not used.
func TestTag_OfAMergeCreditsNobody(t *testing.T) {
	l := newLab(t)
	base := l.repo("r", files{"a": "1"})
	merged := must[*wire.MergeReply](l, 0, &wire.Merge{Base: base, Left: base, Right: l.snap(base, base, files{"a": "2"})}).Result
	tag := must[*wire.TagCreateAck](l, 1, &wire.TagCreate{Repo: base, Name: []byte("v1"), Target: merged}).TagID
	l.depend(1, l.made(1, "user", openToAll), base, tag)
	if len(l.n.valued) > 0 || l.n.pairs[[2]wire.AgentID{l.ids[1], me}] {
		t.Errorf("contributions %v, pairs %v", l.n.valued, l.n.pairs)
	}
}
