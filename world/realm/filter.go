package realm

import (
	"slices"

	"kingdom/wire"
	"kingdom/world/nexus"
)

// filter is an explicit subscription: all three lists must match, an empty one
// matches everything.
type filter struct {
	queue   *queue
	id      uint64
	systems []wire.System
	kinds   []wire.EventKind
	origins []wire.AgentID
	after   uint64 // only events with a higher Lamport value
}

func (f *filter) match(e *wire.Event) bool {
	return e.ID.Lamport > f.after &&
		(len(f.systems) == 0 || slices.Contains(f.systems, e.System)) &&
		(len(f.kinds) == 0 || slices.Contains(f.kinds, e.Kind)) &&
		(len(f.origins) == 0 || slices.Contains(f.origins, e.Origin))
}

// passes says whether f lets e through: without origins only what is among the
// first of its kind and tick.
func (f *filter) passes(p busEvent) bool {
	return (p.listed || len(f.origins) > 0) && f.match(p.event)
}

// trackSubscription follows what a request changed about subscriptions. next is the Lamport
// value at which the request was applied.
func (b *bus) trackSubscription(a wire.AgentID, request any, reply wire.Reply, next uint64) {
	if reply.Err != nil {
		return
	}
	switch q := request.(type) {
	case *wire.Subscribe:
		f := &filter{
			queue: b.queues[a], id: reply.Body.(*wire.SubscribeAck).SubscriberID,
			systems: q.Systems, kinds: q.Kinds, origins: q.Origins, after: next - 1,
		}
		if q.Since != nil {
			f.after = q.Since.Lamport
			b.replay(f)
		}
		b.index(f)
	case *wire.Unsubscribe:
		b.unindex(a, q.SubscriberID)
	}
}

// replay hands the stored events that match to a new filter. Those of this tick are
// not routed yet and reach it like later ones.
func (b *bus) replay(f *filter) {
	for _, p := range b.history {
		if f.passes(p) && b.maySee(f.queue, p.event) {
			f.queue.insert(p.event)
		}
	}
}

// index enters f where routing looks for it: by origin, else by kind.
func (b *bus) index(f *filter) {
	if len(f.origins) > 0 {
		for _, o := range unique(f.origins, wire.AgentID.Compare) {
			b.byOrigin[o] = append(b.byOrigin[o], f)
		}
		return
	}
	for _, k := range unique(f.kinds, func(x, y wire.EventKind) int { return int(x) - int(y) }) {
		b.byKind[k] = append(b.byKind[k], f)
	}
}

func (b *bus) unindex(a wire.AgentID, id uint64) {
	gone := func(f *filter) bool { return f.id == id && f.queue.agent == a }
	for k, list := range b.byOrigin { //house:sorted each list is cut by itself
		b.byOrigin[k] = slices.DeleteFunc(list, gone)
	}
	for k, list := range b.byKind { //house:sorted each list is cut by itself
		b.byKind[k] = slices.DeleteFunc(list, gone)
	}
}

// subscribed puts back the filters that Nexus keeps.
func (b *bus) subscribed(s *nexus.Subscription) {
	if q := b.queues[s.Agent]; q != nil {
		b.index(&filter{queue: q, id: s.ID, systems: s.Systems, kinds: s.Kinds, origins: s.Origins})
	}
}

func unique[T comparable](list []T, compare func(x, y T) int) []T {
	out := slices.Clone(list)
	slices.SortFunc(out, compare)
	return slices.Compact(out)
}
