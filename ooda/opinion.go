package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// signalShift is how far reading a statement must move what is made of its author to be worth a signal.
	signalShift = 0.1
	// agreeDistance is how far a statement may be off and still agree; farther off it contradicts. Of small samples, which differ
	// as much by chance, those agree that are within one standard error of the difference and those contradict that are
	// beyond two.
	agreeDistance = 0.15
	// judgedCycles is how many cycles after an own verdict the entry's accuracy tells whether it holds.
	judgedCycles = 2
)

// judgeMessage forms an opinion of a message of a peer that was read: what it states is compared with what the
// agent has counted itself, which also says what its author's word is worth. An answer to an own question
// is welcome unless it contradicts that, or says what the agent was told before.
func judgeMessage(rr *replyReader, n *memory.MessageNote, answers bool) {
	n.Opinion = memory.OpinionNone
	if answers {
		n.Opinion = memory.OpinionFor
		rr.noteRepeated(n)
	}
	c, ok := rr.compared(n.Text)
	if !ok || c.agrees() == c.contradicts() {
		return // nothing to compare, or neither the one nor the other: such small samples may be so far apart
	}
	moved := rr.agent.Memory.Peers.Stated(n.Author, c.agrees(), rr.seen.tick)
	switch {
	case rr.rules.Blind.Has(llm.LayerPeers):
	case c.contradicts():
		n.Opinion = memory.OpinionDoubt // who agrees adds little to what is known of an author, who has counted otherwise does
	case moved >= signalShift && n.Opinion == memory.OpinionNone:
		n.Opinion = memory.OpinionFor
	}
}

// comparison is a statement of another beside what the agent has counted of the same.
type comparison struct {
	own         *memory.Finding
	said        memory.Finding
	off, chance float64 // how far they are apart, and how far they are by chance
}

func (c *comparison) agrees() bool { return c.off <= max(agreeDistance, c.chance) }

func (c *comparison) contradicts() bool { return c.off > max(agreeDistance, float64(2*c.chance)) }

// compared holds what a text states against what the agent has counted: the first statement that contradicts that, else
// the first that can be compared.
func (s *self) compared(text []byte) (best comparison, ok bool) {
	for said, rest, more := memory.NextStatement(text); more; said, rest, more = memory.NextStatement(rest) {
		f := s.agent.Memory.Findings.Get(said.Measure, []byte(said.Subject()))
		if f == nil || !s.knowsEnough(f, min(enoughToJudge, f.Measure.Least(0))) {
			continue
		}
		c := comparison{f, said, f.Measure.Distance(f.Value, said.Value), f.Chance(&said)}
		if c.contradicts() {
			return c, true
		}
		if !ok {
			best, ok = c, true
		}
	}
	return best, ok
}

// noteRepeated notes which of the answers that the agent got say what an earlier one says, by no more observations.
func (rr *replyReader) noteRepeated(n *memory.MessageNote) {
	for i := range rr.notes.Messages {
		x := &rr.notes.Messages[i]
		switch {
		case x.ID == n.ID || x.Kind != wire.MessageKindAnswer || x.Opinion != memory.OpinionFor:
		case repeats(x, n):
			n.Opinion = memory.OpinionRepeated
		case repeats(n, x):
			x.Opinion = memory.OpinionRepeated
		}
	}
}

// repeats reports whether an answer says what another one said before it, by no more observations.
func repeats(first, second *memory.MessageNote) bool {
	a, _, ok := memory.NextStatement(first.Text)
	b, _, too := memory.NextStatement(second.Text)
	return ok && too && first.At <= second.At && a.Measure == b.Measure && a.Subject() == b.Subject() && a.N >= b.N &&
		a.Measure.Distance(a.Value, b.Value) <= agreeDistance
}

// doubted reports whether an offer is to judge what the agent has counted otherwise, by more than in part: what
// others who agree have not said.
func doubted(a *llm.Affordance) bool {
	return a.Said != nil && a.Said.Distance > float64(2*max(agreeDistance, a.Said.Chance))
}

// judgementClaims are the claims that the agent's judgement in a topic holds, by topic.
var judgementClaims = makeHoldsIn()

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
			er.believe(judgementClaims[m.Topic(subject)], holds, &n.ID, now)
		}
	}
}

// judgesWell is what the own judgement in the topic of an entry has been worth, where it is offered to judge
// one: less than 1 if it was wrong as often as right.
func (o weigher) judgesWell(a *llm.Affordance, _ *offerRef) float64 {
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
	b := o.belief(judgementClaims[m.Topic(subject)])
	if b == nil {
		return 1
	}
	return min(0.5+float64(b.Confidence), 1)
}
