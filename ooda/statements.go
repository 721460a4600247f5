package ooda

import (
	"bytes"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// This file is about what others state: which entries state a measure, how far their authors are believed, and how
// their statements change the agent's own findings.

// noteStated notes that an entry with this title states a measure.
func (s expert) noteStated(title []byte, entry wire.Hash, own bool) {
	m, subject, ok := memory.ReadTitle(title)
	if !ok {
		return
	}
	s.agent.Memory.Titles.Add(title)
	f := s.agent.Memory.Findings.GetOrAdd(m, subject)
	if f.Entry().IsZero() || own {
		f.SetEntry(entry)
		f.Own = own
	}
	if own {
		f.Stated, f.Since = f.Value, memory.CycleNumber(s.seen.cycle)
	}
}

// noteUpdated notes an accepted update: the agent brought an own entry up to date, rejected another agent's correction
// of it, or offered a correction of another's entry.
func (rr *replyReader) noteUpdated(q *wire.EntryUpdate) {
	n := rr.notes.Entry(q.EntryID)
	switch {
	case q.RejectVersion != nil:
		if n != nil {
			n.Pending = 0
		}
		return
	case n != nil && !n.Own:
		n.Corrected = true
		return
	}
	rr.agent.Learning.Revise(q.EntryID, rr.seen.tick)
	if f := rr.expert().ownFinding(q.EntryID); f != nil {
		f.Stated, f.Since = f.Value, memory.CycleNumber(rr.seen.cycle)
	}
}

// noteCited forgets that an entry changed a finding, because it is cited now.
func (rr *replyReader) noteCited(entry wire.Hash) {
	for i := range rr.agent.Memory.Findings {
		if f := &rr.agent.Memory.Findings[i]; f.MovedBy() == entry {
			f.MarkCited()
		}
	}
}

// noteSaid lets the statement of an entry or message about a measure change the agent's finding. weight is the trust
// in its author times its accuracy.
func (rr *replyReader) noteSaid(m memory.Measure, subject, words []byte, source wire.Hash, weight float64) {
	if said, ok := memory.ReadStatement(m, subject, words); ok {
		rr.agent.Memory.Findings.GetOrAdd(m, subject).Hear(&said, source, weight)
	}
}

// unjudged is the accuracy that an entry without any verdict is taken to have.
const unjudged = 0.5

// noteClaims takes in an entry that was read: what it states, and that there is such an entry.
func (rr *replyReader) noteClaims(e *wire.OracleEntry, words []byte) {
	m, subject, ok := memory.ReadTitle(e.Title)
	if !ok || e.Author == rr.agent.ID {
		return
	}
	rr.expert().noteStated(e.Title, e.ID, false)
	accuracy := float64(e.Accuracy)
	if accuracy == 0 && len(e.VerifiedBy) == 0 {
		accuracy = unjudged
	}
	rr.noteSaid(m, subject, words, e.ID, float64(rr.relations().believes(e.Author)*accuracy))
	if t := m.Topic(subject); accuracy > rr.agent.Memory.Topics.Know(t) {
		rr.agent.Memory.Topics.Learn(t, accuracy, float64(rr.agent.Genome.Traits.DepthVsBreadth))
	}
}

// noteAsked notes that somebody asked for a measure.
func (rr messageReader) noteAsked(text []byte) {
	if m, subject, ok := memory.ReadQuestion(text); ok {
		rr.agent.Memory.Findings.GetOrAdd(m, bytes.Clone(subject)).Asked = memory.CycleNumber(rr.seen.cycle + 1)
	}
}

// believes is how far an author is believed: as far as it is trusted after dealings with it; without any, by its
// reputation.
func (s relations) believes(who wire.AgentID) float64 {
	if wire.IsSystem(who) {
		return 1
	}
	if trust, known := s.relations().trusts(who); known {
		return trust
	}
	if n := s.notes.Peer(who); n != nil {
		return float64(n.Reputation)
	}
	const stranger = 0.3
	return stranger
}

// EverybodyHears is the largest population in which each agent hears of all acts of others; in a larger one it hears
// of some (docs/WORLD.md, delivery).
const EverybodyHears = 33

// sampleFactor is how many acts of others each act that the agent hears of stands for.
func (s expert) sampleFactor() float64 {
	return max(1, float64((float64(s.notes.Active)-1)*(1.0/(EverybodyHears-1))))
}

// offerHearing offers an agent that is about to write to subscribe to new entries, if it does not hear of all: what it
// would write may have been published already.
func (o scribe) offerHearing(g *goals.Goal) {
	if o.notes.Active <= EverybodyHears || slices.ContainsFunc(o.agent.Subscriptions, func(s wire.Subscribe) bool {
		return slices.Contains(s.Kinds, wire.KindEntryPublished)
	}) {
		return
	}
	o.offer(g, o.seen.action("subscribe"), &entryNews, 1)
}

var entryNews = wire.Subscribe{Systems: []wire.System{wire.SystemOracle}, Kinds: []wire.EventKind{wire.KindEntryPublished}, Origins: []wire.AgentID{}}
