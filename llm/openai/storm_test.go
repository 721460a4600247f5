package openai_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// Under many random failures every think ends with an outcome that has a reason, most with an answer, and the server
// never gets more calls at once than declared.
func TestThink_EveryThinkEndsUnderManyFailures(t *testing.T) {
	var now, most atomic.Int64
	var mu sync.Mutex
	dice := rand.New(rand.NewPCG(1, 2))
	script := func(int, *fakellm.Request) fakellm.Act {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		mu.Lock()
		x := dice.Float64()
		mu.Unlock()
		switch {
		case x < 0.30:
			return body(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "retry-after-ms", "2")
		case x < 0.40:
			return body(503, overload, "retry-after-ms", "2")
		case x < 0.45:
			return fakellm.Close()
		case x < 0.50:
			return body(200, "<html>")
		}
		return nil
	}
	l := newLab(t, script, func(m *openai.Model) { m.Concurrency = 16 })
	var wg sync.WaitGroup
	var answered, failed atomic.Int64
	for range 200 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			th, err := l.mind.Think(ctx, &l.prompt)
			switch {
			case err != nil:
				t.Error(err)
			case th.Outcome == llm.Answered:
				answered.Add(1)
			case th.Outcome == llm.ProviderError && th.Error != "":
				failed.Add(1)
			default:
				t.Errorf("got %v (%s)", th.Outcome, th.Error)
			}
		})
	}
	wg.Wait()
	if answered.Load() < 100 || answered.Load()+failed.Load() != 200 {
		t.Errorf("%d answered, %d failed of 200", answered.Load(), failed.Load())
	}
	if most.Load() > 16 {
		t.Errorf("%d calls at once, declared are 16", most.Load())
	}
}

// What is declared is what is sent.
func TestThink_RequestFields(t *testing.T) {
	zero, seed := 0.0, int64(7)
	l := newLab(t, nil, func(m *openai.Model) {
		m.Temperature, m.Seed, m.Effort = &zero, &seed, "low"
		m.Extra = map[string]any{"top_k": 5}
	})
	l.think(t, 5*time.Second)
	var sent map[string]any
	if err := json.Unmarshal(l.server.Requests()[0].Body, &sent); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"temperature": 0.0, "seed": 7.0, "reasoning_effort": "low", "top_k": 5.0, "max_tokens": 512.0, "model": "fake"} {
		if sent[name] != want {
			t.Errorf("%s is %v, want %v", name, sent[name], want)
		}
	}
	if _, ok := sent["stream"]; ok {
		t.Error("stream is sent")
	}
}

// Fields that a server refuses are dropped one by one, once for the whole run.
func TestThink_RefusedFieldsAreDroppedForTheRun(t *testing.T) {
	refuse := func(name string) string {
		return `{"error":{"message":"Unsupported parameter: '` + name + `' is not supported with this model.","code":"unsupported_parameter"}}`
	}
	zero, seed := 0.5, int64(7)
	script := func(_ int, r *fakellm.Request) fakellm.Act {
		for _, name := range []string{"max_tokens", "temperature", "seed", "top_k", "reasoning_effort"} {
			if strings.Contains(string(r.Body), `"`+name+`":`) {
				return body(400, refuse(name))
			}
		}
		return nil
	}
	l := newLab(t, script, func(m *openai.Model) {
		m.Temperature, m.Seed, m.Effort, m.Extra = &zero, &seed, "low", map[string]any{"top_k": 5}
	})
	for range 2 {
		if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered {
			t.Fatalf("got %v (%s)", th.Outcome, th.Error)
		}
	}
	if n := l.server.Counts().Requests; n != 5+2 {
		t.Errorf("%d requests, want 5 refusals and 2 answers", n)
	}
}

// A server that names its context size gets prompts that fit from then on.
func TestThink_PromptsFitContextTheServerNamed(t *testing.T) {
	const c = 9000
	script := func(_ int, r *fakellm.Request) fakellm.Act {
		if size := len(r.Messages[0].Content) + len(r.Messages[1].Content); size > 4*c {
			return body(400, `{"error":{"message":"the request exceeds the available context size (9000 tokens), try increasing it","type":"exceed_context_size_error"}}`)
		}
		return nil
	}
	l := newLab(t, script, nil)
	for range 3000 {
		l.prompt.Affordances = append(l.prompt.Affordances, llm.Affordance{})
	}
	for i, a := range l.prompt.Affordances {
		a.Text, a.Author = []byte("words"), "x"
		l.prompt.Affordances[i] = a
	}
	if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered {
		t.Fatalf("got %v (%s)", th.Outcome, th.Error)
	}
	before := l.server.Counts().Requests
	l.think(t, 5*time.Second)
	if n := l.server.Counts().Requests - before; n != 1 {
		t.Errorf("the second think took %d requests", n)
	}
}

func TestThink_CertificateIsNotRetried(t *testing.T) {
	server := &fakellm.Server{}
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	l := newLab(t, nil, func(m *openai.Model) { m.Endpoint = ts.URL + "/v1" })
	if th := l.think(t, 5*time.Second); th.Outcome != llm.ProviderError || !strings.Contains(th.Error, "certificate") {
		t.Errorf("got %v (%s)", th.Outcome, th.Error)
	}
	if n := server.Counts().Requests; n != 0 {
		t.Errorf("%d requests reached a server that is not trusted", n)
	}
}

func TestNew_RefusesATierWithoutModel(t *testing.T) {
	m := openai.Model{Name: "a", Endpoint: "http://localhost/v1", ID: "x", MaxOutput: 1}
	if _, err := openai.NewEndpoints(noKey).Mind([3][]openai.Model{{m}, {m}, nil}, nil); err == nil || !strings.Contains(err.Error(), "tier 3") {
		t.Errorf("got %v", err)
	}
}
