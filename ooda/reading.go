package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// offerLearn offers to read the entry that a goal is about.
func (o *offers) offerLearn(g *goals.Goal) {
	o.offerGet(g, g.Subject(), 1)
}

// offerGet offers to read an entry.
func (o *offers) offerGet(g *goals.Goal, id wire.Hash, fit float64) {
	if p := o.payloads.gets.add(wire.EntryGet{EntryID: id}); p != nil {
		o.offer(g, o.seen.action("entry_get"), p, fit)
	}
}

// enoughVerdicts is how many verdicts of others make one more of no use.
const enoughVerdicts = 3

// offerVerify offers to judge entries that were read, first those for which somebody is to be paid, oldest first;
// those that enough others judged only to contradict them.
func (o *offers) offerVerify(g *goals.Goal) {
	o.offerCall(g)
	offerVerdicts(o, g, true)
	offerVerdicts(o, g, false)
}

func offerVerdicts(o *offers, g *goals.Goal, paid bool) {
	row := o.seen.action("entry_verify")
	for i := range o.notes.Entries {
		n := &o.notes.Entries[i]
		if n.Judged || !n.Read || n.Paid != paid {
			continue
		}
		var known llm.Affordance
		if !(scribe{o}).judge(&known, n) || n.Verdicts >= enoughVerdicts && !doubted(&known) {
			continue
		}
		p := o.payloads.verifies.add(wire.EntryVerify{EntryID: n.ID, Verdict: wire.VerdictAccurate, Evidence: evidence, References: noHashes})
		if p == nil {
			return
		}
		if a := o.offer(g, row, p, 1); a != nil {
			a.Author, a.Text = n.Author.Alias(), n.Text
			a.Know, a.Finding, a.Said = known.Know, known.Finding, known.Said
		}
	}
}

// offerRead offers to read entries that were not read yet: those that the agent can judge, first those for
// which somebody is to be paid, oldest first, then those that tell what it does not know.
func (o *offers) offerRead(g *goals.Goal) {
	const most = 3 // of which the author decides, see knownPeer
	found := 0
	for pass := range 3 { // paid for, to judge, to learn from
		for i := range o.notes.Entries {
			n := &o.notes.Entries[i]
			if found < most && !n.Judged && !n.Read && !n.Own && n.Verdicts < enoughVerdicts && n.Paid == (pass == 0) && (n.Paid || (scribe{o}).judges(n) == (pass == 1)) {
				o.offerGet(g, n.ID, 0.9)
				found++
			}
		}
	}
}

// judges reports whether the agent has counted enough of what an entry is about to judge it, by its title.
func (o scribe) judges(n *memory.EntryNote) bool {
	m, subject, about := memory.ReadTitle(n.Title)
	if !about || m == memory.MeasurePattern || o.rules.Blind.Has(llm.LayerKnowledge) {
		return true // anybody may
	}
	f := o.agent.Memory.Findings.Get(m, subject)
	return f != nil && o.can(f, min(enoughToJudge, m.Least(0)))
}

// offerBrowse offers to look at the newest entries.
func (o *offers) offerBrowse(g *goals.Goal) {
	o.payloads.browse = wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: lookLimit}
	scale{o}.consider(o.offer(g, o.seen.action("entry_query"), &o.payloads.browse, 0.6), 0, llm.FactorFresh, o.freshness(o.notes.Browsed, false))
}

// freshness says how much a new look can show: much if something is known to be
// new, little right after the last look.
func (o *offers) freshness(last wire.Tick, news bool) float64 {
	switch age := o.seen.tick - last; {
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
