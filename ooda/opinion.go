package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// speaks is how far reading a statement must move what is made of its author to be worth a signal.
	speaks = 0.1
	// alike is how far a statement may be off and still agree; farther off it contradicts. Of small samples, which differ
	// as much by chance, those agree that are within one standard error of the difference and those contradict that are
	// beyond two.
	alike = 0.15
	// judgedCycles is how many cycles after an own verdict the entry's accuracy tells whether it holds.
	judgedCycles = 2
)

// weighWords forms an opinion of a message of a peer that was read: what it states is compared with what the
// agent has counted itself, which also says what its author's word is worth. An answer to an own question
// is welcome unless it contradicts that.
func weighWords(rr *replyReader, n *memory.MessageNote, answers bool) {
	n.Opinion = memory.OpinionNone
	if answers {
		n.Opinion = memory.OpinionFor
	}
	said, ok := memory.FindStatement(n.Text)
	if !ok {
		return
	}
	f := rr.agent.Memory.Findings.Get(said.Measure, said.Subject)
	if f == nil || !rr.can(f, min(enoughToJudge, f.Measure.Least(0))) {
		return
	}
	off, chance := f.Measure.Distance(f.Value, said.Value), f.Chance(&said)
	right := off <= max(alike, chance)
	if !right && off <= max(alike, float64(2*chance)) {
		return // neither the one nor the other: such small samples may be so far apart
	}
	moved := rr.agent.Memory.Peers.Stated(n.Author, right, rr.seen.tick)
	switch {
	case rr.rules.Blind.Has(llm.LayerPeers):
	case !right:
		n.Opinion = memory.OpinionDoubt // who agrees adds little to what is known of an author, who has counted otherwise does
	case moved >= speaks:
		n.Opinion = memory.OpinionFor
	}
}

// doubted reports whether an offer is to judge what the agent has counted otherwise, by more than in part: what
// others who agree have not said.
func doubted(a *llm.Affordance) bool {
	return a.Said != nil && a.Said.Distance > float64(2*max(alike, a.Said.Chance))
}

// holdsIn are the claims that the agent's judgement in a topic holds, by topic.
var holdsIn = makeHoldsIn()

func makeHoldsIn() (out [memory.Topics + 1]memory.Claim) {
	for t := memory.Topic(1); int(t) <= memory.Topics; t++ {
		out[t] = memory.Claim{Subject: []byte("my judgement in " + t.String()), Predicate: "holds"}
	}
	return out
}

// reviewJudgements compares own verdicts of two cycles ago with what came of the entries since: that is what the
// own judgement in a topic is worth.
func (er *eventReader) reviewJudgements(now wire.Tick) {
	for i := range er.notes.Entries {
		n := &er.notes.Entries[i]
		if n.Since == 0 || er.seen.cycle+1 < n.Since+judgedCycles {
			continue
		}
		n.Since = 0
		if m, subject, ok := memory.ReadTitle(n.Title); ok && n.Verdicts > 0 {
			holds := (n.Verdict == uint8(wire.VerdictAccurate)) == (n.Accuracy >= 0.5)
			er.believe(holdsIn[m.Topic(subject)], holds, &n.ID, now)
		}
	}
}

// judgesWell is what the own judgement in the topic of an entry has been worth, where it is offered to judge
// one: less than 1 if it was wrong as often as right.
func (o scale) judgesWell(a *llm.Affordance, _ *offerRef) float64 {
	if a.Compose != llm.ComposeVerdict {
		return 1
	}
	n := o.notes.Entry(a.Subject)
	if n == nil {
		return 1
	}
	m, subject, ok := memory.ReadTitle(n.Title)
	if !ok {
		return 1
	}
	b := o.agent.Memory.Beliefs.Get(holdsIn[m.Topic(subject)])
	if b == nil {
		return 1
	}
	return min(0.5+float64(b.Confidence), 1)
}
