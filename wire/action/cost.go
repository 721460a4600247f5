package action

import "kingdom/wire"

// Cost is what a request costs its sender.
type Cost struct {
	Ticks uint64 // slots, its own included
	Spark uint64 // ⚡
}

// Bound returns the most that a request with this payload can cost, given v, the state before the tick. If the agent
// has fewer slots left, the request is not sent. With a nil payload it returns the least cost of all requests of the
// row.
func (r *Row) Bound(payload any, v *wire.View) Cost {
	if r.BoundOf == nil || payload == nil {
		return Cost{Ticks: r.Ticks, Spark: r.FlatCost}
	}
	c := r.BoundOf(payload, v)
	c.Ticks = max(c.Ticks, 1)
	return c
}

// Settled returns how many ticks a request cost: 1 if it was refused, else what the reply says, at most the bound;
// the bound if replies do not say it.
func (r *Row) Settled(bound uint64, reply *wire.Reply) uint64 {
	switch {
	case reply.Err != nil:
		return 1
	case r.TicksOf == nil:
		return bound
	}
	return min(max(r.TicksOf(reply.Body), 1), bound)
}
