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

// subscriptions is the explicit event filters of agents.
type subscriptions struct {
	table *world.Table[string, Subscription]
	of    map[wire.AgentID][]uint64 // index: their numbers per agent, ascending
}

func (ss *subscriptions) restore() {
	ss.of = map[wire.AgentID][]uint64{}
	ss.table.Each(func(_ string, s *Subscription) { ss.index(s) })
}

func (ss *subscriptions) index(s *Subscription) {
	ids := ss.of[s.Agent]
	i, _ := slices.BinarySearch(ids, s.ID)
	ss.of[s.Agent] = slices.Insert(ids, i, s.ID)
}

func (ss *subscriptions) add(s *Subscription) {
	ss.table.Put(subKey(s.Agent, s.ID), s)
	ss.index(s)
}

func subKey(a wire.AgentID, id uint64) string {
	return string(binary.BigEndian.AppendUint64(a[:], id))
}

// subscribe enters a filter: SUBSCRIBE. Its number is one more than the sender's
// highest.
func (d *Daemon) subscribe(c *world.Context, q *wire.Subscribe) wire.Reply {
	if len(q.Kinds) == 0 && len(q.Origins) == 0 {
		return refuse(c, wire.CategoryInvalidRequest, "filter", world.Field("kinds"), world.Need(1))
	}
	for _, list := range []struct {
		field       string
		have, limit int
	}{{"kinds", len(q.Kinds), kindsPerSub}, {"origins", len(q.Origins), originsPerSub}, {"systems", len(q.Systems), systemsPerSub}} {
		if list.have > list.limit {
			return refuse(c, wire.CategoryInvalidRequest, "filter",
				world.Field(list.field), world.Limit(uint64(list.limit)), world.Have(uint64(list.have)))
		}
	}
	// Only the events of the open cycle are stored for replay, and a filter remembers
	// nothing of where it began, so it cannot begin later than now.
	if q.Since != nil && (q.Since.Lamport < uint64(d.rules.Calendar.First(c.Cycle))<<32 || q.Since.Lamport >= c.Next()) {
		return refuse(c, wire.CategoryInvalidRequest, "since", world.Field("since"))
	}
	ids := d.subscriptions.of[c.Source]
	if len(ids) >= subsPerAgent {
		return refuse(c, wire.CategoryQuotaExceeded, "too_many", world.Limit(subsPerAgent))
	}
	id := uint64(firstSubNumber)
	if len(ids) > 0 {
		id = ids[len(ids)-1] + 1
	}
	d.subscriptions.add(&Subscription{
		Agent: c.Source, ID: id,
		Systems: append([]wire.System{}, q.Systems...),
		Kinds:   append([]wire.EventKind{}, q.Kinds...),
		Origins: append([]wire.AgentID{}, q.Origins...),
	})
	return c.Ack(&wire.SubscribeAck{SubscriberID: id})
}

// unsubscribe ends a filter: UNSUBSCRIBE.
func (d *Daemon) unsubscribe(c *world.Context, q *wire.Unsubscribe) wire.Reply {
	if !d.subscriptions.drop(c.Source, q.SubscriberID) {
		return refuse(c, wire.CategoryNotFound, "subscription")
	}
	return c.Ack(nil)
}

// drop ends filter id of a; false if there is none.
func (ss *subscriptions) drop(a wire.AgentID, id uint64) bool {
	i, ok := slices.BinarySearch(ss.of[a], id)
	if !ok {
		return false
	}
	ss.table.Delete(subKey(a, id))
	ss.of[a] = slices.Delete(ss.of[a], i, i+1)
	return true
}

// dropAll ends the filters of a DEAD agent.
func (ss *subscriptions) dropAll(a wire.AgentID) {
	for _, id := range ss.of[a] {
		ss.table.Delete(subKey(a, id))
	}
	delete(ss.of, a)
}

// Subscriptions calls f for every explicit filter, by agent, then number.
func (ss *subscriptions) Subscriptions(f func(s *Subscription)) {
	ss.table.Each(func(_ string, s *Subscription) { f(s) })
}
