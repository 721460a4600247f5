package openai_test

import (
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

// Each server's error for a prompt that is too long: the size that it names is learned, the prompt is rendered again
// once, and the next ones fit at once.
func TestThink_LearnsContextSizeFromEachServersError(t *testing.T) {
	tests := []struct {
		name, body string
		status     int
	}{
		{"OpenAI", `{"error":{"message":"This model's maximum context length is 9000 tokens. However, you requested 20000 tokens (19000 in the messages, 1000 in the completion).","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, 400},
		{"DeepSeek", `{"error":{"message":"This model's maximum context length is 9000 tokens. However, your messages resulted in 20000 tokens."}}`, 400},
		{"vLLM", `{"error":{"message":"You passed 20000 input tokens and requested 512 output tokens. However, the model's context length is only 9000 tokens, resulting in a maximum input length of 8488 tokens.","code":400}}`, 400},
		{"vLLM prompt", `{"object":"error","message":"However, the model's context length is only 9000 tokens and you requested 512 output tokens and your prompt contains at least 20000 input tokens","code":400}`, 400},
		{"SGLang", `{"object":"error","message":"The input (20000 tokens) is longer than the model's context length (9000 tokens).","code":400}`, 400},
		{"SGLang total", `{"object":"error","message":"Requested token count exceeds the model's maximum context length of 9000 tokens. You requested a total of 20512 tokens"}`, 400},
		{"llama.cpp", `{"error":{"code":400,"message":"request (20000 tokens) exceeds the available context size (9000 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":20000,"n_ctx":9000}}`, 400},
		{"Ollama", `{"error":"the prompt is longer than the context length currently available to the model"}`, 400},
		{"TGI", "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 9000. Given: 20000 `inputs` tokens and 512 `max_new_tokens`\",\"error_type\":\"validation\"}", 422},
		{"Claude", `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 20000 tokens > 9000 maximum"}}`, 400},
		{"Claude total", "{\"error\":{\"message\":\"input length and `max_tokens` exceed context limit: 20000 + 512 > 9000, decrease input length\"}}", 400},
		{"Gemini", `[{"error":{"code":400,"message":"The input token count (20000) exceeds the maximum number of tokens allowed (9000).","status":"INVALID_ARGUMENT"}}]`, 400},
		{"413", `{}`, 413},
		{"no more than declared", `{"error":{"message":"This model's maximum context length is 16000 tokens.","code":"context_length_exceeded"}}`, 400},
	}
	long := func(l *lab) {
		for range 2000 {
			l.prompt.Affordances = append(l.prompt.Affordances, llm.Affordance{Text: []byte("words"), Author: "x"})
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var first atomic.Int64 // bytes of the first request; as long a one is refused for ever
			l := newLab(t, func(_ int, r *fakellm.Request) fakellm.Act {
				if first.CompareAndSwap(0, int64(len(r.Body))) || int64(len(r.Body)) >= first.Load() {
					return body(tt.status, tt.body)
				}
				return nil
			}, func(m *openai.Model) { m.MaxContext = 10_000 })
			long(l)
			for i, want := range []uint64{2, 3} {
				if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered || l.server.Counts().Requests != want {
					t.Errorf("think %d: %v (%s), %d requests so far, want %d", i+1, th.Outcome, th.Error, l.server.Counts().Requests, want)
				}
			}

			ever := newLab(t, fakellm.Always(body(tt.status, tt.body)), func(m *openai.Model) { m.MaxContext = 10_000 })
			long(ever)
			th := ever.think(t, 5*time.Second)
			if th.Outcome != llm.ProviderError || !th.Outage || !strings.Contains(th.Error, "set minds.models.default.context") {
				t.Errorf("refused for ever: %v, outage %t (%s)", th.Outcome, th.Outage, th.Error)
			}
			reqs := ever.server.Requests()
			for i := range reqs[1:] {
				if len(reqs[i+1].Body) > len(reqs[i].Body) {
					t.Errorf("refused for ever: request %d is longer than the one before", i+2)
				}
			}
			last := reqs[len(reqs)-1].Messages
			if len(reqs) > 6 || !strings.Contains(last[1].Content, "## AFFORDANCES\n1. ") {
				t.Errorf("refused for ever: %d requests, the last without an offer:\n%s", len(reqs), last[1].Content)
			}
			if th := ever.think(t, 5*time.Second); !th.Outage || int(ever.server.Counts().Requests) != len(reqs) {
				t.Errorf("a model whose context no prompt fits is asked again: %v (%s)", th.Outcome, th.Error)
			}
		})
	}
}

// What spoils all answers of a model is told once, whatever the number of thoughts.
func TestEndpoints_WarnOnce(t *testing.T) {
	tests := []struct {
		name, says string
		act        fakellm.Act
		context    uint64
	}{
		{"no room", "what is least useful is left out", nil, 1000},
		{"cut prompt", "cuts prompts without a word", fakellm.Reported(`{"prompt_tokens":300,"completion_tokens":20}`), 32768},
		{"only reasoning", "spent all 512 tokens of an answer on reasoning", body(200, `{"choices":[{"message":{"content":""},"finish_reason":"length"}],"usage":{"prompt_tokens":5000,"completion_tokens":512,"completion_tokens_details":{"reasoning_tokens":512}}}`), 32768},
		{"only reasoning, with room for more", "ended an answer after its reasoning, with room for more: lower minds.models.default.effort", body(200, `{"choices":[{"message":{"content":"<think>hm</think>"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5000,"completion_tokens":12}}`), 32768},
		{"well", "", nil, 32768},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := &fakellm.Server{Script: fakellm.Always(tt.act)}
			ts := httptest.NewServer(server)
			defer ts.Close()
			var mu sync.Mutex
			var told []string
			e := openai.NewEndpoints(planted)
			e.Warn = func(text string) { mu.Lock(); told = append(told, text); mu.Unlock() }
			m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxContext: tt.context, MaxOutput: 512}
			tier := []openai.Model{m}
			l := newLab(t, nil, nil)
			l.prompt.Hash()
			for range 2 { // two groups, one model
				mind, err := e.Mind([3][]openai.Model{tier, tier, tier}, nil)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if th, err := mind.Think(t.Context(), &l.prompt); err != nil || th.Outcome != llm.Answered {
						t.Errorf("got %v (%s), %v", th.Outcome, th.Error, err)
					}
				}
			}
			switch {
			case tt.says == "" && len(told) > 0:
				t.Errorf("told %q", told)
			case tt.says != "" && (len(told) != 1 || !strings.Contains(told[0], tt.says)):
				t.Errorf("told %q, want once %q", told, tt.says)
			}
		})
	}
}

// A model that is late three times in a row is warned of once. A small local server makes agents wait for each other
// until they time out; a model that is late now and then is not warned of.
func TestEndpoints_WarnOnceOfLateModel(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(n int) bool
		want   int
	}{
		{"never answers", func(int) bool { return false }, 1},
		{"answers every third", func(n int) bool { return n%3 == 2 }, 0},
		{"is late once more than twice", func(n int) bool { return n < 2 || n == 5 }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ts := httptest.NewServer(&fakellm.Server{Script: func(n int, _ *fakellm.Request) fakellm.Act {
				if tt.answer(n) {
					return nil
				}
				return fakellm.Hang()
			}})
			defer ts.Close()
			var told []string
			e := openai.NewEndpoints(planted)
			e.Warn = func(text string) { told = append(told, text) }
			tier := []openai.Model{{Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxContext: 32768, MaxOutput: 512, Timeout: 250 * time.Millisecond}}
			mind, err := e.Mind([3][]openai.Model{tier, tier, tier}, nil)
			if err != nil {
				t.Fatal(err)
			}
			l := newLab(t, nil, nil)
			l.prompt.Hash()
			for n := range 8 {
				want := llm.TimedOut
				if tt.answer(n) {
					want = llm.Answered
				}
				if th, err := mind.Think(t.Context(), &l.prompt); err != nil || th.Outcome != want {
					t.Fatalf("call %d: %v (%s), %v; want %v", n, th.Outcome, th.Error, err, want)
				}
			}
			if len(told) != tt.want || len(told) > 0 && !strings.Contains(told[0], `model "default" gave no answer within 250ms, 3 times in a row`) {
				t.Errorf("told %q, want %d", told, tt.want)
			}
		})
	}
}

// A context that no prompt fits is neither assumed nor kept: the model counts as out, and the message says what to change.
func TestThink_ContextThatNoPromptFits(t *testing.T) {
	const says = `{"error":{"message":"This model's maximum context length is %d tokens.","code":"context_length_exceeded"}}`
	for _, tt := range []struct {
		takes, maxOutput uint64
		want             []string
	}{
		{4096, 512, []string{`the server of model "default" takes 4096 tokens at most`, "; a prompt with its answer needs NEED: rules and actions ", "set minds.models.default.context to it; "}},
		{4300, 512, []string{"takes 4300 tokens at most", "or set minds.models.default.max_output to ROOM or less"}},
		{1, 512, []string{"takes 1 tokens at most", "kingdom resume RUN --set"}},
	} {
		l := newLab(t, fakellm.Always(body(400, fmt.Sprintf(says, tt.takes))), func(m *openai.Model) { m.MaxOutput = tt.maxOutput })
		for range 2 {
			th := l.think(t, 5*time.Second)
			need := numberAfter(t, th.Error, "needs ")
			numbers := strings.NewReplacer("NEED", strconv.Itoa(need), "ROOM", strconv.Itoa(int(tt.takes)-need+int(tt.maxOutput)))
			if need < 1500+512 {
				t.Errorf("it needs only %d", need)
			}
			for _, want := range tt.want {
				want = numbers.Replace(want)
				if !th.Outage || !strings.Contains(th.Error, want) {
					t.Errorf("outage %t: %s\nwant %s", th.Outage, th.Error, want)
				}
			}
		}
		if n := l.server.Counts().Requests; n != 1 {
			t.Errorf("%d requests, want one", n)
		}
	}
}

// A context that an earlier process kept and that no prompt fits sends nothing: a prompt without the agent's part would be
// paid for in vain.
func TestRecall_OfAContextThatNoPromptFits(t *testing.T) {
	l := newLab(t, nil, nil)
	m := openai.Model{Name: "default", Endpoint: "http://127.0.0.1:1/v1", ID: "fake", MaxContext: 32768, MaxOutput: 512}
	e := openai.NewEndpoints(planted)
	tier := []openai.Model{m}
	mind, err := e.Mind([3][]openai.Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.Recall([]openai.Refused{{Model: m.Name, Endpoint: m.Endpoint, ID: m.ID, Context: 1}})
	l.prompt.Hash()
	th, err := mind.Think(t.Context(), &l.prompt)
	if err != nil || !th.Outage || len(th.Calls) != 0 || !strings.Contains(th.Error, "takes 1 tokens at most") {
		t.Errorf("outage %t, %d calls, %s, %v", th.Outage, len(th.Calls), th.Error, err)
	}
}

// numberAfter is the number behind a word of a text.
func numberAfter(t *testing.T, text, word string) int {
	t.Helper()
	_, rest, _ := strings.Cut(text, word)
	digits := rest[:max(0, strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatalf("no number behind %q in %s", word, text)
	}
	return n
}
