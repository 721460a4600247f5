package engine

import (
	"errors"

	"kingdom/wire"
)

// watchedTick is a tick up to which a recorded cycle is executed again, to learn whose slots it had: the records of the
// journal have no names. A nil watchedTick watches nothing.
type watchedTick struct {
	tick   wire.Tick
	agents []wire.AgentID // with a slot at the tick, in commit order; nil: it was not reached
	chose  []string       // what each of them does there
}

// errReached ends an execution at the watched tick.
var errReached = errors.New("the watched tick was reached")

// see notes the seats of the watched tick.
func (w *watchedTick) see(t wire.Tick, live []*seat) {
	if w == nil || t != w.tick {
		return
	}
	for _, s := range live {
		w.agents, w.chose = append(w.agents, s.id), append(w.chose, chose(&s.step))
	}
}

// agent returns who has the slot at a place of the watched tick; zero if there is none.
func (w *watchedTick) agent(at int) wire.AgentID {
	if at < 0 || at >= len(w.agents) {
		return wire.AgentID{}
	}
	return w.agents[at]
}

// choice returns what the agent at a place does; "" if there is none.
func (w *watchedTick) choice(at int) string {
	if at < 0 || at >= len(w.chose) {
		return ""
	}
	return w.chose[at]
}

// reached returns errReached at the watched tick.
func (w *watchedTick) reached(t wire.Tick) error {
	if w == nil || t != w.tick {
		return nil
	}
	return errReached
}
