package world

import "kingdom/wire"

// Daemon is one of the world's state machines. Its tables are registered on the [State] it returns, so hashing,
// snapshots and restoring are shared code.
//
// Tasks that only some daemons have are optional interfaces below; the realm checks which of them each daemon
// implements.
type Daemon interface {
	// System names the daemon.
	System() wire.System
	// Attach gives the daemon its siblings; called once, before anything else. Fields of
	// daemons that this world has not are nil.
	Attach(s *Siblings)
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

// Bootstrapper is a daemon with phases in the bootstrap.
type Bootstrapper interface {
	// Phases are carried out with those of all daemons, ascending by tick, for equal
	// ticks in the order of the realm's list.
	Phases(b *Bootstrap) []Phase
}

// Phase is a part of the bootstrap.
type Phase struct {
	Tick wire.Tick // at which it is complete
	// Run carries it out; Nexus then emits the event that it returns, kind 0 for none.
	Run func(c *Context) (kind wire.EventKind, payload any)
}

// Bootstrap is what phases of the bootstrap pass to later ones.
type Bootstrap struct {
	Genomes []wire.Genome // of the first agents

	Specification wire.Hash // entry #0
	Programs      []string  // sources of the examples in it
	Tests         []File    // of the system bounties, by name
	Genesis       wire.Hash // the repo GENESIS_BOOTSTRAP, after Vault's phase; zero without Vault

	Agents []wire.AgentID // the first agents in spawn order, after their phase
}

// File is a named text of the bootstrap.
type File struct {
	Name string
	Data []byte
}

// Maintainer is a daemon with work at the end of a cycle.
type Maintainer interface {
	// CycleEnd does it; daemons follow each other in the order of the realm's list.
	CycleEnd(c *Context)
}

// PartyLister is a daemon whose things have owners. An owner hears of every event about its things.
type PartyLister interface {
	// Parties calls add for everybody whose own thing e is about, whichever daemon emitted e.
	// Whom e names in a field need not be repeated; ids that are no agents are ignored.
	Parties(e *wire.Event, add func(wire.AgentID))
}

// EventAccess is a daemon with events that not everybody may see.
type EventAccess interface {
	// MaySee says whether a may know of e, an event of this daemon.
	MaySee(e *wire.Event, a wire.AgentID) bool
}

// SubjectReporter is a daemon that can say whether one of its things is closed to an agent.
type SubjectReporter interface {
	// Closed says what became of thing id if nothing is left there for a to do at tick now; false
	// if something is, or if the daemon does not know the id. It only reads.
	Closed(id wire.Hash, a wire.AgentID, now wire.Tick) (s wire.SubjectView, closed bool)
}

// MetricsReporter is a daemon with values in the metrics row of a cycle.
type MetricsReporter interface {
	// Measure fills in its own.
	Measure(m *Metrics)
}

// Metrics is the row of metrics of a cycle (docs/STORE.md).
type Metrics struct {
	Cycle             wire.Cycle
	Epoch             uint32
	Agents            uint32 // EMBRYO, ACTIVE and DORMANT
	VaultRepos        uint64
	OracleEntries     uint64
	CirculatingSupply int64
	Treasury          int64
	Gini              float32
	Velocity          float32
	OpenBounties      uint32
	CompletedBounties uint32
	TotalTransactions uint64
}
