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
