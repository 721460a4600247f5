package engine

import (
	"cmp"
	"fmt"

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
	Reasoning string // why it chose it, in its own words; empty if it is not known
	Stored    bool   // Got was read from the store, not computed again: the store is damaged

	Run       string     // directory of the run; empty: not known
	WrittenBy string     // build that wrote the cycle; empty: this one, or it is not known
	ThisBuild string     // build that computed Got; empty: not known
	After     *Aftermath // what came after a difference at the end of a cycle; nil: not looked for
}

// Aftermath is what was found after a difference at the end of a cycle, which itself names no agent.
type Aftermath struct {
	Act     *DivergenceError // the first slot in which an agent thought or sent something else; nil: none up to the end of cycle Until
	Until   wire.Cycle
	Stopped error            // why nothing after Until could be compared; nil: the run has nothing more
	States  *StateDifference // nil: the run does not have its agents of any of these cycles
}

// StateDifference says which agents were in another state at the end of a cycle. It is the first cycle from the difference on
// of which the run has its agents: in a snapshot, or in the store, which has those of the last cycle.
type StateDifference struct {
	Cycle  wire.Cycle
	Count  int               // of all agents that differ
	Agents []AgentDifference // the first of them, in spawn order
}

// AgentDifference says in which parts the state of an agent differs (see [agent.Agent.Differences]).
type AgentDifference struct {
	Agent wire.AgentID
	Parts []string // nil: only one of the two histories has the agent
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
		store := "the store"
		if e.Run != "" {
			store += " of " + e.Run
		}
		return fmt.Sprintf("diverged at %s: %s is %s, recorded %s: %s is damaged or was changed; restore it from a copy, or see docs/DETERMINISM.md, how to find a divergence",
			at, e.Component, e.Got, e.Want, store)
	}
	text := fmt.Sprintf("diverged at %s: %s is %s, recorded %s", at, e.Component, e.Got, e.Want)
	if e.WrittenBy != "" {
		text += "; " + e.Builds()
	}
	return text + "; see docs/DETERMINISM.md, how to find a divergence"
}

// Builds says that another build wrote the run; empty if this one did, or if it is not known.
func (e *DivergenceError) Builds() string {
	if e.WrittenBy == "" {
		return ""
	}
	return fmt.Sprintf("%[1]s was written by kingdom %[2]s, this is %[3]s; to look at %[1]s use kingdom %[2]s", e.Run, e.WrittenBy, cmp.Or(e.ThisBuild, "another build"))
}

// ofStore turns a difference between a cycle row of the store and a cycle that agrees with the journal into one of the
// store, which is then what was changed.
func (e *DivergenceError) ofStore() *DivergenceError {
	e.Stored, e.Component = true, e.Component+" of the stored rows"
	return e
}

// UncomparedError ends a replay that found no difference but could not compare everything: the journal has no records
// from cycle From on.
type UncomparedError struct {
	Dir  string
	From wire.Cycle // first cycle that the journal does not hold
}

func (e *UncomparedError) Error() string {
	return fmt.Sprintf("replay %s: ticks, inputs and thoughts from cycle %d on could not be compared: the journal does not hold them; "+
		"restore %s from a copy", e.Dir, e.From, journalOf(e.Dir))
}
