package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// subjects are the things that the offers of the slot are about, in their order.
func (o *offers) subjects() (ids []wire.Hash) {
	for i := range o.list {
		ids = append(ids, o.list[i].Subject)
	}
	return ids
}

// Entries for which somebody is to be paid are judged first, of the others the oldest.
func TestOfferVerify_PaidEntriesFirst(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.noteEntries(5, memory.EntryNote{Author: peerA, Read: true})
		s.a.Notebook.Entries[4].Paid = true
	})
	reader{o}.offerVerify(s.about(goals.KindMentor, wire.Hash{}))
	if got, want := o.subjects(), []wire.Hash{{0xE1, 4}, {0xE1, 0}, {0xE1, 1}, {0xE1, 2}}; !slices.Equal(got, want) {
		t.Errorf("judges %v, want %v", got, want)
	}
}

// An agent judges an entry by what it has counted. Without a count it does not judge. After three verdicts that say the same it
// judges only to contradict them.
func TestOfferVerify_ByOwnCountAndOnlyWhileNeeded(t *testing.T) {
	channel := memory.MeasureChannel.Title([]byte("help"))
	const right, wrong = "A question in #help gets an answer after 11.0 ticks (n 16, cycle 1)", "A question in #help gets an answer after 90.0 ticks (n 16, cycle 1)"
	for _, c := range []struct {
		name          string
		title, text   string
		counted       int
		agree, others uint8 // verdicts; of them ACCURATE
		want          wire.Verdict
	}{
		{"as counted", channel, right, 16, 0, 0, wire.VerdictAccurate},
		{"otherwise than counted", channel, wrong, 16, 0, 0, wire.VerdictInaccurate},
		{"not counted", channel, right, 0, 0, 0, 0},
		{"counted once", channel, right, 1, 0, 0, 0},
		{"it states no number", channel, "Soon.", 16, 0, 0, wire.VerdictAccurate},
		{"a program, which everybody can read", "Starlark pattern: memo", "def memo(): pass", 0, 0, 0, wire.VerdictAccurate},
		{"as counted, two others agree", channel, right, 16, 2, 2, wire.VerdictAccurate},
		{"as counted, three others agree", channel, right, 16, 3, 3, 0},
		{"otherwise than counted, three others agree", channel, wrong, 16, 3, 3, wire.VerdictInaccurate},
		{"as counted, three others deny it", channel, right, 16, 0, 3, 0},
	} {
		s, o := offering(t, func(s *solo) {
			for range c.counted {
				s.a.Memory.Findings.Observe(memory.MeasureChannel, []byte("help"), 10, 1)
			}
			s.noteEntries(1, memory.EntryNote{Author: peerA, Read: true, Title: []byte(c.title), Text: []byte(c.text), Verdicts: c.others, Disputed: c.others - c.agree})
		})
		reader{o}.offerVerify(s.about(goals.KindMentor, wire.Hash{}))
		var got wire.Verdict
		for i := range o.list {
			got = o.list[i].Params.(*wire.EntryVerify).Verdict
		}
		if got != c.want {
			t.Errorf("%s: offers a verdict %v, want %v", c.name, got, c.want)
		}
	}
}

// Where one look cannot show all entries that wait, the agent reads one for which somebody is to be paid first, then those by the
// authors whose work was found best; of equals the oldest.
func TestOfferRead_PaidThenBestAuthorsThenOldest(t *testing.T) {
	const poor, fair, good = 0.5, 0.7, 0.9 // competence of the author
	for _, c := range []struct {
		name    string
		authors []float32 // of the entries, the oldest first
		paid    int       // which of them is paid for; -1: none
		want    []byte
	}{
		{"the best authors first", []float32{fair, poor, good, fair}, -1, []byte{2, 0, 3}},
		{"worse and worse", []float32{good, fair, poor, poor}, -1, []byte{0, 1, 2}},
		{"better and better", []float32{poor, poor, fair, good}, -1, []byte{3, 2, 0}},
		{"equals", []float32{fair, fair, fair, fair}, -1, []byte{0, 1, 2}},
		{"paid before all", []float32{good, fair, poor, poor}, 3, []byte{3, 0, 1}},
		{"of equals the oldest, though a better one comes later", []float32{good, fair, fair, 1}, -1, []byte{3, 0, 1}},
		{"only two", []float32{poor, good, 0}, -1, []byte{1, 0}},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Allowed = []string{"entry_get"}
			for i, competence := range c.authors {
				author := wire.AgentID{0xAA, byte(i)}
				s.meet(author)
				s.a.Memory.Peers.Get(author).Competence = competence
				s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1, byte(i)}, Author: author, Title: []byte("Starlark pattern: words"), Paid: i == c.paid})
			}
		})
		s.t.slotView.tick = 9 * 256 // they have waited for long
		reader{o}.offerRead(s.about(goals.KindMentor, wire.Hash{}))
		var got []byte
		for _, id := range o.subjects() {
			got = append(got, id[1])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: reads %v, want %v", c.name, got, c.want)
		}
	}
}

// What an agent reads of its own accord: what it can judge, by authors that were not found wrong, and only as long as a verdict is
// needed. If somebody is to be paid for an entry, the first two do not matter.
func TestUnread_EntriesThatMayLeadToSomething(t *testing.T) {
	const pattern = "Starlark pattern: words"
	keeps := memory.MeasureKeeps.Title([]byte("0a0b0000"))
	for _, c := range []struct {
		name       string
		note       memory.EntryNote
		competence float32 // of its author
		blind      []string
		want       bool
	}{
		{"a new one", memory.EntryNote{Title: []byte(pattern)}, .5, nil, true},
		{"read", memory.EntryNote{Title: []byte(pattern), Read: true}, .5, nil, false},
		{"judged", memory.EntryNote{Title: []byte(pattern), Judged: true}, .5, nil, false},
		{"its own", memory.EntryNote{Title: []byte(pattern), Own: true}, .5, nil, false},
		{"two verdicts", memory.EntryNote{Title: []byte(pattern), Verdicts: 2}, .5, nil, true},
		{"three verdicts", memory.EntryNote{Title: []byte(pattern), Verdicts: 3}, .5, nil, false},
		{"paid, with three verdicts", memory.EntryNote{Title: []byte(pattern), Verdicts: 3, Paid: true}, .5, nil, false},
		{"of an author found wrong", memory.EntryNote{Title: []byte(pattern)}, .4, nil, false},
		{"of an author found wrong, paid", memory.EntryNote{Title: []byte(pattern), Paid: true}, .4, nil, true},
		{"about what it has not counted", memory.EntryNote{Title: []byte(keeps)}, .5, nil, false},
		{"about what it has not counted, paid", memory.EntryNote{Title: []byte(keeps), Paid: true}, .5, nil, true},
		{"about what it has not counted, blind to knowledge", memory.EntryNote{Title: []byte(keeps)}, .5, []string{"knowledge"}, true},
		{"about nothing that agents count", memory.EntryNote{Title: []byte("Words")}, .5, nil, false},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Blind = llm.LayersOf(c.blind)
		s.t.slotView.tick = 1000
		s.meet(peerA)
		s.a.Memory.Peers.Get(peerA).Competence = c.competence
		c.note.Author = peerA
		if got := s.t.shelf().unread(&c.note); got != c.want {
			t.Errorf("%s: to be read %v", c.name, got)
		}
	}
}

// A look at the entries that wait shows the newest 24, by eight authors at most, and begins just before the oldest of them.
func TestOfferBrowse_NewestEntriesOfFewAuthors(t *testing.T) {
	for _, c := range []struct {
		name             string
		entries, authors int
		waiting, asks    int
		oldest           wire.Tick
	}{
		{"a few", 5, 2, 5, 2, 100},
		{"many", 30, 2, 24, 2, 106},
		{"of many authors", 10, 10, 8, 8, 102},
		{"many of many authors", 30, 10, 8, 8, 122},
	} {
		s, o := offering(t, nil)
		for i := range c.entries {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1, byte(i)}, Author: wire.AgentID{0xAA, byte(i % c.authors)}, Title: []byte("Starlark pattern: words"), At: wire.Tick(100 + i)})
		}
		s.t.slotView.tick = 1000
		if waiting := (reader{o}).gatherUnread(); waiting != c.waiting {
			t.Errorf("%s: %d entries wait, want %d", c.name, waiting, c.waiting)
		}
		reader{o}.offerBrowse(s.about(goals.KindMentor, wire.Hash{}))
		q := o.payloads.browse
		if len(o.list) != 1 || q.Limit != 24 || len(*q.Authors) != c.asks || *q.UpdatedAfter != c.oldest-1 {
			t.Errorf("%s: looks for %+v", c.name, q)
		}
	}
}
