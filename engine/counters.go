package engine

import "fmt"

// counters count since the run began; every cycle row holds them.
type counters struct {
	agentTicks uint64 // slots used
	nops       uint64
	warnings   uint64 // NOP warnings
	slept      uint64 // times an agent fell DORMANT
	inputSeq   uint64 // outside inputs applied
}

// counters returns the counters of a cycle row.
func (r *CycleRow) counters() counters {
	return counters{agentTicks: r.AgentTicks, nops: r.NOPs, warnings: r.Warnings, slept: r.Slept, inputSeq: r.InputSeq}
}

func (c counters) String() string {
	return fmt.Sprintf("%d agent-ticks, %d nops, %d warnings, %d fell dormant, %d inputs", c.agentTicks, c.nops, c.warnings, c.slept, c.inputSeq)
}
