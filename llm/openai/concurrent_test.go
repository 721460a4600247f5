package openai_test

import (
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
	strict, schema := refusal{`"strict":true`, noSchema}, refusal{`"json_schema"`, noSchema}
	for name, tt := range map[string]struct {
		refused []refusal // in the order in which they are refused
		sends   string    // in the end
	}{
		"strict schemas":   {[]refusal{strict}, `"schema":{"type":"object"}`},
		"both schemas":     {[]refusal{strict, schema}, `"response_format":{"type":"json_object"}`},
		"max_tokens":       {[]refusal{capRefused}, `"max_completion_tokens":512`},
		"schema and field": {[]refusal{strict, capRefused, {`"temperature":`, unsupported("temperature", "")}}, `"seed":7`},
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
