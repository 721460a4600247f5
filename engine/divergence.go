package engine

import (
	"fmt"
	"path/filepath"

	"kingdom/wire"
)

// DivergenceError is the first difference between a recorded history and its repetition. Tick and Agent are zero if
// the difference cannot be assigned to them.
type DivergenceError struct {
	Cycle     wire.Cycle
	Tick      wire.Tick
	Agent     wire.AgentID
	Component string // "thoughts", "envelopes", "world_hash", "nexus", "agents_hash", …
	Want      string // as recorded
	Got       string // as computed now
	Chose     string // the agent's action as computed now; empty if it is not known
	Stored    bool   // Got was read from the store, not computed again
}

func (e *DivergenceError) Error() string {
	at := fmt.Sprintf("cycle %d", e.Cycle)
	if e.Tick != 0 {
		at += fmt.Sprintf(" tick %d", e.Tick)
	}
	if !e.Agent.IsZero() {
		at += " agent " + e.Agent.Alias()
	}
	if e.Stored {
		return fmt.Sprintf("diverged at %s: %s is %s, recorded %s: the store is damaged or was changed; restore it from a copy, or see docs/DETERMINISM.md, how to find a divergence",
			at, e.Component, e.Got, e.Want)
	}
	return fmt.Sprintf("diverged at %s: %s is %s, recorded %s; see docs/DETERMINISM.md, how to find a divergence",
		at, e.Component, e.Got, e.Want)
}

// UncomparedError ends a replay that found no difference but could not compare everything: the journal has no records
// from cycle From on.
type UncomparedError struct {
	Dir  string
	From wire.Cycle // first cycle that the journal does not hold
}

func (e *UncomparedError) Error() string {
	return fmt.Sprintf("replay %s: ticks, inputs and thoughts from cycle %d on could not be compared: the journal does not hold them; "+
		"restore %s from a copy", e.Dir, e.From, filepath.Join(e.Dir, journalDir))
}
