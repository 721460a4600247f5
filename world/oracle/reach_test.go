package oracle

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// A query for citations follows the shorter list, of the source or of the target, and visits 16,384 citations at most.
func TestCitationQuery_StepsAreBounded(t *testing.T) {
	x := newCitations(world.NewState(wire.SystemOracle), &world.Rules{Population: 8})
	n := 0
	link := func(source, target wire.Hash) {
		n++
		x.Append(&Citation{Source: source, Target: target, Kind: wire.CitationKindUses, Author: id(0), Tick: 300})
	}
	fresh := func() wire.Hash { return wire.Hash{9, byte(n >> 16), byte(n >> 8), byte(n)} }
	s, u, rare, few := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}, wire.Hash{4}
	finds := func(source, target wire.Hash) int {
		return len(x.search(&wire.CitationQuery{Source: &source, Target: &target}, 9))
	}
	link(s, rare) // found by its target
	link(few, u)  // found by its source
	link(s, u)    // in two long lists
	for range Steps - 1 {
		link(s, fresh())
		link(fresh(), u)
	}
	for over := range 2 {
		if a, b, c := finds(s, rare), finds(few, u), finds(s, u); a != 1 || b != 1 || c != 1-over {
			t.Errorf("behind %d others: found %d, %d and %d times, want 1, 1 and %d", Steps-1+over, a, b, c, 1-over)
		}
		link(s, fresh())
		link(fresh(), u)
	}
}

// A citation keeps its tick and the request that made it; a reply has its context, also from the store.
func TestCitation_IsShownWhole(t *testing.T) {
	for _, forgets := range []bool{false, true} {
		b := newBench(t)
		b.forgets = forgets
		b.at(300)
		b.must(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: wire.Hash{2}, Kind: wire.CitationKindUses, Context: []byte("because")})
		msg := b.c.Msg
		want := wire.CitationEdge{Source: wire.Hash{1}, Target: wire.Hash{2}, Kind: wire.CitationKindUses, Context: []byte("because"), Author: id(1), Tick: 300}
		got := b.must(2, &wire.CitationQuery{}).Body.(*wire.CitationQueryReply).Edges
		if len(got) != 1 || !bytes.Equal(edgeCodec.Append(nil, &got[0]), edgeCodec.Append(nil, &want)) {
			t.Errorf("store %t: %+v", forgets, got)
		}
		i := slices.IndexFunc(b.rows, func(r world.Row) bool { return r.Table == "citations" })
		var c Citation
		if err := citationCodec.Decode(b.rows[i].Body, &c); err != nil || c.MsgID != msg {
			t.Errorf("made by %v, want %v: %v", c.MsgID, msg, err)
		}
	}
}

// A record from the store is taken only for the citation that was written.
func TestCitation_MatchesItsRecord(t *testing.T) {
	x := newCitations(world.NewState(wire.SystemOracle), &world.Rules{Population: 8})
	c := Citation{Source: wire.Hash{1}, Target: wire.Hash{2}, Kind: wire.CitationKindUses, Context: []byte("why")}
	x.Append(&c)
	same := x.matches(x.all.At(0))
	if !same(&c) {
		t.Error("its own record is refused")
	}
	for name, edit := range map[string]func(c *Citation){
		"source":  func(c *Citation) { c.Source = wire.Hash{3} },
		"target":  func(c *Citation) { c.Target = wire.Hash{3} },
		"kind":    func(c *Citation) { c.Kind = wire.CitationKindExtends },
		"context": func(c *Citation) { c.Context = []byte("because") },
	} {
		other := c
		if edit(&other); same(&other) {
			t.Errorf("a record with another %s is accepted", name)
		}
	}
}

// An indexed filter finds what lies behind the newest 16,384 entries; two kinds, two tags or two authors together have no
// index of their own.
func TestQuery_IndexedFiltersReachBehindTheSteps(t *testing.T) {
	b := newBench(t)
	for i := range Steps + 5 {
		b.at(wire.Tick(256 + i))
		q := draft(fmt.Sprint("entry ", i), "new")
		b.c.Source = id(0)
		if i < 5 {
			q.Entry.Kind, q.Entry.Tags, b.c.Source = wire.EntryKindTutorial, [][]byte{[]byte("old")}, id(8)
		}
		b.counters.Delete(b.c.Source)
		b.Apply(b.c, q)
		b.c.Events = nil
	}
	kinds := func(k ...wire.EntryKind) *[]wire.EntryKind { return &k }
	tags := func(names ...string) *[][]byte {
		var out [][]byte
		for _, n := range names {
			out = append(out, []byte(n))
		}
		return &out
	}
	authors := func(a ...wire.AgentID) *[]wire.AgentID { return &a }
	for _, tt := range []struct {
		name string
		q    wire.EntryQuery
		want int
	}{
		{"kind", wire.EntryQuery{Kinds: kinds(wire.EntryKindTutorial)}, 5},
		{"two kinds", wire.EntryQuery{Kinds: kinds(wire.EntryKindTutorial, wire.EntryKindFAQ)}, 0},
		{"tag", wire.EntryQuery{Tags: tags("old")}, 5},
		{"two tags", wire.EntryQuery{Tags: tags("old", "none")}, 0},
		{"author", wire.EntryQuery{Authors: authors(id(8))}, 5},
		{"two authors", wire.EntryQuery{Authors: authors(id(8), id(9))}, 0},
		{"author and kind", wire.EntryQuery{Authors: authors(id(0), id(8)), Kinds: kinds(wire.EntryKindTutorial)}, 5},
		{"kind of many and tag of few", wire.EntryQuery{Kinds: kinds(wire.EntryKindPattern), Tags: tags("old")}, 0},
	} {
		tt.q.Sort = wire.OracleSortRecent
		if got := len(b.titles(tt.q)); got != tt.want {
			t.Errorf("%s: %d entries, want %d", tt.name, got, tt.want)
		}
	}
}

// A query looks at the newest 4,096 entries that its filters leave, in each order. A verdict on an older entry changes
// nothing of that.
func TestQuery_WindowInEachOrder(t *testing.T) {
	b := newBench(t)
	var first wire.Hash
	for i := range Window + 1 {
		b.at(wire.Tick(256 + i))
		b.c.Source = id(0)
		b.counters.Delete(id(0))
		r := b.Apply(b.c, draft(fmt.Sprint("entry ", i), "tag"))
		if b.c.Events = nil; i == 0 {
			first = r.Body.(*wire.EntryPublishAck).EntryID
		}
	}
	second := EntryID(wire.EntryKindPattern, []byte("entry 1"), id(0), 257)
	for _, sort := range []wire.OracleSort{wire.OracleSortRelevant, wire.OracleSortRecent, wire.OracleSortQuality, wire.OracleSortCitations} {
		for _, tags := range []*[][]byte{nil, {[]byte("tag")}} {
			found := b.entries.search(&wire.EntryQuery{Sort: sort, Tags: tags}, Window+1)
			if len(found) != Window || slices.ContainsFunc(found, func(x *packedEntry) bool { return b.entries.idOf(x) == first }) {
				t.Errorf("%v, by tag %t: %d entries, want %d, and not the oldest", sort, tags != nil, len(found), Window)
			}
		}
	}
	b.verdict(1, first, wire.VerdictAccurate)
	if got := b.titles(wire.EntryQuery{Sort: wire.OracleSortQuality, VerifiedOnly: true}); len(got) != 0 {
		t.Errorf("found behind the window: %q", got)
	}
	for i := range Window {
		x := b.entries.at(b.entries.order[len(b.entries.order)-1-i])
		if got, want := b.entries.grades[x.place%Window], b.entries.gradeOf(x, quality(x)); got != want {
			t.Fatalf("place %d: grade %v, want %v", x.place, got, want)
		}
	}
	b.verdict(1, second, wire.VerdictAccurate)
	if got := b.titles(wire.EntryQuery{Sort: wire.OracleSortQuality, Limit: 1}); len(got) != 1 || got[0] != "entry 1" {
		t.Errorf("the best is %q, want the oldest in the window", got)
	}
}

// RELEVANT puts the entry with more of the tags first, whatever the ids.
func TestQuery_MoreTagsAreMoreRelevant(t *testing.T) {
	b := newBench(t)
	for i := range 8 {
		b.post(i, draft(fmt.Sprint("one ", i), "x"))
	}
	b.post(9, draft("two", "x", "y"))
	for i := range 8 {
		b.post(i, draft(fmt.Sprint("other ", i), "y"))
	}
	q := wire.EntryQuery{Sort: wire.OracleSortRelevant, Tags: &[][]byte{[]byte("x"), []byte("y")}}
	if got := b.titles(q); len(got) != 17 || got[0] != "two" {
		t.Errorf("%q", got)
	}
}
