package oracle

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// published are published entries of these kinds, titles and tags.
func published(heads ...wire.OracleEntry) *entries {
	s := New(&world.Rules{}).entries
	for i := range heads {
		heads[i].ID = wire.Hash{byte(i)}
		s.Put(heads[i].ID, &Entry{Head: heads[i], Place: uint64(i + 1)})
		s.indexPublished(s.find(heads[i].ID), wire.Calendar{TicksPerCycle: 256})
	}
	return s
}

// similarityOf returns the similarity of the entries published as numbers a and b.
func (s *entries) similarityOf(a, b int, floor float64) (v float64, above bool) {
	x, y := s.at(s.order[a]), s.at(s.order[b])
	s.titles.setText(s.title(x))
	theirs, mine := s.topicNumbers(nil, y), s.topicNumbers(nil, x)
	return s.similarity(x, y, jaccard(shared(mine, theirs), len(mine), len(theirs)), floor)
}

func TestSimilarity(t *testing.T) {
	entry := func(kind wire.EntryKind, title string, tags ...string) wire.OracleEntry {
		q := draft(title, tags...)
		return wire.OracleEntry{Kind: kind, Title: q.Entry.Title, Tags: q.Entry.Tags}
	}
	const p, f = wire.EntryKindPattern, wire.EntryKindFAQ
	a := entry(p, "abcdefgh", "x", "y")
	for _, tt := range []struct {
		b    wire.OracleEntry
		want float64
	}{
		{a, 1},
		{entry(f, "abcdefgh", "x", "y"), 0.7},
		{entry(p, "ABCDEFGH", "x"), 0.4*0.5 + 0.3 + 0.3},
		{entry(p, "abcdefXX", "x", "y"), 0.4 + 0.3 + 0.3*3/7},
		{entry(f, "zzzz"), 0},
	} {
		s := published(a, tt.b)
		got, _ := s.similarityOf(0, 1, -1)
		if got < tt.want-1e-6 || got > tt.want+1e-6 {
			t.Errorf("similarity to %s %q: %v, want %v", tt.b.Title, tt.b.Tags, got, tt.want)
		}
	}
}

// plainGrams are the distinct 4-grams of a text as a set of strings.
func plainGrams(text []byte) map[string]bool {
	low := bytes.Map(lower, text)
	set := map[string]bool{}
	if len(low) > 0 && len(low) < gramLength {
		set[string(low)] = true
	}
	for i := 0; i+gramLength <= len(low); i++ {
		set[string(low[i:i+gramLength])] = true
	}
	return set
}

func plainJaccard[K comparable](x, y map[K]bool) float64 {
	both := 0
	for k := range x {
		if y[k] {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// plainSimilarity is the definition.
func plainSimilarity(a, b *wire.OracleEntry) float64 {
	tags := func(e *wire.OracleEntry) map[string]bool {
		set := map[string]bool{}
		for _, t := range e.Tags {
			set[string(t)] = true
		}
		return set
	}
	kind := 0.0
	if a.Kind == b.Kind {
		kind = 1
	}
	return det.Quantise(float64(0.4*plainJaccard(tags(a), tags(b))) + float64(0.3*kind) +
		float64(0.3*plainJaccard(plainGrams(a.Title), plainGrams(b.Title))))
}

func TestProperty_SimilarityEqualsPlainDefinition(t *testing.T) {
	// Few letters, so that texts have much in common; NUL and bytes that are no UTF-8
	// equal the grams of short texts.
	text := rapid.SliceOfN(rapid.SampledFrom([]byte("abAB\x00\x01\x02\x03\xff")), 0, 12)
	entry := rapid.Custom(func(t *rapid.T) wire.OracleEntry {
		tags := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4, rapid.ID[string]).Draw(t, "tags")
		e := wire.OracleEntry{Kind: wire.EntryKind(rapid.IntRange(1, 2).Draw(t, "kind")), Title: text.Draw(t, "title")}
		for _, s := range tags {
			e.Tags = append(e.Tags, []byte(s))
		}
		return e
	})
	rapid.Check(t, func(rt *rapid.T) {
		a, b := entry.Draw(rt, "a"), entry.Draw(rt, "b")
		if rapid.Bool().Draw(rt, "same title") {
			b.Title = append(bytes.Clone(a.Title), b.Title[:len(b.Title)/4]...)
		}
		floor := rapid.OneOf(rapid.Just(0.7), rapid.Just(0.8), rapid.Float64Range(0, 1)).Draw(rt, "floor")
		want := plainSimilarity(&a, &b)
		s := published(a, b)
		got, above := s.similarityOf(0, 1, floor)
		if above != (want > floor) || above && got != want {
			rt.Fatalf("%q %q above %v: %v %v, want %v", a.Title, b.Title, floor, got, above, want)
		}
	})
}

func FuzzJaccard(f *testing.F) {
	f.Add([]byte("ab"), []byte("\x00\x02ab"))
	f.Add([]byte("abc"), []byte("\x03abc"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := gramsOf(a), gramsOf(b)
		if got, want := x.jaccard(&y), plainJaccard(plainGrams(a), plainGrams(b)); got != want {
			t.Errorf("%q, %q: %v, want %v", a, b, got, want)
		}
	})
}

// TestProperty_SimilarityToEqualsPlainJaccard compares one text with several titles, one after the other.
func TestProperty_SimilarityToEqualsPlainJaccard(t *testing.T) {
	text := rapid.SliceOfN(rapid.SampledFrom([]byte("abcAB \x00\x01\xff")), 0, 300)
	var x titleMatcher
	rapid.Check(t, func(rt *rapid.T) {
		a := text.Draw(rt, "text")
		x.setText(a)
		for range rapid.IntRange(1, 8).Draw(rt, "titles") {
			b := text.Draw(rt, "title")
			if rapid.Bool().Draw(rt, "alike") {
				b = bytes.ToUpper(bytes.Repeat(a, 2)[:len(a)])
			}
			if got, want := x.similarityTo(b), plainJaccard(plainGrams(a), plainGrams(b)); got != want {
				rt.Fatalf("%q, %q: %v, want %v", a, b, got, want)
			}
		}
	})
}
