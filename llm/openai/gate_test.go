package openai

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// oneLane is a gate of a single model.
type oneLane struct {
	*gate
	lane *modelLimits
}

func testGate(m Model) oneLane {
	g := newGate(m.Endpoint)
	return oneLane{g, g.addModel(&m)}
}

func (g oneLane) enter(ctx context.Context, tokens uint64) (*ticket, error) {
	return g.gate.acquire(ctx, g.lane, tokens)
}

// Requests per minute belong to a model: one that has used up its own lets calls to another
// model of the endpoint pass, and no call of its own overtakes another.
func TestGate_LimitsAMinuteByModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate("http://e")
		slow, fast := g.addModel(&Model{Name: "slow", Concurrency: 8, RequestsPerMinute: 1}), g.addModel(&Model{Name: "fast", Concurrency: 2, TokensPerMinute: 100})
		start := time.Now()
		call := func(l *modelLimits, want time.Duration) {
			t.Helper()
			tk, err := g.acquire(t.Context(), l, 50)
			if d := time.Since(start); err != nil || d != want {
				t.Errorf("leave after %v (%v), want %v", d, err, want)
				return
			}
			g.answered(tk, 50, 0)
		}
		call(slow, 0)
		done := make(chan struct{})
		go func() { call(slow, time.Minute); close(done) }()
		synctest.Wait()
		call(fast, 0)
		call(fast, 0)
		call(fast, time.Minute)
		<-done
		if g.maxInFlight != 2 {
			t.Errorf("%d calls at once, want the smaller of 8 and 2", g.maxInFlight)
		}
	})
}

// Limits that a change of the scenario gives a model hold from its first call under them, in place of those before; calls of the
// last minute count for both.
func TestGate_LimitsChangeWithTheScenario(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate("http://e")
		before := g.addModel(&Model{Name: "m", Concurrency: 2, RequestsPerMinute: 100})
		after := g.addModel(&Model{Name: "m", Concurrency: 16, RequestsPerMinute: 3})
		for range 2 {
			tk, err := g.acquire(t.Context(), before, 1)
			if err != nil || g.maxInFlight != 2 || g.limit != 2 {
				t.Fatalf("%d calls at once, limit %v, %v; want 2", g.maxInFlight, g.limit, err)
			}
			g.answered(tk, 1, 0)
		}
		start := time.Now()
		for i, want := range []time.Duration{0, time.Minute} {
			tk, err := g.acquire(t.Context(), after, 1)
			if d := time.Since(start); err != nil || d != want || g.maxInFlight != 16 {
				t.Errorf("call %d under the new limits leaves after %v of %v, %d at once: %v", i, d, want, g.maxInFlight, err)
			}
			g.answered(tk, 1, 0)
		}
	})
}

// Runs of a sweep may be before and after a change at once: together they keep to the limits per minute, and a call that is
// cancelled counts under neither settings. A limit that overload has halved is not raised by a change.
func TestGate_TwoSettingsOfOneModelAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate("http://e")
		a := g.addModel(&Model{Name: "m", Concurrency: 8, RequestsPerMinute: 2, TokensPerMinute: 1000})
		b := g.addModel(&Model{Name: "m", Concurrency: 8, RequestsPerMinute: 2, TokensPerMinute: 1000})
		first, err := g.acquire(t.Context(), a, 10)
		if err != nil {
			t.Fatal(err)
		}
		second, err := g.acquire(t.Context(), b, 10)
		if err != nil {
			t.Fatal(err)
		}
		g.cancel(first) // one more may go now, whichever settings it has
		third, err := g.acquire(t.Context(), b, 10)
		if err != nil {
			t.Fatal(err)
		}
		g.answered(second, 10, 0)
		g.answered(third, 10, 0)
		start := time.Now()
		for i, l := range []*modelLimits{a, b, a, b} {
			tk, err := g.acquire(t.Context(), l, 10)
			if d := time.Since(start); err != nil || d != time.Duration(1+i/2)*time.Minute {
				t.Errorf("call %d leaves after %v: %v", i, d, err)
			}
			g.answered(tk, 10, 0)
		}
		time.Sleep(2 * time.Minute)
		tk, err := g.acquire(t.Context(), a, 10)
		if err != nil {
			t.Fatal(err)
		}
		g.failed(tk, FailureOverloaded, "busy", 0)
		g.addModel(&Model{Name: "m", Concurrency: 8})
		if g.limit != 4 {
			t.Errorf("limit %v after a failure, want 4", g.limit)
		}
	})
}

func TestGate_NeverPassesTheRequestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 100, RequestsPerMinute: 10})
		var at []time.Time
		for range 35 {
			tk, err := g.enter(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Now())
			g.answered(tk, 1, 0)
		}
		for i := 10; i < len(at); i++ {
			if d := at[i].Sub(at[i-10]); d < time.Minute {
				t.Fatalf("11 calls within %v", d)
			}
		}
		if d := at[34].Sub(at[0]); d != 3*time.Minute {
			t.Errorf("35 calls took %v, want 3m0s", d)
		}
	})
}

func TestGate_NeverPassesTheTokenLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 100, TokensPerMinute: 1000})
		start := time.Now()
		for range 6 {
			tk, err := g.enter(t.Context(), 400)
			if err != nil {
				t.Fatal(err)
			}
			g.answered(tk, 400, 0)
		}
		if d := time.Since(start); d != 2*time.Minute {
			t.Errorf("2,400 tokens at 1,000 a minute took %v, want 2m0s", d)
		}
		if _, err := g.enter(t.Context(), 1001); err == nil {
			t.Error("a call that never fits is let wait")
		}
	})
}

func TestGate_ServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 1})
		first, _ := g.enter(t.Context(), 1)
		var order []int
		for i := range 5 {
			go func() {
				tk, err := g.enter(t.Context(), 1)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i)
				g.answered(tk, 1, 0)
			}()
			synctest.Wait()
		}
		g.answered(first, 1, 0)
		synctest.Wait()
		for i, got := range order {
			if got != i {
				t.Fatalf("order %v", order)
			}
		}
		if len(order) != 5 {
			t.Fatalf("served %d of 5", len(order))
		}
	})
}

func TestGate_HalvesAndRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 8})
		var open []*ticket
		for range 8 {
			tk, _ := g.enter(t.Context(), 1)
			open = append(open, tk)
		}
		for _, tk := range open[:4] {
			g.failed(tk, FailureOverloaded, "busy", 0)
		}
		if g.limit != 4 {
			t.Errorf("limit %v after four failures at once, want 4", g.limit)
		}
		for _, tk := range open[4:] {
			g.answered(tk, 1, 0)
		}
		for range 60 {
			tk, _ := g.enter(t.Context(), 1)
			g.answered(tk, 1, 0)
		}
		if g.limit != 8 {
			t.Errorf("limit %v after 64 good answers, want 8", g.limit)
		}
	})
}

// Seconds after the last failure as many calls as declared are open again.
func TestGate_RecoversSoonAfterManyFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const declared, call = 16, 200 * time.Millisecond
		g := testGate(Model{Concurrency: declared})
		over := time.Now().Add(20 * time.Second)
		var mu sync.Mutex // of what follows
		dice, now, least, full := rand.New(rand.NewPCG(5, 6)), 0, declared, time.Duration(0)
		var wg sync.WaitGroup
		for range 2 * declared {
			wg.Go(func() {
				for time.Since(over) < 20*time.Second {
					tk, err := g.enter(t.Context(), 1)
					if err != nil { // the breaker opened
						time.Sleep(time.Second)
						continue
					}
					calm := time.Since(over) >= 0
					g.mu.Lock()
					limit := int(g.limit)
					g.mu.Unlock()
					mu.Lock()
					x := dice.Float64()
					now++
					if calm && now == declared && full == 0 {
						full = time.Since(over)
					}
					if !calm {
						least = min(least, limit)
					}
					mu.Unlock()
					time.Sleep(call)
					mu.Lock()
					now--
					mu.Unlock()
					switch {
					case calm || x >= 0.45:
						g.answered(tk, 1, 0)
					case x < 0.30:
						g.failed(tk, FailureRate, "slow down", 3*time.Millisecond)
					default:
						g.failed(tk, FailureOverloaded, "busy", 0)
					}
				}
			})
		}
		wg.Wait()
		if least > declared/4 {
			t.Errorf("in the storm never fewer than %d calls were allowed", least)
		}
		if full == 0 || full > 5*time.Second {
			t.Errorf("%d calls at once %v after the storm", declared, full)
		}
		t.Logf("%d calls at once %v after a storm that left %d", declared, full, least)
	})
}

func TestGate_RateLimitPausesAllAndProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 8})
		tk, _ := g.enter(t.Context(), 1)
		g.failed(tk, FailureRate, "slow", 2*time.Second)
		start := time.Now()
		probe, err := g.enter(t.Context(), 1)
		if err != nil || time.Since(start) != 2*time.Second {
			t.Fatalf("got %v after %v, want leave after 2s", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.enter(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second call beside the probe: %v", err)
		}
		g.answered(probe, 1, 0)
		if _, err := g.enter(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

// A server that refuses calls because of their rate and does not say for how long is left alone for a while by all agents,
// each time for longer, and is down after that.
func TestGate_RefusalsWithoutAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const burst = 3 * breakerFailures
		g := testGate(Model{Endpoint: "http://e", Concurrency: burst})
		var sent []*ticket
		for range burst {
			tk, _ := g.enter(t.Context(), 1)
			sent = append(sent, tk)
		}
		for _, tk := range sent { // all at once: one sign, not thirty
			if g.failed(tk, FailureRate, "slow down", 0) {
				t.Fatal("the endpoint is out after calls that were under way together")
			}
		}
		began := time.Now()
		var pauses []time.Duration
		for out := false; !out; {
			asked := time.Now()
			probe, err := g.enter(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			pauses = append(pauses, time.Since(asked))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := g.enter(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a call beside the probe: %v", err)
			}
			cancel()
			out = g.failed(probe, FailureRate, "slow down", 0)
		}
		half := 500 * time.Millisecond
		if want := []time.Duration{half, 2 * half, 4 * half, 8 * half, 16 * half, breakerPause, breakerPause, breakerPause, breakerPause}; !slices.Equal(pauses, want) {
			t.Errorf("paused for %v, want %v", pauses, want)
		}
		if time.Since(began) < time.Minute {
			t.Errorf("out after %v: a limit per minute would have passed", time.Since(began))
		}
		var out *OutError
		if _, err := g.enter(t.Context(), 1); !errors.As(err, &out) || out.Failure != FailureRate {
			t.Errorf("got %v, want that the endpoint is out", err)
		}
		time.Sleep(breakerPause)
		probe, err := g.enter(t.Context(), 1)
		if err != nil {
			t.Fatalf("no probe after the pause: %v", err)
		}
		g.answered(probe, 1, 0)
		again, _ := g.enter(t.Context(), 1)
		g.failed(again, FailureRate, "slow down", 0)
		asked := time.Now()
		if _, err := g.enter(t.Context(), 1); err != nil || time.Since(asked) != half {
			t.Errorf("after an answer the pause is %v (%v), want the shortest again", time.Since(asked), err)
		}
	})
}

func TestGate_BreakerOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Endpoint: "http://e", Concurrency: 8})
		for i := range breakerFailures {
			tk, err := g.enter(t.Context(), 1)
			if err != nil {
				t.Fatalf("call %d: %v", i, err)
			}
			g.failed(tk, FailureTransport, "refused", 0)
		}
		var out *OutError
		if _, err := g.enter(t.Context(), 1); !errors.As(err, &out) || out.Failure != FailureTransport || out.Endpoint != "http://e" {
			t.Fatalf("got %v, want that the endpoint is out", err)
		}
		time.Sleep(breakerPause)
		tk, err := g.enter(t.Context(), 1)
		if err != nil {
			t.Fatalf("no probe after the pause: %v", err)
		}
		g.answered(tk, 1, 0)
		if _, err := g.enter(t.Context(), 1); err != nil {
			t.Errorf("still out after a good probe: %v", err)
		}
	})
}

// An endpoint that refuses every call is out, also if it gives no reason that is known, or asks to wait for hours.
func TestGate_RefusalOfAllCallsOpensTheBreaker(t *testing.T) {
	cases := []struct {
		what    string
		failure Failure
		wait    time.Duration
		calls   int // until the endpoint is out
	}{
		{"an unknown 4xx", FailureOther, 0, breakerFailures},
		{"a rate limit for a day", FailureRate, 24 * time.Hour, breakerFailures},
		{"a rate limit for a minute", FailureRate, time.Minute, 0},
		{"an overload for a day", FailureOverloaded, 24 * time.Hour, breakerFailures},
		{"a prompt that is too long", FailureContext, 0, 0},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			g := testGate(Model{Endpoint: "http://e", Concurrency: 8})
			for i := range 3 * breakerFailures {
				tk, err := g.enter(t.Context(), 1)
				if err != nil {
					t.Fatalf("%s: call %d: %v", c.what, i, err)
				}
				if out := g.failed(tk, c.failure, "no", c.wait); out != (i+1 == c.calls) {
					t.Fatalf("%s: out is %v after %d calls, want it after %d", c.what, out, i+1, c.calls)
				} else if out {
					return
				}
			}
		})
	}
}

func TestGate_CancelledWaiterIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 1})
		tk, _ := g.enter(t.Context(), 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { _, err := g.enter(ctx, 1); done <- err }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		g.answered(tk, 1, 0)
		if _, err := g.enter(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	})
}

// A call that may go in the moment in which its asker stops waiting is not sent, and counts against nothing.
func TestGate_LetGoAndCancelledInTheSameMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 1, TokensPerMinute: 100})
		start := time.Now()
		for range 20 { // which of the two its asker sees is chance
			first, _ := g.enter(t.Context(), 10)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			var late *ticket
			go func() {
				var err error
				late, err = g.enter(ctx, 90)
				done <- err
			}()
			synctest.Wait()
			g.mu.Lock()
			cancel()
			g.takeBack(first) // lets the late one go
			g.mu.Unlock()
			if err := <-done; err == nil {
				g.cancel(late)
			}
			next, err := g.enter(t.Context(), 100)
			if err != nil || time.Since(start) > 0 {
				t.Fatalf("the next call leaves after %v (%v): the one that was not sent is counted", time.Since(start), err)
			}
			g.cancel(next)
		}
	})
}

// A call that brought no answer has used no tokens: the next one need not wait for the minute to pass.
func TestGate_FailedCallUsesNoTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := testGate(Model{Concurrency: 1, TokensPerMinute: 100})
		start := time.Now()
		tk, _ := g.enter(t.Context(), 100)
		g.failed(tk, FailureOther, "no", 0)
		if _, err := g.enter(t.Context(), 100); err != nil || time.Since(start) > 0 {
			t.Errorf("the next call leaves after %v (%v)", time.Since(start), err)
		}
	})
}
