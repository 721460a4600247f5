package ooda

import (
	"slices"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// reader offers to read entries and to judge them.
type reader struct{ *offers }

// offerLearn offers to read the entry that a goal is about.
func (o reader) offerLearn(g *goals.Goal) {
	o.offerGet(g, g.Subject(), 1)
}

// offerGet offers to read an entry.
func (o reader) offerGet(g *goals.Goal, id wire.Hash, fit float64) {
	if p := o.payloads.gets.add(wire.EntryGet{EntryID: id}); p != nil {
		o.offer(g, o.seen.action("entry_get"), p, fit)
	}
}

// enoughVerdicts is how many verdicts of others that say the same make one more of no use.
const enoughVerdicts = 3

// judgedEnough reports whether enough others have judged an entry. Each verdict that the agent hears of stands for
// several, see [self.sampleFactor]. Such an entry may still be worth reading.
func (s expert) judgedEnough(n *memory.EntryNote) bool {
	return float64(float64(n.Agree())*s.sampleFactor()) >= enoughVerdicts
}

// offerVerify offers to judge entries that were read, first those for which somebody is to be paid, oldest first;
// those that enough others judged only to contradict them.
func (o reader) offerVerify(g *goals.Goal) {
	talker(o).offerCall(g)
	o.offerVerdicts(g, true)
	o.offerVerdicts(g, false)
}

func (o reader) offerVerdicts(g *goals.Goal, paid bool) {
	row := o.seen.action("entry_verify")
	for i := range o.notes.Entries {
		n := &o.notes.Entries[i]
		if n.Judged || !n.Read || n.Paid != paid {
			continue
		}
		var known llm.Affordance
		if !scribe(o).judge(&known, n) || o.expert().judgedEnough(n) && !doubted(&known) {
			continue
		}
		verdict := wire.VerdictAccurate
		if known.Finding != nil && known.Said != nil {
			verdict = known.Finding.Verdict(known.Said)
		}
		p := o.payloads.verifies.add(wire.EntryVerify{EntryID: n.ID, Verdict: verdict, Evidence: evidence, References: noHashes})
		if p == nil {
			return
		}
		if a := o.offer(g, row, p, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
			a.Know, a.Finding, a.Said = known.Know, known.Finding, known.Said
		}
	}
}

// offerRead offers to read entries that were not read yet and that the agent can judge: those of the authors whose
// word it found best, of equals the oldest, but first of all those for which somebody is to be paid. Where several of
// the newest wait, one look shows them all, see offerBrowse.
func (o reader) offerRead(g *goals.Goal) {
	if !o.shelf().readsNow() {
		return
	}
	if o.shelf().unreadEntries() > 1 && o.seen.action("entry_query") != nil {
		if o.ran&(1<<genBrowse) == 0 {
			o.ran |= 1 << genBrowse
			o.offerBrowse(g)
		}
		return
	}
	const paid = 2 // beyond what any author's word is worth
	var best [3]struct {
		n     *memory.EntryNote
		worth float64
	}
	for i := range o.notes.Entries {
		n := &o.notes.Entries[i]
		if !o.shelf().unread(n) {
			continue
		}
		worth := o.relations().workQuality(n.Author)
		if n.Paid {
			worth += paid
		}
		for j := range best {
			if b := &best[j]; b.n == nil || worth > b.worth {
				copy(best[j+1:], best[j:])
				b.n, b.worth = n, worth
				break
			}
		}
	}
	for i := range best {
		if n := best[i].n; n != nil {
			o.offerGet(g, n.ID, 0.9)
		}
	}
}

// shelf is the entries that the agent has heard of, as they wait to be read.
type shelf struct{ *self }

// readsNow reports whether entries are to be read now: enough wait to be worth a thought, somebody pays for one, or one
// has waited for long.
func (s shelf) readsNow() bool {
	const enough = 3
	waiting := 0
	for i := len(s.notes.Entries) - 1; i >= 0; i-- {
		n := &s.notes.Entries[i]
		if !s.unread(n) {
			continue
		}
		if waiting++; waiting == enough || n.Paid || s.due(n.At, maxWaitCycles) {
			return true
		}
	}
	return false
}

// unread reports whether an entry was not read yet and may lead to something.
func (s shelf) unread(n *memory.EntryNote) bool {
	return !n.Judged && !n.Read && !n.Own && n.Agree() < enoughVerdicts && (n.Paid || s.relations().reads(n.Author) && s.expert().judges(n)) && !s.deferral().leavesEntry(n)
}

// judges reports whether the agent has counted enough of the subject of an entry to judge it. Then it can also correct
// its own count by the entry and cite it. Of an entry about something that agents do not count it could only believe
// the author; accomplices vouch for such entries.
func (s expert) judges(n *memory.EntryNote) bool {
	m, subject, about := memory.ReadTitle(n.Title)
	switch {
	case m == memory.MeasurePattern || s.rules.Blind.Has(llm.LayerKnowledge):
		return true // anybody may
	case !about:
		return false
	}
	return s.counted(m, subject) != nil
}

// offerBrowse offers one look that shows all entries that wait to be read, with their text; and now and then a look at
// the newest entries, for those that no event told of.
func (o reader) offerBrowse(g *goals.Goal) {
	waiting, hope, fresh := o.gatherUnread(), 0.6, freshness(0)
	switch {
	case waiting > 1 && o.shelf().readsNow():
		p := &o.payloads
		hope, fresh = 0.9, 1
		p.browse = wire.EntryQuery{Authors: &p.authors, UpdatedAfter: &p.after, Sort: wire.OracleSortRecent, Limit: browseLimit}
	case waiting == 0 && o.due(o.notes.Browsed, o.notes.BrowsePause):
		o.payloads.browse = wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: lookLimit}
	default:
		return
	}
	weigher(o).consider(o.offer(g, o.seen.action("entry_query"), &o.payloads.browse, hope), 0, llm.FactorFresh, fresh)
}

const (
	// browseLimit is how many entries a look at those that wait shows at most.
	browseLimit = 24
	// browseAuthors is by how many authors they are at most.
	browseAuthors = 8
)

// gatherUnread collects the authors of the newest entries that wait to be read and the tick after which these were
// published; it returns how many entries there are.
func (o reader) gatherUnread() (waiting int) {
	p := &o.payloads
	p.authors = p.authors[:0]
	for i := len(o.notes.Entries) - 1; i >= 0 && waiting < browseLimit; i-- {
		n := &o.notes.Entries[i]
		if !o.shelf().unread(n) {
			continue
		}
		if !slices.Contains(p.authors, n.Author) {
			if len(p.authors) == browseAuthors {
				break
			}
			p.authors = append(p.authors, n.Author)
		}
		p.after = n.At - min(n.At, 1)
		waiting++
	}
	return waiting
}

// unreadEntries counts the entries that wait to be read, up to what one look shows.
func (s shelf) unreadEntries() (n int) {
	for i := len(s.notes.Entries) - 1; i >= 0 && n < lookLimit; i-- {
		if s.unread(&s.notes.Entries[i]) {
			n++
		}
	}
	return n
}

// due reports whether at least max(cycles, 1) cycles have passed since the tick last. An agent that few events reach has to
// look around.
func (s *self) due(last wire.Tick, cycles uint8) bool {
	return s.seen.tick >= last+wire.Tick(max(uint64(cycles), 1)*s.rules.Calendar.TicksPerCycle)
}

// longestPause is how many cycles pass at most between two looks around.
const longestPause = 8

// lookedAround is the pause in cycles until the next look around: twice as long as before if the look showed nothing
// new, else one cycle.
func lookedAround(pause uint8, news uint32) uint8 {
	if news > 0 {
		return 1
	}
	return min(2*max(pause, 1), longestPause)
}

// freshness is the share of what a look shows that is known to be new; one half if nothing is known to be new.
func freshness(news int) float64 {
	if news == 0 {
		return 0.5
	}
	return float64(min(news, lookLimit)) / lookLimit
}

// Parts that affordances share; nobody writes to them.
var (
	evidence = []byte("read it")
	noHashes = []wire.Hash{}
)
