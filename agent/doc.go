// Package agent has the state of one agent: identity and keys, genome, status, memory, goals, the running task, and
// its rows in the store.
//
// The engine creates an [Agent] at spawn, the agent's turn (package ooda) changes it, and the engine flushes it at
// the end of a cycle and restores it from its rows on resume. It belongs to one goroutine at a time.
//
// The package promises that [Agent.Flush] returns only what changed, that [Restore] of all rows ever flushed gives an
// agent with the same bytes and the same [Agent.StateHash], and that the cost of this hash depends on what changed.
//
// The caller changes the status only through [Agent.SetStatus], which refuses illegal transitions.
//
// Rules and numbers are in docs/AGENT.md, columns in docs/STORE.md.
package agent
