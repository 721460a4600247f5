package oracle

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

type step struct{ what, a, entry, tag int }

func drawStep(t *rapid.T) step {
	return step{
		what: rapid.IntRange(0, 13).Draw(t, "what"), a: rapid.IntRange(0, 4).Draw(t, "a"),
		entry: rapid.IntRange(0, 5).Draw(t, "entry"), tag: rapid.IntRange(0, 3).Draw(t, "tag"),
	}
}

// take carries out a step at a time of its own and tells all that can be seen of it.
// entries holds what was published so far.
func (b *bench) take(n int, s step, entries *[]wire.Hash) string {
	b.c.Seat(wire.Tick(256+100*n), 1)
	b.c.Source, b.c.Msg, b.c.Events = id(s.a), wire.Hash{0xAB, byte(n >> 8), byte(n)}, nil
	target := wire.Hash{9}
	if len(*entries) > 0 {
		target = (*entries)[s.entry%len(*entries)]
	}
	var req any
	two := uint32(2)
	switch s.what {
	case 0, 1, 2:
		q := draft(fmt.Sprint("entry ", s.entry), "common", fmt.Sprint("tag ", s.tag))
		q.Review = wire.ReviewMode(1 + s.tag/3)
		req = q
	case 3, 4:
		req = &wire.EntryUpdate{EntryID: target, NewBody: wire.TextBody(fmt.Sprint("text ", n))}
	case 5:
		req = &wire.EntryUpdate{EntryID: target, RejectVersion: &two}
	case 6, 7, 8:
		req = &wire.EntryVerify{EntryID: target, Verdict: wire.Verdict(1 + s.tag)}
	case 9:
		req = &wire.CitationAdd{Source: wire.Hash{byte(s.a)}, Target: target, Kind: wire.CitationKind(1 + s.tag)}
	case 10:
		req = &wire.EntryQuery{Sort: wire.OracleSort(1 + s.tag), Tags: &[][]byte{[]byte("common")}}
	case 11:
		req = &wire.CitationQuery{}
	default:
		b.c.CycleEnd(b.c.Tick + wire.Tick(s.entry*7000)) // up to 164 cycles on
		b.c.Source = Self
		b.fill(b.Missing(b.c.Cycle))
		b.CycleEnd(b.c)
	}
	var reply wire.Reply
	if req != nil {
		reply = b.Apply(b.c, req)
	}
	b.store()
	b.fill(reply.Missing)
	if ack, ok := reply.Body.(*wire.EntryPublishAck); ok {
		*entries = append(*entries, ack.EntryID)
	}
	seen := fmt.Sprintf("%v %v", b.State().Hash(), reply.Err)
	if q, ok := reply.Body.(*wire.EntryQueryReply); ok {
		for _, e := range q.Entries {
			seen += fmt.Sprintf(" %v/%d %x", e.ID, e.Version, sha256.Sum256(e.Body))
		}
	}
	for _, e := range b.c.Events {
		seen += fmt.Sprintf("\n%d %v %+v", e.ID.Lamport, e.Kind, e.Payload)
	}
	return seen
}

func TestProperty_RestoredOracleBehavesLikeTheOriginal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		one, two := newBench(t), newBench(t)
		steps := rapid.SliceOfN(rapid.Custom(drawStep), 60, 60).Draw(rt, "steps")
		var entries []wire.Hash
		for n, s := range steps[:30] {
			one.take(n, s, &entries)
		}
		want := one.State().Hash()
		for _, r := range one.State().All() {
			if err := two.State().Load(r); err != nil {
				rt.Fatal(err)
			}
		}
		for _, r := range one.rows {
			if r.Chain {
				if err := two.State().Load(r); err != nil {
					rt.Fatal(err)
				}
			}
		}
		for _, h := range one.State().Heads() {
			if err := two.State().SetHead(h); err != nil {
				rt.Fatal(err)
			}
		}
		two.Restored()
		two.rows, two.forgets = slices.Clone(one.rows), true
		two.s.pairs = maps.Clone(one.s.pairs)
		if got := two.State().FinishRestore(); got != want {
			rt.Fatalf("restored hash %v, want %v", got, want)
		}
		others := append([]wire.Hash{}, entries...)
		for n, s := range steps[30:] {
			if d := cmp.Diff(one.take(30+n, s, &entries), two.take(30+n, s, &others)); d != "" {
				rt.Fatalf("step %d %+v: %s", 30+n, s, d)
			}
		}
	})
}

// Whatever changes an entry, its grade follows its scores.
func TestProperty_GradesEqualScoresOfEntries(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		var entries []wire.Hash
		check := func(after string) {
			for i, n := range b.entries.order {
				x := b.entries.at(n)
				if got, want := b.entries.grades[(i+1)%Window], b.entries.gradeOf(x, quality(x)); got != want {
					rt.Fatalf("after %s: grade %v of entry %d, want %v", after, got, i, want)
				}
			}
		}
		for n, s := range rapid.SliceOfN(rapid.Custom(drawStep), 40, 40).Draw(rt, "steps") {
			b.take(n, s, &entries)
			check(fmt.Sprintf("step %d %+v", n, s))
		}
		for range agedAfterCycles + 2 {
			b.end(b.c.Cycle + 1)
		}
		check("getting old")
	})
}

func BenchmarkVerify(b *testing.B) {
	m := newBench(b)
	for i := range 1000 {
		m.at(wire.Tick(256 + i))
		m.post(0, draft(fmt.Sprint("entry ", i), "tag"))
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		m.c.Seat(wire.Tick(2000+n/1000), 1)
		m.c.Source, m.c.Msg = wire.AgentID{2, byte(n / 1000), byte(n / 256000)}, wire.Hash{byte(n), byte(n >> 8), byte(n >> 16)}
		m.Apply(m.c, &wire.EntryVerify{EntryID: *m.entries.ids.id(m.entries.order[n%1000]), Verdict: wire.VerdictAccurate})
		m.c.Events = m.c.Events[:0]
		if n%4096 == 0 {
			m.State().TakeRows()
		}
	}
}
