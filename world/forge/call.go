package forge

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// called is a call that was made in the prepare stage, and the state that it began with: if the
// service has another one when the call's turn comes, the call is made again.
type called struct {
	desk   *desk
	before []byte
	result *program.Result // nil: it was expected to be refused
}

// callable says why a call is refused before it is made. spent are the forge ticks that calls before
// it in the tick will have used.
func (x *services) callable(c *world.Context, s *Service, q *wire.ServiceCall, spent uint64) *world.Refusal {
	switch {
	case s == nil || s.Tick >= c.Tick:
		return no(wire.CategoryNotFound, "service")
	case s.Stopped != nil:
		return no(wire.CategoryConflict, "stopped", world.Detail{Key: "status", Value: "STOPPED"})
	case !s.offers(q.Endpoint):
		return no(wire.CategoryNotFound, "endpoint")
	case s.Sandbox.IsZero():
		return x.cpu.holds(c, c.Source, parsing(len(q.Data)))
	}
	left := min(s.TickBudget-min(s.TickBudget, s.Used), x.cpu.left(s.Owner))
	if left -= min(left, spent); left < callTicks {
		return no(wire.CategoryQuotaExceeded, "budget", world.Have(left), world.Need(callTicks), c.UntilCycle(c.Cycle+1))
	}
	r := x.cpu.holds(c, c.Source, callTicks)
	if r == nil && s.Owner != c.Source {
		r = x.ledger.CanPayService(c.Source, s.Fee)
	}
	return r
}

// calling is the task that makes the calls of one service in a tick, in commit order; each begins
// with the state that the one before leaves, and none is made that the ones before leave no time for.
func (x *services) calling(t wire.Tick, s *Service, requests []world.Request) world.Task {
	desk := x.desk(t)
	seats, made := make([]int, len(requests)), make([]any, len(requests))
	for i := range requests {
		seats[i] = requests[i].Seat
	}
	c := &world.Context{Rules: x.rules, Tick: t, Cycle: x.rules.Calendar.Cycle(t)}
	state, next, spent := s.State, 0, uint64(0)
	return world.Task{
		Seats: seats,
		Reads: func() []wire.Missing {
			for ; next < len(requests); next++ {
				q := requests[next].Payload.(*wire.ServiceCall)
				out := &called{desk: desk, before: state}
				made[next] = out
				if c.Source = requests[next].Source; x.callable(c, s, q, spent) != nil {
					continue
				}
				if out.result = desk.call(x.sandboxes.Get(s.Sandbox), q, state); out.result == nil {
					return desk.ask()
				}
				if out.result.State == program.Halted {
					spent += out.result.Ticks()
				}
				if after := out.result.NewState; after != nil {
					state = after
				}
			}
			return nil
		},
		Run: func(world.Answer) []any {
			desk.closed = true
			return made
		},
	}
}

// call makes a call; nil if something that it reads is not on the desk.
func (x *desk) call(b *Sandbox, q *wire.ServiceCall, state []byte) *program.Result {
	j := x.job(b)
	if j == nil {
		return nil
	}
	j.input.Steps = callTicks * program.StepsPerTick
	j.input.Call = &program.Call{Name: string(q.Endpoint), Data: q.Data, State: state}
	if r, ok := x.run(*j); ok {
		return r
	}
	return nil
}

// came is what a call comes to: what was prepared if the service has the state that it was
// prepared with, else the same made now; nil if it would now read what nobody has looked for.
func (x *services) came(c *world.Context, s *Service, q *wire.ServiceCall) *program.Result {
	m, ok := c.Prepared.(*called)
	if !ok {
		m = &called{desk: x.desk(c.Tick)}
	} else if m.result != nil && bytes.Equal(m.before, s.State) {
		return m.result
	}
	return m.desk.call(x.sandboxes.Get(s.Sandbox), q, s.State)
}

func (x *services) call(c *world.Context, q *wire.ServiceCall) wire.Reply {
	s := x.Get(q.ServiceID)
	if r := x.callable(c, s, q, 0); r != nil {
		return c.Relay(sys, r)
	}
	if s.Sandbox.IsZero() {
		return x.native(c, s, q)
	}
	res := x.came(c, s, q)
	if res == nil {
		return refuse(c, wire.CategoryConflict, "busy")
	}
	emit(c, wire.KindServiceCalled, &wire.ServiceCalledEvent{ServiceID: s.ID, Endpoint: q.Endpoint, Caller: c.Source})
	if res.State == program.Faulted {
		x.cpu.charge(c.Source, res.Ticks())
	} else {
		x.served(c, s, res)
	}
	x.answer(c, q, res.Reply, res.Ticks(), faultOf(res.Fault))
	return c.Ack(nil)
}

// served books a call that halted: on the time of the service, for its fee, with its new state.
func (x *services) served(c *world.Context, s *Service, res *program.Result) {
	x.cpu.charge(s.Owner, res.Ticks())
	s = x.Edit(s.ID)
	s.Used += res.Ticks()
	if res.NewState != nil {
		s.State = res.NewState
	}
	if s.Owner != c.Source {
		x.ledger.PayService(c, c.Source, s.Owner, s.Fee)
	}
}

// answer hands the result of a call over.
func (x *services) answer(c *world.Context, q *wire.ServiceCall, data []byte, ticks uint64, fault *wire.FaultCode) {
	emit(c, wire.KindServiceCompleted, &wire.ServiceCompletedEvent{ServiceID: q.ServiceID, Endpoint: q.Endpoint, TicksUsed: ticks})
	c.Deliver(c.Source, wire.TypeServiceResult, c.Msg, &wire.ServiceResult{
		ServiceID: q.ServiceID, Endpoint: q.Endpoint, Data: data, TicksUsed: ticks, Fault: fault,
	})
}
