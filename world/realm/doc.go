// Package realm is one world: its daemons, the checks in front of them, the delivery of their events, and the order
// of a cycle end. The engine drives it; nobody else changes the state of the world.
//
// The calls of a cycle are, in order: StartCycle; then for every executed tick OpenTick, the operator's inputs of
// that boundary (SetStatus, Spawn), View for every agent with a slot, Prepare, Commit; then EndCycle. Cycle 0 is
// Bootstrap alone.
//
// The package is pure and deterministic: the same calls give the same hashes, replies and events. View returns the
// state before the tick. Between the inputs of a boundary and Commit, View may be called for different agents
// concurrently, and so may the tasks that Prepare returns. Everything else must be called in the order above from one
// goroutine, with seats in commit order (Order) and with envelopes whose msg_id and signature belong to their
// payload.
package realm
