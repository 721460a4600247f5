package forge

import (
	"kingdom/wire"
	"kingdom/world"
)

// Prepare makes the runs and calls of a tick before the commit, and reads the programs that its requests name.
func (d *Daemon) Prepare(t wire.Tick, requests []world.Request) (tasks []world.Task) {
	var order []*Service
	calls := map[wire.Hash][]world.Request{}
	for i := range requests {
		r := &requests[i]
		switch q := r.Payload.(type) {
		case *wire.SandboxCreate:
			tasks = append(tasks, d.readTask(t, r, q.Code))
		case *wire.ExecStart:
			if b := d.sandboxes.Get(q.SandboxID); b != nil && b.Owner == r.Source && b.checkRunnable() == nil && b.TickBudget <= d.cpu.left(b.Owner) {
				tasks = append(tasks, d.sandboxes.runTask(t, r.Seat, b))
			}
		case *wire.ServiceCreate:
			if b := d.sandboxes.Get(q.Sandbox); b != nil {
				tasks = append(tasks, d.readTask(t, r, b.Code))
			}
		case *wire.ServiceCall:
			s := d.services.Get(q.ServiceID)
			if s == nil || s.Stopped != nil || s.Sandbox.IsZero() {
				continue
			}
			if calls[s.ID] == nil {
				order = append(order, s)
			}
			calls[s.ID] = append(calls[s.ID], *r)
		case *wire.LinkResolve:
			tasks = append(tasks, d.readTask(t, r, linkedPrograms(q)...))
		}
	}
	for _, s := range order {
		tasks = append(tasks, d.services.callTask(t, s, calls[s.ID]))
	}
	return tasks
}

// linkedPrograms returns the ids of the programs that a link names.
func linkedPrograms(q *wire.LinkResolve) []wire.Hash {
	ids := []wire.Hash{q.Program}
	for i := range q.Imports[:min(len(q.Imports), maxPerAgent)] {
		ids = append(ids, q.Imports[i].From)
	}
	return ids
}
