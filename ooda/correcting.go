package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// offerCorrection offers to correct an entry of another agent that the agent found wrong, if it has observed the
// subject as often as it would to publish an entry about it. The correction may come too late: others may have
// confirmed or corrected the entry before.
func (o scribe) offerCorrection(g *goals.Goal) {
	if o.rules.Blind.Has(llm.LayerKnowledge) {
		return
	}
	for i := range o.notes.Entries {
		n := &o.notes.Entries[i]
		if v := wire.Verdict(n.Verdict); n.Own || n.Corrected || n.Pending > 0 || v != wire.VerdictInaccurate && v != wire.VerdictOutdated {
			continue
		}
		m, subject, about := memory.ReadTitle(n.Title)
		if !about || m == memory.MeasurePattern {
			continue
		}
		f := o.agent.Memory.Findings.Get(m, subject)
		if f == nil || !o.expert().knowsEnough(f, m.MinObservations(o.expert().care())) {
			continue
		}
		p := o.payloads.updates.add(wire.EntryUpdate{EntryID: n.ID, NewBody: updateBody, ChangeNote: correctNote})
		if p == nil {
			return
		}
		if a := o.offer(g, o.seen.action("entry_update"), p, 1); a != nil {
			a.Finding, a.Know, a.Author = o.promptFinding(f), o.expert().knowOf(m, subject), n.Author.Alias()
		}
	}
}

// offerVeto offers to reject another agent's correction of an own entry, if the agent's count still agrees with the
// entry. If its count has changed since, it lets the correction pass.
func (o scribe) offerVeto(g *goals.Goal) {
	for i := range o.notes.Entries {
		n := &o.notes.Entries[i]
		if !n.Own || n.Pending == 0 {
			continue
		}
		f := o.expert().ownFinding(n.ID)
		if f == nil || f.Measure.Distance(f.Value, f.Stated) >= updateShift {
			continue
		}
		version := n.Pending
		p := o.payloads.updates.add(wire.EntryUpdate{EntryID: n.ID, NewBody: updateBody, ChangeNote: vetoNote, RejectVersion: &version})
		if p == nil {
			return
		}
		if a := o.offer(g, o.seen.action("entry_update"), p, 1); a != nil {
			a.Compose, a.Text = llm.ComposeNone, n.Title // the veto stands
			o.refs[o.newest].presses = true
		}
	}
}

// ownFinding is the finding that an own entry states; nil: the agent does not remember.
func (s expert) ownFinding(entry wire.Hash) *memory.Finding {
	for i := range s.agent.Memory.Findings {
		if f := &s.agent.Memory.Findings[i]; f.Own && f.Entry() == entry {
			return f
		}
	}
	return nil
}

var (
	correctNote = []byte("I have counted otherwise")
	vetoNote    = []byte("I stand by my count")
)

// noticeUpdate follows the updates of a noted entry. An update by another than the author takes effect only later. A
// new text is not the one that was judged, so it is read and judged anew.
func (er *eventReader) noticeUpdate(p *wire.EntryUpdatedEvent) {
	n := er.notes.Entry(p.EntryID)
	switch {
	case n == nil:
	case p.Author == n.Author: // at once; what waited is dropped
		n.Pending = 0
	case n.Pending != p.Version:
		n.Pending = p.Version
	default:
		n.Pending, n.Corrected = 0, false
		n.Read, n.Text, n.Verdict, n.Since, n.Verdicts, n.Disputed, n.Vouched = false, nil, 0, 0, 0, 0, 0
		n.Judged = n.Own || p.Author == er.agent.ID
		if f := er.expert().ownFinding(n.ID); f != nil { // it stands as another has counted it
			f.Stated, f.Since = f.Value, memory.CycleNumber(er.seen.cycle)
		}
	}
}
