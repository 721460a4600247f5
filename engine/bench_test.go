//go:build unix

package engine

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"syscall"
	"testing"
	"time"

	"kingdom/wire"
)

// BenchmarkBarrier is one round of jobs that do nothing.
func BenchmarkBarrier(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("agents=%d", n), func(b *testing.B) {
			c := newAgentPool()
			for i := range n {
				c.add(&seat{id: wire.AgentID{byte(i >> 16), byte(i >> 8), byte(i)}})
			}
			idle := job{do: func(*seat, *job) error { return nil }}
			b.ReportAllocs()
			for b.Loop() {
				if err := c.do(c.seats, idle); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// cpuTime is user plus system time of the process.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRun is whole cycles of whole worlds, per agent-tick.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{8, 1_000, 10_000} {
		for _, lazy := range []bool{true, false} {
			if n > 1_000 && !lazy {
				continue
			}
			b.Run(fmt.Sprintf("agents=%d/lazy=%v", n, lazy), func(b *testing.B) { benchRun(b, n, lazy) })
		}
	}
}

func benchRun(b *testing.B, n int, lazy bool) {
	cfg := testConfig("42", n)
	cfg.SignaturesLazy = lazy
	cfg.Rules.Calendar = wire.Calendar{TicksPerCycle: wire.DefaultTicksPerCycle} // time as scenarios have it by default
	cfg.Turn.Calendar = cfg.Rules.Calendar
	cfg.Rules.BaseBudget, cfg.Rules.MaxExtra = 64, 192
	e, err := Start(b.Context(), cfg, Options{Mind: testMind("42")})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := e.Run(b.Context(), 1); err != nil { // warm
		b.Fatal(err)
	}
	b.ReportAllocs()
	ticks, cpu := e.count.agentTicks, cpuTime(b)
	for b.Loop() {
		if _, err := e.Run(context.Background(), e.cycle+1); err != nil {
			b.Fatal(err)
		}
	}
	done := float64(e.count.agentTicks - ticks)
	b.ReportMetric(float64(cpuTime(b)-cpu)/done, "cpu-ns/agent-tick")
	b.ReportMetric(done/b.Elapsed().Seconds(), "agent-ticks/s")
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkBareCrypto is what signatures cost at least. "sign" is what a run with eager signatures adds to
// one with lazy ones: hash and sign. "standard" is hash, sign and verify by the standard library, the unit
// that docs/benchmarks.md measures durable eager runs in.
func BenchmarkBareCrypto(b *testing.B) {
	key := wire.AgentKey(wire.WorldSeed("42"), 1)
	pub := key.Public().(ed25519.PublicKey)
	body := make([]byte, 200)
	sealed := func() wire.Envelope {
		return wire.NewEnvelope(wire.TypeMsgPost, wire.IDOf(pub), wire.SystemID(wire.SystemAgora), 1, body)
	}
	b.Run("sign", func(b *testing.B) {
		for b.Loop() {
			env := sealed()
			env.Sign(key)
		}
	})
	b.Run("standard", func(b *testing.B) {
		for b.Loop() {
			env := sealed()
			text := env.AppendSigned(nil)
			if !ed25519.Verify(pub, text, ed25519.Sign(key, text)) {
				b.Fatal("the signature just made is refused")
			}
		}
	})
}
