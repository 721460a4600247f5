package ooda

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

// fruitlessShare is which part of its ticks an agent may spend on requests that change nothing before they
// cost it more.
const fruitlessShare = 4

// thrift is what an agent may ask without doing anything.
type thrift struct{ *self }

// noteFruit counts a request that was answered. One that changes nothing, since it only asks or was refused, costs
// its sender a slot and the world the work of any other, and nothing else bounds how many there are: so those
// beyond a part of the agent's ticks cost a slot more each than the one before. Who reads in order to act
// does not come to that: each request that changes something takes one off the count.
func (t thrift) noteFruit(row *action.Row, refused bool) {
	n := t.notes
	if !row.Read && !refused {
		n.Fruitless -= min(n.Fruitless, 1)
		return
	}
	n.Fruitless++
	n.Pause = min(t.penalty(n.Fruitless), max(t.seen.slots, 1)-1)
}

// penalty is how many slots the n-th request that changes nothing costs beside its own.
func (t thrift) penalty(n uint64) uint64 {
	free := t.agent.TickBudget / fruitlessShare
	return n - min(n, free)
}

// surcharge is how many slots more than its cost a request takes that only asks.
func (t thrift) surcharge(row *action.Row) uint64 {
	if !row.Read {
		return 0
	}
	return t.penalty(t.notes.Fruitless + 1)
}

// Pauses reports whether the agent's next slot passes because it sent too many requests that change nothing. It
// takes no view then: what happens meanwhile is in the next one.
func (t *Turn) Pauses() bool { return t.notes.Pause > 0 }

// Pause is in place of Ask where the agent pauses; Act, with the zero Thought, and Record follow as after a
// silent slot.
func (t *Turn) Pause(at wire.Tick) {
	t.enter(phaseAsked)
	t.seen.tick = at
	t.try, t.lastError, t.thinking, t.goals.top = 0, "", pauses, nil
	t.pending = pending{}
	t.notes.Slot++
}
