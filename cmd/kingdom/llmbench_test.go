package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
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
// own that takes 200 ms for an answer. bound is the least that a cycle can take: the ticks at
// which somebody thinks, times the latency, times the rounds that the concurrency makes of them.
func BenchmarkLLM(b *testing.B) {
	for _, n := range []struct{ agents, concurrency int }{{8, 8}, {100, 100}, {500, 128}} {
		b.Run(fmt.Sprintf("agents=%d/concurrency=%d", n.agents, n.concurrency), func(b *testing.B) {
			benchLLM(b, n.agents, n.concurrency)
		})
	}
}

func benchLLM(b *testing.B, agents, concurrency int) {
	sc, err := scenarios.Load("epoch0-llm")
	if err != nil {
		b.Fatal(err)
	}
	if err := sc.Override(
		fmt.Sprintf("population=[{role: GENERALIST, count: %d}]", agents), "time.base_budget=8", "signatures=lazy",
		"minds.models.default.endpoint="+startServer(b), "minds.models.default.model=fake", fmt.Sprintf("minds.models.default.concurrency=%d", concurrency),
	); err != nil {
		b.Fatal(err)
	}
	models, err := mind(sc, openai.NewEndpoints(func(*openai.Model) keyward.Key { return keyward.Key{} }), spend.New(spend.Caps{}, nil))
	if err != nil {
		b.Fatal(err)
	}
	m := &askedAt{Patient: models.(engine.Patient), of: map[wire.Tick]int{}}
	e, err := engine.Start(b.Context(), config(sc), engine.Options{Mind: m})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Run(b.Context(), 1); err != nil { // connections, and the first things to see
		b.Fatal(err)
	}
	clear(m.of)
	before, cycle := cpu(b), wire.Cycle(1)
	for b.Loop() {
		cycle++
		if _, err := e.Run(b.Context(), cycle); err != nil {
			b.Fatal(err)
		}
	}
	used := cpu(b) - before
	turns, bound := 0, time.Duration(0)
	for _, asked := range m.of {
		turns += asked
		bound += time.Duration(max(1, float64(asked)/float64(concurrency)) * float64(benchLatency))
	}
	b.ReportMetric(b.Elapsed().Seconds()/bound.Seconds(), "x-bound")
	b.ReportMetric(b.Elapsed().Seconds()/float64(len(m.of)), "s/tick")
	b.ReportMetric(float64(used.Microseconds())/float64(turns), "cpu-µs/turn")
	b.ReportMetric(float64(turns)/float64(len(m.of)), "turns/tick")
}

// askedAt counts who thinks at a tick.
type askedAt struct {
	engine.Patient
	mu sync.Mutex
	of map[wire.Tick]int
}

func (r *askedAt) ThinkWithin(ctx context.Context, p *llm.Prompt, rest time.Duration) (llm.Thought, time.Duration, error) {
	r.mu.Lock()
	r.of[p.Tick]++
	r.mu.Unlock()
	th, used, err := r.Patient.ThinkWithin(ctx, p, rest)
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

// startServer starts the model server in a process of its own and returns its base URL.
func startServer(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(plainBinary(b), "dev", "fakellm", "--addr", "127.0.0.1:0", "--latency", benchLatency.String())
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
	return url
}
