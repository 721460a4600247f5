package agora

import (
	"encoding/binary"
	"testing"

	"kingdom/wire"
)

// BenchmarkPost is one MSG_POST; hashing the state belongs to the cycle's end.
func BenchmarkPost(b *testing.B) {
	l := newLab(b)
	l.d.rules.Population = 1 << 30 // no channel fills up
	b.ReportAllocs()
	for i := range b.N {
		var id wire.Hash
		binary.BigEndian.PutUint64(id[:], uint64(i))
		q := post("general", wire.MessageKindStatement, id.String())
		l.c.Source, l.c.Msg, l.c.Events = wire.AgentID(id), id, nil
		l.c.Seat(256, 1)
		if r := l.d.Apply(l.c, q); r.Err != nil {
			b.Fatalf("%s", r.Err.Message)
		}
		if i%4096 == 0 {
			l.d.State().TakeRows()
		}
	}
}

// BenchmarkAppendOpen is one agent's list of open bounties out of 10,000.
func BenchmarkAppendOpen(b *testing.B) {
	l := newLab(b)
	l.d.rules.Population = 10_000
	for i := range 10_000 {
		q := offerOf(reviewedBy(1))
		q.Reward = uint64(i%500 + 1)
		l.must(creator, q)
		l.bank.funds[creator] = 1000
		l.c.Events = nil
	}
	var views []wire.BountyView
	b.ReportAllocs()
	for b.Loop() {
		views = l.d.views.appendOpen(views[:0], claimer, 256)
	}
}
