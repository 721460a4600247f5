package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// recipients finds the agents that get an event whatever their filters: those it names, and
// those whose own thing it is about.
type recipients struct {
	parties []world.PartyLister
}

func newRecipients(daemons []world.Daemon) (r recipients) {
	for _, d := range daemons {
		if a, ok := d.(world.PartyLister); ok {
			r.parties = append(r.parties, a)
		}
	}
	return r
}

// each calls add for every recipient of e, for some more than once; ids that are no agents
// may be among them.
func (r *recipients) each(e *wire.Event, add func(wire.AgentID)) {
	e.EachNamed(add)
	for _, p := range r.parties {
		p.Parties(e, add)
	}
}
