package openai_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"kingdom/internal/fakellm"
	"kingdom/llm"
	"kingdom/llm/openai"
)

const nopAnswer = `{"action":"nop","params":{},"reasoning":"r"}`

// completion is a good reply with a message of this JSON.
func completion(message string) string {
	return `{"choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}`
}

func zipped(text []byte) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	_ = z.Close()
	return b.String()
}

// flood replies with a body of this many bytes, without a line's end.
func flood(status, size int) fakellm.Act {
	piece := bytes.Repeat([]byte("x"), 64<<10)
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.WriteHeader(status)
		for ; size > 0; size -= len(piece) {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}
}

// raw replies with these bytes on the connection, and closes or resets it.
func raw(text string, reset bool) fakellm.Act {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, text)
		if tcp, ok := conn.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
}

// Broken responses are retried; what can be read is an answer.
func TestThink_BrokenResponsesAreRetried(t *testing.T) {
	good := completion(`{"content":` + quoted(nopAnswer) + `}`)
	zip := []string{"Content-Encoding", "gzip"}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	tests := []struct {
		name     string
		act      fakellm.Act
		requests uint64 // 2: asked again, answered well then
	}{
		{"gzip", body(200, zipped([]byte(good)), zip...), 1},
		{"gzip bomb", body(200, zipped(make([]byte, 64<<20)), zip...), 2},
		{"gzip cut", body(200, zipped([]byte(good))[:60], zip...), 2},
		{"plain that says gzip", body(200, good, zip...), 2},
		{"length too long", raw(head+"Content-Length: 5000\r\n\r\n"+good, false), 2},
		{"chunk cut", raw(head+"Transfer-Encoding: chunked\r\n\r\nfff\r\n"+good, false), 2},
		{"reset after the headers", raw(head+"Content-Length: 5000\r\n\r\n", true), 2},
		{"reset before any byte", raw("", true), 2},
		{"event stream", body(200, "data: {\"choices\":[]}\n\ndata: [DONE]\n\n", "Content-Type", "text/event-stream"), 2},
		{"junk after", body(200, good+"junk"), 2},
		{"content twice", body(200, completion(`{"content":"{}","content":`+quoted(nopAnswer)+`}`)), 2},
		{"lone surrogate", body(200, completion(`{"content":"\ud800`+strings.Trim(quoted(nopAnswer), `"`)+`"}`)), 1},
		{"second choice first", body(200, `{"choices":[{"index":1,"message":{"content":"{}"}},{"index":0,"message":{"content":`+quoted(nopAnswer)+`}}]}`), 1},
		{"no choice with index 0", body(200, `{"choices":[{"index":3,"message":{"content":`+quoted(nopAnswer)+`}},{"index":1,"message":{"content":"{}"}}]}`), 1},
		{"model of 900 kB", body(200, `{"model":"`+strings.Repeat("m\\u0007", 130_000)+`",`+good[1:]), 1},
		{"long thoughts", body(200, completion(`{"reasoning_content":"`+strings.Repeat("{hm} ", 100_000)+`","content":`+quoted(nopAnswer)+`}`)), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, fakellm.Then(tt.act), nil)
			th := l.think(t, 10*time.Second)
			if th.Outcome != llm.Answered || !strings.Contains(string(th.Text), `"reasoning"`) || th.Model != "default" {
				t.Errorf("got %v, text %.200q, model %.50q, error %q", th.Outcome, th.Text, th.Model, th.Error)
			}
			if n := l.server.Counts().Requests; n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			if tt.name == "long thoughts" && th.OutputTokens < 100_000 {
				t.Errorf("%d output tokens: the thoughts are not counted", th.OutputTokens)
			}
		})
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Of a response of any size no more than the bound is kept.
func TestThink_HugeResponsesAreBounded(t *testing.T) {
	bomb := body(200, zipped(make([]byte, 64<<20)), "Content-Encoding", "gzip")
	for name, act := range map[string]fakellm.Act{"64 MiB line": flood(200, 64<<20), "10 MiB error": flood(500, 10<<20), "gzip bomb": bomb} {
		l := newLab(t, fakellm.Then(act), nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		th := l.think(t, 10*time.Second)
		runtime.ReadMemStats(&after)
		if th.Outcome != llm.Answered || l.server.Counts().Requests != 2 {
			t.Errorf("%s: %v (%s) after %d requests, want an answer to the second", name, th.Outcome, th.Error, l.server.Counts().Requests)
		}
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 16 {
			t.Errorf("%s: %d MiB were allocated", name, n)
		}
	}
}

// A server that sends byte by byte or nothing is left at the deadline.
func TestThink_SlowServerIsLeftAtTheDeadline(t *testing.T) {
	const limit = 200 * time.Millisecond
	drip := func(b string, each time.Duration) fakellm.Act {
		return func(w http.ResponseWriter, r *http.Request, _ []byte) {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, b)
				_ = http.NewResponseController(w).Flush()
				time.Sleep(each)
			}
		}
	}
	for name, act := range map[string]fakellm.Act{"a byte at a time": drip("{", 50*time.Millisecond), "blank lines": drip("\n", time.Millisecond), "no headers": fakellm.Hang()} {
		l := newLab(t, fakellm.Always(act), nil)
		inTime(t, name, l, limit)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // connections wait in its queue
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	l := newLab(t, nil, func(m *openai.Model) { m.Endpoint = "http://" + silent.Addr().String() + "/v1" })
	inTime(t, "accepts and sleeps", l, limit)
}

// inTime wants a time-out within 100 ms of the limit; a busy machine gets three tries.
func inTime(t *testing.T, name string, l *lab, limit time.Duration) {
	t.Helper()
	var took time.Duration
	for range 3 {
		begin := time.Now()
		th := l.think(t, limit)
		took = time.Since(begin)
		if th.Outcome != llm.TimedOut {
			t.Errorf("%s: %v (%s)", name, th.Outcome, th.Error)
			return
		}
		if took < limit+100*time.Millisecond {
			return
		}
	}
	t.Errorf("%s: took %v of %v", name, took, limit)
}

// A stop ends all open calls at once and leaves nothing running.
func TestThink_StopEndsAllCalls(t *testing.T) {
	const calls = 500
	before := runtime.NumGoroutine()
	t.Run("run", func(t *testing.T) {
		l := newLab(t, fakellm.Always(fakellm.Hang()), func(m *openai.Model) { m.Concurrency = calls })
		l.server.Forget = true
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				if th, err := l.mind.Think(ctx, &l.prompt); err != nil || th.Outcome != llm.Interrupted || len(th.Calls) != 1 {
					t.Errorf("%v (%s), %v, %d calls", th.Outcome, th.Error, err, len(th.Calls))
				}
			})
		}
		for end := time.Now().Add(20 * time.Second); l.server.Counts().Requests < calls; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d of %d calls are open", l.server.Counts().Requests, calls)
			}
		}
		begin := time.Now()
		cancel()
		wg.Wait()
		if d := time.Since(begin); d > time.Second {
			t.Errorf("took %v", d)
		}
	})
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines are left, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// An answer that comes after its deadline is not taken for that of the next call.
func TestThink_LateAnswerIsNotTakenForTheNextCall(t *testing.T) {
	late := make(chan struct{})
	say := func(word string) string {
		return completion(`{"content":` + quoted(strings.Replace(nopAnswer, `"r"`, `"`+word+`"`, 1)) + `}`)
	}
	l := newLab(t, fakellm.Then(func(w http.ResponseWriter, r *http.Request, _ []byte) {
		<-late
		body(200, say("late"))(w, r, nil)
	}, body(200, say("fresh"))), func(m *openai.Model) { m.Concurrency = 1 })
	if th := l.think(t, 500*time.Millisecond); th.Outcome != llm.TimedOut { // long enough for the request to arrive on a busy machine
		t.Fatalf("got %v (%s)", th.Outcome, th.Error)
	}
	close(late)
	if th := l.think(t, 5*time.Second); th.Outcome != llm.Answered || !strings.Contains(string(th.Text), "fresh") {
		t.Errorf("got %v, %q (%s)", th.Outcome, th.Text, th.Error)
	}
}

// Another host that an endpoint sends to sees nothing.
func TestThink_RedirectsAreNotFollowed(t *testing.T) {
	other := &fakellm.Server{}
	ts := httptest.NewServer(other)
	defer ts.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		l := newLab(t, fakellm.Always(body(status, "", "Location", ts.URL+"/v1/chat/completions")), nil)
		if th := l.think(t, 5*time.Second); th.Outcome != llm.ProviderError || !strings.Contains(th.Error, "redirected") {
			t.Errorf("%d: %v (%s)", status, th.Outcome, th.Error)
		}
		if n := l.server.Counts().Requests; n != 1 {
			t.Errorf("%d: %d requests", status, n)
		}
	}
	if n := other.Counts().Requests; n != 0 {
		t.Errorf("%d requests followed", n)
	}
}
