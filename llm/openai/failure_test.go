package openai

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Error bodies in the forms and words of real servers.
func TestJudge(t *testing.T) {
	tests := []struct {
		status int
		body   string
		want   Failure
	}{
		{408, ``, FailureTimeout},
		{504, `<html>`, FailureTimeout},
		{524, ``, FailureTimeout},
		{402, `{"error":{"message":"Insufficient Balance"}}`, FailureQuota},
		{403, `{"error":{"message":"your credit balance is too low"}}`, FailureQuota},
		{429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, FailureQuota},
		{429, `{"error":{"message":"spend","code":"project_spend_limit_exceeded"}}`, FailureQuota},
		{429, gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"), FailureQuota},
		{429, gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), FailureRate},
		{429, `{"error":{"message":"Rate limit reached: billing tier 1","code":"rate_limit_exceeded"}}`, FailureRate},
		{401, `{"error":{"message":"no"}}`, FailureAuth},
		{403, `{"type":"error","error":{"type":"permission_error","message":"no"}}`, FailureAuth},
		{400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, FailureAuth},
		{400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai."}`, FailureAuth},
		{400, `{"error":{"message":"bad: you wrote API key not valid"}}`, FailureOther},
		{404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, FailureModel},
		{400, `{"error":"model \"x\" not found, try pulling it first"}`, FailureModel},
		{404, `<html>`, FailureModel},
		{400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"}`, FailureContext},
		{400, `{"error":{"message":"You passed 9 input tokens. However, the model's context length is only 8 tokens"}}`, FailureContext},
		{400, `{"object":"error","message":"The input (9 tokens) is longer than the model's context length (8 tokens)."}`, FailureContext},
		{400, `{"error":{"code":400,"message":"request (9 tokens) exceeds the available context size (8 tokens)","type":"exceed_context_size_error"}}`, FailureContext},
		{422, "{\"error\":\"`inputs` tokens + `max_new_tokens` must be <= 8. Given: 9\",\"error_type\":\"validation\"}", FailureContext},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}`, FailureContext},
		{413, ``, FailureContext},
		{429, `{"error":{"message":"Request too large for gpt on tokens per min","code":"rate_limit_exceeded"}}`, FailureContext},
		{400, `{"error":{"message":"m","code":"content_filter"}}`, FailureFiltered},
		{400, `{"error":{"message":"Unsupported value: 'temperature'","code":"unsupported_value"}}`, FailureParam},
		{422, `{"detail":[{"type":"extra_forbidden","msg":"Extra inputs are not permitted"}]}`, FailureParam},
		{400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`, FailureSchema},
		{400, `{"error":{"message":"Objects provided via 'anyOf' must not share identical first keys"}}`, FailureSchema},
		{400, `{"error":{"message":"The compiled grammar is too large"}}`, FailureSchema},
		{400, `{"error":{"message":"bad","param":"response_format"}}`, FailureSchema},
		{400, `{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar."}`, FailureSchema},
		{429, `{"error":"Model is overloaded","error_type":"overloaded"}`, FailureRate},
		{498, `{}`, FailureRate},
		{500, `<html>`, FailureOverloaded},
		{503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, FailureOverloaded},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, FailureOverloaded},
		{409, ``, FailureOverloaded},
		{301, ``, FailureRedirected},
		{304, ``, FailureGarbled},
		{400, `{"error":{"message":"bad"}}`, FailureOther},
		{422, `{"detail":"bad"}`, FailureOther},
	}
	for _, tt := range tests {
		e := parseError([]byte(tt.body))
		if got := classify(tt.status, &e, false); got != tt.want {
			t.Errorf("%d %s: %v, want %v", tt.status, tt.body, got, tt.want)
		}
	}
	busy := wireError{message: "pay"}
	if got := classify(402, &busy, true); got != FailureRate {
		t.Errorf("402 with Retry-After: %v, want rate", got)
	}
}

// gemini is the error of Gemini if limits are reached.
func gemini(limits ...string) string {
	var violations []string
	for _, id := range limits {
		violations = append(violations, `{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"`+id+`"}`)
	}
	return `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[
		{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[` + strings.Join(violations, ",") + `]},
		{"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"Learn more"}]},
		{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"38.5s"}]}}]`
}

// How long Gemini says to wait is in the body of its error.
func TestRetryAfter_DelayInBody(t *testing.T) {
	now := time.Now()
	e := parseError([]byte(gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")))
	if wait, ok, refuse := retryAfter(nil, e.delay, now); wait != 38500*time.Millisecond || !ok || refuse {
		t.Errorf("got %v %v %v, want 38.5s", wait, ok, refuse)
	}
	if wait, _, _ := retryAfter(http.Header{"Retry-After": {"2"}}, e.delay, now); wait != 2*time.Second {
		t.Errorf("with a header: %v, want what the header says", wait)
	}
	for _, delay := range []string{"3600s", "-3s", "soon", "1e99s"} {
		if _, ok, refuse := retryAfter(nil, delay, now); ok != (delay == "3600s") || refuse != ok {
			t.Errorf("%q: ok %v, refuse %v", delay, ok, refuse)
		}
	}
}

func TestParseError_PageIsItsTitleOrText(t *testing.T) {
	for page, want := range map[string]string{
		"\n<!DOCTYPE html><html><head><style>p {x}</style><title>\n 404 Not\n Found</title></head><body><h1>nginx</h1>": "404 Not Found",
		"<html><title></title><style>p {x}</style><body><!-- a > b --><h1>Bad</h1><p>gateway</p><scr":                   "Bad gateway",
		"no route to <model>": "no route to <model>",
		"<html><body>":        "",
	} {
		if got := parseError([]byte(page)).message; got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
}

func TestContextSize(t *testing.T) {
	for text, want := range map[string]uint64{
		"This model's maximum context length is 4096 tokens. However, you requested 5000":            4096,
		"the model's context length is only 8192 tokens":                                             8192,
		"longer than the model's context length (2048 tokens)":                                       2048,
		"exceeds the available context size (512 tokens)":                                            512,
		"must be <= 1024. Given: 2000":                                                               1024,
		"prompt is too long: 9000 tokens > 8000 maximum":                                             8000,
		"The input token count (20000) exceeds the maximum number of tokens allowed (9000).":         9000,
		"input length and `max_tokens` exceed context limit: 20000 + 512 > 9000, decrease":           9000,
		"Requested token count exceeds the model's maximum context length of 9000 tokens. You":       9000,
		"`inputs` tokens + `max_new_tokens` must be <= 9000. Given: 20000 `inputs` tokens and 512":   9000,
		"the prompt is longer than the context length currently available to the model":              0,
		"This model's maximum context length is 16,384 tokens. However, you requested 20,000 tokens": 16384,
		"prompt is too long: 209,000 tokens > 200,000 maximum":                                       200000,
		"<html><body><center> <h1> 413 Request Entity Too Large</h1></center></body></html>":         0,
		"no number": 0,
	} {
		if got := contextSize(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestFailure_Names(t *testing.T) {
	seen := map[string]bool{}
	for f := FailureNone; f <= FailureOther; f++ {
		if s := f.String(); s == "" || seen[s] || s[len(s)-1] == ')' {
			t.Errorf("failure %d is called %q", f, s)
		} else {
			seen[s] = true
		}
		if f.retried() && f.permanent() {
			t.Errorf("%v is retried and lasting", f)
		}
	}
}

func TestWithoutThoughts_StripsThinkTags(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`:                            `{"a":1}`,
		"```json\n{}":                        "```json\n{}",
		"<think>x</think> {}":                "{}",
		"x</think>{}":                        "{}",
		"<think>a</think><think>b</think>{}": "{}",
		"<think>a</think><think>b":           "",
		"<think>never":                       "",
		"prose {}":                           "prose {}",
		`{"reasoning":"</think> is a tag"}`:  `{"reasoning":"</think> is a tag"}`,
	} {
		if got := stripThoughts(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
