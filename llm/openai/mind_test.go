package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/keyward"
	"kingdom/llm/openai"
	"kingdom/wire"
	"kingdom/wire/action"
)

const plantedKey = "sk-planted-0123456789abcdefghij"

// lab is a model server, a mind that asks it, and a prompt.
type lab struct {
	server *fakellm.Server
	mind   *openai.Mind
	prompt llm.Prompt
}

func planted(*openai.Model) keyward.Key {
	k, err := keyward.New([]byte(plantedKey))
	if err != nil {
		panic(err)
	}
	return k
}

func noKey(*openai.Model) keyward.Key { return keyward.Key{} }

func newLab(t *testing.T, script fakellm.Script, change func(*openai.Model)) *lab {
	t.Helper()
	l := &lab{server: &fakellm.Server{Seed: 1, Script: script}}
	ts := httptest.NewUnstartedServer(l.server)
	ts.Config.ErrorLog = nil
	ts.Start()
	t.Cleanup(ts.Close)
	m := openai.Model{
		Name: "default", Endpoint: ts.URL + "/v1", ID: "fake", MaxContext: 32768, MaxOutput: 512, Concurrency: 8,
		Prices: openai.Prices{Input: 150_000, CachedInput: 75_000, Output: 600_000}, Output: openai.OutputStrict,
	}
	if change != nil {
		change(&m)
	}
	tier := []openai.Model{m}
	mind, err := openai.NewEndpoints(planted).Mind([3][]openai.Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.mind = mind
	var rows []*action.Row
	for _, name := range []string{"nop", "msg_post", "bounty_claim"} {
		row, _ := action.ByName(name)
		rows = append(rows, row)
	}
	l.prompt = llm.Prompt{Tier: llm.Tier2, Actions: rows, Affordances: []llm.Affordance{{}}}
	return l
}

func (l *lab) think(t *testing.T, limit time.Duration) llm.Thought {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	th, err := l.mind.Think(ctx, &l.prompt)
	if err != nil {
		t.Fatalf("Think: %v", err)
	}
	if strings.Contains(th.Error, plantedKey[:8]) {
		t.Errorf("the key got into the thought: %q", th.Error)
	}
	return th
}

func body(status int, text string, headers ...string) fakellm.Act {
	return fakellm.Status(status, text, headers...)
}

const overload = `{"error":{"message":"busy","type":"server_error"}}`

// How a server fails, and the outcome. requests counts the calls that the server got until the thought was there.
func TestThink_OutcomeOfEachServerFailure(t *testing.T) {
	const nop = `{"action":"nop","params":{},"reasoning":"r"}`
	hasty := []string{"retry-after-ms", "1"}
	tests := []struct {
		name     string
		script   fakellm.Script
		outcome  llm.Outcome
		text     string // part of the answer
		says     string // part of Error
		requests uint64
	}{
		{"good", nil, llm.Answered, `"reasoning"`, "", 1},
		{"fenced", fakellm.Always(fakellm.Content("```json\n"+nop+"\n```", "stop")), llm.Answered, "```", "", 1},
		{"thoughts before", fakellm.Always(fakellm.Content(`<think>{"action":"x"}</think>`+nop, "stop")), llm.Answered, nop, "", 1},
		{"closing tag only", fakellm.Always(fakellm.Content(`let me {see}</think>`+nop, "stop")), llm.Answered, nop, "", 1},
		{"thoughts without end", fakellm.Always(fakellm.Content(`<think>{"action":"nop"}`, "stop")), llm.Answered, "", "the model ended its answer after its reasoning; lower the effort, or turn reasoning off", 1},
		{"thoughts without end, cut", fakellm.Always(fakellm.Content(`<think>{"action":"nop"}`, "length")), llm.Answered, "", "tokens went to reasoning; raise max_output", 1},
		{"content null", fakellm.Always(fakellm.Message(map[string]any{"content": nil}, "stop")), llm.Answered, "", "empty answer", 1},
		{"content parts", fakellm.Always(fakellm.Message(map[string]any{"content": []any{
			map[string]any{"type": "thinking", "thinking": []any{"{"}}, map[string]any{"type": "text", "text": nop},
		}}, "stop")), llm.Answered, nop, "", 1},
		{"content object", fakellm.Then(fakellm.Message(map[string]any{"content": map[string]any{}}, "stop")), llm.Answered, `"reasoning"`, "", 2},
		{"refusal", fakellm.Always(fakellm.Message(map[string]any{"content": nil, "refusal": "I will not"}, "stop")), llm.Answered, "", "refused by the model: I will not", 1},
		{"filtered answer", fakellm.Always(fakellm.Content("", "content_filter")), llm.Answered, "", "content filter", 1},
		{"filtered prompt", fakellm.Always(body(400, `{"error":{"message":"m","code":"content_filter"}}`)), llm.Answered, "", "content filter", 1},
		{"cut", fakellm.Always(fakellm.Content(`{"action":"no`, "length")), llm.Answered, `{"action":"no`, "cut at max_output", 1},
		{"no finish", fakellm.Always(fakellm.Message(map[string]any{"content": nop}, nil)), llm.Answered, nop, "", 1},
		{"finish error", fakellm.Then(fakellm.Content(nop, "error")), llm.Answered, `"reasoning"`, "", 2},
		{"finish of a server without room", fakellm.Then(fakellm.Content(nop, "insufficient_system_resource")), llm.Answered, `"reasoning"`, "", 2},
		{"finish of an unknown word", fakellm.Always(fakellm.Content(nop, "eos")), llm.Answered, nop, "", 1},
		{
			"only reasoning", fakellm.Always(body(200, `{"choices":[{"message":{"content":""},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":512,"completion_tokens_details":{"reasoning_tokens":512}}}`)),
			llm.Answered, "", "all 512 tokens went to reasoning", 1,
		},
		{
			"only reasoning, not counted", fakellm.Always(fakellm.Message(map[string]any{"content": "", "reasoning": "hm"}, "length")),
			llm.Answered, "", "all 20 tokens went to reasoning", 1,
		},
		{"200 with error 502", fakellm.Then(body(200, `{"error":{"code":502,"message":"upstream"}}`)), llm.Answered, `"reasoning"`, "", 2},
		{"200 with error 401", fakellm.Always(body(200, `{"error":{"code":401,"message":"no"}}`)), llm.ProviderError, "", "auth", 1},
		{"no choices", fakellm.Then(body(200, `{"choices":[]}`)), llm.Answered, `"reasoning"`, "", 2},
		{"html", fakellm.Then(body(200, `<html>`)), llm.Answered, `"reasoning"`, "", 2},
		{"empty body", fakellm.Always(body(200, "")), llm.ProviderError, "", "garbled", 3},
		{"login page", fakellm.Always(body(200, `<html><title>Log in</title>`)), llm.ProviderError, "", "garbled: reply is no whole chat completion: Log in", 3},
		{"204", fakellm.Then(body(204, "")), llm.Answered, `"reasoning"`, "", 2},
		{"304", fakellm.Then(body(304, "")), llm.Answered, `"reasoning"`, "", 2},
		{"two objects", fakellm.Then(body(200, `{"choices":[{"message":{"content":"{}"}}]}{}`)), llm.Answered, `"reasoning"`, "", 2},
		{"byte order mark", fakellm.Always(body(200, "\xEF\xBB\xBF"+`{"choices":[{"message":{"content":"{}"}}]}`)), llm.Answered, "{}", "", 1},
		{"2 MiB", fakellm.Then(fakellm.Content(strings.Repeat("x", 2<<20), "stop")), llm.Answered, `"reasoning"`, "", 2},
		{"10 MiB error", fakellm.Then(body(500, strings.Repeat("x", 10<<20))), llm.Answered, `"reasoning"`, "", 2},
		{"says gzip", fakellm.Then(body(200, "{}", "Content-Encoding", "gzip")), llm.Answered, `"reasoning"`, "", 2},
		{"cut body", fakellm.Then(fakellm.Cut()), llm.Answered, `"reasoning"`, "", 2},
		{"closed", fakellm.Then(fakellm.Close()), llm.Answered, `"reasoning"`, "", 2},
		{"401 that says gzip", fakellm.Always(body(401, `{"error":{"message":"no"}}`, "Content-Encoding", "gzip")), llm.ProviderError, "", "auth: status 401", 1},
		{"401 without its body", fakellm.Always(raw("HTTP/1.1 401 Unauthorized\r\nContent-Length: 50\r\n\r\n", false)), llm.ProviderError, "", "auth: status 401", 1},
		{"quota after a byte order mark", fakellm.Always(body(429, "\xEF\xBB\xBF"+`{"error":{"message":"m","code":"insufficient_quota"}}`)), llm.ProviderError, "", "quota: m", 1},
		{"quota", fakellm.Always(body(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`)), llm.ProviderError, "", "quota", 1},
		{"402", fakellm.Always(body(402, `{"error":{"message":"pay"}}`)), llm.ProviderError, "", "quota", 1},
		{"403 billing", fakellm.Always(body(403, `{"error":{"message":"billing not active"}}`)), llm.ProviderError, "", "quota", 1},
		{"401 echoes the key", fakellm.Always(body(401, `{"error":{"message":"Incorrect API key provided: `+plantedKey+`"}}`)), llm.ProviderError, "", "auth: Incorrect API key provided: [REDACTED]", 1},
		{"403 region", fakellm.Always(body(403, `{"error":{"message":"country not supported"}}`)), llm.ProviderError, "", "auth", 1},
		{"404 model", fakellm.Always(body(404, `{"error":{"message":"model 'x' not found, try pulling it first"}}`)), llm.ProviderError, "", "model", 1},
		{"404 path", fakellm.Always(body(404, `<html><h1>Not Found</h1></html>`)), llm.ProviderError, "", `does not serve the model "default": Not Found; correct minds.models.default.model, or the path of its endpoint`, 1},
		{"429 then good", fakellm.Then(body(429, `{"error":{"message":"slow down"}}`, hasty...)), llm.Answered, `"reasoning"`, "", 2},
		{"429 asks for a day", fakellm.Always(body(429, overload, "retry-after", "86400")), llm.ProviderError, "", "rate", 1},
		{"429 with a prompt that says quota", fakellm.Then(body(429, `{"error":{"message":"rate: you wrote insufficient_quota","type":"tokens"}}`, hasty...)), llm.Answered, `"reasoning"`, "", 2},
		{"503 twice", fakellm.Then(body(503, overload, hasty...), body(529, overload, hasty...)), llm.Answered, `"reasoning"`, "", 3},
		{"500 ever", fakellm.Always(body(500, overload, hasty...)), llm.ProviderError, "", "overloaded: busy", 3},
		{"500 not to be retried", fakellm.Always(body(500, overload, "x-should-retry", "false")), llm.ProviderError, "", "overloaded", 1},
		{"context", fakellm.Then(body(400, `{"error":{"message":"This model's maximum context length is 16000 tokens. However, you requested 20000 tokens"}}`)), llm.Answered, `"reasoning"`, "", 2},
		{"413", fakellm.Then(body(413, `{}`)), llm.Answered, `"reasoning"`, "", 2},
		{"schema refused", fakellm.Then(body(400, `{"error":{"message":"Invalid schema for response_format 'answer'"}}`)), llm.Answered, `"reasoning"`, "", 2},
		{"object refused too", fakellm.Then(
			body(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`), body(400, `{"error":"failed to parse grammar"}`),
			body(400, `{"error":"response_format is not supported"}`)), llm.Answered, `"reasoning"`, "", 4},
		{"max_tokens refused", fakellm.Then(body(400, `{"error":{"message":"Unsupported parameter: 'max_tokens'","code":"unsupported_parameter","param":"max_tokens"}}`)), llm.Answered, `"reasoning"`, "", 2},
		{"validation failed well", fakellm.Always(body(400, `{"error":{"code":"json_validate_failed","message":"m","failed_generation":"{\"action\":\"nop\"}"}}`)), llm.Answered, "nop", "", 1},
		{"validation failed badly", fakellm.Always(body(400, `{"error":{"code":"json_validate_failed","message":"m","failed_generation":"{\"action\":"}}`)), llm.Answered, `{"action":`, "", 1},
		{"text cut in a letter", fakellm.Always(body(200, "{\"choices\":[{\"message\":{\"content\":\"{\xe2\x82\"}}]}")), llm.Answered, "", "not UTF-8 at byte 2", 1},
		{"part cut in a letter", fakellm.Always(body(200, "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"{\xe2\x82\"}]}}]}")), llm.Answered, "", "not UTF-8", 1},
		{"refusal in a part", fakellm.Always(fakellm.Message(map[string]any{"content": []any{map[string]any{"type": "refusal", "refusal": "I will not"}}}, "stop")), llm.Answered, "", "refused by the model: I will not", 1},
		{"seed forbidden", fakellm.Then(body(422, `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}`)), llm.Answered, `"reasoning"`, "", 2},
		{"validation failed", fakellm.Always(body(400, `{"error":{"code":"json_validate_failed","message":"m"}}`)), llm.Answered, "", "empty answer", 1},
		{"detail list", fakellm.Always(body(422, `{"detail":[{"msg":"field required"}]}`)), llm.ProviderError, "", "other: field required", 1},
		{"list of errors", fakellm.Always(body(400, `[{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}]`)), llm.ProviderError, "", "schema: Request contains", 5},
		{"redirected", fakellm.Always(body(307, "<html>moved", "Location", "http://u:p@127.0.0.1:1/v2?k=1")), llm.ProviderError, "", "redirected: status 307 to http://127.0.0.1:1/v2; redirects are never followed: set the endpoint", 1},
		{"redirected nowhere", fakellm.Always(body(302, "")), llm.ProviderError, "", "redirected: status 302 to another place", 1},
		{"tool call", fakellm.Always(fakellm.Message(map[string]any{"content": nil, "tool_calls": []any{map[string]any{"id": "1"}}}, "tool_calls")), llm.Answered, "", "tool", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, tt.script, nil)
			th := l.think(t, 20*time.Second)
			if th.Outcome != tt.outcome || !strings.Contains(string(th.Text), tt.text) || !strings.Contains(th.Error, tt.says) {
				t.Errorf("got %v, text %.200q, error %q; want %v, %q, %q", th.Outcome, th.Text, th.Error, tt.outcome, tt.text, tt.says)
			}
			if tt.text == "" && len(th.Text) > 0 {
				t.Errorf("answer %q where none is usable", th.Text)
			}
			if n := l.server.Counts().Requests; n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			if len(th.Calls) != int(tt.requests) {
				t.Errorf("%d calls are accounted for, want %d", len(th.Calls), tt.requests)
			}
		})
	}
}

// A count that is missing or absurd is replaced by an estimate; nothing is negative.
func TestThink_Usage(t *testing.T) {
	tests := []struct {
		name, usage    string
		prompt, output uint64 // 0: an estimate
	}{
		{"plain", `{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050}`, 1000, 50},
		{"hidden thoughts", `{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1250}`, 1000, 250},
		{"total below the prompt", `{"prompt_tokens":1000,"completion_tokens":50,"total_tokens":10}`, 1000, 50},
		{"empty", "{}", 0, 0},
		{"absent", "", 0, 0},
		{"null", "null", 0, 0},
		{"negative", `{"prompt_tokens":-5,"completion_tokens":-1}`, 0, 0},
		{"fraction", `{"prompt_tokens":5.0,"completion_tokens":50}`, 0, 50},
		{"text", `{"prompt_tokens":"5","completion_tokens":50}`, 0, 50},
		{"zero", `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, 0, 0},
		{"answer of no token", `{"prompt_tokens":1000,"completion_tokens":0,"total_tokens":1000}`, 1000, 0},
		{"huge", `{"prompt_tokens":1e20,"completion_tokens":50}`, 0, 50},
		{"ten times the estimate", `{"prompt_tokens":99999999,"completion_tokens":50}`, 0, 50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, fakellm.Always(fakellm.Reported(tt.usage)), nil)
			th := l.think(t, 5*time.Second)
			if th.Outcome != llm.Answered || th.PromptTokens == 0 || th.OutputTokens == 0 || th.CostMicroUSD == 0 {
				t.Fatalf("got %+v", th)
			}
			if tt.prompt != 0 && th.PromptTokens != tt.prompt || tt.output != 0 && th.OutputTokens != tt.output {
				t.Errorf("got %d + %d tokens, want %d + %d", th.PromptTokens, th.OutputTokens, tt.prompt, tt.output)
			}
			if tt.prompt == 0 && th.PromptTokens > 20_000 {
				t.Errorf("estimate of the prompt is %d tokens", th.PromptTokens)
			}
		})
	}
}

func TestThink_CachedInputIsCheaper(t *testing.T) {
	l := newLab(t, fakellm.Always(fakellm.Reported(`{"prompt_tokens":1000,"completion_tokens":100,"prompt_tokens_details":{"cached_tokens":800}}`)), nil)
	// 200 × 0.15 + 800 × 0.075 + 100 × 0.60 millionths of a dollar
	if th := l.think(t, 5*time.Second); th.CostMicroUSD != 30+60+60 {
		t.Errorf("cost %d micro-dollars, want 150", th.CostMicroUSD)
	}
}

// One time-out is no outage; ten failures in a row are.
func TestThink_TimeOut(t *testing.T) {
	l := newLab(t, fakellm.Always(fakellm.Hang()), nil)
	for range 9 {
		if th := l.think(t, 20*time.Millisecond); th.Outcome != llm.TimedOut || th.Outage {
			t.Fatalf("got %v, outage %v (%s)", th.Outcome, th.Outage, th.Error)
		}
	}
	th := l.think(t, 100*time.Millisecond)
	if th.Outcome != llm.TimedOut || !th.Outage {
		t.Errorf("got %v (%s), want timed_out", th.Outcome, th.Error)
	}
}

func TestThink_Interrupted(t *testing.T) {
	l := newLab(t, fakellm.Always(fakellm.Hang()), nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan llm.Thought)
	go func() {
		th, _ := l.mind.Think(ctx, &l.prompt)
		done <- th
	}()
	cancel()
	if th := <-done; th.Outcome != llm.Interrupted {
		t.Errorf("got %v (%s), want interrupted", th.Outcome, th.Error)
	}
}

// After a permanent refusal no agent asks the endpoint again.
func TestThink_QuotaClosesTheGateForAll(t *testing.T) {
	l := newLab(t, fakellm.Always(body(429, `{"error":{"message":"m","code":"insufficient_quota"}}`)), func(m *openai.Model) { m.Concurrency = 1 })
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if th := l.think(t, 10*time.Second); th.Outcome != llm.ProviderError || !th.Outage || !strings.Contains(th.Error, "quota") {
				t.Errorf("got %v (%s)", th.Outcome, th.Error)
			}
		})
	}
	wg.Wait()
	if n := l.server.Counts().Requests; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestThink_NextModelWhenOneIsOut(t *testing.T) {
	l := newLab(t, fakellm.Always(body(401, `{}`)), nil)
	second := &fakellm.Server{Seed: 2}
	ts := httptest.NewServer(second)
	defer ts.Close()
	first := openai.Model{Name: "a", Endpoint: "http://127.0.0.1:1/v1", ID: "x", MaxContext: 32768, MaxOutput: 100}
	first.Endpoint = strings.TrimSuffix(ts.URL, "/") + "/broken"
	mux := http.NewServeMux()
	mux.Handle("/broken/", l.server)
	mux.Handle("/v1/", second)
	front := httptest.NewServer(mux)
	defer front.Close()
	first.Endpoint = front.URL + "/broken"
	other := first
	other.Name, other.Endpoint = "b", front.URL+"/v1"
	tier := []openai.Model{first, other}
	mind, err := openai.NewEndpoints(noKey).Mind([3][]openai.Model{tier, tier, tier}, nil)
	if err != nil {
		t.Fatal(err)
	}
	th, _ := mind.Think(t.Context(), &l.prompt)
	if th.Outcome != llm.Answered || th.Model != "b" {
		t.Errorf("got %v from %q (%s), want an answer of b", th.Outcome, th.Model, th.Error)
	}
}

// The stable part is the system message, equal for all prompts with the same rights.
func TestThink_SystemMessageIsStable(t *testing.T) {
	l := newLab(t, nil, nil)
	for i := range 3 {
		l.prompt.Alias, l.prompt.Tick = fmt.Sprintf("%08x", i), wire.Tick(i)
		l.think(t, 5*time.Second)
	}
	reqs := l.server.Requests()
	told := map[string]bool{}
	for _, r := range reqs {
		told[r.Messages[1].Content] = true
		if r.Messages[0].Role != "system" || r.Messages[0].Content != reqs[0].Messages[0].Content || string(r.Format) != string(reqs[0].Format) {
			t.Fatal("system message or response_format differs between two prompts of equal rights")
		}
		if strings.Contains(r.Messages[0].Content, "YOUR IDENTITY") || !strings.Contains(r.Messages[1].Content, "## AFFORDANCES") {
			t.Fatal("identity in the system message, or no affordances in the user's")
		}
		if r.Header.Get("Authorization") != "Bearer "+plantedKey {
			t.Fatal("the key is not sent")
		}
	}
	if len(told) != 3 {
		t.Errorf("%d different messages of the user, want 3: the prompts are too alike to show anything", len(told))
	}
}
