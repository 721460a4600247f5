package agora

import (
	"iter"

	"kingdom/wire"
	"kingdom/world"
)

// echoes are what others said about messages: their signals and answers.
type echoes struct {
	all     world.Slab[echo]
	marks   world.Slab[mark]
	answers world.Slab[answers]
	people  world.Numbering[wire.AgentID] // everybody who wrote or signalled
}

// echo is what others said about a message. Weights are integers of 2^-20, so that their
// sums do not depend on any order.
type echo struct {
	weight   int64  // of AGREE, HELPFUL and ACTIONABLE
	positive uint32 // how many those are
	answers  uint32 // number + 1 of its answers; 0: nobody answered it, as most are no questions
	lastMark uint32 // number + 1; the marks of a message are a ring
	lastRef  uint32 // number + 1 of the newest reference to it
}

// answers are the first who answered a message with an ANSWER: number + 1 of each.
type answers [enoughAnswers]uint32

// mark is one signal: each pair of sender and kind occurs once per message.
type mark struct {
	by     uint32 // number of the agent · markKinds + kind
	weight uint32
	next   uint32 // mark on the same message; that of the newest is the oldest
}

const markKinds = 16

// of is what others said about e, to be written to.
func (x *echoes) of(e *entry) *echo {
	if e.echo == 0 {
		e.echo = x.all.Add(echo{}) + 1
	}
	return x.all.At(e.echo - 1)
}

var noEcho echo

// heard is what others said about e, read-only.
func (x *echoes) heard(e *entry) *echo {
	if e.echo == 0 {
		return &noEcho
	}
	return x.all.At(e.echo - 1)
}

// mark adds a signal to those on e, as the newest.
func (x *echoes) mark(e *entry, a wire.AgentID, k wire.SignalKind, weight int64) {
	h := x.of(e)
	n := x.marks.Add(mark{by: x.people.Assign(a)*markKinds + uint32(k), weight: uint32(weight)})
	m := x.marks.At(n)
	m.next = n
	if h.lastMark != 0 {
		last := x.marks.At(h.lastMark - 1)
		m.next, last.next = last.next, n
	}
	h.lastMark = n + 1
	if positive(k) {
		h.positive++
		h.weight += weight
	}
}

// marksOn goes through the signals on e, the oldest first.
func (x *echoes) marksOn(e *entry) iter.Seq[*mark] {
	return func(yield func(*mark) bool) {
		last := x.heard(e).lastMark
		if last == 0 {
			return
		}
		for n := x.marks.At(last - 1).next; ; {
			m := x.marks.At(n)
			if !yield(m) || n == last-1 {
				return
			}
			n = m.next
		}
	}
}

// signalled goes through who signalled on e, and how, the oldest first.
func (x *echoes) signalled(e *entry) iter.Seq2[wire.AgentID, wire.SignalKind] {
	return func(yield func(wire.AgentID, wire.SignalKind) bool) {
		for m := range x.marksOn(e) {
			if !yield(x.people.Key(m.by/markKinds), wire.SignalKind(m.by%markKinds)) {
				return
			}
		}
	}
}

// weightOf is what the signals of a kind on e weigh.
func (x *echoes) weightOf(e *entry, k wire.SignalKind) (sum int64) {
	for m := range x.marksOn(e) {
		if m.by%markKinds == uint32(k) {
			sum += int64(m.weight)
		}
	}
	return sum
}

// marked says whether a gave a signal of this kind on e.
func (x *echoes) marked(e *entry, a wire.AgentID, k wire.SignalKind) bool {
	n, ok := x.people.Find(a)
	if ok {
		for m := range x.marksOn(e) {
			if m.by == n*markKinds+uint32(k) {
				return true
			}
		}
	}
	return false
}
