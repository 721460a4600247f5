package action

import "kingdom/wire"

// Cost is what a request costs its sender.
type Cost struct {
	Ticks uint64 // slots, its own included
	Spark uint64 // ⚡
}

// Bound is the most that this very request may cost, seen from v, the state before the tick. A
// mind that has fewer slots left than its ticks does not send it. payload nil asks for the
// least of all requests of the row.
func (r *Row) Bound(payload any, v *wire.View) Cost {
	if r.BoundOf == nil || payload == nil {
		return Cost{Ticks: r.Ticks, Spark: r.FlatCost}
	}
	c := r.BoundOf(payload, v)
	c.Ticks = max(c.Ticks, 1)
	return c
}

// Settled is how many ticks a request did cost, told by its reply: 1 if it was refused, else
// what the reply says, at most the bound; where replies say nothing, the bound.
func (r *Row) Settled(bound uint64, reply *wire.Reply) uint64 {
	switch {
	case reply.Err != nil:
		return 1
	case r.TicksOf == nil:
		return bound
	}
	return min(max(r.TicksOf(reply.Body), 1), bound)
}
