package vault

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

var private = wire.AccessPolicy{Read: wire.ReadAccess{OwnerOnly: true}, Write: wire.WriteAccess{OwnerOnly: true}}

// What other daemons are told of a repo, a snap, a tag, a file and of what is not there.
func TestSiblings_SnapsTagsAndTheirOwners(t *testing.T) {
	l := newLab(t)
	repo, other := l.repo("r", files{"a": "1"}), l.made(1, "other", openToAll)
	l.c.Source = l.ids[0]
	root, objects := files{"a": "2"}.objects()
	next := must[*wire.SnapCreateAck](l, 2, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Objects: objects}).SnapID
	stored := l.c.Tick
	tag := must[*wire.TagCreateAck](l, 3, &wire.TagCreate{Repo: repo, Name: []byte("v1"), Target: repo}).TagID
	tagged := l.c.Tick
	file := wire.ObjectID(wire.ObjectAtom, []byte("2"))
	for _, c := range []struct {
		what         string
		id           wire.Hash
		in, known    bool
		author       int
		snap, tagged bool
	}{
		{"the repo", repo, true, true, 0, true, false},
		{"its second snap", next, true, true, 2, true, false},
		{"its tag", tag, true, true, 3, false, true},
		{"a file", file, false, false, 0, false, false},
		{"its tree", root, false, false, 0, false, false},
		{"nothing", wire.Hash{1}, false, false, 0, false, false},
	} {
		if got := l.Contains(repo, c.id); got != c.in {
			t.Errorf("the repo contains %s: %t", c.what, got)
		}
		if l.Contains(other, c.id) {
			t.Errorf("another repo contains %s", c.what)
		}
		owner, author, ok := l.Owner(c.id)
		if ok != c.known || ok && (owner != l.ids[0] || author != l.ids[c.author]) {
			t.Errorf("%s is of %v by %v (%t)", c.what, owner, author, ok)
		}
		if got := l.Stored(c.id, l.c.Tick); got != c.snap {
			t.Errorf("%s is a stored snap: %t", c.what, got)
		}
		at, outdated, ok := l.Tag(c.id)
		if ok != c.tagged || outdated || ok && at != tagged {
			t.Errorf("%s is a tag of tick %d, outdated %t: %t", c.what, at, outdated, ok)
		}
		got, ok := Objects(l.Daemon).Root(c.id)
		if ok != c.snap || c.id == next && got != root {
			t.Errorf("the tree of %s: %v (%t)", c.what, got, ok)
		}
	}
	if l.Stored(next, stored) || !l.Stored(next, stored+1) {
		t.Error("a snap counts as stored in its own tick, or not in the next")
	}
	if got, ok := l.MainRoot(repo); !ok || got != root {
		t.Errorf("main is at tree %v (%t), want %v", got, ok, root)
	}
	if _, ok := l.MainRoot(next); ok {
		t.Error("a snap has a branch main")
	}
}

// Who may read a snap and a file, by the repo that they were first stored for. A repo that everybody may read does not
// publish a tree that it took from a private one.
func TestReadable_ByRepoAndByTree(t *testing.T) {
	l := newLab(t)
	some := []wire.AgentID{l.ids[1]}
	text := func(s string) wire.Hash { return wire.ObjectID(wire.ObjectAtom, []byte(s)) }
	made := func(name string, p wire.AccessPolicy) wire.Hash {
		root, objects := files{"a": name}.objects()
		return must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{Name: []byte(name), AccessPolicy: p, Root: &root, Objects: objects}).RepoID
	}
	open, secret := made("open", openToAll), made("secret", private)
	club := made("club", wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &some}, Write: wire.WriteAccess{OwnerOnly: true}})
	hidden := l.history.commits.find(secret).root
	window := must[*wire.RepoCreateAck](l, 2, &wire.RepoCreate{Name: []byte("window"), AccessPolicy: openToAll, Root: &hidden}).RepoID
	known := l.history.commits.find(open).root // a tree that all have, in a private repo
	inside := must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{Name: []byte("inside"), Message: []byte("inside"), AccessPolicy: private, Root: &known}).RepoID
	for _, c := range []struct {
		what string
		id   wire.Hash
		all  bool
		by   [4]bool
	}{
		{"a known tree in a private repo", inside, false, [4]bool{true, false, false, false}},
		{"open", open, true, [4]bool{true, true, true, true}},
		{"secret", secret, false, [4]bool{true, false, false, false}},
		{"club", club, false, [4]bool{true, true, false, false}},
		{"a hidden tree behind an open repo", window, false, [4]bool{true, false, false, false}},
		{"no snap", wire.Hash{1}, false, [4]bool{}},
	} {
		if got := l.Readable(c.id); got != c.all {
			t.Errorf("%s: readable by everybody: %t", c.what, got)
		}
		for i, a := range l.ids {
			if got := l.Readable(c.id, a); got != c.by[i] {
				t.Errorf("%s: readable by agent %d: %t", c.what, i, got)
			}
			if got, want := l.Readable(c.id, l.ids[0], a), c.by[0] && c.by[i]; got != want {
				t.Errorf("%s: readable by agents 0 and %d: %t", c.what, i, got)
			}
		}
	}
	for name, want := range map[string][5]bool{
		"open": {true, true, true, true, true}, "secret": {true, false, false, false, false}, "club": {true, true, false, false, false},
	} {
		for i, a := range l.ids {
			if got := Objects(l.Daemon).MayRead(text(name), a); got != want[i] {
				t.Errorf("the file of %s: readable by agent %d: %t", name, i, got)
			}
		}
		if got := l.Public(text(name)); got != want[4] {
			t.Errorf("the file of %s: public: %t", name, got)
		}
	}
	// The snap of the window is for all, the names in its tree are not.
	if got := must[*wire.SnapGetReply](l, 3, &wire.SnapGet{SnapID: window}); len(got.Entries) > 0 || got.Snap.Root != hidden {
		t.Errorf("a stranger reads %+v", got)
	}
	if got := must[*wire.SnapGetReply](l, 0, &wire.SnapGet{SnapID: window}); len(got.Entries) != 1 || string(got.Entries[0].Key) != "a" {
		t.Errorf("who stored the tree reads %+v", got)
	}
	// Nor is it compared or merged for a stranger.
	next := must[*wire.SnapCreateAck](l, 2, &wire.SnapCreate{RepoID: window, Parent: &window, Root: wire.EmptyTree, Objects: &[]wire.InlineObject{{TypeTag: wire.ObjectTree, Data: emptyTree}}}).SnapID
	l.refused(3, &wire.DeltaCompute{Base: window, Target: next}, wire.CategoryUnauthorized, "read")
	l.refused(3, &wire.Merge{Base: window, Left: next, Right: window}, wire.CategoryUnauthorized, "read")
	must[*wire.DeltaComputeReply](l, 0, &wire.DeltaCompute{Base: window, Target: next})
}

// A file of a private repo becomes everybody's once somebody who has its bytes stores them elsewhere, also for another
// private repo, and not by being stored for the same repo again.
func TestObjects_StoredElsewhereBecomePublic(t *testing.T) {
	secret := files{"a": "secret"}
	root, objects := secret.objects()
	id := wire.ObjectID(wire.ObjectAtom, []byte("secret"))
	for _, c := range []struct {
		what string
		do   func(l *lab, repo wire.Hash)
		want bool
	}{
		{"nothing", func(*lab, wire.Hash) {}, false},
		{"put", func(l *lab, _ wire.Hash) {
			must[*wire.ObjectPutAck](l, 1, &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte("secret")})
		}, true},
		{"in an open repo", func(l *lab, _ wire.Hash) {
			must[*wire.RepoCreateAck](l, 1, &wire.RepoCreate{Name: []byte("x"), AccessPolicy: openToAll, Root: &root, Objects: objects})
		}, true},
		{"in another private repo", func(l *lab, _ wire.Hash) {
			must[*wire.RepoCreateAck](l, 1, &wire.RepoCreate{Name: []byte("x"), AccessPolicy: private, Root: &root, Objects: objects})
		}, true},
		{"in the same repo", func(l *lab, repo wire.Hash) {
			must[*wire.SnapCreateAck](l, 0, &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Objects: objects})
		}, false},
		{"as a program's output", func(l *lab, _ wire.Hash) {
			if _, r := Objects(l.Daemon).PutAtom(l.c, []byte("secret")); r != nil {
				t.Error(r.Reason)
			}
		}, true},
	} {
		l := newLab(t)
		repo := must[*wire.RepoCreateAck](l, 0, &wire.RepoCreate{Name: []byte("r"), AccessPolicy: private, Root: &root, Objects: objects}).RepoID
		c.do(l, repo)
		if got := l.Public(id); got != c.want {
			t.Errorf("%s: public: %t", c.what, got)
		}
		r := l.send(3, &wire.ObjectGet{ObjectID: id})
		if c.want && (r.Err != nil || string(r.Body.(*wire.ObjectGetReply).Data) != "secret") || !c.want && word(r) != "read" {
			t.Errorf("%s: read by a stranger: %q", c.what, word(r))
		}
	}
}

// What Forge sees of objects, and what it stores in the name of an agent.
func TestForgeObjects_DescribedShownAndPut(t *testing.T) {
	l := newLab(t)
	o := Objects(l.Daemon)
	id := l.put(wire.ObjectAtom, []byte("text"))
	if got, ok := o.Object(id); !ok || got != (world.Object{Type: wire.ObjectAtom, Size: 4, Putter: l.ids[0], Tick: l.c.Tick}) {
		t.Errorf("object %+v (%t)", got, ok)
	}
	if _, ok := o.Object(wire.Hash{1}); ok {
		t.Error("an unknown object is described")
	}
	var shown string
	o.ShowObject(nil, id, func(data []byte) { shown = string(data) })
	if shown != "text" {
		t.Errorf("shown: %q", shown)
	}
	l.at(l.c.Tick + 1)
	l.c.Source = l.ids[1]
	out, r := o.PutAtom(l.c, []byte("output"))
	if r != nil || out != wire.ObjectID(wire.ObjectAtom, []byte("output")) || len(l.c.Events) > 0 {
		t.Errorf("put as %v (%v) with %d events", out, r, len(l.c.Events))
	}
	if got, _ := o.Object(out); got.Putter != l.ids[1] || l.store.storage.of(l.ids[1]) != 6+objectBytes || !l.Public(out) {
		t.Errorf("object %+v, %d bytes charged", got, l.store.storage.of(l.ids[1]))
	}
	const first = 500_000
	rest := world.VaultQuota - 3*objectBytes - 6 - first
	if _, r := o.PutAtom(l.c, make([]byte, first)); r != nil {
		t.Error(r)
	}
	before := l.State().Hash()
	for n, want := range map[int]string{wire.MaxObject + 1: "size", rest + 1: "storage"} {
		if _, r := o.PutAtom(l.c, make([]byte, n)); r == nil || r.Reason != want || l.State().Hash() != before {
			t.Errorf("%d bytes: %v, want %s", n, r, want)
		}
	}
	if _, r := o.PutAtom(l.c, make([]byte, rest)); r != nil {
		t.Errorf("what just fits: %v", r)
	}
	repo := l.made(2, "lib", openToAll)
	l.tagged(2, repo, "v1", "x")
	if d := cmp.Diff([]world.Publication{{Repo: repo, Owner: l.ids[2], Snap: repo, Place: 1}}, o.Published("x")); d != "" {
		t.Error(d)
	}
}

// Events of a repo are for its readers, and its owner hears of all of them; a fork and a dependency are also the business
// of the other repo's owner.
func TestEvents_ForReadersAndOwners(t *testing.T) {
	l := newLab(t)
	some := []wire.AgentID{l.ids[1]}
	repo := l.made(0, "club", wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &some}, Write: wire.WriteAccess{OwnerOnly: true}})
	other := l.made(2, "other", openToAll)
	for _, c := range []struct {
		payload any
		parties []int
		hidden  bool // from strangers
	}{
		{&wire.RepoCreatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.SnapCreatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.ChainCreatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.ChainAdvancedEvent{RepoID: repo}, []int{0}, true},
		{&wire.ChainDeletedEvent{RepoID: repo}, []int{0}, true},
		{&wire.TagCreatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.MergeCompletedEvent{RepoID: repo}, []int{0}, true},
		{&wire.RepoForkedEvent{NewRepo: repo, SourceRepo: other}, []int{0, 2}, true},
		{&wire.RepoForkedEvent{NewRepo: other, SourceRepo: repo}, []int{2, 0}, false},
		{&wire.DependencyAddedEvent{FromRepo: repo, ToRepo: other}, []int{0, 2}, true},
		{&wire.DependencyUpdatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.RegistryPublishedEvent{RepoID: repo}, []int{0}, true},
		{&wire.ClaimCreatedEvent{RepoID: repo}, []int{0}, true},
		{&wire.ObjectStoredEvent{}, nil, false},
		{&wire.ReviewRequestedEvent{Repo: other}, []int{2}, false}, // of Agora
		{&wire.RepoCreatedEvent{RepoID: wire.Hash{1}}, nil, false},
	} {
		e := &wire.Event{System: sys, Payload: c.payload}
		var parties []int
		l.Parties(e, func(a wire.AgentID) { parties = append(parties, slices.Index(l.ids, a)) })
		if !slices.Equal(parties, c.parties) {
			t.Errorf("%T: parties %v, want %v", c.payload, parties, c.parties)
		}
		for i, want := range []bool{true, true, !c.hidden, !c.hidden} {
			if got := l.MaySee(e, l.ids[i]); got != want {
				t.Errorf("%T: agent %d may see it: %t", c.payload, i, got)
			}
		}
	}
	var m world.Metrics
	if l.Measure(&m); m.VaultRepos != 2 {
		t.Errorf("%d repos are counted", m.VaultRepos)
	}
	l.refused(0, &wire.MsgPost{}, wire.CategoryInvalidRequest, "unknown_type")
	if r := l.send(0, &wire.MsgPost{}); r.Err.Code != wire.CodeUnknownType {
		t.Errorf("code %#x", r.Err.Code)
	}
}

// What kingdom inspect finds wrong with a snap: an object that is missing, of another type, or changed, and a signature
// that is not its author's. Links lead out of the repo and are not followed.
func TestVerify_NamesWhatIsWrong(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1", "d/b": "2"})
	read := func(id wire.Hash) (data []byte, err error) {
		l.store.objects.show(nil, id, func(b []byte) { data = b })
		return data, nil
	}
	changed := func(at wire.Hash) Reader {
		return func(id wire.Hash) ([]byte, error) {
			b, err := read(id)
			if id == at {
				b = append([]byte("x"), b...)
			}
			return b, err
		}
	}
	file := wire.ObjectID(wire.ObjectAtom, []byte("1"))
	inner := wire.ObjectID(wire.ObjectAtom, []byte("2"))
	entry := func(kind wire.TreeEntryKind, id wire.Hash) wire.Hash {
		return l.commitTree(repo, repo, []wire.TreeEntry{{Key: []byte("x"), Kind: kind, Value: id}})
	}
	failing := errors.New("the disk is gone")
	for _, c := range []struct {
		what string
		snap wire.Hash
		read Reader
		want string // empty: nothing is wrong
	}{
		{"all there", repo, read, ""},
		{"a link to nothing", entry(wire.TreeEntryKindLink, wire.Hash{9}), read, ""},
		{"a file that was never stored", entry(wire.TreeEntryKindAtom, wire.Hash{9}), read, "is not stored as type 1"},
		{"a file named as a directory", entry(wire.TreeEntryKindTree, file), read, "is not stored as type 2"},
		{"a directory named as a file", entry(wire.TreeEntryKindAtom, wire.EmptyTree), read, "is not stored as type 1"},
		{"a directory twice", l.commitTree(repo, repo, []wire.TreeEntry{
			{Key: []byte("x"), Kind: wire.TreeEntryKindTree, Value: l.history.commits.find(repo).root},
			{Key: []byte("y"), Kind: wire.TreeEntryKindTree, Value: l.history.commits.find(repo).root},
		}), read, ""},
		{"a changed file", repo, changed(file), "is not the one that was stored"},
		{"a changed file in a directory", repo, changed(inner), "is not the one that was stored"},
		{"a changed tree", repo, changed(l.history.commits.find(repo).root), "is not the one that was stored"},
		{"a changed snap", repo, changed(repo), "is not the one that was stored"},
		{"a store that fails", repo, func(wire.Hash) ([]byte, error) { return nil, failing }, "the disk is gone"},
		{"no snap", file, read, "is not the snap of a repo"},
	} {
		err := l.VerifySnapshot(c.snap, c.read)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	times := map[wire.Hash]int{}
	many := l.snap(repo, repo, files{"a": "1", "b": "1", "d/b": "2", "e/b": "2"})
	if err := l.VerifySnapshot(many, func(id wire.Hash) ([]byte, error) { times[id]++; return read(id) }); err != nil {
		t.Error(err)
	}
	for id, n := range times {
		if n != 1 || len(times) != 5 { // the snap, its tree, two files and a directory, each of which is there twice
			t.Errorf("%v of %d objects is read %d times", id, len(times), n)
		}
	}
	second := l.snap(repo, repo, files{"a": "3"})
	if err := l.VerifySignatures(second, read); err != nil {
		t.Error(err)
	}
	if err := l.VerifySignatures(second, changed(repo)); err == nil {
		t.Error("the changed first snap verifies")
	}
	if err := l.VerifySignatures(file, read); err == nil {
		t.Error("a file has signatures")
	}
	l.n.keys[l.ids[0]] = l.n.keys[l.ids[1]]
	if err := l.VerifySignatures(second, read); err == nil || !strings.Contains(err.Error(), "is not signed by") {
		t.Errorf("with another key: %v", err)
	}
}

// All branches with their snaps, from the head to the first.
func TestBranches_ListsEachWithItsSnaps(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	second := l.snap(repo, repo, files{"a": "2"})
	third := l.snap(repo, second, files{"a": "3"})
	l.send(0, &wire.ChainCreate{Repo: repo, Name: []byte("x"), FromSnap: second})
	l.tagged(0, repo, "v1")
	want := []Branch{
		{Repo: repo, RepoName: []byte("r"), Name: []byte("main"), Owner: l.ids[0], Snaps: []wire.Hash{third, second, repo}},
		{Repo: repo, RepoName: []byte("r"), Name: []byte("x"), Owner: l.ids[0], Snaps: []wire.Hash{second, repo}},
	}
	if d := cmp.Diff(want, Branches(l.Daemon)); d != "" {
		t.Errorf("branches (-want +got): %s", d)
	}
}
