package realm

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
)

// Realm is the daemons of one world.
type Realm struct {
	rules  *world.Rules
	nexus  *nexus.Daemon
	agora  *agora.Daemon
	oracle *oracle.Daemon
	mint   *mint.Daemon

	ctx    world.Context
	edge   edge // events of the boundary so far
	gate   gate // receive pipeline
	bus    *bus
	events []*wire.Event // since TakeEvents
	chain  wire.Hash     // envelope chain of the open cycle
	cycle  wire.Cycle    // the open cycle
	order  []orderKey    // scratch of Order
}

// edge counts the events that the boundary of a tick has had.
type edge struct {
	tick wire.Tick
	n    uint64
}

// New returns an empty world under rules; Bootstrap or Restore comes next.
func New(rules *world.Rules) *Realm {
	r := &Realm{
		rules: rules,
		nexus: nexus.New(rules), agora: agora.New(rules), oracle: oracle.New(rules), mint: mint.New(rules),
		ctx: world.Context{Rules: rules},
	}
	r.nexus.Attach(r.mint, r.agora)
	r.agora.Attach(r.mint, r.nexus, r.oracle)
	r.oracle.Attach(r.nexus, r.mint, r.agora)
	r.mint.Attach(r.nexus, nil) // code reviews need Vault, so none is approved yet
	r.gate = newGate()
	r.bus = newBus(rules, r)
	return r
}

// daemons lists those that exist in the order of the world hash.
func (r *Realm) daemons() []world.Daemon {
	return []world.Daemon{r.nexus, r.agora, r.oracle, r.mint}
}

// serves returns the daemon of a system, nil if this world has none.
func (r *Realm) serves(s wire.System) world.Daemon {
	switch s {
	case wire.SystemNexus:
		return r.nexus
	case wire.SystemAgora:
		return r.agora
	case wire.SystemOracle:
		return r.oracle
	case wire.SystemMint:
		return r.mint
	}
	return nil
}

// Rules are the constants of this world.
func (r *Realm) Rules() *world.Rules { return r.rules }

// Nexus is the daemon of roster, votes and epochs, for reading only.
func (r *Realm) Nexus() *nexus.Daemon { return r.nexus }

// Agora is the daemon of channels, bounties and reviews, for reading only.
func (r *Realm) Agora() *agora.Daemon { return r.agora }

// Oracle is the daemon of shared knowledge, for reading only.
func (r *Realm) Oracle() *oracle.Daemon { return r.oracle }

// Mint is the daemon of money, for reading only.
func (r *Realm) Mint() *mint.Daemon { return r.mint }

// Agent is the roster's record of a, nil if unknown; read-only.
func (r *Realm) Agent(a wire.AgentID) *nexus.Agent { return r.nexus.Agent(a) }

// Agents returns all agents ever, ascending by id; read-only.
func (r *Realm) Agents() []wire.AgentID { return r.nexus.Agents() }

// Active returns the agents that are ACTIVE now, ascending by id; read-only.
func (r *Realm) Active() []wire.AgentID { return r.nexus.Active() }

// Balance is a's balance and how much of it is locked, in ⚡.
func (r *Realm) Balance(a wire.AgentID) (balance int64, locked uint64) {
	acc, _ := r.mint.Account(a)
	return acc.Balance, acc.Locked
}

// Message is the Agora message id, nil if unknown; read-only.
func (r *Realm) Message(id wire.Hash) *wire.Message { return r.agora.Message(id) }

// Epoch is the current epoch.
func (r *Realm) Epoch() uint32 { return r.nexus.Epoch() }

// Chain is the envelope chain of the open cycle: h ← SHA-256(h ‖ msg_id) over the
// requests in commit order, from 32 zero bytes.
func (r *Realm) Chain() wire.Hash { return r.chain }

// Dropped counts the events that full queues have lost.
func (r *Realm) Dropped() uint64 { return r.bus.dropped() }

// TakeEvents returns all events since the last call, in id order.
func (r *Realm) TakeEvents() []*wire.Event {
	out := r.events
	r.events = nil
	return out
}

// at moves the context to a boundary of tick t, behind the events it has had.
func (r *Realm) at(t wire.Tick) *world.Context {
	if r.edge.tick != t {
		r.edge = edge{tick: t}
	}
	r.ctx.Boundary(t, r.edge.n)
	r.ctx.Source, r.ctx.Msg, r.ctx.Epoch = wire.SystemID(wire.SystemNexus), wire.Hash{}, r.nexus.Epoch()
	return &r.ctx
}

// leave ends what happened at a boundary: its events go out at once, and the views that
// follow find what they share.
func (r *Realm) leave() {
	r.edge.n = r.ctx.BoundaryCount()
	r.collect()
	r.bus.route()
	r.agora.Post(r.ctx.Tick)
}

// collect takes the events out of the context.
func (r *Realm) collect() {
	r.events = append(r.events, r.ctx.Events...)
	r.bus.pending = append(r.bus.pending, r.ctx.Events...)
	clear(r.ctx.Events)
	r.ctx.Events = r.ctx.Events[:0]
}

// Missing lists the contents that EndCycle needs and that lie in the store. They must be
// filled before it; between the two nothing may be committed.
func (r *Realm) Missing() []wire.Missing {
	return append(r.agora.Missing(), r.oracle.Missing()...)
}

// Forget lets go of the contents that the store has: those of each append-only table
// below its head. A world without a store keeps them for ever.
func (r *Realm) Forget(stored []world.Head) {
	for _, d := range r.daemons() {
		d.State().Forget(stored)
	}
}
