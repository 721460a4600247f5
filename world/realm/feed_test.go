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

// A feed keeps its numbers however much of it was trimmed, and says what a late reader lost.
func TestFeed_Trimmed(t *testing.T) {
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

// Of each kind, 32 events of a tick are listed: the first ones, of the next tick again.
func TestBus_ListsThirtyTwoPerKindAndTick(t *testing.T) {
	r := New(&world.Rules{Population: 8})
	var events []*wire.Event
	for tick := range wire.Tick(2) {
		for i := range 40 {
			for _, k := range []wire.EventKind{wire.KindMessagePosted, wire.KindTransferCompleted} {
				events = append(events, &wire.Event{ID: wire.EventID{Lamport: uint64(i)}, Timestamp: tick + 1, Kind: k})
			}
		}
	}
	for i, listed := range r.bus.list(events) {
		if e := events[i]; listed != (e.ID.Lamport < 32) {
			t.Errorf("tick %d, event %d of kind %v: listed %v", e.Timestamp, e.ID.Lamport, e.Kind, listed)
		}
	}
}

// In a large population everybody follows 32 others, never itself: those it knows best first.
func TestBus_FollowsThirtyTwoOthers(t *testing.T) {
	for _, n := range []int{34, 100} {
		b := New(&world.Rules{Population: uint64(n)}).bus
		for i := range n {
			b.join(wire.AgentID{byte(i), 1})
		}
		best := slices.Clone(b.order[:30])
		b.setPeers(b.order[0], best)
		b.follow(256)
		count := map[*queue]int{}
		for origin, readers := range b.followers {
			for _, q := range readers {
				if count[q]++; q.agent == origin {
					t.Errorf("%d agents: %v follows itself", n, origin.Alias())
				}
			}
		}
		for _, q := range b.queues {
			if count[q] != defaultOrigins {
				t.Errorf("%d agents: %v follows %d", n, q.agent.Alias(), count[q])
			}
		}
		for _, p := range best[1:bestPeers] {
			if !slices.Contains(b.followers[p], b.queues[b.order[0]]) {
				t.Errorf("%d agents: the first does not follow %v, which it knows well", n, p.Alias())
			}
		}
	}
}
