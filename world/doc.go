// Package world holds what all daemons of the world share: the Daemon contract,
// the Context a request is applied in, refusals, the event log's id rule, and the
// incrementally hashed tables that all daemon state lives in.
//
// Place in the tick: prepare and commit. The engine opens the envelopes of a tick in
// their fixed order and hands each to its daemon's Apply; before that a Preparer may
// have work done ahead. At cycle end the daemons' maintenance is run and the state
// hashes are taken. Everything here and in the
// daemon packages below it is a pure state machine: no I/O, no goroutine, no
// clock but Context.Tick, no randomness but keyed streams.
//
// A daemon owes its caller three things: it validates everything before it
// changes anything, a refusal leaves its state as it was, and all of its state
// that can influence later behaviour lives in tables (docs/WORLD.md).
package world
