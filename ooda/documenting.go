package ooda

import (
	"bytes"
	"slices"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// kindsPaidFor are the kinds of entries that open bounties ask for: what is paid for is not given away.
func (o scribe) kindsPaidFor() (kinds []wire.EntryKind) {
	if o.seen.action("bounty_claim") == nil {
		return nil // nobody may earn it
	}
	for i := range o.seen.bounties {
		if kind, _, asks := entriesWanted(&o.seen.bounties[i]); asks && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// entriesWanted is how many verified entries of which kind a bounty asks for.
func entriesWanted(b *wire.BountyView) (kind wire.EntryKind, count uint32, ok bool) {
	for i := range b.Requirements {
		if c, ok := b.Requirements[i].Custom(); ok && c.Check == wire.CheckOracleVerified && c.Kind != nil && c.Count != nil {
			return *c.Kind, *c.Count, true
		}
	}
	return 0, 0, false
}

// documented is what a bounty for documentation asks about.
func documented(b *wire.BountyView) (m memory.Measure, subject []byte, ok bool) {
	return readDocumented(b.Title)
}

func readDocumented(bounty []byte) (m memory.Measure, subject []byte, ok bool) {
	if question, asks := bytes.CutPrefix(bounty, []byte(titleDocument)); asks {
		return memory.ReadQuestion(question)
	}
	if title, asks := bytes.CutPrefix(bounty, []byte(titleSetRight)); asks {
		return memory.ReadTitle(title)
	}
	return 0, nil, false
}

// stateOf fills in what the agent has counted of a measure; false: it cannot state it.
func (o scribe) stateOf(a *llm.Affordance, m memory.Measure, subject []byte) bool {
	f := o.expert().counted(m, subject)
	if f == nil {
		return false
	}
	a.Finding, a.Know = o.promptFinding(f), o.expert().knowOf(m, subject)
	return a.Finding != nil
}

// canDeliver reports whether the agent has counted what a bounty for documentation asks for, and has
// as much to state as one for several entries wants. Of others it can tell only by trying.
func (s expert) canDeliver(b *wire.BountyView) bool {
	if m, subject, about := documented(b); about {
		return s.counted(m, subject) != nil
	}
	kind, want, _ := entriesWanted(b)
	for i := range s.agent.Memory.Findings {
		if f := &s.agent.Memory.Findings[i]; want > 0 && f.Entry().IsZero() && suits(f, kind) && s.knowsEnough(f, f.Measure.MinObservations(s.care())) {
			want--
		}
	}
	return want == 0
}
