package realm

import (
	"fmt"
	"slices"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// BootResult is the result of Bootstrap.
type BootResult struct {
	Agents []wire.AgentID // in spawn order
	End    CycleEnd       // of cycle 0
}

// Bootstrap runs cycle 0: the phases of the world's daemons (docs/WORLD.md, bootstrap) and the end of the cycle. A
// cycle must have more than 91 ticks.
func (r *Realm) Bootstrap(genomes []wire.Genome) BootResult {
	if last := r.rules.Calendar.Last(0); last < nexus.TickBigBang {
		panic(fmt.Sprintf("realm: bootstrap takes %d ticks but a cycle has %d; the scenario loader must refuse this", nexus.TickBigBang+1, last+1))
	}
	b := &world.Bootstrap{Genomes: genomes}
	var phases []world.Phase
	for _, d := range r.daemons {
		if f, ok := d.(world.Bootstrapper); ok {
			phases = append(phases, f.Phases(b)...)
		}
	}
	slices.SortStableFunc(phases, func(x, y world.Phase) int { return int(x.Tick) - int(y.Tick) })
	for len(phases) > 0 {
		n := 1
		for n < len(phases) && phases[n].Tick == phases[0].Tick {
			n++
		}
		r.runPhases(phases[:n])
		phases = phases[n:]
	}
	return BootResult{Agents: b.Agents, End: r.EndCycle(nil)}
}

// runPhases carries out the phases of one tick.
func (r *Realm) runPhases(phases []world.Phase) {
	t := phases[0].Tick
	c := r.enterBoundary(t)
	r.nexus.Advance(t)
	for i := range phases {
		if kind, payload := phases[i].Run(c); kind != 0 {
			c.Emit(wire.SystemNexus, kind, wire.SystemID(wire.SystemNexus), payload, nil)
		}
	}
	r.leaveBoundary()
}
