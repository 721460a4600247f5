package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name, value string
		wait        time.Duration
		ok, refuse  bool
	}{
		{"Retry-After", "1", time.Second, true, false},
		{"Retry-After", "0.2", 200 * time.Millisecond, true, false},
		{"Retry-After", "120", 120 * time.Second, true, false},
		{"Retry-After", "121", 121 * time.Second, true, true},
		{"Retry-After", "1e300", 365 * 24 * time.Hour, true, true},
		{"Retry-After", "0", 0, false, false},
		{"Retry-After", "-1", 0, false, false},
		{"Retry-After", "NaN", 0, false, false},
		{"Retry-After", "Inf", 0, false, false},
		{"Retry-After", "soon", 0, false, false},
		{"Retry-After", now.Add(3 * time.Second).Format(http.TimeFormat), 3 * time.Second, true, false},
		{"Retry-After", now.Add(-3 * time.Second).Format(http.TimeFormat), 0, false, false},
		{"Retry-After-Ms", "250", 250 * time.Millisecond, true, false},
	}
	for _, tt := range tests {
		wait, ok, refuse := retryAfter(http.Header{tt.name: {tt.value}}, "", now)
		if wait != tt.wait || ok != tt.ok || refuse != tt.refuse {
			t.Errorf("%s %q: %v %v %v, want %v %v %v", tt.name, tt.value, wait, ok, refuse, tt.wait, tt.ok, tt.refuse)
		}
	}
	reset := http.Header{"X-Ratelimit-Remaining-Requests": {"0"}, "X-Ratelimit-Reset-Requests": {"7s"}}
	if wait, ok, refuse := retryAfter(reset, "", now); wait != 7*time.Second || !ok || refuse {
		t.Errorf("with no request left: %v %v %v, want the time of the reset", wait, ok, refuse)
	}
	both := http.Header{"Retry-After": {"5"}, "Retry-After-Ms": {"100"}}
	if wait, _, _ := retryAfter(both, "", now); wait != 100*time.Millisecond {
		t.Errorf("with both: %v, want the milliseconds", wait)
	}
}

// The last call of a window, or of a day, is used up, and only the rate-limit headers say until when.
func TestRetryAfter_ResetOfLimit(t *testing.T) {
	now := time.UnixMilli(1_741_305_600_000)
	for _, tt := range []struct {
		left, reset string
		wait        time.Duration
		ok, refuse  bool
	}{
		{"0", "1741305605000", 5 * time.Second, true, false},
		{"0", "1741305605", 5 * time.Second, true, false},
		{"0", "1741341600000", 10 * time.Hour, true, true},
		{"0", "5", 5 * time.Second, true, false},
		{"0", "1m30s", 90 * time.Second, true, false},
		{"0", "6ms", 6 * time.Millisecond, true, false},
		{"0", "1741305000", 0, false, false},
		{"0", "-5", 0, false, false},
		{"0", "1e99", 0, false, false},
		{"0", "soon", 0, false, false},
		{"7", "1741341600000", 0, false, false},
		{"", "1741341600000", 0, false, false},
	} {
		h := http.Header{"X-Ratelimit-Remaining": {tt.left}, "X-Ratelimit-Reset": {tt.reset}}
		wait, ok, refuse := retryAfter(h, "", now)
		if wait != tt.wait || ok != tt.ok || refuse != tt.refuse {
			t.Errorf("%s left, reset %q: %v %v %v, want %v %v %v", tt.left, tt.reset, wait, ok, refuse, tt.wait, tt.ok, tt.refuse)
		}
		h.Set("Retry-After", "1")
		if wait, _, _ := retryAfter(h, "", now); wait != time.Second {
			t.Errorf("%s left, reset %q, with Retry-After: %v", tt.left, tt.reset, wait)
		}
	}
}

func TestBackoff(t *testing.T) {
	for n, want := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 8 * time.Second} {
		if got := backoff(n, 0); got != want {
			t.Errorf("retry %d: %v, want %v", n, got, want)
		}
		if got := backoff(n, 1); got != want*3/4 {
			t.Errorf("retry %d with all jitter: %v, want %v", n, got, want*3/4)
		}
	}
}

func TestExhausted(t *testing.T) {
	tests := []struct {
		name string
		h    map[string]string
		want time.Duration
	}{
		{"absent", nil, 0},
		{"some left", map[string]string{"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s"}, 0},
		{"none left", map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "59ms"}, 59 * time.Millisecond},
		{"tokens later", map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "3s"}, 3 * time.Second},
		{"minus one", map[string]string{"x-ratelimit-remaining-requests": "-1", "x-ratelimit-reset-requests": "6m0s"}, 0},
		{"limit zero means nothing", map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-limit-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 0},
		{"seconds", map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "12"}, 12 * time.Second},
		{"time", map[string]string{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1741305607"}, 7 * time.Second},
		{"text", map[string]string{"x-ratelimit-remaining-requests": "none", "x-ratelimit-reset-requests": "x"}, 0},
		{"bounded", map[string]string{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, maxWait},
		{"Anthropic", map[string]string{"anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-limit": "80000", "anthropic-ratelimit-tokens-reset": "2025-03-07T00:00:09Z"}, 9 * time.Second},
		{"Anthropic, some left", map[string]string{"anthropic-ratelimit-requests-remaining": "3", "anthropic-ratelimit-requests-reset": "2025-03-07T00:00:09Z"}, 0},
	}
	for _, tt := range tests {
		h := http.Header{}
		for k, v := range tt.h {
			h.Set(k, v)
		}
		if got := exhausted(h, time.Unix(1_741_305_600, 0)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestRedactor(t *testing.T) {
	const key = "sk-live-abcdefghijklmnop1234"
	r := newRedactor(key)
	for _, text := range []string{
		key, "Incorrect API key provided: sk-live-abcdefg*****", "Authorization: Bearer " + key, "?key=" + key,
		"api-key: " + key, "c2stbGl2ZS1hYmNkZWZnaGlqa2xtbm9wMTIzNA==",
	} {
		if got := r.clean(text); strings.Contains(got, "abcdef") || strings.Contains(got, "c2stbGl2") {
			t.Errorf("%q is cleaned to %q", text, got)
		}
	}
	if got := r.clean("two\nlines\x00 and \xff"); got != "two lines and" {
		t.Errorf("got %q", got)
	}
	if got := r.clean(strings.Repeat("é", 400)); len(got) > maxErrorText+3 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestModel_Check(t *testing.T) {
	good := Model{Name: "m", Endpoint: "https://api.example.com/v1", ID: "x", MaxOutput: 10}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		endpoint, says string
	}{
		{"", "is missing"},
		{"api.example.com", "is no URL"},
		{"https://u:p@h/v1", "user or password"},
		{"https://h/v1?x=1", "must not hold ?"},
		{"https://h/v1?api-version=2024-10-21", "must not hold ?"},
		{"https://h/openai/deployments/d?api-version=", "must not hold ?"},
		{"https://h/openai/deployments/d?api-version=1&key=x", "must not hold ?"},
		{"https://h/openai/deployments/d?api-version=1#x", "must not hold ?"},
		{"https://h/openai/deployments/d/chat/completions?api-version=1", "must end before"},
		{"https://h/v1?", "must not hold ?"},
		{"https://h/v1/chat/completions", "must end before"},
		{"ftp://h/v1", "must begin with"},
		{"http://example.com/v1", "unencrypted"},
		{"https://h/v1\x01", "is no URL"},
	}
	for _, tt := range tests {
		m := good
		m.Endpoint = tt.endpoint
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: %v, want %q", tt.endpoint, err, tt.says)
		}
	}
	large := good
	if large.MaxContext = 10; large.Check() == nil {
		t.Error("an answer may be as long as the whole context")
	}
	twice := good
	if twice.CacheKey, twice.Extra = true, map[string]any{"prompt_cache_key": "x"}; twice.Check() == nil {
		t.Error("prompt_cache_key is given twice")
	}
	nameless := good
	nameless.Name, nameless.ID = "default", ""
	if err := nameless.Check(); err == nil || !strings.Contains(err.Error(), "KINGDOM_MODEL") {
		t.Errorf("a model named default without a model: %v", err)
	}
	for _, e := range []string{"http://127.0.0.1:11434/v1", "http://localhost/v1", "http://10.1.2.3/v1", "http://[::1]:80/v1", "https://h/openai/deployments/d?api-version=2024-10-21"} {
		m := good
		m.Endpoint = e
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
}

// A body of exactly the largest size is taken whole. Of a reply that is longer nothing is used, of an error page its beginning.
func TestRead_BoundOfABody(t *testing.T) {
	for _, tt := range []struct{ status, size, want int }{
		{200, maxReplyBytes, maxReplyBytes}, {200, maxReplyBytes + 1, 0}, {500, maxErrorBytes, maxErrorBytes}, {500, maxErrorBytes + 1, maxErrorBytes},
	} {
		body, err := read(fakeResponse(httptest.NewRequest(http.MethodPost, "/", nil), tt.status, strings.Repeat("x", tt.size)))
		if len(body) != tt.want || (err != nil) != (tt.want == 0) {
			t.Errorf("%d with %d bytes: %d are taken, %v; want %d", tt.status, tt.size, len(body), err, tt.want)
		}
	}
}
