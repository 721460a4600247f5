package forge

import (
	"crypto/sha256"
	"fmt"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// prove certifies the last run of a sandbox. The proof of a run that faulted is delivered too, but Proved does not accept
// it: else a budget that is too small for a program would suffice to have "run" it.
func (x *sandboxes) prove(c *world.Context, q *wire.ProofRequest) wire.Reply {
	b, r := x.findOwned(c, q.SandboxID)
	if r != nil {
		return c.Relay(sys, r)
	}
	run := x.runs.Get(b.ID)
	if run == nil {
		return refuse(c, wire.CategoryConflict, "not_finished", world.Status(b.State))
	}
	p := &wire.ExecutionProof{Program: b.Code, Input: run.Input, Output: run.Output, TicksUsed: run.TicksUsed, TraceHash: run.Trace}
	p.Sign()
	if id := proofID(p); run.Fault == nil && x.proofs.Get(id) == nil {
		x.proofs.Put(id, &Proven{Tick: c.Tick})
	}
	emit(c, wire.KindProofGenerated, p)
	c.Deliver(c.Source, wire.TypeProofResult, c.Msg, p)
	return c.Ack(&wire.ProofRequestAck{Ticks: 2 * action.RunTicks(run.TicksUsed)})
}

// Proved reports whether Forge made p for a run that halted.
func (d *Daemon) Proved(p *wire.ExecutionProof) bool {
	return d.sandboxes.proofs.Get(proofID(p)) != nil
}

func proofID(p *wire.ExecutionProof) wire.Hash {
	return sha256.Sum256(wire.ExecutionProofCodec.Append(nil, p))
}

// Evidence is what is needed to run the program of a proof again: the program and everything on which its run
// depended.
type Evidence struct {
	Source      []byte
	Input       []byte
	Environment codec.BinMap
	TickBudget  uint64 // forge ticks
	Memory      uint64 // quota, bytes

	Load, Vault, Oracle program.Reader // as of the tick of the run
}

// Verify runs the program of a proof again and returns an error that says what is wrong with the proof, nil if it is
// right.
func Verify(p *wire.ExecutionProof, e Evidence) error {
	switch {
	case !p.Verify():
		return fmt.Errorf("the signature is not that of FORGE_0")
	case wire.ObjectID(wire.ObjectAtom, e.Source) != p.Program:
		return fmt.Errorf("the source is not that of program %s", p.Program)
	case sha256.Sum256(e.Input) != p.Input:
		return fmt.Errorf("the input is not the one of the run")
	}
	code, err := program.Compile(e.Source)
	if err != nil {
		return fmt.Errorf("compile program %s: %w", p.Program, err)
	}
	r := program.Run(program.Input{
		Program: code, Stdin: e.Input, Env: environment(e.Environment), Steps: e.TickBudget * program.StepsPerTick, Memory: e.Memory,
		Load: e.Load, Vault: e.Vault, Oracle: e.Oracle,
	})
	switch {
	case r.State == program.Stopped:
		return fmt.Errorf("object %s, which the program reads, is not there", r.Missing.ID)
	case sha256.Sum256(r.Output) != p.Output:
		return fmt.Errorf("the output differs: %d bytes come out", len(r.Output))
	case r.Ticks() != p.TicksUsed:
		return fmt.Errorf("%d forge ticks were used, not %d", r.Ticks(), p.TicksUsed)
	case r.Trace != p.TraceHash:
		return fmt.Errorf("the trace differs: the run took another way, or read something else")
	}
	return nil
}
