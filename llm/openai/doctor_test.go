package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kingdom/llm/keyward"
	"kingdom/llm/openai"
)

// played is a server of one kind: the documents it has, and how it answers a chat.
type played struct {
	gets map[string]string // path → body of 200
	key  string            // wanted by /v1/; "" none
	chat func(w http.ResponseWriter, body map[string]json.RawMessage)
}

func (p *played) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.key != "" && strings.HasPrefix(r.URL.Path, "/v1/") && r.Header.Get("Authorization") != "Bearer "+p.key {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s","code":"invalid_api_key"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		return
	}
	if text, ok := p.gets[r.URL.Path]; ok {
		fmt.Fprint(w, text)
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/v1/chat/completions") {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<html>404</html>")
		return
	}
	var body map[string]json.RawMessage
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if string(body["max_tokens"]) != "64" && string(body["max_completion_tokens"]) != "64" {
		panic("the call is not bounded to 64 tokens")
	}
	p.chat(w, body)
}

const strictAnswer = `{\"reasoning\":\"hello\",\"act\":{\"nop\":{}},\"memory_update\":null}`

// says answers a chat with a message (fields of it as JSON) and a usage.
func says(message, usage string) func(http.ResponseWriter, map[string]json.RawMessage) {
	return ends("stop", message, usage)
}

// ends is like says, with the reason for which the message ended.
func ends(finish, message, usage string) func(http.ResponseWriter, map[string]json.RawMessage) {
	return func(w http.ResponseWriter, _ map[string]json.RawMessage) {
		fmt.Fprintf(w, `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",%s},"finish_reason":%q}],"usage":%s}`, message, finish, usage)
	}
}

const usual = `{"prompt_tokens":40,"completion_tokens":18,"total_tokens":58}`

// Each kind of server, and what the doctor must report of it.
func TestExamine_KindsOfServers(t *testing.T) {
	good := says(`"content":"`+strictAnswer+`"`, usual)
	refuse := func(text string, when func(map[string]json.RawMessage) bool, then func(http.ResponseWriter, map[string]json.RawMessage)) func(http.ResponseWriter, map[string]json.RawMessage) {
		return func(w http.ResponseWriter, body map[string]json.RawMessage) {
			if when(body) {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, text)
				return
			}
			then(w, body)
		}
	}
	asks := func(words ...string) func(map[string]json.RawMessage) bool {
		return func(body map[string]json.RawMessage) bool {
			for _, word := range words {
				if strings.Contains(string(body["response_format"]), word) {
					return true
				}
			}
			return false
		}
	}
	local := map[string]string{"/v1/models": `{"data":[{"id":"qwen","max_model_len":65536}]}`}
	for _, tt := range []struct {
		name   string
		server played
		change func(*openai.Model)
		want   []string // beginnings of lines
	}{
		{name: "vLLM", server: played{gets: local, chat: good}, want: []string{
			"ok reachable http://127.0.0.1", "ok key none given", "ok model qwen", "ok context 65536 tokens (max_model_len)", "ok call answered in",
			"ok output json_schema", "ok cap max_tokens", "ok usage prompt_tokens 40, completion_tokens 18", "ok reasoning none seen", "ok price no price is declared",
		}},
		{name: "vLLM, small window", server: played{gets: map[string]string{"/v1/models": `{"data":[{"id":"qwen","max_model_len":12000}]}`}, chat: good}, want: []string{
			"FAIL context the server gives 12000 tokens (max_model_len); minds.models.default.context is 32768; set minds.models.default.context=12000",
		}},
		{name: "small context", server: played{gets: local, chat: good}, change: func(m *openai.Model) { m.MaxContext = 8192 }, want: []string{
			"FAIL context 65536 tokens (max_model_len); minds.models.default.context is 8192; prompts take up to about ",
		}},
		{name: "too small a context", server: played{gets: local, chat: good}, change: func(m *openai.Model) { m.MaxContext = 7000 }, want: []string{
			`FAIL context 65536 tokens (max_model_len); minds.models.default.context is 7000; model "default": context is 7000 tokens; rules and actions take `,
		}},
		{name: "llama.cpp", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"/m/tiny.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`,
			"/props":     `{"default_generation_settings":{"n_ctx":2048},"total_slots":1}`,
		}, chat: good}, want: []string{
			"ok model /m/tiny.gguf, whatever name is asked for",
			"FAIL context the server gives 2048 tokens (n_ctx of /props); minds.models.default.context is 32768; start the server with a context of 9",
			"warn concurrency the server works on 1 at a time (total_slots of /props); minds.models.default.concurrency is 8, so calls wait in the server while their time runs; set minds.models.default.concurrency=1, or",
		}},
		{name: "llama.cpp with slots for all", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"qwen"}]}`, "/props": `{"default_generation_settings":{"n_ctx":32768},"total_slots":8}`,
		}, chat: good}, want: []string{
			"ok context 32768 tokens", "ok concurrency the server works on 8 at a time (total_slots of /props); minds.models.default.concurrency is 8\n",
		}},
		{name: "no strict schema", server: played{gets: local, chat: refuse(`{"error":"Invalid schema"}`, asks("strict"), good)}, want: []string{
			"warn output any_object; the server refuses the schema, and a run goes on so by itself (Invalid schema); set minds.models.default.output=any_object to spare a run the refusal",
		}},
		{name: "schema too large", server: played{gets: local, chat: refuse(`{"error":"The compiled grammar is too large"}`, asks(`"act"`), good)}, want: []string{
			"warn output small_schema; the server refuses the schema, and a run goes on so by itself (The compiled grammar is too large); set minds.models.default.output=small_schema to spare a run the refusal",
		}},
		{name: "Ollama, loaded", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"qwen:latest","owned_by":"library"}]}`,
			"/api/show":  `{"model_info":{"qwen3.context_length":131072,"qwen3.block_count":36}}`,
			"/api/ps":    `{"models":[{"model":"other","context_length":9},{"model":"qwen:latest","context_length":4096}]}`,
		}, chat: says(`"content":"`+strictAnswer+`","reasoning":"the user wants"`, usual)}, want: []string{
			"ok model qwen", "FAIL context the server gives 4096 tokens (context_length of /api/ps)", "FAIL reasoning the model thinks aloud (reasoning)",
		}},
		{name: "Ollama, not loaded", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"qwen:latest"}]}`, "/api/show": `{"model_info":{"qwen3.context_length":131072}}`, "/api/ps": `{"models":[]}`,
		}, chat: good}, want: []string{"skip context could not be checked: the model could have 131072 tokens"}},
		{name: "Ollama without /v1", change: func(m *openai.Model) { m.Endpoint = strings.TrimSuffix(m.Endpoint, "/v1") }, server: played{gets: local, chat: good}, want: []string{
			"FAIL reachable there is no API at http://127.0.0.1",
		}},
		{name: "OpenRouter", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"meta/llama","context_length":131072,"supported_parameters":["seed"],"pricing":{"prompt":"0.00000015","completion":"0.0000006"}}]}`,
			"/v1/key":    `{"data":{"limit":null}}`,
		}, chat: good}, change: func(m *openai.Model) { m.ID = "meta/llama:free" }, want: []string{
			"ok model meta/llama:free", "ok context 131072 tokens (context_length)",
			"FAIL price no price is declared, so every call counts as free; set minds.models.default.price_input=0.15 and minds.models.default.price_output=0.6",
		}},
		{name: "OpenRouter, provider with less", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"qwen","context_length":131072,"top_provider":{"context_length":16384}}]}`,
		}, chat: good}, want: []string{
			"FAIL context the server gives 16384 tokens (context_length of top_provider); minds.models.default.context is 32768; set minds.models.default.context=16384",
		}},
		{name: "llama.cpp without /props", server: played{gets: map[string]string{"/v1/models": `{"data":[{"id":"qwen","meta":{"n_ctx_train":16384}}]}`}, chat: good}, want: []string{
			"FAIL context the model has at most 16384 tokens; minds.models.default.context is 32768; set minds.models.default.context=16384",
		}},
		{name: "TGI", server: played{gets: map[string]string{"/info": `{"model_id":"qwen","max_input_tokens":15360,"max_total_tokens":16384}`}, chat: good}, want: []string{
			"FAIL context the server gives 16384 tokens (max_total_tokens of /info); minds.models.default.context is 32768; set minds.models.default.context=16384",
		}},
		{name: "LM Studio", server: played{gets: map[string]string{
			"/v1/models": `{"data":[{"id":"qwen"}]}`, "/api/v0/models": `{"data":[{"id":"qwen","state":"loaded","max_context_length":131072,"loaded_context_length":16384}]}`,
		}, chat: good}, want: []string{
			"FAIL context the server gives 16384 tokens (loaded_context_length of /api/v0/models); minds.models.default.context is 32768; set minds.models.default.context=16384",
		}},
		{name: "OpenRouter's cost", server: played{gets: local, chat: says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":40,"completion_tokens":18,"cost":0.00012,"prompt_tokens_details":{"cached_tokens":0}}`)}, want: []string{
			"ok usage prompt_tokens 40, completion_tokens 18, also cached_tokens, cost", "ok price 0.000120 USD for this call, as the server says",
		}},
		{
			name: "OpenAI's newer models", server: played{gets: local, chat: refuse(`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter","param":"max_tokens"}}`,
				func(b map[string]json.RawMessage) bool { return b["max_tokens"] != nil },
				says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":40,"completion_tokens":60,"completion_tokens_details":{"reasoning_tokens":42}}`))},
			change: func(m *openai.Model) {
				m.Prices = openai.Prices{Input: 1_000_000, Output: 2_000_000}
				m.MaxOutput = 8192
			}, want: []string{
				"ok call answered in", "ok cap max_completion_tokens", "ok usage prompt_tokens 40, completion_tokens 60, also reasoning_tokens",
				"ok reasoning the model thinks unseen: 42 reasoning_tokens", "ok price 0.000160 USD for this call, by the declared prices",
			},
		},
		{name: "no schema", server: played{gets: local, chat: refuse(`{"error":"response_format json_schema is not supported"}`, asks("json_schema"), says(`"content":"{\"greeting\":\"hi\"}"`, usual))}, want: []string{
			"FAIL output the server refuses json_schema and takes json_object (response_format json_schema is not supported); set minds.models.default.output=json_object",
		}},
		{name: "no form at all", server: played{gets: local, chat: refuse(`{"error":"response_format is not supported"}`, asks("json"), says(`"content":"Hello"`, usual))}, want: []string{
			"FAIL output the server refuses json_schema and takes prompt", "ok call answered in",
		}},
		{name: "form ignored", server: played{gets: local, chat: says(`"content":"Hello!"`, "null")}, want: []string{
			`FAIL output the server takes json_schema and does not hold the model to it; it said "Hello!"`, "skip usage the server does not report tokens",
		}},
		{name: "thinks only, cut", server: played{gets: local, chat: ends("length", `"content":"","reasoning_content":"hm"`, usual)}, want: []string{
			"skip output the answer is empty: the 64 tokens of this test went to thinking", "FAIL reasoning the model thinks aloud (reasoning_content)",
		}},
		{name: "thinks only, with room for more", server: played{gets: local, chat: says(`"content":"<think>hm</think>"`, usual)}, want: []string{
			"FAIL output the answer is empty: the model ended it after its thinking, with room for more; turn thinking off on the server",
			"ok reasoning the model thinks aloud (<think> in the text); it counts as output\n",
		}},
		{name: "thinks in tags", server: played{gets: local, chat: says(`"content":"<think>hm</think>`+strictAnswer+`"`, usual)}, want: []string{
			"ok output json_schema", "FAIL reasoning the model thinks aloud (<think> in the text)",
		}},
		{name: "cap ignored", server: played{gets: local, chat: says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":40,"completion_tokens":900}`)}, want: []string{
			"FAIL cap max_tokens is ignored: 900 tokens came where 64 were allowed",
		}},
		{name: "key missing", server: played{gets: local, key: "sk-right-key-0123456789", chat: good}, want: []string{
			"ok reachable", "FAIL key the endpoint wants a key and got none (401: Incorrect API key provided:); set KINGDOM_API_KEY",
		}},
		{name: "other model", server: played{gets: map[string]string{"/v1/models": `{"data":[{"id":"phi"},{"id":"qwen-2"},{"id":"llama"}]}`}, chat: good}, want: []string{
			"FAIL model the server does not list qwen; it has qwen-2, phi, llama; set minds.models.default.model",
		}},
		{name: "no list", server: played{chat: good}, want: []string{
			"ok reachable", "ok key the call was answered", "ok model the call was answered", "skip context could not be checked, because the server does not tell its size; minds.models.default.context is 32768\n",
		}},
		{name: "no list, unknown model", server: played{chat: refuse(`{"error":{"message":"The model does not exist","code":"model_not_found"}}`, func(map[string]json.RawMessage) bool { return true }, nil)}, want: []string{
			"FAIL model The model does not exist", "FAIL call model: The model does not exist",
		}},
		{name: "no money", server: played{gets: local, chat: refuse(`{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, func(map[string]json.RawMessage) bool { return true }, nil)}, want: []string{
			"FAIL call quota: You exceeded your current quota; add credit",
		}},
		{name: "slow", server: played{gets: local, chat: func(http.ResponseWriter, map[string]json.RawMessage) { time.Sleep(300 * time.Millisecond) }}, change: func(m *openai.Model) { m.Timeout = 100 * time.Millisecond }, want: []string{
			"FAIL call no answer within 100ms; raise minds.models.default.timeout, or",
		}},
		{name: "redirects the call", server: played{gets: local, chat: func(w http.ResponseWriter, _ map[string]json.RawMessage) {
			w.Header().Set("Location", "https://elsewhere.example/v1/chat/completions")
			w.WriteHeader(http.StatusTemporaryRedirect)
		}}, want: []string{
			"FAIL call redirected: status 307 to https://elsewhere.example/v1/chat/completions; a key is never sent along a redirect; set minds.models.default.endpoint to where the API really is",
		}},
		{name: "too many tokens", server: played{gets: local, chat: says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":5000000000,"completion_tokens":18}`)}, want: []string{
			"skip usage the server reports impossible numbers of tokens; they are estimated",
		}},
		{name: "zero tokens", server: played{gets: local, chat: says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`)}, want: []string{
			"skip usage the server reports impossible numbers of tokens; they are estimated",
		}},
		{name: "negative tokens", server: played{gets: local, chat: says(`"content":"`+strictAnswer+`"`, `{"prompt_tokens":40,"completion_tokens":-3}`)}, want: []string{
			"skip usage the server reports impossible numbers of tokens; they are estimated",
		}},
		{name: "loading", server: played{gets: nil, chat: good}, change: func(m *openai.Model) { m.Endpoint = "" }, want: []string{"FAIL reachable"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ts := httptest.NewServer(&tt.server)
			defer ts.Close()
			m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "qwen", MaxContext: 32768, MaxOutput: 512, Concurrency: 8, Timeout: 5 * time.Second}
			if tt.change != nil {
				tt.change(&m)
			}
			var got strings.Builder
			checks := openai.Examine(t.Context(), &m, keyward.Key{}, 5000)
			for _, c := range checks {
				fmt.Fprintf(&got, "%s %s %s", c.State, c.Name, c.Found)
				if c.Fix != "" {
					got.WriteString("; " + c.Fix)
				}
				got.WriteString("\n")
				if (c.State == openai.Failed || c.State == openai.Warned) != (c.Fix != "") {
					t.Errorf("%s is %v and says to do %q", c.Name, c.State, c.Fix)
				}
			}
			if last := checks[len(checks)-1]; last.Name != "price" && last.State != openai.Failed {
				t.Errorf("the last check is %s; want price, or one that failed:\n%s", last.Name, got.String())
			}
			for _, want := range tt.want {
				if !strings.Contains("\n"+got.String(), "\n"+want) {
					t.Errorf("no line begins with %q in\n%s", want, got.String())
				}
			}
		})
	}
}

// The doctor's words hold no key, also where the server repeats it.
func TestLook_KeysAreNotRepeated(t *testing.T) {
	ts := httptest.NewServer(&played{key: "sk-right-key-0123456789"})
	defer ts.Close()
	m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "qwen", MaxContext: 32768, MaxOutput: 512}
	text := fmt.Sprint(openai.Preflight(t.Context(), &m, planted(nil)))
	if !strings.Contains(text, "refuses the key") || strings.Contains(text, plantedKey[:8]) {
		t.Errorf("%s", text)
	}
}

func TestLook_ReasonsWhyEndpointIsUnavailable(t *testing.T) {
	redirect := httptest.NewServer(http.RedirectHandler("https://elsewhere.example/v1", http.StatusMovedPermanently))
	defer redirect.Close()
	loading := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"error":{"message":"Loading model"}}`)
	}))
	defer loading.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	noTLS := strings.Replace(loading.URL, "http://", "https://", 1)
	for endpoint, want := range map[string]string{
		redirect.URL + "/v1":  "it redirects to https://elsewhere.example/v1",
		loading.URL + "/v1":   "it answers 503: Loading model",
		untrusted.URL + "/v1": "certificate",
		gone.URL + "/v1":      "connection refused",
		noTLS + "/v1":         "begin the endpoint with http://",
	} {
		m := openai.Model{Name: "default", Endpoint: endpoint, ID: "qwen", MaxContext: 32768, MaxOutput: 512}
		checks := openai.Preflight(t.Context(), &m, keyward.Key{})
		if len(checks) != 1 || checks[0].State != openai.Failed || !strings.Contains(checks[0].Found+checks[0].Fix, want) || checks[0].Fix == "" {
			t.Errorf("%s: %+v, want %q", endpoint, checks, want)
		}
	}
}

// Some servers refuse a key with the status 400.
func TestPreflight_KeyRefusedWith400(t *testing.T) {
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: pl***. You can obtain an API key from https://console.x.ai."}`)
	}))
	defer ts.Close()
	m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "grok", MaxContext: 32768, MaxOutput: 512}
	checks := openai.Preflight(t.Context(), &m, planted(&m))
	last := checks[len(checks)-1]
	if last.Name != "key" || last.State != openai.Failed || last.Failure != openai.FailureAuth || !strings.Contains(last.Found, "refuses the key") {
		t.Errorf("got %+v", checks)
	}
}

// A server that does not show its list of models now, such as one that is asked too often, is not said to have none.
func TestPreflight_ListNotShownNow(t *testing.T) {
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"slow down"}}`)
	}))
	defer ts.Close()
	m := openai.Model{Name: "default", Endpoint: ts.URL + "/v1", ID: "x", MaxContext: 32768, MaxOutput: 512}
	checks := openai.Preflight(t.Context(), &m, planted(&m))
	if len(checks) != 3 || checks[1].State != openai.Skipped || checks[1].Found != "the server answers 429 when it is asked for its models: slow down" {
		t.Errorf("got %+v", checks)
	}
}
