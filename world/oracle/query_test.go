package oracle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

var edgeCodec = codec.New[wire.CitationEdge]()

// titles runs a query and lists what it finds.
func (b *bench) titles(q wire.EntryQuery) []string {
	b.t.Helper()
	out := []string{}
	for _, e := range b.must(9, &q).Body.(*wire.EntryQueryReply).Entries {
		out = append(out, string(e.Title))
	}
	return out
}

func TestQuery_FiltersAndSorts(t *testing.T) {
	b := newBench(t)
	alpha := b.post(0, draft("alpha pattern", "x", "y"))
	b.at(300)
	beta := b.post(1, draft("beta pattern", "x"))
	b.at(400)
	guide := draft("gamma guide", "y", "z")
	guide.Entry.Kind = wire.EntryKindTutorial
	gamma := b.post(1, guide)
	hidden := draft("hidden", "x")
	hidden.Review = wire.ReviewModePeerReview
	b.post(2, hidden)
	b.verdict(5, beta, wire.VerdictAccurate)
	b.must(5, &wire.CitationAdd{Source: gamma, Target: alpha, Kind: wire.CitationKindUses})
	b.must(6, &wire.CitationAdd{Source: wire.Hash{9}, Target: alpha, Kind: wire.CitationKindUses})

	tags := func(s ...string) *[][]byte {
		var out [][]byte
		for _, t := range s {
			out = append(out, []byte(t))
		}
		return &out
	}
	half, two, since := float32(0.5), uint32(2), wire.Tick(300)
	about := []byte("Gamma Guide")
	const relevant, recent, quality, citations = wire.OracleSortRelevant, wire.OracleSortRecent, wire.OracleSortQuality, wire.OracleSortCitations
	for _, tt := range []struct {
		name string
		q    wire.EntryQuery
		want []string
	}{
		{"all, newest first", wire.EntryQuery{Sort: recent}, []string{"gamma guide", "beta pattern", "alpha pattern"}},
		{"quality", wire.EntryQuery{Sort: quality, Limit: 1}, []string{"beta pattern"}},
		{"citations", wire.EntryQuery{Sort: citations, Limit: 1}, []string{"alpha pattern"}},
		{"offset", wire.EntryQuery{Sort: recent, Offset: 2}, []string{"alpha pattern"}},
		{"offset past the end", wire.EntryQuery{Sort: recent, Offset: 7}, []string{}},
		{"kind", wire.EntryQuery{Sort: recent, Kinds: &[]wire.EntryKind{wire.EntryKindTutorial}}, []string{"gamma guide"}},
		{"one tag", wire.EntryQuery{Sort: recent, Tags: tags("x")}, []string{"beta pattern", "alpha pattern"}},
		{"tags are alternatives, more of them rank higher", wire.EntryQuery{Sort: relevant, Tags: tags("y", "z")}, []string{"gamma guide", "alpha pattern"}},
		{"author and kind together", wire.EntryQuery{Sort: recent, Authors: &[]wire.AgentID{id(1)}, Kinds: &[]wire.EntryKind{wire.EntryKindPattern}}, []string{"beta pattern"}},
		{"about orders", wire.EntryQuery{Sort: relevant, About: &about, Limit: 1}, []string{"gamma guide"}},
		{"related in both directions", wire.EntryQuery{Sort: recent, RelatedTo: &[]wire.Hash{gamma, {9}}}, []string{"alpha pattern"}},
		{"verified", wire.EntryQuery{Sort: recent, VerifiedOnly: true}, []string{"beta pattern"}},
		{"accuracy", wire.EntryQuery{Sort: recent, MinAccuracy: &half}, []string{"beta pattern"}},
		{"completeness", wire.EntryQuery{Sort: recent, MinCompleteness: &half}, []string{}},
		{"cited by two agents", wire.EntryQuery{Sort: recent, MinCitations: &two}, []string{"alpha pattern"}},
		{"updated after", wire.EntryQuery{Sort: recent, UpdatedAfter: &since}, []string{"gamma guide"}},
	} {
		if d := cmp.Diff(tt.want, b.titles(tt.q)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
	b.refused(0, &wire.EntryQuery{Sort: recent, Limit: 101}, codeIR, "limit")
}

func TestQuery_LimitsAndWindow(t *testing.T) {
	b := newBench(t)
	for i := range Window + 30 {
		b.at(wire.Tick(256 + i))
		tag := "common"
		if i < 5 {
			tag = "rare"
		}
		b.c.Source = id(0)
		b.counters.Delete(id(0))
		b.Apply(b.c, draft(fmt.Sprint("entry ", i), tag))
		b.c.Events = nil
	}
	if got := len(b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent})); got != 20 {
		t.Errorf("%d entries without a limit, want 20", got)
	}
	if got := len(b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: 100})); got != 100 {
		t.Errorf("%d entries, want 100", got)
	}
	after := wire.Tick(256 + 30 - 5) // leaves 4 more than the window holds
	if got := b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent, UpdatedAfter: &after, Offset: Window}); len(got) != 0 {
		t.Errorf("found outside the window: %v", got)
	}
	rare := [][]byte{[]byte("rare")}
	if got := len(b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent, Tags: &rare})); got != 5 {
		t.Errorf("an indexed filter comes before the window: %d of 5 found", got)
	}
}

// TestQuery_SeveralAuthors: entries of several authors are looked for among the newest of all, each once, however few they are.
func TestQuery_SeveralAuthors(t *testing.T) {
	b := newBench(t)
	for i := range Steps + 20 {
		b.at(wire.Tick(256 + i))
		b.c.Source = id(0)
		if i < 5 || i == 19 || i == 20 || i >= Steps+18 { // the entry 20 is the oldest of the newest
			b.c.Source = id(8)
		}
		b.counters.Delete(b.c.Source)
		b.Apply(b.c, draft(fmt.Sprint("entry ", i), "tag"))
		b.c.Events = nil
	}
	for _, c := range []struct {
		authors []wire.AgentID
		want    []string
	}{
		{[]wire.AgentID{id(8), id(9)}, []string{"entry 16403", "entry 16402", "entry 20"}},
		{[]wire.AgentID{id(8), id(9), id(8)}, []string{"entry 16403", "entry 16402", "entry 20"}},
		{[]wire.AgentID{id(8), id(0)}, []string{"entry 16403", "entry 16402", "entry 16401", "entry 16400"}}, // more than a query looks at
	} {
		if got := b.titles(wire.EntryQuery{Sort: wire.OracleSortRecent, Authors: &c.authors, Limit: 4}); !slices.Equal(got, c.want) {
			t.Errorf("%d authors: %v, want %v", len(c.authors), got, c.want)
		}
	}
}

// A list leaves out long bodies, which can be asked for alone; what does not fit comes with the next page.
func TestQuery_LongBodiesAreCutAndPaged(t *testing.T) {
	b := newBench(t)
	b.rules.OracleText = 1 << 20
	for i, n := range []int{4_000, 130_000, 130_000, 130_000, 130_000} {
		q := draft(fmt.Sprint("long ", i))
		q.Entry.Body = wire.TextBody(strings.Repeat("x", n))
		b.post(i, q)
	}
	ask := func(limit, offset uint32) *wire.EntryQueryReply {
		r := b.must(1, &wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: limit, Offset: offset})
		wire.NewEnvelope(r.Type, Self, id(1), 256, wire.AppendReply(nil, r.Ref, r.Body)) // panics if it does not fit
		return r.Body.(*wire.EntryQueryReply)
	}
	all := ask(0, 0)
	if len(all.Entries) != 5 || len(all.Cut) != 4 || all.Next != nil {
		t.Fatalf("%d entries, %d cut, next %v; want 5, 4, none", len(all.Entries), len(all.Cut), all.Next)
	}
	short := 0
	for i := range all.Entries {
		cut := slices.Contains(all.Cut, all.Entries[i].ID)
		if cut != (len(all.Entries[i].Body) == 0) {
			t.Errorf("entry %d: %d bytes of body, cut %t", i, len(all.Entries[i].Body), cut)
		}
		if !cut {
			short++
		}
	}
	if short != 1 {
		t.Errorf("%d bodies shown, want the short one", short)
	}
	for i := range uint32(5) {
		one := ask(1, i)
		if len(one.Entries) != 1 || len(one.Entries[0].Body) == 0 || len(one.Cut) != 0 || (one.Next == nil) != (i == 4) {
			t.Errorf("alone, entry %d: %d with next %v", i, len(one.Entries), one.Next)
		}
	}
}

// Many entries of middling length come page by page, each once.
func TestQuery_PagesHoldEveryMatchOnce(t *testing.T) {
	b := newBench(t)
	b.rules.OracleText = 1 << 20
	for i := range 90 {
		b.counters.Delete(id(i % 9))
		q := draft(fmt.Sprint("middling ", i))
		q.Entry.Body = wire.TextBody(strings.Repeat("x", 4_000))
		b.post(i%9, q)
	}
	for _, sort := range []wire.OracleSort{wire.OracleSortRecent, wire.OracleSortQuality, wire.OracleSortCitations} {
		seen, pages := map[wire.Hash]bool{}, 0
		for next := new(uint32); next != nil; pages++ {
			r := b.must(1, &wire.EntryQuery{Sort: sort, Limit: 100, Offset: *next}).Body.(*wire.EntryQueryReply)
			if n := len(wire.AppendReply(nil, wire.Hash{}, r)); n > 262_144+256 {
				t.Errorf("an answer of %d bytes", n)
			}
			for i := range r.Entries {
				if seen[r.Entries[i].ID] {
					t.Errorf("%v: entry %s is shown twice", sort, r.Entries[i].Title)
				}
				seen[r.Entries[i].ID] = true
			}
			next = r.Next
		}
		if len(seen) != 90 || pages != 2 {
			t.Errorf("%v: %d entries on %d pages, want 90 on 2", sort, len(seen), pages)
		}
	}
}

// Sizes that are estimated without encoding must not be too low.
func TestQuery_RoughSizesAreAtLeastEncodedSizes(t *testing.T) {
	b := newBench(t)
	q := draft(strings.Repeat("t", 256))
	for i := range 8 {
		q.Entry.Tags = append(q.Entry.Tags, []byte(fmt.Sprint(i, strings.Repeat("y", 95))))
	}
	h := b.head(b.post(0, q))
	h.Version, h.CreatedAt, h.UpdatedAt, h.Citations = 1<<31, 1<<62, 1<<62, 1<<31
	h.Kind, h.Accuracy, h.Completeness, h.Freshness = wire.EntryKindSpecification, 0.3, 0.3, 0.3
	h.Supersedes, h.ProofHash = &wire.Hash{1}, &wire.Hash{2}
	h.References, h.Contributors, h.VerifiedBy = make([]wire.Hash, 64), make([]wire.AgentID, 300), make([]wire.AgentID, 70_000)
	if got, rough := len(headCodec.Append(nil, &h)), roughSize(&h); got > rough {
		t.Errorf("an entry of %d bytes, above the bound of %d", got, rough)
	}
	edge := wire.CitationEdge{Kind: wire.CitationKindSupersedes, Tick: 1 << 62, Context: make([]byte, 1024)}
	const most = action.MaxLimit * (256 + action.MaxNote)
	if got := len(edgeCodec.Append(nil, &edge)); got > most/action.MaxLimit || most > 262_144 {
		t.Errorf("an edge of %d bytes; a page of %d edges must fit into an answer", got, action.MaxLimit)
	}
}

// Citations come page by page, the newest first.
func TestCitation_Pages(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	b.rules.OracleText = 1 << 20
	for i := range 250 {
		b.must(1, &wire.CitationAdd{Source: wire.Hash{1, byte(i), byte(i >> 8)}, Target: e, Kind: wire.CitationKindUses, Context: make([]byte, 1_024)})
	}
	for _, tt := range []struct{ limit, offset, shown, next uint32 }{
		{0, 0, 20, 20}, {100, 0, 100, 100}, {100, 150, 100, 0}, {100, 200, 50, 0}, {1, 0, 1, 1}, {100, 250, 0, 0},
	} {
		r := b.must(1, &wire.CitationQuery{Target: &e, Limit: tt.limit, Offset: tt.offset}).Body.(*wire.CitationQueryReply)
		next := uint32(0)
		if r.Next != nil {
			next = *r.Next
		}
		if uint32(len(r.Edges)) != tt.shown || next != tt.next {
			t.Errorf("limit %d, offset %d: %d edges, next %d; want %d, %d", tt.limit, tt.offset, len(r.Edges), next, tt.shown, tt.next)
		}
	}
	// A source with many citations of other targets does not hide the one of this target.
	b.must(1, &wire.CitationAdd{Source: e, Target: wire.Hash{7}, Kind: wire.CitationKindUses})
	for i := range 30 {
		b.must(1, &wire.CitationAdd{Source: e, Target: wire.Hash{8, byte(i)}, Kind: wire.CitationKindUses})
	}
	r := b.must(1, &wire.CitationQuery{Source: &e, Target: &wire.Hash{7}}).Body.(*wire.CitationQueryReply)
	if len(r.Edges) != 1 || r.Edges[0].Source != e {
		t.Errorf("source and target: %+v", r.Edges)
	}
}

// TestCitation_CountsAgents: each once, the author of the entry not at all, whether they cite it
// while it is hidden or later.
func TestCitation_CountsAgents(t *testing.T) {
	b := newBench(t)
	q := draft("title")
	q.Review = wire.ReviewModePeerReview
	e := b.post(0, q)
	cite := func(by, from int) {
		b.must(by, &wire.CitationAdd{Source: wire.Hash{3, byte(from)}, Target: e, Kind: wire.CitationKindUses})
	}
	cite(0, 1)
	cite(1, 2)
	cite(1, 3)
	b.verdict(4, e, wire.VerdictAccurate)
	b.verdict(5, e, wire.VerdictAccurate)
	if got := b.head(e).Citations; got != 1 {
		t.Errorf("%d citations at publication, want 1", got)
	}
	cite(1, 4)
	cite(2, 5)
	cite(0, 6)
	if got := b.head(e).Citations; got != 2 {
		t.Errorf("%d citations, want 2", got)
	}
}

func TestCitation_AddAndQuery(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	for i := range 25 {
		b.must(1, &wire.CitationAdd{Source: wire.Hash{1, byte(i)}, Target: e, Kind: wire.CitationKindUses, Context: []byte{byte(i)}})
	}
	b.must(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: e, Kind: wire.CitationKindExtends})
	if got := b.head(e).Citations; got != 1 {
		t.Errorf("%d citations, want 1: agents count, not edges", got)
	}
	extends := wire.CitationKindExtends
	for _, tt := range []struct {
		name string
		q    wire.CitationQuery
		want int
	}{
		{"newest 20", wire.CitationQuery{Target: &e}, 20},
		{"all", wire.CitationQuery{Target: &e, Limit: 100}, 26},
		{"by source", wire.CitationQuery{Source: &wire.Hash{1}}, 2},
		{"by kind", wire.CitationQuery{Kind: &extends}, 1},
		{"source and target", wire.CitationQuery{Source: &wire.Hash{1}, Target: &wire.Hash{2}}, 0},
	} {
		if got := len(b.must(2, &tt.q).Body.(*wire.CitationQueryReply).Edges); got != tt.want {
			t.Errorf("%s: %d edges, want %d", tt.name, got, tt.want)
		}
	}
	b.refused(1, &wire.CitationAdd{Source: e, Target: e, Kind: wire.CitationKindUses}, codeIR, "self")
	b.refused(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: e, Kind: wire.CitationKindUses}, codeCF, "exists")
	b.refused(1, &wire.CitationQuery{Limit: 101}, codeIR, "limit")
}

func TestCitation_OfLaterPublishedEntryCounts(t *testing.T) {
	b := newBench(t)
	e := EntryID(wire.EntryKindPattern, []byte("later"), id(0), 256)
	b.must(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: e, Kind: wire.CitationKindUses})
	b.post(0, draft("later"))
	if got := b.head(e).Citations; got != 1 {
		t.Errorf("%d citations, want 1", got)
	}
}

func TestCitation_LibraryIsFull(t *testing.T) {
	b := newBench(t)
	b.citations.limit = 1
	b.must(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: wire.Hash{3}, Kind: wire.CitationKindUses})
	b.refused(1, &wire.CitationAdd{Source: wire.Hash{1}, Target: wire.Hash{2}, Kind: wire.CitationKindUses}, codeQE, "too_many")
}
