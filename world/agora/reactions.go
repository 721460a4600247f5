package agora

import (
	"iter"

	"kingdom/wire"
	"kingdom/world"
)

// reactionIndex holds the signals on messages and the answers to them.
type reactionIndex struct {
	all     world.Slab[reactions]
	signals world.Slab[signalMark]
	answers world.Slab[answers]
	people  world.Numbering[wire.AgentID] // all agents that wrote or signalled
}

// reactions are the signals on a message and the answers to it. Weights are integers in units of 2^-20, so that sums do
// not depend on the order.
type reactions struct {
	weight        int64  // of AGREE, HELPFUL and ACTIONABLE
	positive      uint32 // number of these signals
	answers       uint32 // number + 1 of the answers to it; 0: nobody answered it
	lastSignal    uint32 // number + 1 of the newest signal; 0: none
	lastReference uint32 // number + 1 of the newest reference to it
}

// answers are the answers to a question.
type answers struct {
	by        [manyAnswers]uint32 // number + 1 of the first agents that gave one, 0 for none
	supported bool                // the asker has supported one
}

// signalMark is one signal on a message. Those of one message are a circular list, in which each pair of sender and
// kind occurs once.
type signalMark struct {
	by     uint32 // number of the agent · signalKinds + kind
	weight uint32
	next   uint32 // number of the next newer signal on the same message; the newest points to the oldest
}

const signalKinds = 16

// edit returns the reactions to e for writing, and creates them if there are none.
func (x *reactionIndex) edit(e *entry) *reactions {
	if e.reactions == 0 {
		e.reactions = x.all.Add(reactions{}) + 1
	}
	return x.all.At(e.reactions - 1)
}

var noReactions reactions

// get returns the reactions to e; read-only.
func (x *reactionIndex) get(e *entry) *reactions {
	if e.reactions == 0 {
		return &noReactions
	}
	return x.all.At(e.reactions - 1)
}

// addSignal adds a signal on e as the newest.
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

// signalsOn yields the signals on e, the oldest first.
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

// signallers yields the sender and the kind of each signal on e, the oldest first.
func (x *reactionIndex) signallers(e *entry) iter.Seq2[wire.AgentID, wire.SignalKind] {
	return func(yield func(wire.AgentID, wire.SignalKind) bool) {
		for m := range x.signalsOn(e) {
			if !yield(x.people.Key(m.by/signalKinds), wire.SignalKind(m.by%signalKinds)) {
				return
			}
		}
	}
}

// weightOf returns the sum of the weights of the signals of a kind on e.
func (x *reactionIndex) weightOf(e *entry, k wire.SignalKind) (sum int64) {
	for m := range x.signalsOn(e) {
		if m.by%signalKinds == uint32(k) {
			sum += int64(m.weight)
		}
	}
	return sum
}

// hasSignal reports whether a sent a signal of this kind on e.
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
