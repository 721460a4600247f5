package oracle

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
)

// The citation index answers like a plain list of citations.
func TestCitations_EqualAPlainList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := newCitations(world.NewState(wire.SystemOracle), &world.Rules{Population: 8})
		var list []Citation
		things, agents := rapid.IntRange(0, 5), rapid.IntRange(0, 2)
		for range rapid.IntRange(0, 60).Draw(t, "citations") {
			c := Citation{
				Source: wire.Hash{byte(things.Draw(t, "source"))}, Target: wire.Hash{byte(things.Draw(t, "target"))},
				Kind: wire.CitationKind(1 + agents.Draw(t, "kind")), Author: wire.AgentID{byte(agents.Draw(t, "author"))}, Tick: wire.Tick(len(list)),
			}
			is := func(o Citation) bool { return o.Source == c.Source && o.Target == c.Target && o.Kind == c.Kind }
			if x.cited(c.Source, c.Target, c.Kind) != slices.ContainsFunc(list, is) {
				t.Fatalf("whether %+v is there", c)
			}
			if !slices.ContainsFunc(list, is) {
				list = append(list, c)
				x.Append(&c)
			}
		}
		a, b := wire.Hash{byte(things.Draw(t, "a"))}, wire.Hash{byte(things.Draw(t, "b"))}
		q := &wire.CitationQuery{}
		switch rapid.IntRange(0, 4).Draw(t, "query") {
		case 0:
			q.Source = &a
		case 1:
			q.Target = &b
		case 2:
			q.Source, q.Target = &a, &b
		case 3:
			kind := wire.CitationKind(2)
			q.Kind = &kind
		}
		k := rapid.IntRange(1, 9).Draw(t, "k")
		var want []wire.Tick
		related, citers := false, map[wire.AgentID]bool{}
		for _, c := range slices.Backward(list) {
			if (q.Source == nil || c.Source == *q.Source) && (q.Target == nil || c.Target == *q.Target) && (q.Kind == nil || c.Kind == *q.Kind) && len(want) < k {
				want = append(want, c.Tick)
			}
			related = related || c.Source == a && c.Target == b || c.Source == b && c.Target == a
			if c.Target == b && c.Author != (wire.AgentID{1}) {
				citers[c.Author] = true
			}
		}
		var got []wire.Tick
		for _, e := range x.search(q, k) {
			got = append(got, e.tick.Tick())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("found %v, want %v", got, want)
		}
		if x.related(a, b) != related {
			t.Fatalf("whether %v and %v are related", a, b)
		}
		if n := x.citedBy(b, wire.AgentID{1}); int(n) != len(citers) {
			t.Fatalf("%d agents cite it, want %d", n, len(citers))
		}
	})
}
