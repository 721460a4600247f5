package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// Limits of delivery (docs/WORLD.md, filters and delivery).
const (
	// queueCap is how many undelivered events an agent may have; the oldest is
	// dropped and counted.
	queueCap = 4096
	// perKind is how many events per kind and tick a filter without origins passes.
	perKind = 32
	// defaultOrigins is how many agents an agent follows without asking.
	defaultOrigins = 32
	// bestPeers is how many of them the engine names, by what the agent knows of them; the others are drawn.
	bestPeers = 24
)

// bus routes events to agents. What everybody reads is kept once, as a list with a
// cursor per agent; the rest is pushed to those it concerns, found by index. So an
// event costs its readers, not the population.
type bus struct {
	rules *world.Rules
	realm *Realm

	queues     map[wire.AgentID]*queue // of all agents that are not DEAD
	order      []wire.AgentID          // their ids, ascending
	pending    []*wire.Event           // emitted, not routed yet
	outbox     []world.Delivery        // handed over by daemons, to go out behind pending
	history    []busEvent              // routed in the open cycle, for SUBSCRIBE since
	common     feed
	latest     [3]wire.Reply // newest WORLD_STATE, ECONOMY_REPORT and PORTAL_REPORT
	broadcasts uint64        // how many of them there were

	tick   wire.Tick // of counts
	counts map[wire.EventKind]int

	followers  map[wire.AgentID][]*queue // default subscriptions by origin
	everybody  []*queue                  // instead of followers where all follow all
	peers      map[wire.AgentID][]wire.AgentID
	byOrigin   map[wire.AgentID][]*filter
	byKind     map[wire.EventKind][]*filter
	access     [wire.SystemPortal + 1]world.EventAccess // by system; nil where all is public
	recipients recipients
	claimers   map[wire.Hash]wire.AgentID // of claimed bounties, so that reopening reaches who had it

	store store
}

// busEvent is an event as the bus holds it.
type busEvent struct {
	event  *wire.Event
	listed bool // among the perKind of its kind and tick
}

// feed is what everybody reads: events in id order, with the number of those that
// were trimmed before them.
type feed struct {
	events []*wire.Event
	base   uint64
}

func (f *feed) end() uint64 { return f.base + uint64(len(f.events)) }

// from returns the events from number n on, and how many of them are gone.
func (f *feed) from(n uint64) (events []*wire.Event, lost uint64) {
	if n < f.base {
		return f.events, f.base - n
	}
	return f.events[n-f.base:], 0
}

// trim forgets all events before number n.
func (f *feed) trim(n uint64) {
	if n > f.base {
		k := n - f.base
		f.events = append(f.events[:0:0], f.events[k:]...)
		f.base = n
	}
}

func newBus(rules *world.Rules, r *Realm) *bus {
	b := &bus{
		rules: rules, realm: r, recipients: newRecipients(r.daemons),
		queues:    map[wire.AgentID]*queue{},
		counts:    map[wire.EventKind]int{},
		followers: map[wire.AgentID][]*queue{},
		peers:     map[wire.AgentID][]wire.AgentID{},
		byOrigin:  map[wire.AgentID][]*filter{},
		byKind:    map[wire.EventKind][]*filter{},
		claimers:  map[wire.Hash]wire.AgentID{},
		store:     newStore(),
	}
	for _, d := range r.daemons {
		if p, ok := d.(world.EventAccess); ok {
			b.access[d.System()] = p
		}
	}
	return b
}

// startCycle renews what lasts for a cycle: the default subscriptions, and the
// stored events, which are those of the open cycle.
func (b *bus) startCycle(first wire.Tick) {
	b.history = nil
	b.follow(first)
}

// deliver puts a message that is no event into an agent's queue.
func (b *bus) deliver(a wire.AgentID, m wire.Reply) {
	if q := b.queues[a]; q != nil {
		q.deliveries = append(q.deliveries, m)
		if over := len(q.deliveries) - queueCap; over > 0 {
			q.deliveries = append(q.deliveries[:0:0], q.deliveries[over:]...)
			q.dropped += uint64(over)
		}
	}
}

// broadcast makes WORLD_STATE, ECONOMY_REPORT and PORTAL_REPORT of a cycle end known to all. Only
// the newest of each waits for an agent.
func (b *bus) broadcast(state *wire.WorldState, report *wire.EconomicReport, traffic *wire.PortalReport) {
	b.latest = [3]wire.Reply{
		{Type: wire.TypeWorldState, Body: state},
		{Type: wire.TypeEconomyReport, Body: report},
		{Type: wire.TypePortalReport, Body: traffic},
	}
	b.broadcasts++
}

func (b *bus) dropped() (n uint64) {
	for _, a := range b.order {
		n += b.queues[a].dropped
	}
	return n + b.store.droppedByDead
}
