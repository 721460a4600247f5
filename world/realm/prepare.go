package realm

import (
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Prepare returns the daemons' tasks before the commit of tick t. seats are those that Commit will get. The caller
// runs the tasks, in any order or in parallel, on the present state, and puts value i of a task into the Prepared of
// its i-th seat.
func (r *Realm) Prepare(t wire.Tick, seats []Seat) (tasks []world.Task) {
	for _, d := range r.daemons {
		p, ok := d.(world.Preparer)
		if !ok {
			continue
		}
		if requests := requestsTo(d.System(), seats); len(requests) > 0 {
			tasks = append(tasks, p.Prepare(t, requests)...)
		}
	}
	return tasks
}

// requestsTo are the requests of the tick that a daemon serves, in commit order.
func requestsTo(s wire.System, seats []Seat) (out []world.Request) {
	for i := range seats {
		sent := &seats[i].Sent
		if row, ok := action.ByType(sent.Envelope.Type); ok && row.System == s && sent.Payload != nil {
			out = append(out, world.Request{Seat: i, Source: seats[i].Agent, Msg: sent.Envelope.MsgID, Payload: sent.Payload})
		}
	}
	return out
}
