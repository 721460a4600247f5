package agora

import (
	"iter"

	"kingdom/wire"
	"kingdom/world"
)

// reactionIndex are what others said about messages: their signals and answers.
type reactionIndex struct {
	all     world.Slab[reactions]
	signals world.Slab[signalMark]
	answers world.Slab[answerers]
	people  world.Numbering[wire.AgentID] // everybody who wrote or signalled
}

// reactions is what others said about a message. Weights are integers of 2^-20, so that their
// sums do not depend on any order.
type reactions struct {
	weight        int64  // of AGREE, HELPFUL and ACTIONABLE
	positive      uint32 // how many those are
	answers       uint32 // number + 1 of its answers; 0: nobody answered it, as most are no questions
	lastSignal    uint32 // number + 1; the marks of a message are a ring
	lastReference uint32 // number + 1 of the newest reference to it
}

// answerers are the first who answered a message with an ANSWER: number + 1 of each.
type answerers [enoughAnswers]uint32

// signalMark is one signal: each pair of sender and kind occurs once per message.
type signalMark struct {
	by     uint32 // number of the agent · markKinds + kind
	weight uint32
	next   uint32 // mark on the same message; that of the newest is the oldest
}

const signalKinds = 16

// edit is what others said about e, to be written to.
func (x *reactionIndex) edit(e *entry) *reactions {
	if e.reactions == 0 {
		e.reactions = x.all.Add(reactions{}) + 1
	}
	return x.all.At(e.reactions - 1)
}

var noReactions reactions

// get is what others said about e, read-only.
func (x *reactionIndex) get(e *entry) *reactions {
	if e.reactions == 0 {
		return &noReactions
	}
	return x.all.At(e.reactions - 1)
}

// addSignal adds a signal to those on e, as the newest.
func (x *reactionIndex) addSignal(e *entry, a wire.AgentID, k wire.SignalKind, weight int64) {
	h := x.edit(e)
	n := x.signals.Add(signalMark{by: x.people.Assign(a)*signalKinds + uint32(k), weight: uint32(weight)})
	m := x.signals.At(n)
	m.next = n
	if h.lastSignal != 0 {
		last := x.signals.At(h.lastSignal - 1)
		m.next, last.next = last.next, n
	}
	h.lastSignal = n + 1
	if positive(k) {
		h.positive++
		h.weight += weight
	}
}

// signalsOn goes through the signals on e, the oldest first.
func (x *reactionIndex) signalsOn(e *entry) iter.Seq[*signalMark] {
	return func(yield func(*signalMark) bool) {
		last := x.get(e).lastSignal
		if last == 0 {
			return
		}
		for n := x.signals.At(last - 1).next; ; {
			m := x.signals.At(n)
			if !yield(m) || n == last-1 {
				return
			}
			n = m.next
		}
	}
}

// signallers goes through who signalled on e, and how, the oldest first.
func (x *reactionIndex) signallers(e *entry) iter.Seq2[wire.AgentID, wire.SignalKind] {
	return func(yield func(wire.AgentID, wire.SignalKind) bool) {
		for m := range x.signalsOn(e) {
			if !yield(x.people.Key(m.by/signalKinds), wire.SignalKind(m.by%signalKinds)) {
				return
			}
		}
	}
}

// weightOf is what the signals of a kind on e weigh.
func (x *reactionIndex) weightOf(e *entry, k wire.SignalKind) (sum int64) {
	for m := range x.signalsOn(e) {
		if m.by%signalKinds == uint32(k) {
			sum += int64(m.weight)
		}
	}
	return sum
}

// hasSignal says whether a gave a signal of this kind on e.
func (x *reactionIndex) hasSignal(e *entry, a wire.AgentID, k wire.SignalKind) bool {
	n, ok := x.people.Find(a)
	if ok {
		for m := range x.signalsOn(e) {
			if m.by == n*signalKinds+uint32(k) {
				return true
			}
		}
	}
	return false
}
