package realm_test

import (
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// crowd is a world of n agents at the first tick of a cycle.
func crowd(b *testing.B, n int) (*realm.Realm, []wire.AgentID) {
	b.Helper()
	r, boot := start(n, open)
	r.StartCycle(1)
	return r, boot.Agents
}

// crowdTick prepares the seats of a tick in which every fourth agent posts a message
// and the others pay one another; some of it is refused, as in life.
func crowdTick(r *realm.Realm, ids []wire.AgentID, t wire.Tick) []realm.Seat {
	live := append([]wire.AgentID(nil), ids...)
	r.Order(t, live)
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		if i%4 == 0 {
			q := &wire.MsgPost{
				Channel: channel("general"), Kind: wire.MessageKindStatement, References: []wire.Hash{},
				Content: append([]byte{0x81, 0xA4, 't', 'e', 'x', 't', 0xA4}, pad(uint64(t)<<8^uint64(i))...),
			}
			worldtest.Fill(r, a, q)
			seats[i] = realm.Seat{Agent: a, Sent: worldtest.Seal(a, t, wire.TypeMsgPost, q, 0)}
			continue
		}
		q := &wire.Transfer{To: ids[i], Amount: 1, Kind: wire.TransferKindDirect}
		worldtest.Fill(r, a, q)
		seats[i] = realm.Seat{Agent: a, Sent: worldtest.Seal(a, t, wire.TypeTransfer, q, 0)}
	}
	return seats
}

var sizes = []struct {
	name string
	n    int
}{{"8", 8}, {"1k", 1000}, {"10k", 10_000}}

// BenchmarkCommit is one tick in which everybody acts; divide by the agents.
func BenchmarkCommit(b *testing.B) {
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			r, ids := crowd(b, s.n)
			b.ReportAllocs()
			t := wire.Tick(256)
			for b.Loop() {
				b.StopTimer()
				seats := crowdTick(r, ids, t)
				b.StartTimer()
				r.OpenTick(t)
				r.Commit(t, seats)
				r.TakeEvents()
				t++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.n), "ns/seat")
		})
	}
}

// BenchmarkView is one agent's view after a tick in which everybody acted.
func BenchmarkView(b *testing.B) {
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			r, ids := crowd(b, s.n)
			b.ReportAllocs()
			var v wire.View
			t, i := wire.Tick(256), s.n
			for b.Loop() {
				if i == s.n {
					b.StopTimer()
					r.OpenTick(t)
					r.Commit(t, crowdTick(r, ids, t))
					r.TakeEvents()
					t, i = t+1, 0
					b.StartTimer()
				}
				r.View(ids[i], nil, &v)
				i++
			}
		})
	}
}

// BenchmarkEndCycle is a cycle end after one tick in which everybody acted, rows
// included.
func BenchmarkEndCycle(b *testing.B) {
	for _, s := range sizes {
		b.Run(s.name, func(b *testing.B) {
			r, ids := crowd(b, s.n)
			b.ReportAllocs()
			c := wire.Cycle(1)
			for b.Loop() {
				b.StopTimer()
				t := r.Rules().Calendar.First(c)
				r.OpenTick(t)
				r.Commit(t, crowdTick(r, ids, t))
				var v wire.View
				for _, a := range ids {
					r.View(a, nil, &v)
				}
				b.StartTimer()
				r.EndCycle(nil)
				r.TakeRows()
				r.TakeEvents()
				c++
				r.StartCycle(c)
			}
		})
	}
}
