package ooda

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// fruitlessShare is which part of its ticks an agent may spend on requests that change nothing before they
	// cost it more.
	fruitlessShare = 4
	// forgivenShare is which part of its ticks each cycle forgives of them.
	forgivenShare = 8
)

// requestLimit is what an agent may ask without doing anything.
type requestLimit struct{ *self }

// countRequest counts a request that was answered. One that changes nothing, since it only asks or was refused, costs
// its sender a slot and the world the work of any other, and nothing else bounds how many there are: so those
// beyond a part of the agent's ticks cost a slot more each than the one before. Who reads in order to act
// does not come to that: each request that changes something for others takes one off the count. What only prepares
// something of the agent's own does neither.
func (t requestLimit) countRequest(row *action.Row, refused bool) {
	n := t.notes
	switch {
	case row.Read || refused:
		n.Fruitless++
		n.Pause = min(t.penalty(n.Fruitless), max(t.seen.slots, 1)-1)
	case !preparesOnly(row.Type):
		n.Fruitless -= min(n.Fruitless, 1)
	}
}

// forgive begins a cycle. The count goes on from cycle to cycle, so that who does nothing but ask pays for it from the
// first slot on; a part of the agent's ticks is forgiven.
func (t requestLimit) forgive() {
	n := t.notes
	n.Fruitless -= min(n.Fruitless, t.agent.TickBudget/forgivenShare)
}

// preparesOnly reports whether an action changes nothing but what is the sender's own and reaches others by another
// one: when it is published, handed in or shown.
func preparesOnly(m wire.MsgType) bool {
	switch m {
	case wire.TypeObjectPut, wire.TypeRepoCreate, wire.TypeChainCreate, wire.TypeChainAdvance, wire.TypeDeltaCompute, wire.TypeMerge,
		wire.TypeSandboxCreate, wire.TypeSandboxKill, wire.TypeExecStart, wire.TypeLinkResolve, wire.TypeProofRequest, wire.TypeSubscribe:
		return true
	default:
		return false
	}
}

// penalty is how many slots the n-th request that changes nothing costs beside its own.
func (t requestLimit) penalty(n uint64) uint64 {
	free := t.agent.TickBudget / fruitlessShare
	return n - min(n, free)
}

// surcharge is how many slots more than its cost a request takes that only asks.
func (t requestLimit) surcharge(row *action.Row) uint64 {
	if !row.Read {
		return 0
	}
	return t.penalty(t.notes.Fruitless + 1)
}

// Pauses reports whether the agent loses its next slot because it sent too many requests that change nothing. No view
// is needed for that slot; the next view has what happens meanwhile.
func (t *Turn) Pauses() bool { return t.notes.Pause > 0 }

// Pause is called in place of Ask if [Turn.Pauses] returns true. Act with the zero Thought and Record follow, as
// after a slot without a thought.
func (t *Turn) Pause(at wire.Tick) {
	t.enter(phaseAsked)
	t.seen.tick = at
	t.try, t.lastError, t.thinking, t.goals.top = 0, "", pauses, nil
	t.pending = pending{}
	t.notes.Slot++
}
