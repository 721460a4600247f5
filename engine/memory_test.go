package engine

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// chainStore keeps the records of append-only tables of a run and nothing else, outside of
// the heap that is measured as far as possible: only records are held.
type chainStore struct{ *memStore }

func (s chainStore) CommitCycle(ctx context.Context, b *Batch) error {
	var chains []world.Row
	for _, r := range b.Rows {
		if r.Chain {
			chains = append(chains, r)
		}
	}
	return s.memStore.CommitCycle(ctx, &Batch{Run: b.Run, Cycle: b.Cycle, Rows: chains, Heads: b.Heads})
}

// bytes is what the records take.
func (s chainStore) bytes() (n int64) {
	for _, rows := range s.chains {
		for _, r := range rows {
			n += int64(cap(r.Body)) + int64(cap(r.Key)) + 80 // and the row
		}
	}
	return n
}

// BenchmarkMemory is the live heap of a run with a store per agent, its agents and the
// world's indexes of what they did, without what the store holds.
func BenchmarkMemory(b *testing.B) {
	for _, cycles := range []wire.Cycle{4, 20} {
		b.Run(fmt.Sprintf("agents=100/cycles=%d", cycles), func(b *testing.B) {
			var live int64
			for b.Loop() {
				before := heapBytes()
				s := chainStore{newMemStore()}
				e, err := Start(b.Context(), testConfig("42", 100), Options{Mind: testMind("42"), Store: s})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := e.Run(b.Context(), cycles); err != nil {
					b.Fatal(err)
				}
				live = heapBytes() - before - s.bytes()
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(live)/100, "B/agent")
		})
	}
}

// BenchmarkGrowth measures how much 200 agents and their world grow from the end of cycle 20 to that of cycles 60 and
// 80, without what the store holds (docs/benchmarks.md).
func BenchmarkGrowth(b *testing.B) {
	const agents, first = 200, 20
	for b.Loop() {
		s := chainStore{newMemStore()}
		e, err := Start(b.Context(), testConfig("42", agents), Options{Mind: testMind("42"), Store: s})
		if err != nil {
			b.Fatal(err)
		}
		var start int64
		for _, cycle := range []wire.Cycle{first, 60, 80} {
			if _, err := e.Run(b.Context(), cycle); err != nil {
				b.Fatal(err)
			}
			live := heapBytes() - s.bytes()
			if cycle == first {
				start = live
				continue
			}
			b.ReportMetric(float64(live-start)/float64(agents*(cycle-first)), fmt.Sprintf("B/agent-cycle-to-%d", cycle))
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
