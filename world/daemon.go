package world

import "kingdom/wire"

// Daemon is one of the world's state machines. Its tables are registered on the
// State it returns, so hashing, snapshots and restoring are shared code.
type Daemon interface {
	// System names the daemon.
	System() wire.System
	// Apply carries out one request. req is a pointer to the payload struct of the
	// envelope's message type, already decoded and checked by the receive pipeline
	// (docs/WIRE.md): sender is a known ACTIVE agent or a system, runtime-filled
	// fields are true, the epoch gate is open. Emitted events go through c.
	Apply(c *Context, req any) wire.Reply
	// State is the daemon's hashed state.
	State() *State
	// Restored is called once after all rows of all daemons were put back, so that
	// indices which are not state can be rebuilt.
	Restored()
}
