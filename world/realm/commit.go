package realm

import "kingdom/wire"

// Commit applies the requests of tick t. seats are in commit order, one for every
// agent with a live slot; reply i answers seats[i].Sent and is zero if that is empty.
func (r *Realm) Commit(t wire.Tick, seats []Seat) []wire.Reply {
	replies := make([]wire.Reply, len(seats))
	r.nexus.CountTicks(uint64(len(seats)))
	for i := range seats {
		s := &seats[i]
		r.ctx.Seat(t, uint64(i+1))
		r.ctx.Epoch = r.nexus.Epoch()
		r.nexus.MarkActive(s.Agent, r.ctx.Cycle)
		for j := range s.Runtime {
			r.receiver.receive(&r.ctx, s.Agent, &s.Runtime[j])
		}
		if s.Sent.Payload != nil {
			r.ctx.Prepared = s.Prepared
			replies[i] = r.receiver.receive(&r.ctx, s.Agent, &s.Sent)
			r.ctx.Prepared = nil
		}
	}
	r.collect()
	if t != r.rules.Calendar.Last(r.cycle) {
		r.bus.route() // else the cycle end's events share this tick's limits and go out with them
	}
	return replies
}
