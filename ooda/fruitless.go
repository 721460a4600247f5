package ooda

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	// fruitlessShare is the part of its ticks that an agent may spend on requests that change nothing before they cost
	// it more: one in so many.
	fruitlessShare = 4
	// forgivenShare is the part of its ticks by which the count of such requests falls in each cycle: one in so many.
	forgivenShare = 8
)

// requestLimit makes requests that change nothing dearer for an agent that sends too many of them.
type requestLimit struct{ *self }

// countRequest counts a request that was answered. One that changes nothing, because it only reads or was refused,
// costs its sender one slot, but the world as much work as any other, and nothing else limits how many there are. So
// beyond a part of the agent's ticks each costs one slot more than the one before. Each request that changes something
// for others takes one off the count, so that an agent that reads in order to act does not pay more. A request that
// only prepares something of the agent's own does neither.
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

// forgive begins a cycle: it takes a part of the agent's ticks off the count. The count goes on from cycle to cycle,
// so that an agent that does nothing but read pays for it from the first slot on.
func (t requestLimit) forgive() {
	n := t.notes
	n.Fruitless -= min(n.Fruitless, t.agent.TickBudget/forgivenShare)
}

// preparesOnly reports whether an action changes only what is the sender's own, which reaches others by another
// action: when it is published, submitted or shown.
func preparesOnly(m wire.MsgType) bool {
	switch m {
	case wire.TypeObjectPut, wire.TypeRepoCreate, wire.TypeChainCreate, wire.TypeChainAdvance, wire.TypeDeltaCompute, wire.TypeMerge,
		wire.TypeSandboxCreate, wire.TypeSandboxKill, wire.TypeExecStart, wire.TypeLinkResolve, wire.TypeProofRequest, wire.TypeSubscribe, wire.TypeUnsubscribe:
		return true
	default:
		return false
	}
}

// penalty is how many slots the n-th request that changes nothing costs beyond its own.
func (t requestLimit) penalty(n uint64) uint64 {
	free := t.agent.TickBudget / fruitlessShare
	return n - min(n, free)
}

// surcharge is how many slots a request that only reads takes beyond its cost.
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
