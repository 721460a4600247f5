package openai

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kingdom/llm"
	"kingdom/llm/keyward"
	"kingdom/wire"
	"kingdom/wire/action"
)

// server stands in for the network inside a synctest bubble, where no socket can be waited
// for: it answers after latency, as answer says.
type server struct {
	latency time.Duration
	answer  func(n int, req *http.Request) (status int, body string) // nil: well

	mu    sync.Mutex
	calls []time.Time
}

const wellAnswered = `{"choices":[{"message":{"role":"assistant","content":"{\"action\":\"nop\",\"params\":{}}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":10}}`

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, time.Now())
	s.mu.Unlock()
	if !sleep(req.Context(), s.latency) {
		return nil, req.Context().Err()
	}
	status, body := http.StatusOK, wellAnswered
	if s.answer != nil {
		status, body = s.answer(n, req)
	}
	return fakeResponse(req, status, body), nil
}

// bubbleMind is a mind whose one endpoint is s.
func bubbleMind(t *testing.T, s *server, m Model) *Mind {
	t.Helper()
	m.Name, m.Endpoint, m.ID = "default", "http://127.0.0.1:1/v1", "fake"
	if m.MaxOutput == 0 {
		m.MaxOutput = 100
	}
	tier := []Model{m}
	mind, err := NewEndpoints(func(*Model) keyward.Key { return keyward.Key{} }).Mind([3][]Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mind.tiers[0][0].at.http.next = s
	return mind
}

// bubblePrompt is a prompt of the agent with this number.
func bubblePrompt(n int) *llm.Prompt {
	nop, _ := action.ByName("nop")
	var id wire.AgentID
	id[0], id[1] = byte(n>>8), byte(n)
	return &llm.Prompt{
		Identity: llm.Identity{ID: id, Alias: fmt.Sprint("agent", n)}, Tier: llm.Tier2, Actions: []*action.Row{nop},
		Affordances: []llm.Affordance{{}},
	}
}

// A thousand agents wait for an endpoint that takes sixty requests a minute, the last for more than a quarter of an
// hour: nothing times out, every agent is served once in each round, and never more calls than declared are open.
func TestThinkWithin_WaitForAdmissionDoesNotTimeOut(t *testing.T) {
	const agents, rounds = 1000, 2
	synctest.Test(t, func(t *testing.T) {
		s := &server{latency: 2 * time.Second}
		mind := bubbleMind(t, s, Model{RequestsPerMinute: 60, Concurrency: 16})
		begin := time.Now()
		done := make([][rounds]time.Duration, agents)
		var wg sync.WaitGroup
		for i := range agents {
			wg.Go(func() {
				for r := range rounds {
					th, used, err := mind.ThinkWithin(t.Context(), bubblePrompt(i), 90*time.Second)
					if err != nil || th.Outcome != llm.Answered || used != s.latency || th.Calls[0].LatencyMS != 2000 {
						t.Errorf("agent %d: %v (%s), %v, used %v", i, th.Outcome, th.Error, err, used)
					}
					done[i][r] = time.Since(begin)
				}
			})
		}
		wg.Wait()
		if n := len(s.calls); n != agents*rounds {
			t.Fatalf("%d calls, want %d", n, agents*rounds)
		}
		for i := 60; i < len(s.calls); i++ {
			if d := s.calls[i].Sub(s.calls[i-60]); d < time.Minute {
				t.Fatalf("61 calls within %v", d)
			}
		}
		var last, first time.Duration = 0, 1 << 62
		for i := range done {
			last, first = max(last, done[i][0]), min(first, done[i][1])
		}
		if last > first+time.Minute {
			t.Errorf("one agent thought a second time at %v, when another waited for its first until %v", first, last)
		}
	})
}

// A thousand agents ask a server that refuses every call because of its rate and names no wait: after the first calls one
// asks at a time, ever more seldom, then the endpoint is down, which every other agent is told without asking.
func TestThinkWithin_RefusalsWithoutAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const agents, together = 1000, 16
		s := &server{latency: 100 * time.Millisecond, answer: func(int, *http.Request) (int, string) {
			return 429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`
		}}
		mind := bubbleMind(t, s, Model{Concurrency: together})
		var outages atomic.Int64
		var wg sync.WaitGroup
		for i := range agents {
			wg.Go(func() {
				th, _, err := mind.ThinkWithin(t.Context(), bubblePrompt(i), 90*time.Second)
				if err != nil || th.Outcome != llm.ProviderError {
					t.Errorf("agent %d: %v (%s), %v", i, th.Outcome, th.Error, err)
				}
				if th.Outage {
					outages.Add(1)
				}
			})
		}
		wg.Wait()
		if n := len(s.calls); n != together+breakerFailures-1 {
			t.Errorf("%d calls, want %d together and one after each of %d pauses", n, together, breakerFailures-1)
		}
		if n := outages.Load(); n < agents-together-breakerFailures {
			t.Errorf("%d of %d agents were told of the outage", n, agents)
		}
	})
}

// A call that hangs takes the time of its thought and no more; the slot's rest bounds it too.
func TestThinkWithin_TimesOut(t *testing.T) {
	for _, tt := range []struct{ model, rest, want time.Duration }{
		{0, 90 * time.Second, DefaultTimeout},
		{45 * time.Second, 90 * time.Second, 45 * time.Second},
		{45 * time.Second, 10 * time.Second, 10 * time.Second},
		{45 * time.Second, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			mind := bubbleMind(t, &server{latency: time.Hour}, Model{Timeout: tt.model})
			begin := time.Now()
			th, used, err := mind.ThinkWithin(t.Context(), bubblePrompt(1), tt.rest)
			if err != nil || th.Outcome != llm.TimedOut || used != tt.want || time.Since(begin) != tt.want {
				t.Errorf("%+v: %v, %v, used %v of %v", tt, th.Outcome, err, used, time.Since(begin))
			}
			if want := fmt.Sprintf("timeout: no answer within %v", tt.want); th.Error != want {
				t.Errorf("says %q, want %q", th.Error, want)
			}
		})
	}
}

// Pauses between the calls of one thought count: three calls of 10 s with a server that
// asks for 4 s in between do not fit 30 s.
func TestThinkWithin_PausesBetweenCallsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{latency: 10 * time.Second, answer: func(int, *http.Request) (int, string) {
			return 503, `{"error":{"message":"busy"}}`
		}}
		mind := bubbleMind(t, s, Model{})
		mind.jitter = func() float64 { return 0 }
		th, used, _ := mind.ThinkWithin(t.Context(), bubblePrompt(1), 90*time.Second)
		// 10 + 0.5 + 10 + 1 + what is left of the third: 8.5
		if th.Outcome != llm.TimedOut || used != 30*time.Second || len(s.calls) != 3 {
			t.Errorf("%v (%s) after %v and %d calls", th.Outcome, th.Error, used, len(s.calls))
		}
	})
}

// A stop ends those who wait for leave as well as those who wait for an answer.
func TestThinkWithin_Interrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mind := bubbleMind(t, &server{latency: time.Minute}, Model{Concurrency: 2, Timeout: 80 * time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				if th, _, err := mind.ThinkWithin(ctx, bubblePrompt(i), 90*time.Second); err != nil || th.Outcome != llm.Interrupted {
					t.Errorf("%v (%s), %v", th.Outcome, th.Error, err)
				}
			})
		}
		begin := time.Now()
		wg.Wait()
		if d := time.Since(begin); d != time.Second {
			t.Errorf("took %v", d)
		}
	})
}
