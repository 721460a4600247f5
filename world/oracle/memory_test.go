package oracle

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"testing"

	"kingdom/wire"
)

// heapBytes is what is live.
func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkStoredEntries is the memory that entries take for good once the store has them, by the
// length of their bodies and the number of verdicts on each: a title of 48 bytes, three tags of some
// 600, two references.
func BenchmarkStoredEntries(b *testing.B) {
	const n = 51_200 // of whole cycles
	for _, tt := range []struct{ n, size, verdicts int }{
		{n, 100, 0},
		{n, 4_000, 0},
		{n, 400, 9},
		{140_000, 400, 9}, // what a million things of a village have of entries
	} {
		b.Run(fmt.Sprintf("n=%d/bytes=%d/verdicts=%d", tt.n, tt.size, tt.verdicts), func(b *testing.B) {
			for b.Loop() {
				l := newBench(b)
				before := heapBytes()
				l.publishMany(tt.n, tt.size, tt.verdicts)
				b.ReportMetric(float64(heapBytes()-before)/float64(tt.n), "B/entry")
				runtime.KeepAlive(l)
			}
		})
	}
}

// agentOf is one of 1,000 agents.
func agentOf(i int) (a wire.AgentID) {
	a[0] = 1
	binary.BigEndian.PutUint16(a[1:], uint16(i%1000))
	return a
}

// publishMany publishes n entries, each with so many verdicts.
func (b *bench) publishMany(n, size, verdicts int) {
	list := []wire.ContentBlock{text(string(make([]byte, size)))}
	var ids []wire.Hash
	for i := range n {
		b.at(b.c.Tick + 1)
		draft := &wire.EntryDraft{
			Kind: wire.EntryKind(i%5 + 1), Title: fmt.Appendf(nil, "How to do the thing with number %-16d", i),
			Tags: [][]byte{fmt.Appendf(nil, "topic-%d", i%300), fmt.Appendf(nil, "matter-%d", i/7%300), []byte("starlark")},
		}
		if i > 2 {
			draft.References = []wire.Hash{ids[i/2], ids[i/3]}
		}
		e := b.writer.record(b.c, agentOf(i), draft, list)
		b.writer.makeLive(b.c, e)
		ids = append(ids, b.entries.idOf(e))
		for v := range verdicts {
			b.c.Source = agentOf(i + v + 1)
			if r := b.verify(b.c, &wire.EntryVerify{EntryID: ids[i], Verdict: wire.Verdict(v%4 + 1)}); r.Err != nil {
				b.t.Fatalf("%s", r.Err.Message)
			}
		}
		b.c.Events = nil
		if i%512 == 511 {
			b.s.log, b.s.pairs = nil, map[string]bool{}
			b.counters.reset()
			b.State().Hash()
			b.State().TakeRows()
			b.State().Forget(b.State().Heads())
		}
	}
}
