package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// Receive takes one request through the pipeline alone, so that tests can compare
// the state right before and right after it. It leaves its events in the context
// of the tick; End sends them out.
func (r *Realm) Receive(t wire.Tick, rank uint64, a wire.AgentID, s Sent) wire.Reply {
	r.ctx.Seat(t, rank)
	r.ctx.Epoch = r.nexus.Epoch()
	return r.receiver.receive(&r.ctx, a, &s)
}

// Prepared makes what a task made for the next Receive come to its daemon; nil for nothing.
func (r *Realm) Prepared(v any) { r.ctx.Prepared = v }

// Collect makes the events of Receive those that TakeEvents hands over, before End sends them out.
func (r *Realm) Collect() { r.collect() }

// End sends out the events of Receive.
func (r *Realm) End() {
	r.collect()
	r.bus.route()
}

// Recipients lists whom an event reaches whatever their filters.
func (r *Realm) Recipients(e *wire.Event) (out []wire.AgentID) {
	r.bus.recipients.each(e, func(a wire.AgentID) { out = append(out, a) })
	return out
}

// Wrap puts another daemon in the place of that of a system, on the list and in service.
func (r *Realm) Wrap(s wire.System, wrap func(world.Daemon) world.Daemon) {
	for i, d := range r.daemons {
		if d.System() == s {
			r.daemons[i] = wrap(d)
			r.bySystem[s] = r.daemons[i]
		}
	}
}

// Waiting counts the events that are kept for everybody.
func Waiting(r *Realm) int { return len(r.bus.common.events) }

// Pile adds n events that everybody is to read.
func Pile(r *Realm, n int) {
	for i := range n {
		r.bus.common.events = append(r.bus.common.events, &wire.Event{
			ID:   wire.EventID{Lamport: r.ctx.Next() + uint64(i), Agent: wire.SystemID(wire.SystemNexus)},
			Kind: wire.KindCycleEnd, System: wire.SystemNexus, Payload: &wire.CycleEndEvent{},
		})
	}
}
