package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/keyward"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
	"kingdom/scenarios"
	"kingdom/wire"
)

const benchLatency = 200 * time.Millisecond

// BenchmarkLLM is a cycle whose agents are all asked over HTTP, with a server in a process of its
// own that takes 200 ms for an answer. It compares a cycle with two bounds, both the latency times the ticks at which somebody
// thinks, times the rounds that the concurrency makes of them: x-bound counts parts of a round, which is the work divided by the
// concurrency, and x-rounds whole ones, which is what calls that all take the same time need at least. What is beyond the whole
// rounds is over-ms/tick, and of the median tick median-over-ms, which other work on the machine changes less; cpu-ms/tick and server-ms/tick are what engine and server computed for it, on the processors that they share.
// Of the engine's own part drawn-ms/tick is from the first call of a tick to the last, where nobody waits for leave to ask, and
// between-ms/tick from the last answer to the first call of the next tick. cpu-µs/turn is all CPU divided by the calls, so what
// agents that rest and the ends of cycles cost is in it; asked-µs/turn is without the ends of cycles, and as if nobody rested.
// The heap grows as in kingdom run.
func BenchmarkLLM(b *testing.B) {
	for _, n := range []struct{ agents, concurrency int }{{8, 8}, {100, 100}, {500, 128}} {
		b.Run(fmt.Sprintf("agents=%d/concurrency=%d", n.agents, n.concurrency), func(b *testing.B) {
			benchLLM(b, n.agents, n.concurrency)
		})
	}
}

func benchLLM(b *testing.B, agents, concurrency int) {
	startGCTuner()
	server := startServer(b)
	sc, err := scenarios.Load("epoch0-llm")
	if err != nil {
		b.Fatal(err)
	}
	if err := sc.Override(
		fmt.Sprintf("population=[{role: GENERALIST, count: %d}]", agents), "time.base_budget=8", "signatures=lazy",
		"minds.models.default.endpoint="+server.url, "minds.models.default.model=fake", fmt.Sprintf("minds.models.default.concurrency=%d", concurrency),
	); err != nil {
		b.Fatal(err)
	}
	models, err := mind(sc, openai.NewEndpoints(func(*openai.Model) keyward.Key { return keyward.Key{} }), spend.New(spend.Caps{}, nil))
	if err != nil {
		b.Fatal(err)
	}
	m := &askedAt{SelfTimedMind: models.(engine.SelfTimedMind), b: b, of: map[wire.Tick]*asked{}}
	e, err := engine.Start(b.Context(), config(sc), engine.Options{Mind: m})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(b.Context(), 1); err != nil { // connections, and the first things to see
		b.Fatal(err)
	}
	clear(m.of)
	var room, roomBefore runtime.MemStats
	runtime.ReadMemStats(&roomBefore)
	before, served, cycle := cpu(b), server.cpu(b), wire.Cycle(1)
	for b.Loop() {
		cycle++
		if _, err := e.Run(b.Context(), cycle); err != nil {
			b.Fatal(err)
		}
	}
	used, served := cpu(b)-before, server.cpu(b)-served
	runtime.ReadMemStats(&room)
	turns, bound, rounds, drawn := 0, time.Duration(0), time.Duration(0), time.Duration(0)
	for _, a := range m.of {
		turns += a.turns
		bound += time.Duration(max(1, float64(a.turns)/float64(concurrency)) * float64(benchLatency))
		rounds += time.Duration((a.turns+concurrency-1)/concurrency) * benchLatency
		drawn += a.drawn.Sub(a.first)
	}
	ticks := float64(len(m.of))
	b.ReportMetric(b.Elapsed().Seconds()/bound.Seconds(), "x-bound")
	b.ReportMetric(b.Elapsed().Seconds()/rounds.Seconds(), "x-rounds")
	b.ReportMetric(b.Elapsed().Seconds()/ticks, "s/tick")
	b.ReportMetric((b.Elapsed()-rounds).Seconds()*1e3/ticks, "over-ms/tick")
	b.ReportMetric(m.medianOver(concurrency).Seconds()*1e3, "median-over-ms")
	b.ReportMetric(used.Seconds()*1e3/ticks, "cpu-ms/tick")
	b.ReportMetric(served.Seconds()*1e3/ticks, "server-ms/tick")
	b.ReportMetric(float64(used.Microseconds())/float64(turns), "cpu-µs/turn")
	if all := m.ofAll(agents); all > 0 {
		b.ReportMetric(float64(all.Microseconds())/float64(agents), "asked-µs/turn")
	}
	b.ReportMetric(float64(served.Microseconds())/float64(turns), "server-µs/turn")
	b.ReportMetric(float64(turns)/ticks, "turns/tick")
	b.ReportMetric(drawn.Seconds()*1e3/ticks, "drawn-ms/tick")
	b.ReportMetric(m.between().Seconds()*1e3/ticks, "between-ms/tick")
	b.ReportMetric(float64(room.Mallocs-roomBefore.Mallocs)/float64(turns), "allocs/turn")
	b.ReportMetric(float64(room.TotalAlloc-roomBefore.TotalAlloc)/float64(turns), "B/turn")
}

// askedAt notes who thinks at a tick, and when.
type askedAt struct {
	engine.SelfTimedMind
	b  *testing.B
	mu sync.Mutex
	of map[wire.Tick]*asked
}

// asked are the calls of a tick.
type asked struct {
	cycle              wire.Cycle
	turns              int
	first, drawn, last time.Time     // the first and the last prompt was there, the last answer was
	cpu                time.Duration // of this process, when the first prompt was there
}

// ofAll is the CPU of a tick at which all agents are asked, by the line through what ticks took of which the next is in
// the same cycle; 0 without such a line.
func (r *askedAt) ofAll(agents int) time.Duration {
	var n, x, y, xx, xy float64
	var before *asked
	for _, t := range slices.Sorted(maps.Keys(r.of)) {
		a := r.of[t]
		if before != nil && before.cycle == a.cycle {
			turns, took := float64(before.turns), float64(a.cpu-before.cpu)
			n, x, y, xx, xy = n+1, x+turns, y+took, xx+turns*turns, xy+turns*took
		}
		before = a
	}
	spread := n*xx - x*x
	if spread <= 0 {
		return 0
	}
	slope := (n*xy - x*y) / spread
	return time.Duration((y-slope*x)/n + slope*float64(agents))
}

// between is the time, of all ticks together, from the last answer of a tick to the first call of the next.
func (r *askedAt) between() (sum time.Duration) {
	var before *asked
	for _, t := range slices.Sorted(maps.Keys(r.of)) {
		if before != nil {
			sum += r.of[t].first.Sub(before.last)
		}
		before = r.of[t]
	}
	return sum
}

// medianOver is what the median tick takes, from its first call to the first of the next, beyond its whole rounds.
func (r *askedAt) medianOver(concurrency int) time.Duration {
	var over []time.Duration
	var before *asked
	for _, t := range slices.Sorted(maps.Keys(r.of)) {
		if before != nil {
			rounds := time.Duration((before.turns + concurrency - 1) / concurrency)
			over = append(over, r.of[t].first.Sub(before.first)-rounds*benchLatency)
		}
		before = r.of[t]
	}
	if len(over) == 0 {
		return 0
	}
	slices.Sort(over)
	return over[len(over)/2]
}

func (r *askedAt) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	begin := time.Now()
	r.mu.Lock()
	at := r.of[p.Tick]
	if at == nil {
		at = &asked{cycle: p.Cycle, first: begin, cpu: cpu(r.b)}
		r.of[p.Tick] = at
	}
	at.turns, at.drawn = at.turns+1, begin
	r.mu.Unlock()
	th, used, err := r.SelfTimedMind.ThinkWithin(ctx, p, rest)
	r.mu.Lock()
	at.last = time.Now()
	r.mu.Unlock()
	if th.Outcome != llm.Answered {
		err = fmt.Errorf("no answer: %v %s", th.Outcome, th.Error)
	}
	return th, used, err
}

// cpu is user plus system time of this process, in which the server is not.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// modelServer is the model server in a process of its own.
type modelServer struct {
	url string // its base
	pid int
}

// cpu is user plus system time of the server's process, 0 where the system has no /proc.
func (s *modelServer) cpu(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	_, fields, _ := bytes.Cut(stat, []byte(") ")) // behind the command's name
	of := bytes.Fields(fields)
	if err != nil || len(of) < 13 {
		b.Fatalf("no times of the server: %v %s", err, stat)
	}
	const hundredths = 10 * time.Millisecond // of a second, whatever the kernel
	user, err1 := strconv.Atoi(string(of[11]))
	system, err2 := strconv.Atoi(string(of[12]))
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * hundredths
}

// startServer starts the model server.
func startServer(b *testing.B) *modelServer {
	b.Helper()
	return serving(b, exec.Command(plainBinary(b), "dev", "fakellm", "--addr", "127.0.0.1:0", "--latency", benchLatency.String()))
}

// serving starts a server that first says where it serves.
func serving(b *testing.B, cmd *exec.Cmd) *modelServer {
	b.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		b.Fatal(err)
	}
	url, _, _ := strings.Cut(strings.TrimPrefix(line, "serving "), ";")
	return &modelServer{url, cmd.Process.Pid}
}
