// Package world has what all daemons share: the [Daemon] interface, the [Context] in which a request is applied,
// refusals, the ids of events, and the incrementally hashed tables in which daemons keep their state.
//
// In a tick it works in prepare and commit. The realm gives each request, in commit order, to Apply of its daemon;
// before that a [Preparer] may have work done in parallel. At cycle end the daemons run their maintenance and the
// state hashes are computed. Everything here and in the daemons' packages is a pure state machine: no I/O, no
// goroutine, no clock except Context.Tick, no randomness except keyed streams.
//
// A daemon validates a request completely before it changes anything, leaves its state unchanged if it refuses, and
// keeps all state that can influence later behaviour in tables (docs/WORLD.md).
package world
