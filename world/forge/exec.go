package forge

import (
	"crypto/sha256"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// preparedRun is a run of a sandbox that was made in the prepare stage.
type preparedRun struct {
	loader *loader
	result *program.Result
}

// checkRunnable refuses to run a sandbox that has run and is not persistent. It does not check the owner's forge ticks.
func (b *Sandbox) checkRunnable() *world.Refusal {
	if b.State == wire.SandboxStateReady || b.Persistent {
		return nil
	}
	return refusal(wire.CategoryConflict, "state", world.Status(b.State))
}

// job returns the run of a sandbox, nil if its program is not loaded yet.
func (x *loader) job(b *Sandbox) *job {
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

// runTask returns the task that runs a sandbox. The record of the sandbox is safe to read in the prepare stage: only its
// owner can change it, who has no other request in this tick.
func (x *sandboxes) runTask(t wire.Tick, seat int, b *Sandbox) world.Task {
	m := &preparedRun{loader: x.newLoader(t)}
	return world.Task{
		Seats: []int{seat},
		Reads: func() []wire.Missing {
			m.run(b)
			return m.loader.takeMissing()
		},
		Run: func(world.Answer) []any {
			m.loader.closed = true
			return []any{m}
		},
	}
}

// run runs the sandbox. It leaves result nil if something is not loaded yet.
func (m *preparedRun) run(b *Sandbox) {
	if m.result != nil {
		return
	}
	if j := m.loader.job(b); j != nil {
		if r, ok := m.loader.run(*j); ok {
			m.result = r
		}
	}
}

// runResult returns the result of a run: the prepared one, or that of a run made now in a world without a prepare stage.
func (x *sandboxes) runResult(c *world.Context, b *Sandbox) *program.Result {
	m, ok := c.Prepared.(*preparedRun)
	if !ok {
		m = &preparedRun{loader: x.newLoader(c.Tick)}
		m.run(b)
	}
	if m.result == nil {
		panic("forge: sandbox " + b.ID.String() + " was not run in the prepare stage")
	}
	return m.result
}

func (x *sandboxes) start(c *world.Context, q *wire.ExecStart) wire.Reply {
	b, r := x.findOwned(c, q.SandboxID)
	if r == nil {
		r = world.FirstRefusal(b.checkRunnable(), x.cpu.require(c, c.Source, b.TickBudget))
	}
	if r != nil {
		return c.Relay(sys, r)
	}
	res := x.runResult(c, b)
	x.cpu.charge(c.Source, res.Ticks())
	x.storeResult(c, b.ID, res)
	emit(c, wire.KindSandboxStarted, &wire.SandboxStartedEvent{SandboxID: b.ID, Owner: b.Owner})
	x.emitResult(c, b, res)
	c.Deliver(c.Source, wire.TypeExecResult, c.Msg, &wire.ExecResult{
		SandboxID: b.ID, State: b.State, TicksUsed: b.TicksUsed, Output: res.Output, Fault: faultOf(res.Fault),
		Message: []byte(res.Message), Module: moduleOf(res), Line: res.Line, Log: res.Log,
	})
	return c.Ack(&wire.ExecStartAck{Ticks: action.RunTicks(res.Ticks())})
}

// moduleOf returns the module in which a run faulted, nil if it was in the program itself.
func moduleOf(res *program.Result) *wire.Hash {
	if id, ok := program.VaultID(res.Module); ok {
		return &id
	}
	return nil
}

// storeResult stores the result of a run.
func (x *sandboxes) storeResult(c *world.Context, id wire.Hash, res *program.Result) {
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

// emitResult emits the event of how a run ended. The first program of an agent that halts with output is the milestone
// "spark".
func (x *sandboxes) emitResult(c *world.Context, b *Sandbox, res *program.Result) {
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
