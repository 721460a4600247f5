package sqltest

import (
	"fmt"
	"testing"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
)

// Benchmarks measures what docs/benchmarks.md records of a store: the flush of
// one agent and of a population, and the load of one agent out of many, young and old: that
// is what a snapshot costs per agent.
func Benchmarks(b *testing.B, fresh func(t testing.TB) Database) {
	b.Run("flush one agent", func(b *testing.B) { flush(b, fresh(b), 1) })
	b.Run("flush 1000 agents", func(b *testing.B) { flush(b, fresh(b), 1000) })
	b.Run("load one agent", func(b *testing.B) { loadOne(b, fresh(b)) })
	for _, old := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("load one agent with %d old plans", old), func(b *testing.B) { loadOld(b, fresh(b), old) })
	}
}

// Day is a cycle in which each of n agents had 32 experiences of about 300 bytes
// and changed some of everything else.
func Day(c wire.Cycle, n int) *engine.Batch {
	b := Batch(c, n)
	for i := range b.Minds {
		m := &b.Minds[i]
		m.Memory.Knowledge, m.State.Body = make([]byte, 4000), make([]byte, 1500)
		x := m.Experiences[0]
		x.Action, x.Lesson = make([]byte, 240), make([]byte, 60)
		agent := x.ID >> 32 << 32
		m.Experiences = nil
		for k := range uint64(32) {
			x.ID, x.Tick = agent|uint64(c)*256+k, b.Cycle.Tick-100+wire.Tick(k)
			m.Experiences = append(m.Experiences, x)
		}
		m.Beliefs[0].ID, m.Plans[0].ID = x.ID+1, x.ID+2
	}
	return b
}

func rows(m []agent.Rows) (n int) {
	for i := range m {
		n += 2 + len(m[i].Experiences) + len(m[i].Beliefs) + len(m[i].Plans) + len(m[i].Goals)
	}
	return n
}

func flush(b *testing.B, open Database, agents int) {
	s := open(b)
	if err := s.CommitCycle(b.Context(), Day(0, agents)); err != nil {
		b.Fatal(err)
	}
	n := 0
	c := wire.Cycle(0)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		c++
		batch := Day(c, agents)
		n += rows(batch.Minds) + agents
		b.StartTimer()
		if err := s.CommitCycle(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}

func loadOne(b *testing.B, open Database) {
	s := open(b)
	for c := range wire.Cycle(20) {
		if err := s.CommitCycle(b.Context(), Day(c, 100)); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; b.Loop(); i++ {
		r, err := s.LoadAgent(b.Context(), ID(i%100))
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Experiences) != 512 {
			b.Fatal(fmt.Errorf("%d experiences, want 512", len(r.Experiences)))
		}
	}
}

// loadOld loads an agent that finished so many plans.
func loadOld(b *testing.B, open Database, plans int) {
	s := open(b)
	day := Day(0, 2)
	p := &day.Minds[0].Plans
	last := (*p)[0]
	for i := range plans {
		old := last
		old.ID, old.Status = last.ID+1+uint64(i), 2+uint8(i%2)
		*p = append(*p, old)
	}
	if err := s.CommitCycle(b.Context(), day); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := s.LoadAgent(b.Context(), day.Minds[0].Memory.AgentID)
		if err != nil {
			b.Fatal(err)
		}
		if len(r.Plans) != 33 {
			b.Fatal(fmt.Errorf("%d plans, want the living one and 32 finished", len(r.Plans)))
		}
	}
}
