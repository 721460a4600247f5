package forge

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// made is a run that was made in the prepare stage.
type made struct {
	desk   *desk
	result *program.Result
}

// runnable says why a sandbox cannot be run, apart from the time that its owner has.
func (b *Sandbox) runnable() *world.Refusal {
	if b.State == wire.SandboxStateReady || b.Persistent {
		return nil
	}
	return no(wire.CategoryConflict, "state", world.Status(b.State))
}

// job is the run of a sandbox, nil if its program is not on the desk.
func (x *desk) job(b *Sandbox) *job {
	p := x.program(b.Code)
	if p == nil {
		return nil
	}
	return &job{owner: b.Owner, code: p, input: program.Input{
		Stdin: b.Input, Env: environment(b.Environment), Steps: b.TickBudget * program.StepsPerTick, Memory: b.MemoryQuota,
	}}
}

func environment(m codec.BinMap) map[string][]byte {
	out := make(map[string][]byte, len(m))
	for _, e := range m {
		out[e.Key] = e.Value
	}
	return out
}

// executing is the task that runs a sandbox; its record changes by a request of its owner only,
// who has no other one in this tick.
func (x *sandboxes) executing(t wire.Tick, seat int, b *Sandbox) world.Task {
	m := &made{desk: x.desk(t)}
	return world.Task{
		Seats: []int{seat},
		Reads: func() []wire.Missing {
			m.make(b)
			return m.desk.ask()
		},
		Run: func(world.Answer) []any {
			m.desk.closed = true
			return []any{m}
		},
	}
}

// make runs the sandbox as far as the desk goes.
func (m *made) make(b *Sandbox) {
	if m.result != nil {
		return
	}
	if j := m.desk.job(b); j != nil {
		if r, ok := m.desk.run(*j); ok {
			m.result = r
		}
	}
}

// ran is what a run comes to: what was prepared, or the same made now, in a world without a
// prepare stage.
func (x *sandboxes) ran(c *world.Context, b *Sandbox) *program.Result {
	m, ok := c.Prepared.(*made)
	if !ok {
		m = &made{desk: x.desk(c.Tick)}
		m.make(b)
	}
	if m.result == nil {
		panic("forge: sandbox " + b.ID.String() + " was not run in the prepare stage")
	}
	return m.result
}

func (x *sandboxes) start(c *world.Context, q *wire.ExecStart) wire.Reply {
	b, r := x.own(c, q.SandboxID)
	if r == nil {
		r = world.FirstRefusal(b.runnable(), x.cpu.holds(c, c.Source, b.TickBudget))
	}
	if r != nil {
		return c.Relay(sys, r)
	}
	res := x.ran(c, b)
	x.cpu.charge(c.Source, res.Ticks())
	x.keep(c, b.ID, res)
	emit(c, wire.KindSandboxStarted, &wire.SandboxStartedEvent{SandboxID: b.ID, Owner: b.Owner})
	x.report(c, b, res)
	c.Deliver(c.Source, wire.TypeExecResult, c.Msg, &wire.ExecResult{
		SandboxID: b.ID, State: b.State, TicksUsed: b.TicksUsed, Output: res.Output, Fault: faultOf(res.Fault),
	})
	return c.Ack(&wire.ExecStartAck{Ticks: action.RunTicks(res.Ticks())})
}

// keep notes what a run came to.
func (x *sandboxes) keep(c *world.Context, id wire.Hash, res *program.Result) {
	b := x.Edit(id)
	b.State, b.TicksUsed, b.MemoryUsed, b.Since = wire.SandboxStateHalted, res.Ticks(), res.Memory, c.Cycle
	if res.State == program.Faulted {
		b.State = wire.SandboxStateFaulted
	}
	x.runs.Put(id, &Run{
		Input: sha256.Sum256(b.Input), Output: sha256.Sum256(res.Output), TicksUsed: res.Ticks(), Trace: res.Trace, Fault: faultOf(res.Fault),
	})
	if !b.Persistent { // it cannot run again
		b.Input, b.Environment = nil, nil
	}
}

// report tells how a run ended. The first program of an agent that halts with output is the
// spark.
func (x *sandboxes) report(c *world.Context, b *Sandbox, res *program.Result) {
	if res.State == program.Faulted {
		emit(c, wire.KindSandboxFaulted, &wire.SandboxFaultedEvent{
			SandboxID: b.ID, Fault: *faultOf(res.Fault), TicksUsed: b.TicksUsed, PC: uint64(res.Line),
		})
		return
	}
	emit(c, wire.KindSandboxHalted, &wire.SandboxHaltedEvent{SandboxID: b.ID, TicksUsed: b.TicksUsed, OutputHash: sha256.Sum256(res.Output)})
	if o, _ := x.code.Object(b.Code); len(res.Output) > 0 && !wire.IsSystem(o.Putter) {
		x.roster.RecordMilestone(c, world.MilestoneSpark)
	}
}
