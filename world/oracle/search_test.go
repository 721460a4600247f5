package oracle

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// plainSearch is the definition of ENTRY_QUERY: the newest Window published entries
// that pass the indexed filters, of those the ones that pass the others, sorted, cut.
func (d *Daemon) plainSearch(q *wire.EntryQuery, k int) []*packedEntry {
	var found []*packedEntry
	for _, n := range slices.Backward(d.entries.order) {
		if x := d.entries.at(n); len(found) < Window && plainMatches(d.plainHead(x), q) {
			found = append(found, x)
		}
	}
	found = slices.DeleteFunc(found, func(x *packedEntry) bool { return !d.entries.passes(x, q) })
	score := d.entries.scorer(q, d.entries.queryTopics(q))
	if q.Sort == wire.OracleSortRelevant {
		score = func(x *packedEntry) int64 { return plainRelevance(d.plainHead(x), q) }
	}
	slices.SortFunc(found, func(a, b *packedEntry) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), d.entries.idOf(a).Compare(d.entries.idOf(b)))
	})
	return found[:min(k, len(found))]
}

func (d *Daemon) plainHead(x *packedEntry) *wire.OracleEntry {
	var h wire.OracleEntry
	d.entries.fillHead(x, &h, &listBuffers{})
	return &h
}

// plainMatches is the definition of the indexed filters.
func plainMatches(h *wire.OracleEntry, q *wire.EntryQuery) bool {
	return (q.Authors == nil || slices.Contains(*q.Authors, h.Author)) &&
		(q.Kinds == nil || slices.Contains(*q.Kinds, h.Kind)) &&
		(q.Tags == nil || slices.ContainsFunc(h.Tags, func(t []byte) bool {
			return slices.ContainsFunc(*q.Tags, func(o []byte) bool { return bytes.Equal(o, t) })
		}))
}

// plainRelevance is the number of shared tags plus the Jaccard of the titles' 4-grams,
// in units of 2^-20, rounded half up.
func plainRelevance(h *wire.OracleEntry, q *wire.EntryQuery) int64 {
	score := 0.0
	if q.Tags != nil {
		for _, t := range h.Tags {
			if slices.ContainsFunc(*q.Tags, func(o []byte) bool { return bytes.Equal(o, t) }) {
				score++
			}
		}
	}
	if q.About != nil {
		score += plainJaccard(plainGrams(h.Title), plainGrams(*q.About))
	}
	return int64(float64(score*(1<<20)) + 0.5)
}

// filledBench returns a bench with n entries, some of them updated, verified or cited later,
// some published under review long after they were written.
func filledBench(t testing.TB, n int) *bench {
	b := newBench(t)
	ids := []wire.Hash{}
	for i := range n {
		b.c.Seat(wire.Tick(256+i/3), uint64(i+1))
		q := draft(fmt.Sprint("how to do ", i*7919%997), fmt.Sprint("tag ", i%5), fmt.Sprint("tag ", 5+i%3))
		q.Entry.Kind = wire.EntryKind(i%4 + 1)
		late := i%17 == 0
		if late {
			q.Review = wire.ReviewModePeerReview
		}
		b.c.Source, b.c.Msg = id(i%9), wire.Hash{1, byte(i >> 8), byte(i)}
		b.s.funds[b.c.Source] = 100
		b.counters.Delete(b.c.Source)
		ids = append(ids, b.Apply(b.c, q).Body.(*wire.EntryPublishAck).EntryID)
		old, other := ids[i*31%len(ids)], ids[i*17%len(ids)]
		switch i % 6 {
		case 0:
			b.c.Source = b.entries.author(b.entries.find(old))
			b.Apply(b.c, &wire.EntryUpdate{EntryID: old, NewBody: wire.TextBody(fmt.Sprint("text ", i))})
		case 1:
			for a := range 3 { // finishes a review, too
				b.c.Source = id(20 + a)
				b.Apply(b.c, &wire.EntryVerify{EntryID: old, Verdict: wire.VerdictAccurate})
			}
		case 2:
			b.Apply(b.c, &wire.CitationAdd{Source: other, Target: old, Kind: wire.CitationKindUses})
		}
		b.c.Events = nil
	}
	return b
}

func drawQuery(rt *rapid.T, ids []wire.Hash) *wire.EntryQuery {
	q := &wire.EntryQuery{Sort: wire.OracleSort(rapid.IntRange(1, 4).Draw(rt, "sort"))}
	given := func(name string) bool { return rapid.IntRange(0, 2).Draw(rt, name) == 0 }
	if given("authors?") {
		q.Authors = new([]wire.AgentID)
		*q.Authors = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), id), 0, 2).Draw(rt, "authors")
	}
	if given("kinds?") {
		q.Kinds = new([]wire.EntryKind)
		*q.Kinds = rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 5), func(k int) wire.EntryKind { return wire.EntryKind(k) }), 0, 2).Draw(rt, "kinds")
	}
	if given("tags?") {
		q.Tags = new([][]byte)
		*q.Tags = rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 8), func(k int) []byte { return fmt.Append(nil, "tag ", k) }), 0, 2).Draw(rt, "tags")
	}
	if given("about?") {
		about := fmt.Append(nil, "How to do ", rapid.IntRange(0, 999).Draw(rt, "about"))
		q.About = &about
	}
	q.VerifiedOnly = given("verified?")
	if given("cited?") {
		one := uint32(1)
		q.MinCitations = &one
	}
	if given("related?") {
		q.RelatedTo = &[]wire.Hash{rapid.SampledFrom(ids).Draw(rt, "related")}
	}
	return q
}

func TestProperty_SearchEqualsPlainSearch(t *testing.T) {
	b := filledBench(t, Window+700)
	gone := b.entries.at(b.entries.order[len(b.entries.order)-Window-1]) // changed last, but no longer among the newest
	b.c.Source = b.entries.author(gone)
	if r := b.Apply(b.c, &wire.EntryUpdate{EntryID: b.entries.idOf(gone), NewBody: wire.TextBody("last")}); r.Err != nil {
		t.Fatalf("%s", r.Err.Message)
	}
	if len(b.entries.byUpdate) != len(b.entries.order) || !slices.IsSortedFunc(b.entries.byUpdate, func(m, n uint32) int { return b.entries.compareUpdates(m, b.entries.at(n)) }) {
		t.Fatal("entries are not kept by update")
	}
	if slices.Equal(b.entries.byUpdate, b.entries.order) || !slices.ContainsFunc(b.entries.order, func(n uint32) bool { return b.entries.at(n).published > b.entries.at(n).updated }) {
		t.Fatal("no entry was updated, or none published after its last update")
	}
	rapid.Check(t, func(rt *rapid.T) {
		q := drawQuery(rt, b.entries.Keys())
		k := rapid.SampledFrom([]int{1, 16, 100, 3000, Window + 100}).Draw(rt, "k")
		titles := func(list []*packedEntry) []string {
			out := []string{}
			for _, x := range list {
				out = append(out, fmt.Sprint(x.place, " ", string(b.entries.title(x))))
			}
			return out
		}
		if diff := gocmp.Diff(titles(b.plainSearch(q, k)), titles(b.entries.search(q, k))); diff != "" {
			rt.Fatalf("entries (-want +got):\n%s", diff)
		}
	})
}

// BenchmarkQuery is one ENTRY_QUERY over a full window.
func BenchmarkQuery(b *testing.B) {
	m := filledBench(b, 2*Window)
	for _, sort := range []wire.OracleSort{wire.OracleSortRecent, wire.OracleSortQuality, wire.OracleSortCitations} {
		b.Run(sort.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.entries.search(&wire.EntryQuery{Sort: sort}, 16)
			}
		})
	}
}

// BenchmarkCompareEntry compares one entry with a full list of neighbours under each tag.
func BenchmarkCompareEntry(b *testing.B) {
	m := filledBench(b, Window)
	newest := m.entries.at(m.entries.order[len(m.entries.order)-1])
	b.ReportAllocs()
	for b.Loop() {
		m.c.CycleEnd(m.c.Tick)
		m.duplicates.compareEntry(m.c, newest)
		m.c.Events = m.c.Events[:0]
	}
}
