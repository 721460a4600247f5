package forge

import (
	"kingdom/wire"
)

// Parties are the owners of the services that e is about. The owner of a sandbox is the origin of its events.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	var id wire.Hash
	switch p := e.Payload.(type) {
	case *wire.ServiceCalledEvent:
		id = p.ServiceID
	case *wire.ServiceCompletedEvent:
		id = p.ServiceID
	}
	if s := d.services.Get(id); s != nil {
		add(s.Owner)
	}
}

// Closed reports whether a service has stopped, and returns its status. A sandbox is never closed after a run,
// because the run can still be proven.
func (d *Daemon) Closed(id wire.Hash, _ wire.AgentID, _ wire.Tick) (s wire.SubjectView, closed bool) {
	if x := d.services.Get(id); x != nil && x.Stopped != nil {
		return wire.SubjectView{ID: id, Kind: "service", Status: "STOPPED"}, true
	}
	return s, false
}

// AppendSandboxes appends the sandboxes of a as it sees them, in order of their ids.
func (d *Daemon) AppendSandboxes(dst []wire.SandboxView, a wire.AgentID) []wire.SandboxView {
	for _, id := range d.sandboxes.byOwner[a] {
		b := d.sandboxes.Get(id)
		v := wire.SandboxView{
			ID: id, Code: b.Code, State: b.State, Persistent: b.Persistent, TickBudget: b.TickBudget, TicksUsed: b.TicksUsed,
		}
		if run := d.sandboxes.runs.Get(id); run != nil {
			v.Fault = run.Fault
		}
		if s := d.services.onSandbox(id); s != nil {
			service := s.ID
			v.Service, v.Name, v.Fee = &service, s.Name, s.Fee
		}
		dst = append(dst, v)
	}
	return dst
}

// TicksLeft returns the forge ticks that a may still use in this cycle.
func (d *Daemon) TicksLeft(a wire.AgentID) uint64 { return d.cpu.left(a) }
