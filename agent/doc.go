// Package agent is one inhabitant: identity and keys, genome, life status, memory,
// goals, the running task, and its rows in the store.
//
// Place in the tick: an [Agent] is created by the engine at spawn, changed by its
// turn (package ooda) in ask, act and record, flushed at the end of a cycle and
// restored from its rows on resume. It belongs to exactly one goroutine at a time.
//
// Promises: [Agent.Flush] returns only what changed; [Restore] of all rows ever
// flushed gives an agent with the same bytes and the same [Agent.StateHash];
// the cost of the hash follows what changed.
//
// Owed by the caller: status changes go through [Agent.SetStatus], which
// refuses every transition that is not in its table.
//
// Rules and numbers: docs/AGENT.md; columns: docs/STORE.md.
package agent
