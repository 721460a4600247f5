package oracle

import (
	"bytes"
	"fmt"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// TestBounds_AtAndOnePastEachBound: each bound is taken at its value and refused one beyond.
func TestBounds_AtAndOnePastEachBound(t *testing.T) {
	text := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	entry := func(edit func(q *wire.EntryDraft)) any {
		q := draft("title")
		edit(&q.Entry)
		return q
	}
	query := func(edit func(q *wire.EntryQuery)) any {
		q := &wire.EntryQuery{Sort: wire.OracleSortRecent}
		edit(q)
		return q
	}
	overhead := len(wire.TextBody(string(text(100_000)))) - 100_000 // of a long text
	for _, tt := range []struct {
		name   string
		bound  int
		reason string
		req    func(n int, known wire.Hash) any
	}{
		{"title", 256, "too_long", func(n int, _ wire.Hash) any {
			return entry(func(q *wire.EntryDraft) { q.Title = text(n) })
		}},
		{"tags", 8, "too_many", func(n int, _ wire.Hash) any {
			return entry(func(q *wire.EntryDraft) {
				for i := range n {
					q.Tags = append(q.Tags, fmt.Append(nil, "tag ", i))
				}
			})
		}},
		{"tag", 96, "too_long", func(n int, _ wire.Hash) any {
			return entry(func(q *wire.EntryDraft) { q.Tags = [][]byte{text(n)} })
		}},
		{"references", 64, "too_many", func(n int, _ wire.Hash) any {
			return entry(func(q *wire.EntryDraft) { q.References = make([]wire.Hash, n) })
		}},
		{"body", 131_072, "too_long", func(n int, _ wire.Hash) any {
			return entry(func(q *wire.EntryDraft) { q.Body = wire.TextBody(string(text(n - overhead))) })
		}},
		{"new body", 131_072, "too_long", func(n int, known wire.Hash) any {
			return &wire.EntryUpdate{EntryID: known, NewBody: wire.TextBody(string(text(n - overhead)))}
		}},
		{"note", 1_024, "too_long", func(n int, known wire.Hash) any {
			return &wire.EntryUpdate{EntryID: known, NewBody: wire.TextBody("new"), ChangeNote: text(n)}
		}},
		{"evidence", 4_096, "too_long", func(n int, known wire.Hash) any {
			return &wire.EntryVerify{EntryID: known, Verdict: wire.VerdictAccurate, Evidence: text(n)}
		}},
		{"references of a verdict", 64, "too_many", func(n int, known wire.Hash) any {
			return &wire.EntryVerify{EntryID: known, Verdict: wire.VerdictAccurate, References: make([]wire.Hash, n)}
		}},
		{"limit", 100, "limit", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { q.Limit = uint32(n) })
		}},
		{"offset", 4_096, "limit", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { q.Offset = uint32(n) })
		}},
		{"tags asked", 64, "too_many", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { q.Tags = many(n, []byte("t")) })
		}},
		{"authors asked", 64, "too_many", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { q.Authors = many(n, id(1)) })
		}},
		{"relations asked", 64, "too_many", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { q.RelatedTo = many(n, wire.Hash{1}) })
		}},
		{"about", 1_024, "too_long", func(n int, _ wire.Hash) any {
			return query(func(q *wire.EntryQuery) { about := text(n); q.About = &about })
		}},
		{"limit of citations", 100, "limit", func(n int, _ wire.Hash) any { return &wire.CitationQuery{Limit: uint32(n)} }},
		{"offset of citations", 4_096, "limit", func(n int, _ wire.Hash) any { return &wire.CitationQuery{Offset: uint32(n)} }},
		{"context", 1_024, "too_long", func(n int, known wire.Hash) any {
			return &wire.CitationAdd{Source: known, Target: wire.Hash{2}, Kind: wire.CitationKindUses, Context: text(n)}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.rules.OracleText = 1 << 20
			known := b.post(1, draft("known"))
			b.must(0, tt.req(tt.bound, known))
			b.at(300)
			b.refused(2, tt.req(tt.bound+1, known), codeIR, tt.reason)
		})
	}
}

// Every text that Oracle keeps counts towards its author's quota of the cycle.
func TestTextQuota_CountsAllStoredText(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 700)
	body := wire.TextBody("new")
	for _, tt := range []struct {
		want uint64
		req  func(known wire.Hash) any
	}{
		{uint64(len(draft("title").Entry.Body)), func(wire.Hash) any { return draft("title") }},
		{uint64(len(body) + 700), func(known wire.Hash) any { return &wire.EntryUpdate{EntryID: known, NewBody: body, ChangeNote: text} }},
		{700, func(known wire.Hash) any {
			return &wire.EntryVerify{EntryID: known, Verdict: wire.VerdictAccurate, Evidence: text}
		}},
		{700, func(known wire.Hash) any {
			return &wire.CitationAdd{Source: known, Target: wire.Hash{2}, Kind: wire.CitationKindUses, Context: text}
		}},
	} {
		for over := range uint64(2) {
			b := newBench(t)
			known := b.post(1, draft("known"))
			b.rules.OracleText = tt.want - over
			if over == 1 {
				b.refused(0, tt.req(known), codeQE, "text_quota")
				continue
			}
			b.must(0, tt.req(known))
			if n := b.counters.Get(id(0)); n == nil || n.Text != tt.want {
				t.Errorf("%T: counted %+v, want %d bytes", tt.req(known), n, tt.want)
			}
		}
	}
}

func many[T any](n int, v T) *[]T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return &out
}

// An author may reject another's update up to the tick at which it is due, and it takes
// effect at the first cycle end at or after that tick.
func TestUpdate_CanBeRejectedUntilItsDueTick(t *testing.T) {
	two := uint32(2)
	for late := range wire.Tick(2) {
		b := newBench(t)
		e := b.post(0, draft("title"))
		b.at(300)
		b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("other")})
		b.at(300 + PendingTicks + late)
		if late == 0 {
			b.must(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two})
		} else {
			b.refused(0, &wire.EntryUpdate{EntryID: e, RejectVersion: &two}, codeNF, "version")
		}
	}
	for sent, want := range map[wire.Tick]uint32{511: 2, 512: 1} { // due at 767, the last tick of cycle 2, or one later
		b := newBench(t)
		e := b.post(0, draft("title"))
		b.at(sent)
		b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("other")})
		b.end(2)
		if got := b.head(e).Version; got != want {
			t.Errorf("an update sent at %d: version %d at the end of cycle 2, want %d", sent, got, want)
		}
	}
}

// A cycle end must not go on without a text that it needs.
func TestCycleEnd_PanicsOnTextThatWasNotFetched(t *testing.T) {
	panics := func(name string, b *bench) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s: the cycle ended without the text", name)
			}
		}()
		b.c.CycleEnd(767)
		b.CycleEnd(b.c)
	}
	b := newBench(t)
	b.forgets = true
	e := b.post(0, draft("title"))
	b.must(1, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("other")})
	if n := len(b.Missing(0)); n != 0 {
		t.Errorf("%d records named before the update is due", n)
	}
	if n := len(b.Missing(2)); n != 1 {
		t.Errorf("%d records named, want that of the update", n)
	}
	panics("pending update", b)

	b = newBench(t)
	b.s.questions = []world.Question{{Message: wire.Hash{1}, Asker: id(9), Wanting: []wire.AgentID{id(5), id(6), id(7)}, Missing: []wire.Missing{{}}}}
	if n := len(b.Missing(1)); n != 1 {
		t.Errorf("%d records named, want that of the question", n)
	}
	panics("question", b)
}

// Two accurate verdicts release an entry, two others reject it.
func TestPeerReview_TwoEqualVerdictsDecide(t *testing.T) {
	for _, tt := range []struct {
		verdicts []wire.Verdict
		live     bool
		gone     bool
	}{
		{[]wire.Verdict{wire.VerdictAccurate}, false, false},
		{[]wire.Verdict{wire.VerdictAccurate, wire.VerdictInaccurate}, false, false},
		{[]wire.Verdict{wire.VerdictAccurate, wire.VerdictOutdated, wire.VerdictAccurate}, true, false},
		{[]wire.Verdict{wire.VerdictOutdated, wire.VerdictAccurate, wire.VerdictInaccurate}, false, true},
	} {
		b := newBench(t)
		q := draft("title")
		q.Review = wire.ReviewModePeerReview
		e := b.post(0, q)
		for i, v := range tt.verdicts {
			b.verdict(i+1, e, v)
		}
		got := b.entries.find(e)
		if (got == nil) != tt.gone || got != nil && got.live() != tt.live {
			t.Errorf("after %v: entry %+v, want live %t, gone %t", tt.verdicts, got, tt.live, tt.gone)
		}
	}
}
