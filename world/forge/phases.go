package forge

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/forge/program"
)

// Ticks at which Forge's phases of the bootstrap are complete (docs/WORLD.md, bootstrap).
const (
	tickStarlark wire.Tick = 10
	tickForge    wire.Tick = 40
)

// Phases are the self-test of the interpreter, and the start of Forge's own service.
func (d *Daemon) Phases(*world.Bootstrap) []world.Phase {
	return []world.Phase{
		{Tick: tickStarlark, Run: func(*world.Context) (wire.EventKind, any) {
			if err := selfTest(); err != nil {
				panic(fmt.Sprintf("forge: the self-test of the interpreter failed: %v", err))
			}
			return wire.KindStarlarkReady, &wire.StarlarkReadyEvent{}
		}},
		{Tick: tickForge, Run: func(c *world.Context) (wire.EventKind, any) {
			c.ActAs(sys)
			d.services.createStarlark(c)
			c.ActAs(wire.SystemNexus)
			return wire.KindForgeReady, &wire.ForgeReadyEvent{}
		}},
	}
}

// selfTest runs a program whose output is known, and verifies the proof of it.
func selfTest() error {
	e := Evidence{
		Source: []byte("def main(stdin):\n    return \"\".join(reversed(list(str(stdin).elems())))\n"),
		Input:  []byte("krapS"), TickBudget: 1, Memory: maxMemory,
	}
	code, err := program.Compile(e.Source)
	if err != nil {
		return err
	}
	r := program.Run(program.Input{Program: code, Stdin: e.Input, Steps: e.TickBudget * program.StepsPerTick, Memory: e.Memory})
	if r.State != program.Halted || !bytes.Equal(r.Output, []byte("Spark")) {
		return fmt.Errorf("it ended %s with output %q %s", r.State, r.Output, r.Message)
	}
	p := &wire.ExecutionProof{
		Program: wire.ObjectID(wire.ObjectAtom, e.Source), Input: sha256.Sum256(e.Input), Output: sha256.Sum256(r.Output),
		TicksUsed: r.Ticks(), TraceHash: r.Trace,
	}
	p.Sign()
	return Verify(p, e)
}
