package openai_test

import (
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// Calls that are refused at the same time change the request once, not once each.
func TestThink_RefusedTogetherChangesRequestOnce(t *testing.T) {
	const together = 4
	const noSchema = `{"error":{"message":"Invalid schema for response_format 'answer'"}}`
	unsupported := func(name, hint string) string {
		return `{"error":{"message":"Unsupported parameter: '` + name + `' is not supported with this model.` + hint + `","type":"invalid_request_error","param":"` + name + `","code":"unsupported_parameter"}}`
	}
	type refusal struct{ holds, text string } // what a request holds that is refused, and the words
	capRefused := refusal{`"max_tokens":`, unsupported("max_tokens", " Use 'max_completion_tokens' instead.")}
	large, strict, schema := refusal{`"act":{`, noSchema}, refusal{`"strict":true`, noSchema}, refusal{`"json_schema"`, noSchema}
	for name, tt := range map[string]struct {
		refused []refusal // in the order in which they are refused
		sends   string    // in the end
	}{
		"large schema":     {[]refusal{large}, `"strict":true`},
		"strict schemas":   {[]refusal{large, strict}, `"schema":{"type":"object"}`},
		"both schemas":     {[]refusal{large, strict, schema}, `"response_format":{"type":"json_object"}`},
		"max_tokens":       {[]refusal{capRefused}, `"max_completion_tokens":512`},
		"schema and field": {[]refusal{large, strict, capRefused, {`"temperature":`, unsupported("temperature", "")}}, `"seed":7`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			came := make([]int, len(tt.refused))
			all := make([]chan struct{}, len(tt.refused)) // closed when all calls that are refused for it are there
			for i := range all {
				all[i] = make(chan struct{})
			}
			l := newLab(t, func(_ int, r *fakellm.Request) fakellm.Act {
				for i, x := range tt.refused {
					if !strings.Contains(string(r.Body), x.holds) {
						continue
					}
					mu.Lock()
					if came[i]++; came[i] == together {
						close(all[i])
					}
					mu.Unlock()
					select {
					case <-all[i]:
					case <-time.After(5 * time.Second): // the test fails below
					}
					return body(400, x.text)
				}
				return nil
			}, func(m *openai.Model) {
				half, seed := 0.5, int64(7)
				m.Concurrency, m.Temperature, m.Seed = together, &half, &seed
			})
			var wg sync.WaitGroup
			for range together {
				wg.Go(func() {
					if th := l.think(t, 20*time.Second); th.Outcome != llm.Answered || len(th.Calls) != len(tt.refused)+1 {
						t.Errorf("got %v (%s) after %d calls, want an answer after %d", th.Outcome, th.Error, len(th.Calls), len(tt.refused)+1)
					}
				})
			}
			wg.Wait()
			if th := l.think(t, 20*time.Second); len(th.Calls) != 1 {
				t.Errorf("the next thought took %d calls, want 1", len(th.Calls))
			}
			for i, r := range l.server.Requests() {
				if refused := i < together*len(tt.refused); !refused && !strings.Contains(string(r.Body), tt.sends) {
					t.Errorf("request %d lacks %s: the profile was lowered further than refused; it has response_format %.80s", i, tt.sends, r.Format)
				}
			}
		})
	}
}

// A server that knows no name of the field that bounds an answer is asked with each name once.
func TestThink_CapIsRenamedOnce(t *testing.T) {
	l := newLab(t, fakellm.Always(body(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' and 'max_completion_tokens' are not supported","code":"unsupported_parameter"}}`)), nil)
	if th := l.think(t, 5*time.Second); th.Outcome != llm.ProviderError || len(th.Calls) != 2 {
		t.Errorf("got %v (%s) after %d calls, want an error after 2", th.Outcome, th.Error, len(th.Calls))
	}
}

// What a server refuses is told once, whoever is refused, with the setting that avoids it.
func TestEndpoints_WarnOnceOfEachRefusal(t *testing.T) {
	refuse := func(name string) string {
		return `{"error":{"message":"no ` + name + `: ` + plantedKey + `","param":"` + name + `","code":"unsupported_parameter"}}`
	}
	for name, tt := range map[string]struct {
		refused, reply string // what a request holds that is refused, and the reply
		says           string
	}{
		"strict schema": {
			`"strict":true`, `{"error":{"message":"Invalid schema"}}`,
			`the server of model "default" refuses the form json_schema: it is asked for small_schema from now on; set minds.models.default.output=small_schema to spare the next run this refusal (Invalid schema)`,
		},
		"cap":         {`"max_tokens":`, refuse("max_tokens"), `the server of model "default" refuses max_tokens: it gets max_completion_tokens from now on (no max_tokens: [REDACTED])`},
		"temperature": {`"temperature":`, refuse("temperature"), `refuses temperature: it is asked without it from now on; leave minds.models.default.temperature out of the scenario to spare the next run this refusal (`},
		"effort":      {`"reasoning_effort":`, refuse("reasoning_effort"), `leave minds.models.default.effort out of the scenario`},
		"context": {
			`"messages":`, `{"error":{"message":"This model's maximum context length is 9000 tokens.","code":"context_length_exceeded"}}`,
			`refuses a prompt for its length: prompt and answer take 9000 tokens at most from now on; start it with a larger context, or set minds.models.default.context to what it has to spare`,
		},
		"extra": {`"top_k":`, refuse("top_k"), `leave minds.models.default.extra.top_k out of the scenario`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const together = 3
			come := make(chan struct{}, together)
			all := make(chan struct{})
			ts := httptest.NewServer(&fakellm.Server{Script: func(n int, r *fakellm.Request) fakellm.Act {
				if n >= together || !strings.Contains(string(r.Body), tt.refused) {
					return nil
				}
				if come <- struct{}{}; len(come) == together {
					close(all)
				}
				<-all
				return body(400, tt.reply)
			}})
			defer ts.Close()
			var mu sync.Mutex
			var told []string
			e := openai.NewEndpoints(planted)
			e.Warn = func(text string) { mu.Lock(); told = append(told, text); mu.Unlock() }
			half := 0.5
			tier := []openai.Model{{
				Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxContext: 32768, MaxOutput: 512, Concurrency: together,
				Temperature: &half, Effort: "low", Extra: map[string]any{"top_k": 5},
			}}
			mind, err := e.Mind([3][]openai.Model{tier, tier, tier}, nil)
			if err != nil {
				t.Fatal(err)
			}
			prompt := newLab(t, nil, nil).prompt
			var wg sync.WaitGroup
			for range together {
				wg.Go(func() {
					if th, err := mind.Think(t.Context(), &prompt); err != nil || th.Outcome != llm.Answered {
						t.Errorf("got %v (%s), %v", th.Outcome, th.Error, err)
					}
				})
			}
			wg.Wait()
			if len(told) != 1 || !strings.Contains(told[0], tt.says) {
				t.Errorf("told %q, want once %q", told, tt.says)
			}
		})
	}
}
