package vault

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

// Which branch a new snap moves: main before others, else the first by name; one that was deleted or moved away is not
// among them.
func TestSnap_MovesOneBranch(t *testing.T) {
	type branches struct {
		what   string
		names  []string // branches made at the second snap, which main is at
		away   bool     // main has moved on
		delete string
		remake bool
		moves  string // empty: none
	}
	check := func(c branches, restored bool) {
		l := newLab(t)
		repo := l.repo("r", files{"a": "1"})
		second := l.snap(repo, repo, files{"a": "2"})
		create := func(name string) {
			l.ack(0, &wire.ChainCreate{Repo: repo, Name: []byte(name), FromSnap: second})
			want := []any{wire.KindChainCreated, &wire.ChainCreatedEvent{RepoID: repo, ChainName: []byte(name), FromSnap: second, Tick: l.c.Tick}}
			if d := cmp.Diff(want, l.told()); d != "" {
				t.Errorf("%s: events (-want +got): %s", c.what, d)
			}
		}
		third := second
		if c.away {
			third = l.snap(repo, second, files{"a": "3"})
		}
		for _, name := range c.names {
			create(name)
		}
		if c.delete != "" {
			l.ack(0, &wire.ChainAdvance{Repo: repo, ChainName: []byte(c.delete)})
			want := []any{wire.KindChainDeleted, &wire.ChainDeletedEvent{RepoID: repo, ChainName: []byte(c.delete), Tick: l.c.Tick}}
			if d := cmp.Diff(want, l.told()); d != "" {
				t.Errorf("%s: events (-want +got): %s", c.what, d)
			}
		}
		if c.remake {
			create(c.delete)
		}
		if restored {
			l = l.restored()
		}
		next := l.snap(repo, second, files{"b": "1"})
		want := []any{wire.KindSnapCreated, &wire.SnapCreatedEvent{RepoID: repo, SnapID: next, Author: l.ids[0], Parent: &second, Tick: l.c.Tick}}
		if c.moves != "" {
			want = append(want, wire.KindChainAdvanced, &wire.ChainAdvancedEvent{RepoID: repo, ChainName: []byte(c.moves), OldHead: second, NewHead: next, Tick: l.c.Tick})
		}
		if d := cmp.Diff(want, l.told()); d != "" {
			t.Errorf("%s: events (-want +got): %s", c.what, d)
		}
		heads := map[string]wire.Hash{}
		for _, b := range Branches(l.Daemon) {
			heads[string(b.Name)] = b.Snaps[0]
		}
		wantHeads := map[string]wire.Hash{"main": third}
		for _, name := range c.names {
			if name != c.delete || c.remake {
				wantHeads[name] = second
			}
		}
		if c.moves != "" {
			wantHeads[c.moves] = next
		}
		if d := cmp.Diff(wantHeads, heads); d != "" {
			t.Errorf("%s: heads (-want +got): %s", c.what, d)
		}
	}
	for _, c := range []branches{
		{"main alone", nil, false, "", false, "main"},
		{"main and one before it by name", []string{"a"}, false, "", false, "main"},
		{"others", []string{"z", "a", "k"}, true, "", false, "a"},
		{"others, in another order", []string{"a", "z", "k"}, true, "", false, "a"},
		{"others without the first", []string{"z", "a", "k"}, true, "a", false, "k"},
		{"others without the last", []string{"z", "a", "k"}, true, "z", false, "a"},
		{"the first is made again", []string{"z", "a", "k"}, true, "a", true, "a"},
		{"none", nil, true, "", false, ""},
		{"the only one is deleted", []string{"a"}, true, "a", false, ""},
	} {
		check(c, false)
		check(c, true)
	}
}

// A snap of one repo is nothing in another: no parent, no start or head of a branch, no target of a tag.
func TestSnap_OfAnotherRepoIsNotFound(t *testing.T) {
	l := newLab(t)
	repo, other := l.repo("r", files{"a": "1"}), l.repo("other", files{"a": "2"})
	root := l.history.commits.find(repo).root
	for _, c := range []struct {
		req  any
		want string
	}{
		{&wire.SnapCreate{RepoID: repo, Parent: &other, Root: root}, "parent"},
		{&wire.SnapCreate{RepoID: repo, Root: root}, "parent"},
		{&wire.ChainCreate{Repo: repo, Name: []byte("x"), FromSnap: other}, "from_snap"},
		{&wire.ChainAdvance{Repo: repo, ChainName: []byte("main"), NewHead: &other}, "new_head"},
		{&wire.TagCreate{Repo: repo, Name: []byte("v"), Target: other}, "target"},
	} {
		l.refused(0, c.req, wire.CategoryNotFound, c.want)
	}
}

// A branch counts against the storage of the agent that made it, and whoever deletes it gives it back to that one.
func TestChain_StorageGoesBackToItsMaker(t *testing.T) {
	l := newLab(t)
	repo := l.repo("r", files{"a": "1"})
	used := func(a int) uint64 { return l.store.storage.of(l.ids[a]) }
	owners, makers := used(0), used(1)
	l.ack(1, &wire.ChainCreate{Repo: repo, Name: []byte("x"), FromSnap: repo})
	if used(0) != owners || used(1) != makers+recordBytes {
		t.Errorf("%d bytes of the owner and %d of the maker are used", used(0)-owners, used(1)-makers)
	}
	l.ack(0, &wire.ChainAdvance{Repo: repo, ChainName: []byte("x")})
	if used(0) != owners || used(1) != makers {
		t.Errorf("%d bytes of the owner and %d of the maker are used after its end", used(0)-owners, used(1)-makers)
	}
	// Vault's own things are nobody's storage: a repo takes its two records, its snap and its tree.
	before := used(2)
	id := l.made(2, "mine", openToAll)
	snap, _ := Objects(l.Daemon).Object(id)
	if got, want := used(2)-before, uint64(2*recordBytes+snap.Size+objectBytes+len(emptyTree)+objectBytes); got != want {
		t.Errorf("a repo takes %d bytes, want %d", got, want)
	}
	if r := l.Repo(id); r.Tick != l.c.Tick || r.Snaps != 1 || r.Proven != 0 {
		t.Errorf("the repo is %+v", r)
	}
}
