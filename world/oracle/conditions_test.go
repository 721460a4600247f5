package oracle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"kingdom/det"
	"kingdom/wire"
)

func TestQuality_IsTheMeanOfThreeScores(t *testing.T) {
	for _, tt := range []struct {
		accuracy, completeness, freshness float32
		want                              float64
	}{{0, 0, 0, 0}, {1, 1, 1, 1}, {0.75, 0, 0, 0.25}, {0, 0.75, 0, 0.25}, {0, 0, 0.75, 0.25}, {0.5, 0.25, 0.75, 0.5}} {
		x := &packedEntry{accuracy: tt.accuracy, completeness: tt.completeness, freshness: tt.freshness}
		if got := quality(x); got != det.QuantiseInt(tt.want) {
			t.Errorf("%+v: %d, want %d", tt, got, det.QuantiseInt(tt.want))
		}
	}
}

// An entry with exactly the minimum score is found; "updated after" excludes the tick itself.
func TestQuery_MinimumScoresAreInclusive(t *testing.T) {
	x := &packedEntry{accuracy: 0.5, completeness: 0.25, citations: 3, updated: 300}
	ptr := func(f float32) *float32 { return &f }
	cited := func(n uint32) *uint32 { return &n }
	after := func(at wire.Tick) *wire.Tick { return &at }
	for _, tt := range []struct {
		name string
		q    wire.EntryQuery
		want bool
	}{
		{"accuracy", wire.EntryQuery{MinAccuracy: ptr(0.5)}, true},
		{"more accuracy", wire.EntryQuery{MinAccuracy: ptr(0.51)}, false},
		{"completeness", wire.EntryQuery{MinCompleteness: ptr(0.25)}, true},
		{"more completeness", wire.EntryQuery{MinCompleteness: ptr(0.26)}, false},
		{"citations", wire.EntryQuery{MinCitations: cited(3)}, true},
		{"more citations", wire.EntryQuery{MinCitations: cited(4)}, false},
		{"updated later", wire.EntryQuery{UpdatedAfter: after(299)}, true},
		{"updated then", wire.EntryQuery{UpdatedAfter: after(300)}, false},
	} {
		if got := newBench(t).entries.passes(x, &tt.q); got != tt.want {
			t.Errorf("%s: passes %v", tt.name, got)
		}
	}
}

func TestLower_FoldsASCIIOnly(t *testing.T) {
	for r, want := range map[rune]rune{'A': 'a', 'Z': 'z', 'a': 'a', '@': '@', '[': '[', 'Ä': 'Ä'} {
		if got := lower(r); got != want {
			t.Errorf("%c becomes %c, want %c", r, got, want)
		}
	}
}

// A pair is above a floor, not at it.
func TestSimilarity_AboveTheFloor(t *testing.T) {
	same := wire.OracleEntry{Kind: wire.EntryKindPattern, Title: []byte("abcdefgh"), Tags: [][]byte{[]byte("x")}}
	half := same
	half.Title = []byte("abcdezzzzz")
	s := published(same, same, half)
	const a, b, c = 0, 1, 2
	if _, above := s.similarityOf(a, b, 1); above {
		t.Error("equal entries are above 1")
	}
	if _, above := s.similarityOf(a, b, 0.999); !above {
		t.Error("equal entries are not above 0.999")
	}
	exact, _ := s.similarityOf(a, c, 0)
	if exact <= 0.7 || exact >= 1 {
		t.Fatalf("similarity of half the title: %v", exact)
	}
	if _, above := s.similarityOf(a, c, exact); above {
		t.Errorf("%v is above itself", exact)
	}
	if _, above := s.similarityOf(a, c, exact-1e-6); !above {
		t.Errorf("%v is not above a little less", exact)
	}
}

// A new entry is compared with the 256 newest of each of its tags, not with the one before.
func TestCycleEnd_ComparesWithNewest256OfATag(t *testing.T) {
	for between, want := range map[int]int{maxNeighbours - 1: 1, maxNeighbours: 0} {
		b := newBench(t)
		apply := func(q *wire.EntryPublish) {
			b.c.Source, b.c.Events = id(0), nil
			b.counters.Delete(id(0)) // who may write as much as it likes
			if r := b.Apply(b.c, q); r.Err != nil {
				t.Fatalf("%s", r.Err.Message)
			}
		}
		apply(draft("the very same title", "tag"))
		for i := range between {
			sum := sha256.Sum256(fmt.Append(nil, i))
			q := draft(hex.EncodeToString(sum[:]), "tag")
			q.Entry.Kind = wire.EntryKindFAQ
			apply(q)
		}
		b.end(1)
		b.at(512)
		q := draft("the very same title", "tag")
		q.Entry.Body = wire.TextBody("in other words")
		apply(q)
		b.end(2)
		if got := len(b.kinds()); got != want {
			t.Errorf("with %d entries between, a duplicate gave %v", between, b.kinds())
		}
	}
}

// What was last updated in cycle 0 is aged after cycle 100 like anything else.
func TestCycleEnd_StalenessFromCycleZero(t *testing.T) {
	b := newBench(t)
	b.at(10)
	e := b.post(0, draft("title"))
	b.end(100)
	if got := b.head(e).Freshness; got != 1 {
		t.Errorf("freshness %v at age 100", got)
	}
	b.end(101)
	if got := b.head(e).Freshness; got != float32(det.Quantise(0.9)) {
		t.Errorf("freshness %v at age 101", got)
	}
}

// CITATION_QUERY looks at the newest 4,096 edges of its index.
func TestCitationQuery_SearchesTheNewest4096(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	add := func(i int, kind wire.CitationKind) {
		b.at(wire.Tick(300 + i))
		b.c.Source, b.c.Events = id(0), nil
		b.c.Msg = wire.Hash{3, byte(i >> 8), byte(i)}
		if r := b.Apply(b.c, &wire.CitationAdd{Source: wire.Hash{1, byte(i >> 8), byte(i)}, Target: e, Kind: kind}); r.Err != nil {
			t.Fatalf("%s", r.Err.Message)
		}
	}
	uses := wire.CitationKindUses
	found := func() int {
		return len(b.must(1, &wire.CitationQuery{Target: &e, Kind: &uses}).Body.(*wire.CitationQueryReply).Edges)
	}
	add(0, uses)
	for i := range Window - 1 {
		add(i+1, wire.CitationKindExtends)
	}
	if n := found(); n != 1 {
		t.Errorf("%d found at the end of the window, want 1", n)
	}
	add(Window, wire.CitationKindExtends)
	if n := found(); n != 0 {
		t.Errorf("%d found behind the window", n)
	}
}

// An event is about the authors of its entries; an entry that nobody knows has none.
func TestParties_AreAuthorsOfTheEntries(t *testing.T) {
	b := newBench(t)
	one, two, unknown := b.post(1, draft("one")), b.post(2, draft("two")), wire.Hash{9}
	for _, tt := range []struct {
		payload any
		want    string
	}{
		{&wire.EntryUpdatedEvent{EntryID: one}, "1"},
		{&wire.EntryVerifiedEvent{EntryID: one}, "1"},
		{&wire.EntryUpdateRejectedEvent{EntryID: two}, "2"},
		{&wire.PeerReviewApprovedEvent{EntryID: one}, "1"},
		{&wire.PeerReviewCompleteEvent{EntryID: one}, "1"},
		{&wire.CitationAddedEvent{Source: one, Target: two}, "12"},
		{&wire.CitationRemovedEvent{Source: unknown, Target: two}, "2"},
		{&wire.StalenessDetectedEvent{EntryID: unknown}, ""},
		{&wire.StalenessDetectedEvent{EntryID: two}, "2"},
		{&wire.DuplicateFlaggedEvent{NewEntryID: two, ExistingEntryID: one}, "21"},
		{&wire.CrossLinkSuggestedEvent{Source: one, Target: unknown}, "1"},
		{&wire.EntryPublishedEvent{EntryID: one}, ""}, // its origin is the author
	} {
		got := ""
		b.Parties(&wire.Event{Payload: tt.payload}, func(a wire.AgentID) { got += fmt.Sprint(a[1]) })
		if got != tt.want {
			t.Errorf("%T: agents %q, want %q", tt.payload, got, tt.want)
		}
	}
}
