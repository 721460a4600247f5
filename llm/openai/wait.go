package openai

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait is the longest Retry-After that is obeyed. A server that asks for more counts as one that refuses.
const maxWait = 120 * time.Second

const year = 365 * 24 * 3600 // seconds

// retryAfter reads how long a server asks to wait, a year at most. ok is false where
// it asks for nothing that can be used; refuse is true where it asks for too long. delay is what its error says, for
// servers that say it there.
func retryAfter(h http.Header, delay string, now time.Time) (wait time.Duration, ok, refuse bool) {
	seconds := math.NaN()
	if v := h.Get("retry-after-ms"); v != "" {
		if ms, err := strconv.ParseFloat(v, 64); err == nil {
			seconds = ms / 1000
		}
	}
	if v := h.Get("Retry-After"); math.IsNaN(seconds) && v != "" {
		if s, err := strconv.ParseFloat(v, 64); err == nil {
			seconds = s
		} else if t, err := http.ParseTime(v); err == nil {
			seconds = t.Sub(now).Seconds()
		}
	}
	if math.IsNaN(seconds) {
		if d, err := time.ParseDuration(delay); err == nil { // Gemini
			seconds = d.Seconds()
		}
	}
	if math.IsNaN(seconds) && strings.TrimSpace(h.Get("x-ratelimit-remaining")) == "0" { // OpenRouter, when the calls of a day are used up
		if d, ok := resetAfter(h.Get("x-ratelimit-reset"), now); ok {
			seconds = d.Seconds()
		}
	}
	if math.IsNaN(seconds) {
		if d := exhausted(h, now); d > 0 {
			seconds = d.Seconds()
		}
	}
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0) || seconds <= 0:
		return 0, false, false
	case seconds > maxWait.Seconds():
		return time.Duration(min(seconds, year) * float64(time.Second)), true, true
	}
	return time.Duration(seconds * float64(time.Second)), true, false
}

// resetAfter reads when a limit is reset: as a duration such as 1m30s, in seconds, as a time in seconds or milliseconds
// since 1970, or as a time of RFC 3339.
func resetAfter(v string, now time.Time) (time.Duration, bool) {
	v = strings.TrimSpace(v)
	if d, err := time.ParseDuration(v); err == nil {
		return d, true
	}
	if at, err := time.Parse(time.RFC3339, v); err == nil { // Anthropic
		return at.Sub(now), true
	}
	n, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil || math.IsNaN(n) || n < 0 || n > 1e14:
		return 0, false
	case n > 1e11:
		return time.UnixMilli(int64(n)).Sub(now), true
	case n > year:
		return time.Unix(int64(n), 0).Sub(now), true
	}
	return time.Duration(n * float64(time.Second)), true
}

// backoff returns the wait before the n-th retry (from 0) if the server names none: half a second, doubled each time up
// to eight seconds, less up to a quarter. jitter is in [0,1).
func backoff(n int, jitter float64) time.Duration {
	d := min(500*time.Millisecond<<min(n, 4), 8*time.Second)
	return d - time.Duration(jitter*float64(d)/4)
}

// exhausted reads the rate-limit headers. It returns the time until the server allows requests and tokens again, 0 if it
// allows some now or does not say.
func exhausted(h http.Header, now time.Time) time.Duration {
	var wait time.Duration
	for _, names := range [...]struct{ remaining, limit, reset string }{
		{"x-ratelimit-remaining-requests", "x-ratelimit-limit-requests", "x-ratelimit-reset-requests"},
		{"x-ratelimit-remaining-tokens", "x-ratelimit-limit-tokens", "x-ratelimit-reset-tokens"},
		{"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-reset"},
		{"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-reset"},
	} {
		left, err := strconv.ParseInt(strings.TrimSpace(h.Get(names.remaining)), 10, 64)
		if err != nil || left != 0 {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(h.Get(names.limit)), 10, 64); err == nil && limit <= 0 {
			continue // Azure sends zeros that mean nothing
		}
		if d, ok := resetAfter(h.Get(names.reset), now); ok {
			wait = max(wait, d)
		}
	}
	return min(wait, maxWait)
}
