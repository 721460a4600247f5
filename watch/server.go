package watch

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"kingdom/wire"
)

//go:embed page.html
var page []byte

//go:embed page.js
var script []byte

//go:embed page.css
var style []byte

// Handler answers requests about the run. host is the address at which the page is meant to be opened; requests for another one are
// refused, so that no site can read the run through a name that it points here. "" accepts all.
func (w *Watcher) Handler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", asset("text/html; charset=utf-8", page))
	mux.HandleFunc("GET /page.js", asset("text/javascript; charset=utf-8", script))
	mux.HandleFunc("GET /page.css", asset("text/css; charset=utf-8", style))
	mux.HandleFunc("GET /api/run", w.answerRun)
	mux.HandleFunc("GET /api/agents", w.answerAgents)
	mux.HandleFunc("GET /api/agents/{agent}", w.answerAgent)
	mux.HandleFunc("GET /api/metrics", w.answerMetrics)
	mux.HandleFunc("GET /api/timeline", w.answerTimeline)
	mux.HandleFunc("GET /api/stuck", w.answerStuck)
	mux.HandleFunc("GET /ws", w.push)
	mux.HandleFunc("/", func(out http.ResponseWriter, r *http.Request) {
		fail(out, http.StatusNotFound, fmt.Errorf("there is no %s %s; want GET / or one of the addresses of docs/WATCH.md", r.Method, r.URL.Path))
	})
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		h := out.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if host != "" && !local(r.Host, host) {
			fail(out, http.StatusMisdirectedRequest, fmt.Errorf("this server is not %s; open http://%s", r.Host, host))
			return
		}
		for key := range r.URL.Query() { // a parameter with a wrong name would be none
			if r.URL.Path != "/" && !slices.Contains([]string{"from", "level", "after", "limit"}, key) {
				fail(out, http.StatusBadRequest, fmt.Errorf("there is no parameter %q; the parameters are from, level, after and limit", key))
				return
			}
		}
		mux.ServeHTTP(out, r)
	})
}

// local reports whether a request names this server: as host does, or as localhost or a loopback address.
func local(asked, host string) bool {
	name, _, err := net.SplitHostPort(asked)
	if err != nil {
		name = asked
	}
	own, _, _ := net.SplitHostPort(host)
	return name == own || strings.EqualFold(name, "localhost") || net.ParseIP(strings.Trim(name, "[]")).IsLoopback()
}

func asset(kind string, b []byte) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", kind)
		_, _ = out.Write(b) // who asked has gone
	}
}

// answer writes a value as JSON.
func answer(out http.ResponseWriter, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		fail(out, http.StatusInternalServerError, err)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	_, _ = out.Write(append(b, '\n')) // who asked has gone
}

// fail writes why a request has no answer.
func fail(out http.ResponseWriter, status int, err error) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	b, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string always has a form
	_, _ = out.Write(append(b, '\n'))
}

// look inspects the run, or answers why it cannot be.
func (w *Watcher) look(out http.ResponseWriter, r *http.Request) *inspection {
	in, err := w.inspect(r.Context())
	if err != nil {
		fail(out, http.StatusServiceUnavailable, err)
		return nil
	}
	return in
}

func (w *Watcher) answerRun(out http.ResponseWriter, r *http.Request) {
	if in := w.look(out, r); in != nil {
		answer(out, json.RawMessage(in.raw))
	}
}

func (w *Watcher) answerAgents(out http.ResponseWriter, r *http.Request) {
	if in := w.look(out, r); in != nil {
		all := make([]json.RawMessage, len(in.agents))
		for i := range in.agents {
			all[i] = in.agents[i].raw
		}
		answer(out, all)
	}
}

func (w *Watcher) answerStuck(out http.ResponseWriter, r *http.Request) {
	stuck, err := w.Stuck(r.Context())
	if err != nil {
		fail(out, http.StatusServiceUnavailable, err)
		return
	}
	answer(out, stuck)
}

// aboutAgent is how many items about an agent an answer has at most.
const aboutAgent = 100

// answerAgent answers what is known of one agent: its number, name, alias or id.
func (w *Watcher) answerAgent(out http.ResponseWriter, r *http.Request) {
	in := w.look(out, r)
	if in == nil {
		return
	}
	asked := r.PathValue("agent")
	for i := range in.agents {
		a := &in.agents[i]
		if asked != a.Alias && asked != a.ID && asked != a.Name && asked != strconv.Itoa(a.Number) {
			continue
		}
		answer(out, struct {
			Cycle uint64          `json:"cycle"`
			Agent json.RawMessage `json:"agent"`
			Items []Item          `json:"items"`
		}{uint64(in.cycle), a.raw, w.Timeline(0, Routine, a.Alias, aboutAgent)})
		return
	}
	fail(out, http.StatusNotFound, fmt.Errorf("there is no agent %q; want a number, name, alias or id of /api/agents", asked))
}

// answerMetrics answers the rows of metrics.csv, with ?from=CYCLE from that cycle on.
func (w *Watcher) answerMetrics(out http.ResponseWriter, r *http.Request) {
	from, err := number(r, "from", 0)
	if err != nil {
		fail(out, http.StatusBadRequest, err)
		return
	}
	figures := w.Figures(wire.Cycle(from))
	found := make([]json.RawMessage, len(figures.Rows))
	for i := range figures.Rows {
		found[i] = figures.object(&figures.Rows[i])
	}
	answer(out, found)
}

// answerTimeline answers what happened: ?level= at least that much, ?after= items with a higher number, ?limit= at most so many.
func (w *Watcher) answerTimeline(out http.ResponseWriter, r *http.Request) {
	level, levelErr := levelOf(r)
	after, afterErr := number(r, "after", 0)
	limit, limitErr := number(r, "limit", 200)
	if err := errors.Join(levelErr, afterErr, limitErr); err != nil {
		fail(out, http.StatusBadRequest, err)
		return
	}
	answer(out, w.Timeline(after, level, "", limit))
}

// levelOf reads the level that a request asks for.
func levelOf(r *http.Request) (Level, error) {
	if name := r.URL.Query().Get("level"); name != "" {
		return ParseLevel(name)
	}
	return Notable, nil
}

// number reads a number that a request gives.
func number(r *http.Request, key string, absent uint64) (uint64, error) {
	text := r.URL.Query().Get(key)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q; want a number from 0 on", key, text)
	}
	return n, nil
}

// news is what is pushed: everything that has changed since the last push, as it is now.
type news struct {
	Status  string  `json:"status"`
	Problem string  `json:"problem,omitempty"` // why the logs or the store could not be read last
	Cycle   *uint64 `json:"cycle"`             // the last one of which there are figures; null if there is none
	Stuck   []Stuck `json:"stuck"`
	Items   []Item  `json:"items"` // new ones, of at least the level that was asked for
}

const (
	pushPause   = 200 * time.Millisecond // between two pushes
	pushTimeout = 10 * time.Second       // for one push
	pushItems   = 500                    // the newest of so many items are pushed at once
)

// push sends news over a WebSocket until the other side leaves: first the newest items, then what comes. ?level= and ?after= are those of
// the timeline.
func (w *Watcher) push(out http.ResponseWriter, r *http.Request) {
	level, levelErr := levelOf(r)
	after, afterErr := number(r, "after", 0)
	if err := errors.Join(levelErr, afterErr); err != nil {
		fail(out, http.StatusBadRequest, err)
		return
	}
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") { // Accept would refuse it in plain text
		fail(out, http.StatusBadRequest, errors.New("/ws is a WebSocket; want a request that opens one"))
		return
	}
	conn, err := websocket.Accept(out, r, nil)
	if err != nil {
		return // Accept has answered
	}
	ctx := conn.CloseRead(r.Context())
	for {
		w.feed.mu.Lock()
		changed := w.feed.changed
		n := news{Status: w.feed.status.Text, Problem: w.feed.trouble()}
		if cycle := uint64(w.feed.cycle); w.feed.began {
			n.Cycle = &cycle
		}
		w.feed.mu.Unlock()
		if n.Stuck = w.feed.stuckNow(); len(n.Stuck) > 0 { // some may have acted since
			if _, err := w.inspect(ctx); err == nil {
				n.Stuck = w.feed.stuckNow()
			}
		}
		n.Items = w.feed.since(after, level, pushItems)
		if k := len(n.Items); k > 0 {
			after = n.Items[k-1].Number
		} else {
			n.Items = []Item{}
		}
		if err := send(ctx, conn, n); err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(pushPause):
		}
		select {
		case <-ctx.Done():
			_ = conn.Close(websocket.StatusGoingAway, "")
			return
		case <-changed:
		}
	}
}

func send(ctx context.Context, conn *websocket.Conn, n news) error {
	b, err := json.Marshal(n)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, b)
}
