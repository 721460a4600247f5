package engine

import (
	"fmt"

	"kingdom/wire"
)

// DivergenceError is the first difference between a history and its
// re-execution. Tick and Agent are zero when it could not be narrowed to them.
type DivergenceError struct {
	Cycle     wire.Cycle
	Tick      wire.Tick
	Agent     wire.AgentID
	Component string // "thoughts", "envelopes", "world_hash", "nexus", "agents_hash", …
	Want      string // as recorded
	Got       string // as computed now
}

func (e *DivergenceError) Error() string {
	at := fmt.Sprintf("cycle %d", e.Cycle)
	if e.Tick != 0 {
		at += fmt.Sprintf(" tick %d", e.Tick)
	}
	if !e.Agent.IsZero() {
		at += " agent " + e.Agent.Alias()
	}
	return fmt.Sprintf("diverged at %s: %s is %s, recorded %s; see docs/DETERMINISM.md, how to find a divergence",
		at, e.Component, e.Got, e.Want)
}
