package realm

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/forge"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
	"kingdom/world/portal"
	"kingdom/world/vault"
)

// Realm is the daemons of one world.
type Realm struct {
	rules    *world.Rules
	daemons  []world.Daemon  // those that exist, in the order of their work at cycle end
	bySystem daemonsBySystem // the same by system

	// The daemons that the realm itself asks. A new daemon needs a field here only if it
	// is to be asked for something that no interface of package world has.
	nexus  *nexus.Daemon
	agora  *agora.Daemon
	oracle *oracle.Daemon
	vault  *vault.Daemon
	forge  *forge.Daemon
	mint   *mint.Daemon
	portal *portal.Daemon

	ctx              world.Context
	boundary         boundary // the last one entered
	receiver         receiver
	bus              *bus
	subjectReporters []subjectReporter // of the things that agents ask about
	events           []*wire.Event     // since TakeEvents
	cycle            wire.Cycle        // the open cycle
	order            []orderKey        // scratch of Order

	// Each calls do for 0 to n-1, which touch nothing in common, and returns when all are done. From New it does one after
	// the other; the owner of workers may put a function here that shares them out. The result is the same.
	Each func(n int, do func(i int))
}

// boundary counts the events that the gap before a tick has had.
type boundary struct {
	tick   wire.Tick
	events uint64
}

// New returns an empty world. The next call is Bootstrap or Restore. To add a daemon to every world, add a line to
// the list below, and a field to world.Siblings if other daemons call it.
func New(rules *world.Rules) *Realm {
	r := &Realm{
		rules: rules, ctx: world.Context{Rules: rules},
		nexus: nexus.New(rules), agora: agora.New(rules), oracle: oracle.New(rules), vault: vault.New(), forge: forge.New(rules), mint: mint.New(rules),
		portal: portal.New(rules),
		Each: func(n int, do func(i int)) {
			for i := range n {
				do(i)
			}
		},
	}
	r.daemons = []world.Daemon{
		r.nexus,
		r.agora,
		r.oracle,
		r.vault,
		r.forge,
		r.mint,
		r.portal,
	}
	siblings := &world.Siblings{
		Nexus: r.nexus, Agora: r.agora, Oracle: r.oracle, Vault: r.vault, Forge: r.forge, Proofs: r.forge, Mint: r.mint, Portal: r.portal,
		Entries: oracle.Entries(r.oracle), Objects: vault.Objects(r.vault),
	}
	for _, d := range r.daemons {
		d.Attach(siblings)
		r.bySystem[d.System()] = d
	}
	r.subjectReporters = subjectReportersOf(r.daemons)
	r.bus = newBus(rules, r)
	r.receiver = newReceiver(r)
	return r
}

// Rules returns the constants of this world.
func (r *Realm) Rules() *world.Rules { return r.rules }

// Nexus is the daemon of roster, votes and epochs, for reading only.
func (r *Realm) Nexus() *nexus.Daemon { return r.nexus }

// Oracle is the daemon of shared knowledge, for reading only.
func (r *Realm) Oracle() *oracle.Daemon { return r.oracle }

// Vault is the daemon of code, for reading only.
func (r *Realm) Vault() *vault.Daemon { return r.vault }

// Agent returns the roster's record of a, nil if a is unknown; read-only.
func (r *Realm) Agent(a wire.AgentID) *nexus.Agent { return r.nexus.Agent(a) }

// Agents returns all agents ever, ascending by id; read-only.
func (r *Realm) Agents() []wire.AgentID { return r.nexus.Agents() }

// Active returns the agents that are ACTIVE now, ascending by id; read-only.
func (r *Realm) Active() []wire.AgentID { return r.nexus.Active() }

// Balance returns a's balance and how much of it is locked, in ⚡.
func (r *Realm) Balance(a wire.AgentID) (balance int64, locked uint64) {
	acc, _ := r.mint.Account(a)
	return acc.Balance, acc.Locked
}

// Epoch returns the current epoch.
func (r *Realm) Epoch() uint32 { return r.nexus.Epoch() }

// Chain returns the envelope chain of the open cycle: h ← SHA-256(h ‖ msg_id) over the requests in commit order, from
// 32 zero bytes.
func (r *Realm) Chain() wire.Hash { return r.receiver.chain }

// BusHash returns the hash of the messages and events that wait for delivery, as of the last EndCycle or Restore.
func (r *Realm) BusHash() wire.Hash { return r.bus.store.hash }

// Dropped returns how many events were lost because queues were full.
func (r *Realm) Dropped() uint64 { return r.bus.dropped() }

// TakeEvents returns all events since the last call, in id order.
func (r *Realm) TakeEvents() []*wire.Event {
	out := r.events
	r.events = nil
	return out
}

// enterBoundary moves the context to the gap before tick t, behind the events it has had.
func (r *Realm) enterBoundary(t wire.Tick) *world.Context {
	if r.boundary.tick != t {
		r.boundary = boundary{tick: t}
	}
	r.ctx.Boundary(t, r.boundary.events)
	r.ctx.Source, r.ctx.Msg, r.ctx.Epoch = wire.SystemID(wire.SystemNexus), wire.Hash{}, r.nexus.Epoch()
	return &r.ctx
}

// leaveBoundary ends what happened there: its events go out at once, and the views that
// follow find what they share.
func (r *Realm) leaveBoundary() {
	r.boundary.events = r.ctx.BoundaryCount()
	r.collect()
	r.bus.route()
	r.agora.Post(r.ctx.Tick)
}

// collect takes the events and deliveries out of the context.
func (r *Realm) collect() {
	r.events = append(r.events, r.ctx.Events...)
	r.bus.pending = append(r.bus.pending, r.ctx.Events...)
	r.bus.outbox = append(r.bus.outbox, r.ctx.Deliveries...)
	clear(r.ctx.Events)
	clear(r.ctx.Deliveries)
	r.ctx.Events, r.ctx.Deliveries = r.ctx.Events[:0], r.ctx.Deliveries[:0]
}

// Missing returns the contents that EndCycle needs and that are only in the store. The caller fills them before
// EndCycle and calls Missing again, because what was read may refer to more, until it returns nothing. Nothing may be
// committed meanwhile.
func (r *Realm) Missing() []wire.Missing {
	out := append(r.agora.Missing(), r.oracle.Missing(r.cycle)...)
	return append(out, r.forge.Missing(r.rules.Calendar.Last(r.cycle), r.nexus.Epoch())...)
}

// Forget releases the contents that the store has: those of each append-only table below its head. A world without a
// store keeps them in memory.
func (r *Realm) Forget(stored []world.Head) {
	for _, d := range r.daemons {
		d.State().Forget(stored)
	}
}
