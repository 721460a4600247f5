package watch

import (
	"context"
	"encoding/json"
	"errors"
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

// feedOf returns what a feed makes of the lines of logs.
func feedOf(t *testing.T, lines map[observe.Stream][]string) *feed {
	t.Helper()
	f := newFeed()
	err := observe.Tail(t.Context(), dirWith(t, lines), observe.TailOptions{Streams: []observe.Stream{observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy}},
		func(l observe.Line) error { f.addLine(&l); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestItem_LevelOfLines(t *testing.T) {
	f := feedOf(t, map[observe.Stream][]string{
		observe.StreamNOP:      {nop(260, 1), strings.Replace(nop(264, 1), `"NOP"`, `"rest"`, 1)},
		observe.StreamDormancy: {change(268, "ACTIVE", "ACTIVE", "nop_warning"), change(272, "ACTIVE", "DORMANT", "nop_limit"), change(511, "DORMANT", "DEAD", "operator")},
		observe.StreamEngine:   {`{"ts":"x","run":"r","cycle":2,"tick":512,"kind":"input","input_seq":1,"input":"wake"}`, `{"ts":"x","run":"r","cycle":2,"tick":513,"kind":"fault","error":"full"}`},
	})
	for i, want := range []struct {
		level Level
		text  string
	}{
		{Routine, "aaaaaaaa LIBRARIAN NOP 1 in a row: chose to do nothing"}, // and nothing of the rest
		{Notable, "aaaaaaaa LIBRARIAN warning: 10 NOPs in a row"},
		{Notable, "aaaaaaaa LIBRARIAN ACTIVE → DORMANT: nop_limit"},
		{Critical, "aaaaaaaa LIBRARIAN DORMANT → DEAD: operator"},
		{Critical, "input wake"},
		{Notable, "fault (full)"},
	} {
		all := f.since(0, Routine, 100)
		if i >= len(all) {
			t.Fatalf("%d items, want more: %+v", len(all), all)
		}
		if it := all[i]; it.Level != want.level || !strings.HasPrefix(it.Text, want.text) {
			t.Errorf("item %d is %s %q, want %s %q", i, it.Level, it.Text, want.level, want.text)
		}
	}
	if n := len(f.since(0, Critical, 100)); n != 2 {
		t.Errorf("%d critical items, want 2", n)
	}
}

func TestItem_Events(t *testing.T) {
	anna, calendar := wire.AgentID{0xaa}, wire.Calendar{TicksPerCycle: 256}
	for _, c := range []struct {
		payload any
		kind    wire.EventKind
		level   Level
		tick    wire.Tick
		text    string
	}{
		{&wire.EpochChangeEvent{NewEpoch: 1, Trigger: []byte("five repos"), Tick: 300}, wire.KindEpochChange, Critical, 300, "epoch 1 begins: five repos"},
		{&wire.AgentStatusChangeEvent{AgentID: anna, OldStatus: wire.StatusActive, NewStatus: wire.StatusDead, Reason: "bankruptcy", Tick: 511}, wire.KindAgentStatusChange, Critical, 511, "anna ACTIVE → DEAD: bankruptcy"},
		{&wire.AgentStatusChangeEvent{AgentID: anna, OldStatus: wire.StatusActive, NewStatus: wire.StatusDormant, Reason: "no_demand", Tick: 400}, wire.KindAgentStatusChange, Notable, 400, "anna ACTIVE → DORMANT: no_demand"},
		{&wire.ProposalResolvedEvent{TotalVoters: 5, QuorumMet: true, Passed: true}, wire.KindProposalResolved, Notable, 511, "proposal 00000000 passes (5 voters)"},
		{&wire.ProposalResolvedEvent{TotalVoters: 2, Passed: true}, wire.KindProposalResolved, Notable, 511, "proposal 00000000 lacks its quorum (2 voters)"},
		{&wire.ProposalResolvedEvent{TotalVoters: 6, QuorumMet: true}, wire.KindProposalResolved, Notable, 511, "proposal 00000000 is rejected (6 voters)"},
		{&wire.BountyCompletedEvent{Claimer: anna, Reward: 12, Tick: 320}, wire.KindBountyCompleted, Notable, 320, "anna is paid 12 ⚡ for bounty 00000000"},
		{&wire.EntryPublishedEvent{Author: anna, Title: []byte("T"), Kind: wire.EntryKindAPI, Tick: 320}, wire.KindEntryPublished, Notable, 320, `anna publishes "T", API`},
		{&wire.BankruptcyWarningEvent{Agent: anna, Balance: -4}, wire.KindBankruptcyWarning, Notable, 511, "anna owes 4 ⚡"},
		{&wire.InterventionAppliedEvent{Amount: 7}, wire.KindInterventionApplied, Critical, 511, "Mint intervenes"},
		{&wire.BigBangEvent{}, wire.KindBigBang, Critical, 511, "the world begins"},
	} {
		it := ofEvent(&Event{Cycle: 1, Kind: c.kind, Payload: c.payload}, calendar, map[wire.AgentID]string{anna: "anna"})
		if it.Level != c.level || it.Tick != c.tick || !strings.HasPrefix(it.Text, c.text) {
			t.Errorf("%s: %s at %d: %q, want %s at %d: %q", c.kind, it.Level, it.Tick, it.Text, c.level, c.tick, c.text)
		}
	}
	for _, k := range Kinds(false) {
		if wire.NewEventPayload(k) == nil {
			t.Errorf("there is no payload of %s", k)
		}
		if text := ofEvent(&Event{Kind: k, Payload: wire.NewEventPayload(k)}, calendar, nil).Text; k != wire.KindBigBang && text == "the world begins" {
			t.Errorf("%s has no text of its own", k)
		}
	}
}

// An agent is stuck from its third NOP in a row on, until it acts, falls asleep or has no streak at the end of a cycle.
func TestFeed_WhoIsStuck(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines map[observe.Stream][]string
		act   wire.Cycle // end of a cycle at which the agent has no streak; 0: none
		want  uint32     // its streak; 0: it is not stuck
	}{
		{"two", map[observe.Stream][]string{observe.StreamNOP: {nop(256, 1), nop(260, 2)}}, 0, 0},
		{"three", map[observe.Stream][]string{observe.StreamNOP: {nop(256, 1), nop(260, 2), nop(264, 3)}}, 0, 3},
		{"five", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3), nop(268, 4), nop(272, 5)}}, 0, 5},
		{"acted in between", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3), nop(272, 1)}}, 0, 0},
		{"fell asleep", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}, observe.StreamDormancy: {change(268, "ACTIVE", "DORMANT", "nop_limit")}}, 0, 0},
		{"warned", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}, observe.StreamDormancy: {change(264, "ACTIVE", "ACTIVE", "nop_warning")}}, 0, 3},
		{"acted by the end of the cycle", map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}}, 1, 0},
		{"stuck in the cycle after", map[observe.Stream][]string{observe.StreamNOP: {nop(520, 3)}}, 1, 3},
	} {
		f := feedOf(t, c.lines)
		if c.act > 0 {
			f.act(c.act, map[string]bool{alias: true})
		}
		got := uint32(0)
		if now := f.stuckNow(); len(now) > 0 {
			got = now[0].Streak
		}
		if got != c.want {
			t.Errorf("%s: streak %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFeed_KeepsTheNewest(t *testing.T) {
	f := newFeed()
	f.add(Item{Level: Critical, Text: "old"})
	for i := range 3 * kept {
		f.add(Item{Level: Routine, Text: fmt.Sprint(i)})
	}
	if n := len(f.items[Routine]); n < kept || n >= 2*kept {
		t.Errorf("%d routine items are kept, want %d to %d", n, kept, 2*kept)
	}
	if got := f.since(0, Critical, 10); len(got) != 1 || got[0].Text != "old" || got[0].Number != 1 {
		t.Errorf("routine items replaced the critical one: %+v", got)
	}
	got := f.since(3*kept-1, Routine, 10)
	if len(got) != 2 || got[1].Number != 3*kept+1 {
		t.Errorf("since item %d: %+v", 3*kept-1, got)
	}
	if got := f.since(0, Routine, 3); len(got) != 3 || got[2].Number != 3*kept+1 {
		t.Errorf("the newest three: %+v", got)
	}
}

func TestMetrics_ReadsWholeRowsOnly(t *testing.T) {
	dir := t.TempDir()
	m := newMetrics(dir)
	if changed, err := m.read(); changed || err != nil {
		t.Fatalf("no file yet: %v %v", changed, err)
	}
	write(t, observe.MetricsPath(dir), "cycle,world_hash,gini", "0,00ff,0.25", "a note of somebody,,", "1,12e4,1")
	f, err := os.OpenFile(observe.MetricsPath(dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("2,00aa"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if changed, err := m.read(); !changed || err != nil {
		t.Fatalf("%v %v", changed, err)
	}
	if last, ok := m.last(); !ok || last != 1 || len(m.rows) != 2 {
		t.Fatalf("%d rows up to cycle %d, want 2 up to 1", len(m.rows), last)
	}
	if got := string(m.rows[0].json); got != `{"cycle":0,"world_hash":"00ff","gini":0.25}` {
		t.Errorf("row %s", got)
	}
	if changed, err := m.read(); changed || err != nil {
		t.Errorf("nothing was written: %v %v", changed, err)
	}
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

func TestServer_Answers(t *testing.T) {
	server := serve(t, dirWith(t, nil), nil)
	for _, c := range []struct {
		path, host string
		status     int
		want       string
	}{
		{"/", "", 200, "<!doctype html>"},
		{"/page.js", "", 200, "'use strict'"},
		{"/page.css", "", 200, ":root"},
		{"/api/run", "", 200, inspected},
		{"/api/agents", "", 200, `[{"number":1,`},
		{"/api/agents/1", "", 200, `"alias":"aaaaaaaa"`},
		{"/api/agents/anna", "", 200, `"alias":"aaaaaaaa"`},
		{"/api/agents/bb11", "", 200, `"alias":"bbbbbbbb"`},
		{"/api/agents/bbbbbbbb", "", 200, `"number":2`},
		{"/api/agents/carl", "", 404, `there is no agent \"carl\"; want a number, name, alias or id of /api/agents`},
		{"/api/metrics", "", 200, "[]"},
		{"/api/metrics?from=-1", "", 400, `from is \"-1\"; want a number from 0 on`},
		{"/api/timeline", "", 200, "[]"},
		{"/api/timeline?level=loud&after=x", "", 400, `level is \"loud\"; want routine, notable or critical\nafter is \"x\"`},
		{"/api/stuck", "", 200, "[]"},
		{"/ws?level=loud", "", 400, "want routine, notable or critical"},
		{"/ws", "", 400, `{"error":"/ws is a WebSocket; want a request that opens one"}`},
		{"/api/timeline?levels=routine", "", 400, `there is no parameter \"levels\"; the parameters are from, level, after and limit`},
		{"/api", "", 404, "there is no GET /api"},
		{"/api/run", "localhost:3000", 200, inspected},
		{"/api/run", "[::1]:3000", 200, inspected},
		{"/api/run", "evil.example", 421, "this server is not evil.example; open http://127.0.0.1:"},
	} {
		status, body, header := get(t, server, c.path, c.host)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s (%s): %d %.200s\nwant %d %s", c.path, c.host, status, body, c.status, c.want)
		}
		if csp := header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self'") {
			t.Errorf("%s: content security policy %q", c.path, csp)
		}
	}
}

func TestServer_SaysWhyTheRunCannotBeInspected(t *testing.T) {
	server := serve(t, dirWith(t, nil), func(r *Run) {
		r.Inspect = func(context.Context) ([]byte, error) { return nil, errors.New("the store is gone") }
	})
	if status, body, _ := get(t, server, "/api/run", ""); status != 503 || !strings.Contains(body, "inspect the run: the store is gone") {
		t.Errorf("%d %s", status, body)
	}
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

// Who listens hears at once what happens: a line of a log, and the events of a cycle once it has ended.
func TestServer_Pushes(t *testing.T) {
	dir := dirWith(t, nil)
	server := serve(t, dir, func(r *Run) {
		r.Inspect = func(context.Context) ([]byte, error) { return []byte(`{"cycle":1,"agents":[]}`), nil }
	})
	hear := listen(t, server, "level=routine")
	hear(func(n heard) bool { return n.Status == "running, cycle 1 of 9" && n.Cycle == nil })
	write(t, observe.StreamNOP.Path(dir), nop(264, 3))
	n := hear(func(n heard) bool { return len(n.Items) > 0 })
	if len(n.Stuck) != 1 || n.Stuck[0].Streak != 3 || n.Stuck[0].Agent != alias || !strings.Contains(n.Items[0].Text, "NOP 3 in a row") {
		t.Errorf("after the third NOP: %+v", n)
	}
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0", "1,0")
	var texts []string
	n = hear(func(n heard) bool {
		for _, it := range n.Items {
			texts = append(texts, it.Text)
		}
		return n.Cycle != nil
	})
	if *n.Cycle != 1 || len(texts) != 2 || texts[1] != "epoch 1 begins: <script>alert(1)</script>" {
		t.Errorf("after cycle %d: %q", *n.Cycle, texts)
	}
}

// The page sets texts as text only: none of the functions that read markup is in it.
func TestPage_TakesNoMarkup(t *testing.T) {
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("} {
		if strings.Contains(string(script), word) {
			t.Errorf("the page uses %s", word)
		}
	}
}
