// Package realm is one world: the daemons wired together, the receive pipeline in
// front of them, the event bus behind them, and the order of a cycle end. The
// engine drives it; nobody else changes world state.
//
// Place in the tick: everything between the mind's answer and the store. In order,
// a cycle is StartCycle, then for every stepped tick OpenTick, the operator inputs
// of that boundary (SetStatus, Spawn), View for every agent with a slot, Prepare, Commit;
// and EndCycle. Cycle 0 is Bootstrap alone.
//
// Promises: pure and deterministic, so that the same calls give the same hashes,
// replies and events; View sees the state before the tick and may be called for
// different agents concurrently, between the inputs of a boundary and Commit; so may
// the tasks that Prepare returns.
// The caller owes: calls in the order above from one goroutine (View excepted),
// seats in commit order (Order), envelopes whose msg_id and signature belong to
// their payload.
package realm
