package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

// genLearn reads the entry that a goal is about.
func (t *Turn) genLearn(g *goals.Goal) {
	t.offerGet(g, g.Subject(), 1)
}

// offerGet offers to read an entry.
func (t *Turn) offerGet(g *goals.Goal, id wire.Hash, fit float64) {
	if t.offers.gets == len(t.offers.entryGet) {
		return
	}
	p := &t.offers.entryGet[t.offers.gets]
	t.offers.gets++
	*p = wire.EntryGet{EntryID: id}
	t.offer(g, t.row("entry_get"), p, fit)
}

// genVerify judges entries that were read, oldest first.
func (t *Turn) genVerify(g *goals.Goal) {
	t.genCall(g)
	row := t.row("entry_verify")
	for i := range t.l.Entries {
		n := &t.l.Entries[i]
		if n.Judged || !n.Read || t.offers.verifies == len(t.offers.entryVerify) {
			continue
		}
		p := &t.offers.entryVerify[t.offers.verifies]
		t.offers.verifies++
		*p = wire.EntryVerify{EntryID: n.ID, Verdict: wire.VerdictAccurate, Evidence: evidence, References: noHashes}
		if a := t.offer(g, row, p, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
		}
	}
}

// genRead reads entries that were not read yet, oldest first.
func (t *Turn) genRead(g *goals.Goal) {
	const most = 2
	found := 0
	for i := range t.l.Entries {
		if n := &t.l.Entries[i]; !n.Judged && !n.Read && !n.Own && found < most {
			t.offerGet(g, n.ID, 0.9)
			found++
		}
	}
}

// genBrowse looks at the newest entries.
func (t *Turn) genBrowse(g *goals.Goal) {
	t.offers.browse = wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: lookLimit}
	t.offer(g, t.row("entry_query"), &t.offers.browse, float64(0.6*t.freshness(t.l.Browsed, false)))
}

// freshness says how much a new look can show: much if something is known to be
// new, little right after the last look.
func (t *Turn) freshness(last wire.Tick, news bool) float64 {
	switch age := t.seen.tick - last; {
	case news && age > 8:
		return 0.8
	case age > 64:
		return 0.5
	case age > 16:
		return 0.3
	default:
		return 0.12
	}
}

// Parts that affordances share; nobody writes to them.
var (
	evidence = []byte("read it")
	noHashes = []wire.Hash{}
)
