package vault

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// made is a repo of an agent with one snap.
func (l *lab) made(a int, name string, p wire.AccessPolicy) wire.Hash {
	l.t.Helper()
	return must[*wire.RepoCreateAck](l, a, &wire.RepoCreate{Name: []byte(name), Message: []byte(name), AccessPolicy: p}).RepoID
}

// tagged makes a tag of a repo's first snap; with labels it publishes the repo.
func (l *lab) tagged(a int, repo wire.Hash, name string, labels ...string) wire.Hash {
	l.t.Helper()
	q := &wire.TagCreate{Repo: repo, Name: []byte(name), Target: repo}
	for _, x := range labels {
		if q.Publish == nil {
			q.Publish = &wire.Publication{Description: []byte("about " + name)}
		}
		q.Publish.Category = append(q.Publish.Category, []byte(x))
	}
	return must[*wire.TagCreateAck](l, a, q).TagID
}

// published is a repo of an agent that is in the registry.
func (l *lab) published(a int, name string, labels ...string) wire.Hash {
	l.t.Helper()
	repo := l.made(a, name, openToAll)
	l.tagged(a, repo, strings.ToUpper(name), labels...)
	return repo
}

// forked has an agent fork a repo.
func (l *lab) forked(a int, repo wire.Hash) wire.Hash {
	l.t.Helper()
	return must[*wire.RepoCreateAck](l, a, &wire.RepoCreate{
		Name: fmt.Appendf(nil, "fork of %x", repo[:8]), Message: repo[:], AccessPolicy: openToAll, ForkOf: &repo,
	}).RepoID
}

func (l *lab) queried(a int, q wire.RegistryQuery) *wire.RegistryQueryReply {
	l.t.Helper()
	return must[*wire.RegistryQueryReply](l, a, &q)
}

// What a query finds, in which order, and how it is paged.
func TestRegistryQuery_FiltersOrdersAndPages(t *testing.T) {
	l := newLab(t)
	repos := map[string]wire.Hash{}
	for i, x := range []struct {
		by    int
		name  string
		label string
	}{{0, "alpha", "text"}, {1, "beta", "io"}, {0, "gamma", "text"}, {1, "delta", "text"}} {
		repos[x.name] = l.published(x.by, x.name, x.label, fmt.Sprint("label ", i))
	}
	some := []wire.AgentID{l.ids[3]}
	club := l.made(0, "club", wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: &some}, Write: wire.WriteAccess{OwnerOnly: true}})
	l.tagged(0, club, "of club", "text")
	l.forked(2, repos["alpha"])
	l.forked(3, repos["alpha"])
	l.forked(2, repos["delta"])
	l.Reviewed(l.c, repos["beta"], 1, 4)
	quality := func(name string) float32 {
		t.Helper()
		for _, e := range l.queried(3, wire.RegistryQuery{Sort: wire.RegistrySortRecent}).Entries {
			if string(e.Name) == name {
				return e.Quality
			}
		}
		t.Fatalf("no entry %s", name)
		return 0
	}
	text := func(s string) *[]byte { b := []byte(s); return &b }
	least := func(name string, more bool) *float32 {
		q := quality(name)
		if more {
			q = math.Nextafter32(q, 1)
		}
		return &q
	}
	equal := []string{"gamma", "club"} // neither users nor reviews: by id
	slices.SortFunc(equal, func(a, b string) int {
		of := func(name string) wire.Hash {
			if name == "club" {
				return club
			}
			return repos[name]
		}
		return of(a).Compare(of(b))
	})
	unused := []string{"gamma", "beta"} // no users
	slices.SortFunc(unused, func(a, b string) int { return repos[a].Compare(repos[b]) })
	const recent, byQuality, byUse = wire.RegistrySortRecent, wire.RegistrySortQuality, wire.RegistrySortPopularity
	for _, c := range []struct {
		what string
		by   int
		q    wire.RegistryQuery
		want []string
		next uint32 // 0: none
	}{
		{"newest first", 2, wire.RegistryQuery{Sort: recent}, []string{"delta", "gamma", "beta", "alpha"}, 0},
		{"what only some may read is for them", 3, wire.RegistryQuery{Sort: recent}, []string{"club", "delta", "gamma", "beta", "alpha"}, 0},
		{"and its owner", 0, wire.RegistryQuery{Sort: recent, Limit: 1}, []string{"club"}, 1},
		{"a category", 2, wire.RegistryQuery{Sort: recent, Category: text("text")}, []string{"delta", "gamma", "alpha"}, 0},
		{"its second label", 2, wire.RegistryQuery{Sort: recent, Category: text("label 1")}, []string{"beta"}, 0},
		{"a category that nothing has", 2, wire.RegistryQuery{Sort: recent, Category: text("tex")}, nil, 0},
		{"a word of a name", 2, wire.RegistryQuery{Sort: recent, TextMatch: text("et")}, []string{"beta"}, 0},
		{"a word of a description", 2, wire.RegistryQuery{Sort: recent, TextMatch: text("about D")}, []string{"delta"}, 0},
		{"a word in neither", 2, wire.RegistryQuery{Sort: recent, TextMatch: text("Delta")}, nil, 0},
		{"best first", 2, wire.RegistryQuery{Sort: byQuality}, []string{"beta", "alpha", "delta", "gamma"}, 0},
		{"of equal quality by id", 3, wire.RegistryQuery{Sort: byQuality, Offset: 3}, equal, 0},
		{"most used first", 2, wire.RegistryQuery{Sort: byUse}, append([]string{"alpha", "delta"}, unused...), 0},
		{"as good as one", 2, wire.RegistryQuery{Sort: byQuality, MinQuality: least("alpha", false)}, []string{"beta", "alpha"}, 0},
		{"better than one", 2, wire.RegistryQuery{Sort: byQuality, MinQuality: least("alpha", true)}, []string{"beta"}, 0},
		{"the first page", 2, wire.RegistryQuery{Sort: recent, Limit: 2}, []string{"delta", "gamma"}, 2},
		{"the middle", 2, wire.RegistryQuery{Sort: recent, Limit: 2, Offset: 1}, []string{"gamma", "beta"}, 3},
		{"the last page", 2, wire.RegistryQuery{Sort: recent, Limit: 2, Offset: 2}, []string{"beta", "alpha"}, 0},
		{"behind the end", 2, wire.RegistryQuery{Sort: recent, Offset: 9}, nil, 0},
	} {
		r := l.queried(c.by, c.q)
		var got []string
		for _, e := range r.Entries {
			got = append(got, string(e.Name))
		}
		next := uint32(0)
		if r.Next != nil {
			next = *r.Next
		}
		if !slices.Equal(got, c.want) || next != c.next {
			t.Errorf("%s: %q and then %d, want %q and then %d", c.what, got, next, c.want, c.next)
		}
	}
	e := l.queried(2, wire.RegistryQuery{Sort: byUse, Limit: 1}).Entries[0]
	if e.RepoID != repos["alpha"] || e.Author != l.ids[0] || e.Popularity != 2 || string(e.Description) != "about ALPHA" || len(e.Category) != 2 {
		t.Errorf("entry %+v", e)
	}
}

// The quality of a repo is the mean of the share of its proven snaps, of what reviews say, and of its users, of which ten
// are enough.
func TestRegistry_QualityIsTheMeanOfThree(t *testing.T) {
	for _, c := range []struct {
		snaps, proven int
		reviews       [][2]float64 // score and weight
		users         int
		want          float64
	}{
		{1, 0, nil, 0, 0},
		{1, 0, nil, 1, 0.1 / 3},
		{1, 0, nil, 9, 0.9 / 3},
		{1, 0, nil, 10, 1.0 / 3},
		{1, 0, nil, 11, 1.0 / 3},
		{4, 1, nil, 0, 0.25 / 3},
		{4, 3, nil, 5, (0.75 + 0.5) / 3},
		{1, 0, [][2]float64{{1, 0.5}}, 0, 0.5 / 3},
		{1, 0, [][2]float64{{0, 0.5}}, 0, 0},
		{1, 0, [][2]float64{{1, 1}, {0.5, 2}}, 0, 2 / 3.5 / 3},
		{4, 3, [][2]float64{{0.5, 4}}, 2, (0.75 + 2/4.5 + 0.2) / 3},
	} {
		l := newLab(t)
		l.crowd(c.users + 1)
		repo := l.repo("lib", files{"main": "1"})
		for i := 1; i < c.snaps; i++ {
			text := fmt.Sprint(i)
			root, objects := files{"main": text}.objects()
			q := &wire.SnapCreate{RepoID: repo, Parent: &repo, Root: root, Objects: objects}
			if i <= c.proven {
				p := wire.ExecutionProof{Program: wire.ObjectID(wire.ObjectAtom, []byte(text))}
				p.Sign()
				l.store.proofs = made{p}
				b := wire.ExecutionProofCodec.Append(nil, &p)
				q.Proof = &b
			}
			must[*wire.SnapCreateAck](l, 0, q)
		}
		l.tagged(0, repo, "v1", "x")
		for _, x := range c.reviews {
			l.Reviewed(l.c, repo, x[0], x[1])
		}
		for i := range c.users {
			l.forked(i+1, repo)
		}
		got := l.queried(0, wire.RegistryQuery{Sort: wire.RegistrySortRecent}).Entries[0]
		if math.Abs(float64(got.Quality)-c.want) > 2e-6 || int(got.Popularity) != c.users {
			t.Errorf("%+v: quality %v and popularity %d, want %v", c, got.Quality, got.Popularity, c.want)
		}
		l.Reviewed(l.c, wire.Hash{1}, 1, 1) // of what is not there: nothing
	}
}

// A page of results fits into an envelope, because no entry is longer than the query expects.
func TestRegistryQuery_ExpectsTheLongestEntries(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte{'x'}, n) }
	name, id := text(action.MaxName), wire.Hash{1}
	full := wire.RegistryEntry{Name: name, Description: text(action.MaxNote), Quality: 1, Popularity: 1 << 31, Tag: &id, TagName: &name, Snap: &id}
	for range 8 {
		full.Category = append(full.Category, text(action.MaxTag))
	}
	bare := wire.RegistryEntry{Name: name}
	tagged := bare
	tagged.Tag, tagged.TagName, tagged.Snap = &id, &name, &id
	c := codec.New[wire.RegistryEntry]()
	for what, e := range map[string]*wire.RegistryEntry{"full": &full, "bare": &bare, "tagged": &tagged} {
		if n, expected := len(c.Append(nil, e)), sizeOf(e); n > expected {
			t.Errorf("%s: %d bytes, expected at most %d", what, n, expected)
		}
	}
}
