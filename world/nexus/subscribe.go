package nexus

import (
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Limits of explicit subscriptions (docs/WORLD.md, filters and delivery).
const (
	subsPerAgent   = 16
	kindsPerSub    = 16
	originsPerSub  = 64
	systemsPerSub  = int(wire.SystemSession)
	firstSubNumber = 1
)

// desk is the index over the subscriptions: their numbers per agent, ascending.
type desk struct {
	of map[wire.AgentID][]uint64
}

func newDesk() desk { return desk{of: map[wire.AgentID][]uint64{}} }

func (k *desk) add(s *Subscription) {
	ids := k.of[s.Agent]
	i, _ := slices.BinarySearch(ids, s.ID)
	k.of[s.Agent] = slices.Insert(ids, i, s.ID)
}

func subKey(a wire.AgentID, id uint64) string {
	return string(binary.BigEndian.AppendUint64(a[:], id))
}

// subscribe enters a filter: SUBSCRIBE. Its number is one more than the sender's
// highest.
func (d *Daemon) subscribe(c *world.Context, q *wire.Subscribe) wire.Reply {
	if len(q.Kinds) > kindsPerSub || len(q.Origins) > originsPerSub || len(q.Systems) > systemsPerSub ||
		len(q.Kinds) == 0 && len(q.Origins) == 0 {
		return d.refuse(c, wire.CategoryInvalidRequest, "filter")
	}
	// Only the events of the open cycle are stored for replay, and a filter remembers
	// nothing of where it began, so it cannot begin later than now.
	if q.Since != nil && (q.Since.Lamport < uint64(d.rules.Calendar.First(c.Cycle))<<32 || q.Since.Lamport >= c.Next()) {
		return d.refuse(c, wire.CategoryInvalidRequest, "since")
	}
	ids := d.desk.of[c.Source]
	if len(ids) >= subsPerAgent {
		return d.refuse(c, wire.CategoryQuotaExceeded, "too_many")
	}
	id := uint64(firstSubNumber)
	if len(ids) > 0 {
		id = ids[len(ids)-1] + 1
	}
	s := &Subscription{
		Agent: c.Source, ID: id,
		Systems: append([]wire.System{}, q.Systems...),
		Kinds:   append([]wire.EventKind{}, q.Kinds...),
		Origins: append([]wire.AgentID{}, q.Origins...),
	}
	d.subs.Put(subKey(c.Source, id), s)
	d.desk.add(s)
	return c.Ack(&wire.SubscribeAck{SubscriberID: id})
}

// unsubscribe ends a filter: UNSUBSCRIBE.
func (d *Daemon) unsubscribe(c *world.Context, q *wire.Unsubscribe) wire.Reply {
	ids := d.desk.of[c.Source]
	i, ok := slices.BinarySearch(ids, q.SubscriberID)
	if !ok {
		return d.refuse(c, wire.CategoryNotFound, "subscription")
	}
	d.subs.Delete(subKey(c.Source, q.SubscriberID))
	d.desk.of[c.Source] = slices.Delete(ids, i, i+1)
	return c.Ack(nil)
}

// dropSubscriptions forgets those of a DEAD agent.
func (d *Daemon) dropSubscriptions(a wire.AgentID) {
	for _, id := range d.desk.of[a] {
		d.subs.Delete(subKey(a, id))
	}
	delete(d.desk.of, a)
}

// Subscriptions calls f for every explicit filter, by agent, then number.
func (d *Daemon) Subscriptions(f func(s *Subscription)) {
	d.subs.Each(func(_ string, s *Subscription) { f(s) })
}
