package realm

import (
	"reflect"

	"kingdom/wire"
	"kingdom/world"
)

// recipients finds the agents that get an event whatever their filters: those it names, and
// those whose own thing it is about.
type recipients struct {
	named   map[reflect.Type][]int // fields that hold agents, by payload struct
	parties []world.Audience
}

func newRecipients(daemons []world.Daemon) recipients {
	r := recipients{named: map[reflect.Type][]int{}}
	for _, d := range daemons {
		if a, ok := d.(world.Audience); ok {
			r.parties = append(r.parties, a)
		}
	}
	return r
}

// each calls add for every recipient of e, for some more than once; ids that are no agents
// may be among them.
func (r *recipients) each(e *wire.Event, add func(wire.AgentID)) {
	add(e.Origin)
	payload := reflect.ValueOf(e.Payload).Elem()
	for _, i := range r.fields(payload.Type()) {
		switch f := payload.Field(i).Addr().Interface().(type) {
		case *wire.AgentID:
			add(*f)
		case **wire.AgentID:
			if *f != nil {
				add(**f)
			}
		case *[]wire.AgentID:
			for _, a := range *f {
				add(a)
			}
		}
	}
	for _, p := range r.parties {
		p.Parties(e, add)
	}
}

func (r *recipients) fields(t reflect.Type) []int {
	out, ok := r.named[t]
	if ok {
		return out
	}
	for i := range t.NumField() {
		switch t.Field(i).Type {
		case reflect.TypeFor[wire.AgentID](), reflect.TypeFor[*wire.AgentID](), reflect.TypeFor[[]wire.AgentID]():
			out = append(out, i)
		}
	}
	r.named[t] = out
	return out
}
