package realm

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// named makes n events with the numbers from first on.
func named(first uint64, n int) []*wire.Event {
	out := make([]*wire.Event, n)
	for i := range out {
		out[i] = &wire.Event{ID: wire.EventID{Lamport: first + uint64(i)}}
	}
	return out
}

func numbers(events []*wire.Event) (out []uint64) {
	for _, e := range events {
		out = append(out, e.ID.Lamport)
	}
	return out
}

// A feed keeps its numbers however much of it was trimmed, and tells a late reader how many events it lost.
func TestFeed_KeepsNumbersAndCountsLossesWhenTrimmed(t *testing.T) {
	f := feed{events: named(0, 6)}
	for _, tc := range []struct {
		trim, from uint64
		want       []uint64
		lost       uint64
	}{
		{0, 0, []uint64{0, 1, 2, 3, 4, 5}, 0},
		{2, 0, []uint64{2, 3, 4, 5}, 2},
		{2, 2, []uint64{2, 3, 4, 5}, 0},
		{1, 3, []uint64{3, 4, 5}, 0},
		{5, 4, []uint64{5}, 1},
		{6, 6, nil, 0},
		{6, 5, nil, 1},
	} {
		f.trim(tc.trim)
		got, lost := f.from(tc.from)
		if !slices.Equal(numbers(got), tc.want) || lost != tc.lost || f.end() != 6 {
			t.Errorf("trimmed before %d, from %d on: %v and %d lost, up to %d; want %v and %d up to 6", tc.trim, tc.from, numbers(got), lost, f.end(), tc.want, tc.lost)
		}
	}
}

// Of each kind 32 events are listed per tick: the first ones, and of new bounties those with the highest rewards.
func TestBus_Lists32PerKindAndTick(t *testing.T) {
	r := New(&world.Rules{Population: 8})
	var events []*wire.Event
	for tick := range wire.Tick(3) {
		for i := range uint64(40) {
			for _, k := range []wire.EventKind{wire.KindMessagePosted, wire.KindTransferCompleted, wire.KindBountyCreated} {
				e := &wire.Event{ID: wire.EventID{Lamport: i}, Timestamp: tick + 1, Kind: k}
				if k == wire.KindBountyCreated {
					e.Payload = &wire.BountyCreatedEvent{Reward: 100 + i}
				}
				events = append(events, e)
			}
		}
	}
	for i, listed := range r.bus.markListed(events) {
		e := events[i]
		want := e.ID.Lamport < 32
		if e.Kind == wire.KindBountyCreated {
			want = e.ID.Lamport >= 40-32
		}
		if listed != want {
			t.Errorf("tick %d, event %d of kind %v: listed %v", e.Timestamp, e.ID.Lamport, e.Kind, listed)
		}
	}
}

// A filter matches what is in each of its lists, an empty list matches all, and nothing up to
// the value after which it begins.
func TestFilter_Match(t *testing.T) {
	a, b := wire.AgentID{1}, wire.AgentID{2}
	e := &wire.Event{ID: wire.EventID{Lamport: 7}, System: wire.SystemMint, Kind: wire.KindTransferCompleted, Origin: a}
	for _, tc := range []struct {
		name string
		f    filter
		want bool
	}{
		{"empty lists", filter{}, true},
		{"its system", filter{systems: []wire.System{wire.SystemAgora, wire.SystemMint}}, true},
		{"another system", filter{systems: []wire.System{wire.SystemAgora}}, false},
		{"its kind", filter{kinds: []wire.EventKind{wire.KindTick, wire.KindTransferCompleted}}, true},
		{"another kind", filter{kinds: []wire.EventKind{wire.KindTick}}, false},
		{"its origin", filter{origins: []wire.AgentID{b, a}}, true},
		{"another origin", filter{origins: []wire.AgentID{b}}, false},
		{"from it on", filter{after: 6}, true},
		{"after it", filter{after: 7}, false},
		{"all but the kind", filter{systems: []wire.System{wire.SystemMint}, kinds: []wire.EventKind{wire.KindTick}, origins: []wire.AgentID{a}}, false},
	} {
		if got := tc.f.match(e); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// Events that the common feed trimmed before a queue read them count as dropped.
func TestQueue_CountsTrimmedEventsAsDropped(t *testing.T) {
	b := New(&world.Rules{Population: 8}).bus
	q := b.addQueue(wire.AgentID{1})
	b.common.events = named(0, 6)
	b.common.trim(2)
	events, _ := q.drain(b, nil, nil)
	if !slices.Equal(numbers(events), []uint64{2, 3, 4, 5}) || b.dropped() != 2 {
		t.Errorf("read %v, %d dropped", numbers(events), b.dropped())
	}
	if events, _ := q.drain(b, nil, nil); len(events) != 0 || b.dropped() != 2 {
		t.Errorf("then read %v, %d dropped", numbers(events), b.dropped())
	}
}

// In a large population every agent follows 32 others, never itself, those it knows best first.
func TestBus_LargePopulationFollows32Others(t *testing.T) {
	for _, n := range []int{34, 100} {
		b := New(&world.Rules{Population: uint64(n)}).bus
		for i := range n {
			b.addQueue(wire.AgentID{byte(i), 1})
		}
		best := slices.Clone(b.order[:30])
		best[5], best[6] = wire.AgentID{0xFF}, best[4] // one is dead, one is named twice
		b.setPeers(b.order[0], best)
		if got := len(b.peers[b.order[0]]); got != 24 {
			t.Errorf("%d agents: %d peers are kept, want 24", n, got)
		}
		b.everybody = make([]*queue, 1) // of when there were fewer
		b.follow(256)
		if b.everybody != nil {
			t.Errorf("%d agents: everybody follows everybody", n)
		}
		count := map[*queue]int{}
		for origin, readers := range b.followers {
			if b.queues[origin] == nil {
				t.Errorf("%d agents: somebody follows %v, who is not there", n, origin.Alias())
			}
			once := map[*queue]bool{}
			for _, q := range readers {
				if count[q]++; q.agent == origin || once[q] {
					t.Errorf("%d agents: %v follows itself, or %v twice", n, q.agent.Alias(), origin.Alias())
				}
				once[q] = true
			}
		}
		for _, q := range b.queues {
			if count[q] != defaultOrigins {
				t.Errorf("%d agents: %v follows %d", n, q.agent.Alias(), count[q])
			}
		}
		for i, p := range best[:bestPeers] {
			if i > 0 && i != 5 && !slices.Contains(b.followers[p], b.queues[b.order[0]]) {
				t.Errorf("%d agents: the first does not follow %v, which it knows well", n, p.Alias())
			}
		}
	}
}

// A queue that nobody reads keeps the newest 4,096 events, and is cut when it has twice as many.
func TestQueue_IsCutAtTwiceItsSize(t *testing.T) {
	q := &queue{}
	for i, e := range named(0, 2*4096) {
		if i == 2*4096-1 && (len(q.own) != i || q.dropped != 0) {
			t.Errorf("before the last event it has %d, %d dropped", len(q.own), q.dropped)
		}
		q.push(e)
	}
	if len(q.own) != 4096 || q.dropped != 4096 || q.own[0].ID.Lamport != 4096 {
		t.Errorf("%d events from %d on, %d dropped", len(q.own), q.own[0].ID.Lamport, q.dropped)
	}
}

// Of more than 4,096 events that wait, an agent reads the newest, and the others count as dropped.
func TestQueue_DrainCountsWhatItDrops(t *testing.T) {
	b := New(&world.Rules{Population: 8}).bus
	q := b.addQueue(wire.AgentID{1})
	q.own, b.common.events = named(0, 3000), named(3000, 2000)
	events, _ := q.drain(b, nil, nil)
	if len(events) != 4096 || events[0].ID.Lamport != 904 || q.dropped != 904 {
		t.Errorf("%d events from %d on, %d dropped; want 4096 and 904", len(events), events[0].ID.Lamport, q.dropped)
	}
}

// A DEAD agent leaves neither filters nor peers behind, and those of others stay.
func TestQueue_TheDeadLeaveNothing(t *testing.T) {
	b := New(&world.Rules{Population: 8}).bus
	dead, other := b.addQueue(wire.AgentID{1}), b.addQueue(wire.AgentID{2})
	for _, q := range []*queue{dead, other} {
		b.index(&filter{queue: q, kinds: []wire.EventKind{wire.KindTick}})
		b.index(&filter{queue: q, origins: []wire.AgentID{{3}}})
		b.setPeers(q.agent, []wire.AgentID{{3}})
	}
	b.removeQueue(dead.agent)
	for name, list := range map[string][]*filter{"kind": b.byKind[wire.KindTick], "origin": b.byOrigin[wire.AgentID{3}]} {
		if len(list) != 1 || list[0].queue != other {
			t.Errorf("%d filters by %s are left, want that of the other agent", len(list), name)
		}
	}
	if len(b.peers) != 1 || b.peers[other.agent] == nil || !dead.agent.IsZero() {
		t.Errorf("peers %v, the queue is still that of %v", b.peers, dead.agent)
	}
}

// What happens to a bounty reaches the agent that has claimed it, though the agent follows neither the creator nor the kind, until the claim ends.
func TestBus_ClaimerHearsOfItsBounty(t *testing.T) {
	b := New(&world.Rules{Population: 40}).bus
	bounty, claimer := wire.Hash{9}, wire.AgentID{1}
	q, other := b.addQueue(claimer), b.addQueue(wire.AgentID{2})
	b.post(busEvent{event: &wire.Event{Kind: wire.KindBountyClaimed, Payload: &wire.BountyClaimedEvent{BountyID: bounty, Claimer: claimer}}})
	q.own = nil
	for range 2 {
		b.post(busEvent{event: &wire.Event{Kind: wire.KindBountyExpired, Payload: &wire.BountyExpiredEvent{BountyID: bounty}}})
	}
	if len(q.own) != 1 || len(other.own) != 0 {
		t.Errorf("the claimer hears %d times, another agent %d times; want 1 and 0", len(q.own), len(other.own))
	}
}

// The row of a queue is written if anything in it has changed.
func TestQueueRow_EqualComparesAllFields(t *testing.T) {
	row := func() queueRow {
		return queueRow{Events: []byte{1}, Cursor: 2, Deliveries: []messageRow{{Type: 3, Body: []byte{4}}}, Seen: 5, Dropped: 6}
	}
	for name, change := range map[string]func(r *queueRow){
		"nothing":      func(*queueRow) {},
		"events":       func(r *queueRow) { r.Events = []byte{2} },
		"cursor":       func(r *queueRow) { r.Cursor++ },
		"seen":         func(r *queueRow) { r.Seen++ },
		"dropped":      func(r *queueRow) { r.Dropped++ },
		"a delivery":   func(r *queueRow) { r.Deliveries = append(r.Deliveries, messageRow{}) },
		"its type":     func(r *queueRow) { r.Deliveries[0].Type++ },
		"its form":     func(r *queueRow) { r.Deliveries[0].Reply = true },
		"its contents": func(r *queueRow) { r.Deliveries[0].Body = []byte{5} },
	} {
		old, now := row(), row()
		change(&now)
		if got, want := now.equal(&old), name == "nothing"; got != want {
			t.Errorf("%s: equal %t", name, got)
		}
	}
}

// What is stored at a cycle's end are the claims, and the events that somebody has still to read.
func TestStore_KeepsClaimsAndUnreadEvents(t *testing.T) {
	b := New(&world.Rules{Population: 8}).bus
	q := b.addQueue(wire.AgentID{1})
	bounty := wire.Hash{9}
	b.post(busEvent{event: &wire.Event{System: wire.SystemAgora, Kind: wire.KindBountyClaimed, Payload: &wire.BountyClaimedEvent{BountyID: bounty, Claimer: q.agent}}})
	for _, want := range []int{1, 0} { // the second time it was read
		b.save()
		if claims := b.store.feed.Get("").Claims; !slices.Equal(claims, []claimRow{{bounty, q.agent}}) || b.store.events.Len() != want {
			t.Errorf("claims %v and %d events are stored, want %d", claims, b.store.events.Len(), want)
		}
		q.drain(b, nil, nil)
	}
}
