package realm

import (
	"slices"

	"kingdom/wire"
)

// queue is what waits for one agent.
type queue struct {
	agent          wire.AgentID
	own            []*wire.Event // pushed to it, in id order
	cursor         uint64        // first event of the common feed that it has not read
	deliveries     []wire.Reply
	broadcastsSeen uint64 // value of bus.broadcasts when it last read them
	dropped        uint64 // events lost to queueCap
}

// push adds an event once, however many reasons there are. Reasons for one event
// come in one go, so looking at the last one suffices.
func (q *queue) push(e *wire.Event) {
	if n := len(q.own); n > 0 && q.own[n-1] == e {
		return
	}
	q.own = append(q.own, e)
	if len(q.own) >= 2*queueCap {
		q.drop(len(q.own) - queueCap)
	}
}

func (q *queue) drop(n int) {
	q.own = append(q.own[:0:0], q.own[n:]...)
	q.dropped += uint64(n)
}

// insert adds a stored event at its place, unless it is there already.
func (q *queue) insert(e *wire.Event) {
	i, ok := slices.BinarySearchFunc(q.own, e, func(x, y *wire.Event) int { return x.ID.Compare(y.ID) })
	if !ok {
		q.own = slices.Insert(q.own, i, e)
	}
}

// drain puts what waits into events and deliveries, which come empty, and empties the queue.
// It touches nothing but q.
func (q *queue) drain(b *bus, events []*wire.Event, deliveries []wire.Reply) ([]*wire.Event, []wire.Reply) {
	common, lost := b.common.from(q.cursor)
	q.dropped += lost
	events = merge(events, q.own, common)
	if over := len(events) - queueCap; over > 0 {
		events = slices.Delete(events, 0, over)
		q.dropped += uint64(over)
	}
	q.cursor = b.common.end()
	clear(q.own)
	q.own = q.own[:0]
	if q.broadcastsSeen < b.broadcasts {
		deliveries = append(deliveries, b.latest[:]...)
		q.broadcastsSeen = b.broadcasts
	}
	deliveries = append(deliveries, q.deliveries...)
	clear(q.deliveries)
	q.deliveries = q.deliveries[:0]
	return events, deliveries
}

// merge appends the union of two lists in id order to dst.
func merge(dst, x, y []*wire.Event) []*wire.Event {
	for len(x) > 0 && len(y) > 0 {
		switch order := x[0].ID.Compare(y[0].ID); {
		case order < 0:
			dst, x = append(dst, x[0]), x[1:]
		case order > 0:
			dst, y = append(dst, y[0]), y[1:]
		default:
			dst, x, y = append(dst, x[0]), x[1:], y[1:]
		}
	}
	return append(append(dst, x...), y...)
}

// addQueue opens the queue of a newcomer, if it has none: it reads what happens from
// now on.
func (b *bus) addQueue(a wire.AgentID) *queue {
	if q := b.queues[a]; q != nil {
		return q
	}
	q := &queue{agent: a, cursor: b.common.end(), broadcastsSeen: b.broadcasts}
	b.queues[a] = q
	i, _ := slices.BinarySearchFunc(b.order, a, wire.AgentID.Compare)
	b.order = slices.Insert(b.order, i, a)
	if b.everybody != nil {
		b.everybody = append(b.everybody, q)
	}
	return q
}

// removeQueue closes the queue of a DEAD agent and forgets its filters.
func (b *bus) removeQueue(a wire.AgentID) {
	q := b.queues[a]
	if q == nil {
		return
	}
	b.store.droppedByDead += q.dropped
	delete(b.queues, a)
	delete(b.peers, a)
	if i, ok := slices.BinarySearchFunc(b.order, a, wire.AgentID.Compare); ok {
		b.order = slices.Delete(b.order, i, i+1)
	}
	gone := func(f *filter) bool { return f.queue == q }
	for k, list := range b.byOrigin { //house:sorted each list is cut by itself
		b.byOrigin[k] = slices.DeleteFunc(list, gone)
	}
	for k, list := range b.byKind { //house:sorted each list is cut by itself
		b.byKind[k] = slices.DeleteFunc(list, gone)
	}
	q.agent = wire.AgentID{}
}
