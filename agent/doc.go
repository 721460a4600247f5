// Package agent is one inhabitant: identity and keys, genome, life status, memory,
// goals, the running task, and its rows in the store.
//
// The engine creates an [Agent] at spawn, its turn (package ooda) changes it, and it is
// flushed at the end of a cycle and restored from its rows on resume. It belongs to
// exactly one goroutine at a time.
//
// The package promises that [Agent.Flush] returns only what changed, that [Restore] of
// all rows ever flushed gives an agent with the same bytes and the same
// [Agent.StateHash], and that the cost of the hash follows what changed.
//
// The caller changes the status through [Agent.SetStatus] only, which refuses illegal
// transitions.
//
// Rules and numbers: docs/AGENT.md; columns: docs/STORE.md.
package agent
