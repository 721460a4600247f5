package wire

// Tick is the unit of time: one step of the world clock, counted from 0 at genesis.
type Tick uint64

// Cycle is the number of a cycle, which has Calendar.TicksPerCycle ticks. Cycle 0 is the bootstrap.
type Cycle uint64

// EventID identifies an event: its Lamport value, then the daemon that emitted it.
type EventID struct {
	Lamport uint64  `kdom:"lamport"`
	Agent   AgentID `kdom:"agent"`
}

// Compare orders events: by Lamport value, then by the emitter's id bytes.
func (e EventID) Compare(o EventID) int {
	switch {
	case e.Lamport < o.Lamport:
		return -1
	case e.Lamport > o.Lamport:
		return 1
	}
	return e.Agent.Compare(o.Agent)
}

// DefaultTicksPerCycle is the length of a cycle unless a scenario says otherwise.
const DefaultTicksPerCycle = 256

// Calendar converts between ticks and cycles. The zero value is not usable: TicksPerCycle
// must be at least 1.
type Calendar struct {
	TicksPerCycle uint64
}

// Cycle returns the cycle that holds the tick.
func (c Calendar) Cycle(t Tick) Cycle { return Cycle(uint64(t) / c.TicksPerCycle) }

// First returns the first tick of a cycle.
func (c Calendar) First(n Cycle) Tick { return Tick(uint64(n) * c.TicksPerCycle) }

// Last returns the last tick of a cycle; the cycle end happens after it.
func (c Calendar) Last(n Cycle) Tick { return c.First(n) + Tick(c.TicksPerCycle-1) }

// ClaimCycles returns after how many cycles a claim of a bounty ends without a delivery: most, but less than half of the
// time from the claim to the deadline, so that a failed claim leaves others time for the work; at least 1.
func (c Calendar) ClaimCycles(claimed, deadline Tick, most uint64) uint64 {
	left := uint64(c.Cycle(deadline) - c.Cycle(claimed))
	return min(most, max(2, left/2)-1)
}

// Offset returns the position of the tick within its cycle, from 0.
func (c Calendar) Offset(t Tick) uint64 { return uint64(t) % c.TicksPerCycle }
