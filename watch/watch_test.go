package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"kingdom/observe"
	"kingdom/wire"
)

// alias is an agent of the tests.
const alias = "aaaaaaaa"

// dirWith returns a run directory with lines of logs.
func dirWith(t *testing.T, lines map[observe.Stream][]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range []observe.Stream{observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy} {
		write(t, s.Path(dir), lines[s]...)
	}
	return dir
}

// write appends lines to a file.
func write(t *testing.T, path string, lines ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func nop(tick, streak int) string {
	return fmt.Sprintf(`{"ts":"x","run":"r","cycle":%d,"tick":%d,"agent":{"alias":"`+alias+`","id":"%s"},"role":"LIBRARIAN","class":"NOP","reason":"chosen","streak":%d,"status_from":"ACTIVE","status_to":"ACTIVE"}`,
		tick/256, tick, strings.Repeat("aa", 32), streak)
}

func change(tick int, from, to, reason string) string {
	return fmt.Sprintf(`{"ts":"x","run":"r","cycle":%d,"tick":%d,"agent":{"alias":"`+alias+`","id":"%s"},"role":"LIBRARIAN","class":null,"reason":%q,"streak":10,"status_from":%q,"status_to":%q,"balance":3,"reputation":0.5}`,
		tick/256, tick, strings.Repeat("aa", 32), reason, from, to)
}

const inspected = `{"scenario":"s","cycle":1,"agents":[{"number":1,"id":"` + "aa" + `11","alias":"aaaaaaaa","name":"anna","nop_streak":0,"goals":[]},{"number":2,"id":"bb11","alias":"bbbbbbbb","nop_streak":4,"goals":[]}]}`

// serve follows a run directory and serves it. with changes the run that a watcher asks; nil: nothing.
func serve(t *testing.T, dir string, with func(*Run)) *httptest.Server {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	run := Run{
		Dir: dir, Calendar: wire.Calendar{TicksPerCycle: 256},
		Names: func(context.Context) map[wire.AgentID]string { return nil },
		Status: func(context.Context) (Status, error) {
			return Status{Running: true, Text: "running, cycle 1 of 9"}, nil
		},
		Inspect: func(context.Context) ([]byte, error) { return []byte(inspected), nil },
		Events: func(_ context.Context, from, to wire.Cycle, _ []wire.EventKind) (out []Event, err error) {
			for c := from; c <= to; c++ {
				out = append(out, Event{Cycle: c, Kind: wire.KindEpochChange, Payload: &wire.EpochChangeEvent{NewEpoch: uint32(c), Trigger: []byte("<script>alert(1)</script>"), Tick: wire.Tick(c * 256)}})
			}
			return out, nil
		},
	}
	if with != nil {
		with(&run)
	}
	w := New(run)
	w.every = 1
	var done sync.WaitGroup
	done.Go(func() { w.Follow(ctx) })
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = w.Handler(server.Listener.Addr().String())
	server.Start()
	t.Cleanup(func() {
		cancel()
		server.CloseClientConnections()
		server.Close()
		done.Wait()
	})
	return server
}

func get(t *testing.T, server *httptest.Server, path, host string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Header
}

// heard is news as a page reads it.
type heard struct {
	Status  string  `json:"status"`
	Problem string  `json:"problem"`
	Cycle   *uint64 `json:"cycle"`
	Stuck   []Stuck `json:"stuck"`
	Items   []struct {
		Text string `json:"text"`
	} `json:"items"`
	raw string
}

// listen opens the WebSocket of a server; the function that it returns reads news until one fits.
func listen(t *testing.T, server *httptest.Server, query string) func(until func(n heard) bool) heard {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), server.URL+"/ws?"+query, nil) //nolint:bodyclose // Dial says that nobody needs to
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	return func(until func(n heard) bool) heard {
		t.Helper()
		for {
			_, b, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n := heard{raw: string(b)}
			if err := json.Unmarshal(b, &n); err != nil {
				t.Fatalf("%v in %s", err, b)
			}
			if until(n) {
				return n
			}
		}
	}
}
