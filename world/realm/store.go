package realm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// store is what of the bus outlives a cycle: what agents have not read yet. It is written,
// hashed and restored like daemon state, but its hash lies beside the world hash and not in
// it, since cycle_end and WORLD_STATE, which carry the world hash, wait in it too.
type store struct {
	state         *world.State
	feed          *world.Table[string, feedRow]
	queues        *world.Table[wire.AgentID, queueRow]
	events        *world.Table[string, wire.EventRecord]
	hash          wire.Hash // of state, as of the last cycle end
	droppedByDead uint64    // events that the queues of DEAD agents had lost
}

// Names of the bus's tables; they travel with the rows of Nexus, in whose name the
// bus speaks.
const (
	feedTable   = "bus.feed"
	queueTable  = "bus.queues"
	eventsTable = "bus.events"
)

// feedRow is the common feed and the newest broadcasts.
type feedRow struct {
	Base   uint64       `kdom:"base"`
	Events []byte       `kdom:"events"`
	Latest []messageRow `kdom:"latest"`
	Issue  uint64       `kdom:"issue"`
	Buried uint64       `kdom:"buried"`
	Claims []claimRow   `kdom:"claims"`
}

// claimRow says who has claimed a bounty.
type claimRow struct {
	Bounty  wire.Hash    `kdom:"bounty_id"`
	Claimer wire.AgentID `kdom:"claimer"`
}

// queueRow is what waits for one agent. Events are nine bytes each, since a sleeper
// may have thousands: u64be Lamport value ‖ u8 system.
type queueRow struct {
	Events     []byte       `kdom:"events"`
	Cursor     uint64       `kdom:"cursor"`
	Deliveries []messageRow `kdom:"deliveries"`
	Seen       uint64       `kdom:"seen"`
	Dropped    uint64       `kdom:"dropped"`
}

const idSize = 9

// equal says whether nothing has changed for the agent: what sleeps is not written every cycle.
func (r *queueRow) equal(o *queueRow) bool {
	return bytes.Equal(r.Events, o.Events) && r.Cursor == o.Cursor && r.Seen == o.Seen && r.Dropped == o.Dropped &&
		slices.EqualFunc(r.Deliveries, o.Deliveries, func(x, y messageRow) bool {
			return x.Type == y.Type && x.Reply == y.Reply && bytes.Equal(x.Body, y.Body)
		})
}

var (
	feedCodec  = codec.New[feedRow]()
	queueCodec = codec.New[queueRow]()
	eventCodec = codec.New[wire.EventRecord]()
)

func newStore() store {
	s := world.NewState(wire.SystemNexus)
	return store{
		state:  s,
		feed:   world.NewTable[string](s, feedTable, feedCodec),
		queues: world.NewTable[wire.AgentID](s, queueTable, queueCodec),
		events: world.NewTable[string](s, eventsTable, eventCodec),
	}
}

// appendEventKey appends the key of an event in table bus.events.
func appendEventKey(dst []byte, e *wire.Event) []byte {
	return append(binary.BigEndian.AppendUint64(dst, e.ID.Lamport), byte(e.System))
}

// save writes what waits at a cycle's end, as far as it changed. First the common feed forgets
// what everybody has read and what is too old for any queue, however long its agent sleeps.
func (b *bus) save() {
	low := b.common.end()
	oldest := low - min(low, queueCap)
	for _, a := range b.order {
		low = min(low, b.queues[a].cursor)
	}
	b.common.trim(max(low, oldest))
	kept := map[string]struct{}{}
	row := &feedRow{
		Base: b.common.base, Events: b.storeEvents(b.common.events, kept),
		Latest: packDeliveries(b.latest[:]), Issue: b.broadcasts, Buried: b.store.droppedByDead, Claims: []claimRow{},
	}
	for _, id := range det.SortedKeysFunc(b.claimers, wire.Hash.Compare) {
		row.Claims = append(row.Claims, claimRow{id, b.claimers[id]})
	}
	b.store.feed.Put("", row)
	for _, a := range b.order {
		q := b.queues[a]
		row := &queueRow{
			Events: b.storeEvents(q.own, kept), Cursor: q.cursor, Deliveries: packDeliveries(q.deliveries), Seen: q.broadcastsSeen, Dropped: q.dropped,
		}
		if old := b.store.queues.Get(a); old == nil || !old.equal(row) {
			b.store.queues.Put(a, row)
		}
	}
	for _, a := range slices.Clone(b.store.queues.Keys()) {
		if b.queues[a] == nil {
			b.store.queues.Delete(a)
		}
	}
	for _, k := range slices.Clone(b.store.events.Keys()) {
		if _, ok := kept[k]; !ok {
			b.store.events.Delete(k)
		}
	}
	b.store.hash = b.store.state.Hash()
}

// storeEvents stores the events that are not stored yet and returns their ids.
func (b *bus) storeEvents(events []*wire.Event, kept map[string]struct{}) []byte {
	ids := make([]byte, 0, idSize*len(events))
	for _, e := range events {
		ids = appendEventKey(ids, e)
		key := ids[len(ids)-idSize:]
		if _, ok := kept[string(key)]; ok {
			continue
		}
		k := string(key)
		kept[k] = struct{}{}
		if b.store.events.Get(k) == nil {
			b.store.events.Put(k, &wire.EventRecord{
				ID: e.ID, Timestamp: e.Timestamp, Origin: e.Origin, System: e.System, Kind: e.Kind,
				Payload: wire.AppendPayload(nil, e.Payload), Parent: e.Parent,
			})
		}
	}
	return ids
}

// restored puts the queues back after all rows and all daemons are.
func (b *bus) restored() error {
	row := b.store.feed.Get("")
	if row == nil {
		return fmt.Errorf("restore bus: table %s is empty; the rows are not those of a whole world", feedTable)
	}
	known := map[string]*wire.Event{}
	for _, k := range b.store.events.Keys() {
		e := b.store.events.Get(k)
		payload, err := wire.DecodePayload(e.Kind, e.Payload)
		if err != nil {
			return fmt.Errorf("restore event %d: %w", e.ID.Lamport, err)
		}
		known[k] = &wire.Event{
			ID: e.ID, Timestamp: e.Timestamp, Origin: e.Origin, System: e.System, Kind: e.Kind, Payload: payload, Parent: e.Parent,
		}
	}
	var err error
	if b.common.events, err = eventsOf(row.Events, known); err != nil {
		return err
	}
	b.common.base, b.broadcasts, b.store.droppedByDead = row.Base, row.Issue, row.Buried
	latest, err := unpackDeliveries(row.Latest)
	if err != nil {
		return err
	}
	copy(b.latest[:], latest)
	for _, a := range b.store.queues.Keys() {
		if err := b.restoreQueue(a, b.store.queues.Get(a), known); err != nil {
			return err
		}
	}
	b.realm.nexus.Subscriptions(b.subscribed)
	for _, x := range row.Claims {
		b.claimers[x.Bounty] = x.Claimer
	}
	b.store.hash = b.store.state.FinishRestore()
	return nil
}

func (b *bus) restoreQueue(a wire.AgentID, row *queueRow, known map[string]*wire.Event) (err error) {
	q := b.addQueue(a)
	q.cursor, q.broadcastsSeen, q.dropped = row.Cursor, row.Seen, row.Dropped
	if q.own, err = eventsOf(row.Events, known); err != nil {
		return err
	}
	q.deliveries, err = unpackDeliveries(row.Deliveries)
	return err
}

func eventsOf(ids []byte, known map[string]*wire.Event) ([]*wire.Event, error) {
	out := make([]*wire.Event, 0, len(ids)/idSize)
	for ; len(ids) >= idSize; ids = ids[idSize:] {
		e := known[string(ids[:idSize])]
		if e == nil {
			return nil, fmt.Errorf("restore bus: event %x is referred to but has no row in %s", ids[:idSize], eventsTable)
		}
		out = append(out, e)
	}
	return out, nil
}
