package forge

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// preparedCall is a call that was made in the prepare stage. If the service has another state at the commit than
// oldState, with which the call began, the call is made again.
type preparedCall struct {
	loader   *loader
	oldState []byte
	result   *program.Result // nil: the call was expected to be refused
}

// checkCall returns the reason to refuse a call before it is made, or nil. spent is the number of forge ticks that
// earlier calls in the tick will have used.
func (x *services) checkCall(c *world.Context, s *Service, q *wire.ServiceCall, spent uint64) *world.Refusal {
	switch {
	case s == nil || s.Tick >= c.Tick:
		return refusal(wire.CategoryNotFound, "service")
	case s.Stopped != nil:
		return refusal(wire.CategoryConflict, "stopped", world.Detail{Key: "status", Value: "STOPPED"})
	case !s.offers(q.Endpoint):
		return refusal(wire.CategoryNotFound, "endpoint")
	case s.Sandbox.IsZero():
		return x.cpu.require(c, c.Source, parseTicks(len(q.Data)))
	}
	left := min(s.TickBudget-min(s.TickBudget, s.Used), x.cpu.left(s.Owner))
	if left -= min(left, spent); left < callTicks {
		return refusal(wire.CategoryQuotaExceeded, "budget", world.Have(left), world.Need(callTicks), c.UntilCycle(c.Cycle+1))
	}
	r := x.cpu.require(c, c.Source, callTicks)
	if r == nil && s.Owner != c.Source {
		r = x.ledger.CanPayService(c.Source, s.Fee)
	}
	return r
}

// callTask returns the task that makes the calls of one service in a tick, in commit order. Each call begins with the
// state that the previous one leaves. A call for which the earlier ones leave no forge ticks is not made.
func (x *services) callTask(t wire.Tick, s *Service, requests []world.Request) world.Task {
	loader := x.newLoader(t)
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
				out := &preparedCall{loader: loader, oldState: state}
				made[next] = out
				if c.Source = requests[next].Source; x.checkCall(c, s, q, spent) != nil {
					continue
				}
				if out.result = loader.call(x.sandboxes.Get(s.Sandbox), q, state); out.result == nil {
					return loader.takeMissing()
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
			loader.closed = true
			return made
		},
	}
}

// call makes a call. It returns nil if something that the call reads is not loaded yet.
func (x *loader) call(b *Sandbox, q *wire.ServiceCall, state []byte) *program.Result {
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

// callResult returns the result of a call: the prepared one if the service still has the state with which it was
// prepared, else that of a call made now. It returns nil if the call would now read something that was not loaded in
// the prepare stage.
func (x *services) callResult(c *world.Context, s *Service, q *wire.ServiceCall) *program.Result {
	m, ok := c.Prepared.(*preparedCall)
	if !ok {
		m = &preparedCall{loader: x.newLoader(c.Tick)}
	} else if m.result != nil && bytes.Equal(m.oldState, s.State) {
		return m.result
	}
	return m.loader.call(x.sandboxes.Get(s.Sandbox), q, s.State)
}

func (x *services) call(c *world.Context, q *wire.ServiceCall) wire.Reply {
	s := x.Get(q.ServiceID)
	if r := x.checkCall(c, s, q, 0); r != nil {
		return c.Relay(sys, r)
	}
	if s.Sandbox.IsZero() {
		return x.native(c, s, q)
	}
	res := x.callResult(c, s, q)
	if res == nil {
		return refuse(c, wire.CategoryConflict, "busy")
	}
	emit(c, wire.KindServiceCalled, &wire.ServiceCalledEvent{ServiceID: s.ID, Endpoint: q.Endpoint, Caller: c.Source})
	if res.State == program.Faulted {
		x.cpu.charge(c.Source, res.Ticks())
	} else {
		x.settle(c, s, res)
	}
	x.deliverResult(c, &wire.ServiceResult{
		ServiceID: q.ServiceID, Endpoint: q.Endpoint, Data: res.Reply, TicksUsed: res.Ticks(), Fault: faultOf(res.Fault), Message: ownWords(res),
	})
	return c.Ack(nil)
}

// settle books a call that halted: it charges the owner's forge ticks, pays the fee and stores the new state.
func (x *services) settle(c *world.Context, s *Service, res *program.Result) {
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

// ownWords returns the message with which a program ended itself, for the caller of its service.
func ownWords(res *program.Result) []byte {
	if res.Fault != program.UserFault {
		return nil
	}
	return []byte(res.Message)
}

// deliverResult sends the result of a call to its caller.
func (x *services) deliverResult(c *world.Context, r *wire.ServiceResult) {
	emit(c, wire.KindServiceCompleted, &wire.ServiceCompletedEvent{ServiceID: r.ServiceID, Endpoint: r.Endpoint, TicksUsed: r.TicksUsed})
	c.Deliver(c.Source, wire.TypeServiceResult, c.Msg, r)
}
