package ooda

import (
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// signalShift is how far a statement must move the agent's opinion of its author to be worth a signal.
	signalShift = 0.1
	// agreeDistance is the distance up to which two statements agree; beyond it they contradict each other. Small
	// samples differ as much by chance: they agree within one standard error of the difference and contradict beyond
	// two.
	agreeDistance = 0.15
	// judgedCycles is how many cycles after an own verdict the accuracy of the entry shows whether it was right.
	judgedCycles = 2
)

// judgeMessage forms an opinion of a message of a peer: it compares the statement with what the agent has counted
// itself, which also changes how good the author's work seems. An answer to an own question is welcome unless it
// repeats an earlier answer, or contradicts that count and is founded on fewer observations.
func (rr messageReader) judgeMessage(n *memory.MessageNote, answers bool) {
	n.Opinion = memory.OpinionNone
	if answers {
		n.Opinion = memory.OpinionFor
		rr.noteRepeated(n)
	}
	c, ok := rr.expert().compared(n.Text)
	if !ok || c.agrees() == c.contradicts() {
		return // there is nothing to compare, or the samples are too small to decide
	}
	moved := rr.agent.Memory.Peers.StatementChecked(n.Author, c.agrees(), rr.seen.tick)
	switch {
	case rr.rules.Blind.Has(llm.LayerPeers):
	case c.contradicts():
		if c.own.N >= c.said.N { // who has counted less is more probably wrong
			n.Opinion = memory.OpinionDoubt // a contradiction tells others more about the author than agreement does
		}
	case moved >= signalShift && n.Opinion == memory.OpinionNone:
		n.Opinion = memory.OpinionFor
	}
}

// comparison is a statement of another agent beside what this agent has counted of the same.
type comparison struct {
	own         *memory.Finding
	said        memory.Finding
	off, chance float64 // how far they are apart, and how far they are by chance
}

func (c *comparison) agrees() bool { return c.off <= max(agreeDistance, c.chance) }

func (c *comparison) contradicts() bool { return c.off > max(agreeDistance, float64(2*c.chance)) }

// compared compares a text with what the agent has counted: it returns the first statement that contradicts that, else
// the first that can be compared.
func (s expert) compared(text []byte) (best comparison, ok bool) {
	for said, rest, more := memory.NextStatement(text); more; said, rest, more = memory.NextStatement(rest) {
		f := s.agent.Memory.Findings.Get(said.Measure, []byte(said.Subject()))
		if f == nil || !s.expert().knowsEnough(f, min(enoughToJudge, f.Measure.MinObservations(0))) {
			continue
		}
		c := comparison{f, said, f.Measure.Distance(f.Value, said.Value), f.StandardError(&said)}
		if c.contradicts() {
			return c, true
		}
		if !ok {
			best, ok = c, true
		}
	}
	return best, ok
}

// noteRepeated notes which answers to the agent repeat an earlier one without more observations.
func (rr messageReader) noteRepeated(n *memory.MessageNote) {
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

// repeats reports whether the second answer states what the first one stated, without more observations.
func repeats(first, second *memory.MessageNote) bool {
	a, _, ok := memory.NextStatement(first.Text)
	b, _, too := memory.NextStatement(second.Text)
	return ok && too && first.At <= second.At && a.Measure == b.Measure && a.Subject() == b.Subject() && a.N >= b.N &&
		a.Measure.Distance(a.Value, b.Value) <= agreeDistance
}

// doubted reports whether an offer is to judge a statement that clearly contradicts what the agent has counted: a
// verdict on it says something that others who agreed have not said.
func doubted(a *llm.Affordance) bool {
	return a.Said != nil && a.Said.Distance > float64(2*max(agreeDistance, a.Said.Chance))
}

// ownJudgement begins the subject of what the runtime, and no mind, believes of the agent's verdicts in a topic.
const ownJudgement = "my judgement in "

// judgementClaims are, by topic, the claims that the agent's own verdicts hold.
var judgementClaims = makeHoldsIn()

func makeHoldsIn() (out [memory.Topics + 1]memory.Claim) {
	for t := memory.Topic(1); int(t) <= memory.Topics; t++ {
		out[t] = memory.Claim{Subject: []byte(ownJudgement + t.String()), Predicate: "holds"}
	}
	return out
}

// reviewJudgements compares own verdicts of two cycles ago with what others have said of the entries since. So the
// agent learns how good its judgement in a topic is.
func (er *eventReader) reviewJudgements(now wire.Tick) {
	for i := range er.notes.Entries {
		n := &er.notes.Entries[i]
		if n.Since == 0 || er.seen.cycle+1 < n.Since+judgedCycles {
			continue
		}
		n.Since = 0
		if m, subject, ok := memory.ReadTitle(n.Title); ok && n.Verdicts > 0 {
			holds := (n.Verdict == uint8(wire.VerdictAccurate)) == (n.Accuracy >= 0.5)
			er.believer().believe(judgementClaims[m.Topic(subject)], holds, &n.ID, now)
		}
	}
}

// judgesWell is how good the agent's judgement in the topic of an entry has been, for an offer to judge one: less than
// 1 if it was wrong as often as right.
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
	b := o.believer().belief(judgementClaims[m.Topic(subject)])
	if b == nil {
		return 1
	}
	return min(0.5+float64(b.Confidence), 1)
}
