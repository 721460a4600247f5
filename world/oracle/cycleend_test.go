package oracle

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

func TestFreshness_ByAge(t *testing.T) {
	for age, want := range map[uint64]float64{0: 1, 100: 1, 101: 0.9, 500: 0.9, 501: 0.63, 5000: 0.63} {
		if got := Freshness(age, 0); got != det.Quantise(want) {
			t.Errorf("freshness at age %d is %v, want %v", age, got, want)
		}
	}
}

func TestCycleEnd_Staleness(t *testing.T) {
	b := newBench(t)
	e := b.post(0, draft("title"))
	young := func() wire.Hash { b.at(2 * 256); return b.post(0, draft("young")) }()
	for cycle := wire.Cycle(1); cycle <= 502; cycle++ {
		b.end(cycle)
		switch cycle {
		case 102, 502:
			if d := cmp.Diff([]string{"staleness_detected"}, b.kinds()); d != "" {
				t.Errorf("cycle %d: %s", cycle, d)
			}
		}
	}
	if got := b.head(e).Freshness; got != float32(det.Quantise(0.63)) {
		t.Errorf("freshness %v", got)
	}
	if got := b.head(young).Freshness; got != float32(det.Quantise(0.9)) {
		t.Errorf("freshness of the younger %v", got)
	}
	b.at(503 * 256)
	b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("new")})
	if got := b.head(e).Freshness; got != 1 {
		t.Errorf("freshness after an update %v", got)
	}
	b.end(503) // the younger crosses 500
	b.end(604) // and the older is old again
	if got := b.head(e).Freshness; got != float32(det.Quantise(0.9)) {
		t.Errorf("freshness 101 cycles after the update %v", got)
	}
}

func TestCycleEnd_StalenessInOrderOfIDs(t *testing.T) {
	b := newBench(t)
	for i := range 9 {
		e := b.post(0, draft(fmt.Sprint("title ", i)))
		b.must(0, &wire.EntryUpdate{EntryID: e, NewBody: wire.TextBody("again")}) // twice in one cycle
	}
	b.end(102)
	var last wire.Hash
	for _, e := range b.c.Events {
		p := e.Payload.(*wire.StalenessDetectedEvent)
		if p.EntryID.Compare(last) <= 0 {
			t.Errorf("%v after %v", p.EntryID, last)
		}
		last = p.EntryID
	}
	if len(b.c.Events) != 9 {
		t.Errorf("%d events for 9 entries", len(b.c.Events))
	}
}

func TestCycleEnd_GapBountyForUnansweredQuestion(t *testing.T) {
	b := newBench(t)
	for i, tag := range []string{"maps", "sets", "lists", "loops"} {
		b.s.questions = append(b.s.questions, world.Question{
			Message: wire.Hash{byte(i + 1)}, Asker: id(i), Wanting: []wire.AgentID{id(5), id(6), id(7)}, Topic: []byte(tag), Tags: [][]byte{[]byte("how"), []byte(tag)},
		})
	}
	good, bad := b.post(0, draft("about sets", "sets")), b.post(0, draft("about lists", "lists"))
	b.verdict(1, good, wire.VerdictOutdated) // accuracy 0.3 is enough
	b.verdict(1, bad, wire.VerdictInaccurate)
	b.s.log, b.s.budget = nil, 1000
	b.end(1)
	want := []string{"bounty of 10 for maps"} // one per scale and cycle end
	if d := cmp.Diff(want, b.s.log); d != "" {
		t.Error(d)
	}
	b.s.log, b.s.budget = nil, 9
	b.end(2)
	if len(b.s.log) != 0 {
		t.Errorf("bounties without a budget: %v", b.s.log)
	}
	b.s.budget = 10
	b.end(3)
	b.end(4)
	if d := cmp.Diff([]string{"bounty of 10 for lists"}, b.s.log); d != "" {
		t.Error(d)
	}
}

// The same three supporters of one asker open one bounty only; if another agent replaces one of them, a second question
// still lacks two.
func TestCycleEnd_PairOfSupporterAndAskerCountsOnceForGapBounties(t *testing.T) {
	b := newBench(t)
	ask := func(m byte, asker int, wanting ...int) {
		q := world.Question{Message: wire.Hash{m}, Asker: id(asker), Topic: []byte(fmt.Sprint("t", m))}
		for _, a := range wanting {
			q.Wanting = append(q.Wanting, id(a))
		}
		b.s.questions = append(b.s.questions, q)
	}
	b.s.budget = 1000
	ask(1, 0, 0, 1, 2, 3) // the asker's own word does not count
	ask(2, 0, 1, 2, 3)
	ask(3, 0, 1, 2, 3, 4)
	ask(4, 9, 1, 2, 3) // pairs are of two
	for n := range wire.Cycle(4) {
		b.end(n + 1)
	}
	if d := cmp.Diff([]string{"bounty of 10 for t1", "bounty of 10 for t4"}, b.s.log); d != "" {
		t.Error(d)
	}
	ask(5, 0, 1, 4, 5, 6)
	b.end(5)
	if got := b.s.log[len(b.s.log)-1]; got != "bounty of 10 for t5" {
		t.Errorf("three others want it: %s", got)
	}
}

func TestCycleEnd_DuplicatesAndLinks(t *testing.T) {
	b := newBench(t)
	first := b.post(0, draft("how to count", "count", "dict"))
	b.end(1)
	if len(b.kinds()) != 0 {
		t.Errorf("one entry alone: %v", b.kinds())
	}
	b.at(600)
	again := b.post(1, draft("how to count", "count", "dict"))
	b.post(2, draft("something else altogether", "dict"))
	b.end(2)
	var got []string
	for _, e := range b.c.Events {
		switch p := e.Payload.(type) {
		case *wire.DuplicateFlaggedEvent:
			got = append(got, fmt.Sprint("duplicate ", p.NewEntryID == again, p.ExistingEntryID == first, p.Similarity))
		case *wire.CrossLinkSuggestedEvent:
			got = append(got, fmt.Sprint("link ", p.Source == again, p.Target == first, len(p.SharedTags)))
		}
	}
	if d := cmp.Diff([]string{"duplicate true true 1", "link true true 2"}, got); d != "" {
		t.Error(d)
	}
	b.end(3)
	if len(b.kinds()) != 0 {
		t.Errorf("old entries are compared again: %v", b.kinds())
	}
}

func TestCycleEnd_DuplicateFlagsAndLinksAreBounded(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.at(wire.Tick(256 + i))
		b.post(0, draft("how to count", "count", "dict"))
	}
	b.end(1)
	b.at(600)
	newest := b.post(0, draft("how to count", "count", "dict"))
	b.must(1, &wire.CitationAdd{Source: newest, Target: EntryID(wire.EntryKindPattern, []byte("how to count"), id(0), 275), Kind: wire.CitationKindUses})
	b.end(2)
	flags, links := 0, 0
	for _, k := range b.kinds() {
		if k == "duplicate_flagged" {
			flags++
		} else {
			links++
		}
	}
	if flags+links != 16 || flags <= links { // the newest pair is linked already
		t.Errorf("%d flags and %d suggestions, want 16 in all", flags, links)
	}
}

func TestPublishSystem_EntryIsLiveAndCitesSources(t *testing.T) {
	b := newBench(t)
	b.c.CycleEnd(511)
	agora, channel := wire.SystemID(wire.SystemAgora), wire.Hash{7}
	body := wire.TextBody("decided")
	e, ok := b.PublishSystem(b.c, agora, wire.EntryKindFAQ, []byte("decision"), body, nil, []wire.Hash{channel, channel})
	if !ok {
		t.Error("was not published")
	}
	if again, ok := b.PublishSystem(b.c, agora, wire.EntryKindFAQ, []byte("decision"), body, nil, nil); again != e || ok || b.Entries() != 1 {
		t.Error("published twice")
	}
	if links := b.citations.search(&wire.CitationQuery{Source: &e}, 9); len(links) != 1 || !b.citations.cited(e, channel, wire.CitationKindReferences) {
		t.Errorf("links %+v", links)
	}
	b.at(600)
	b.verdict(1, e, wire.VerdictAccurate)
	b.verdict(2, e, wire.VerdictAccurate)
	if d := cmp.Diff([]string{"valued 1 by 1"}, b.s.log); d != "" {
		t.Error("a system was rewarded: " + d)
	}
}

// A system's entry may be as long as a reply, and can be read whole.
func TestPublishSystem_BoundOfItsBody(t *testing.T) {
	b := newBench(t)
	agora := wire.SystemID(wire.SystemAgora)
	paragraph := func(n int) []byte { return wire.TextBody(strings.Repeat("x", n)) }
	room := maxSystemBody - len(paragraph(100_000)) + 100_000
	e, _ := b.PublishSystem(b.c, agora, wire.EntryKindFAQ, []byte("long"), paragraph(room), nil, nil)
	got := b.must(1, &wire.EntryGet{EntryID: e}).Body.(*wire.EntryGetReply).Entry
	if len(got.Body) != maxSystemBody || !bytes.Equal(got.Body, paragraph(room)) {
		t.Errorf("%d bytes come back, want %d", len(got.Body), maxSystemBody)
	}
	defer func() {
		if recover() == nil {
			t.Error("a byte more was published")
		}
	}()
	b.PublishSystem(b.c, agora, wire.EntryKindFAQ, []byte("longer"), paragraph(room+1), nil, nil)
}
