package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"kingdom/mcp"
	"kingdom/watch"
)

// asking connects a client to the server of a run.
func asking(t *testing.T, dir string) *sdk.ClientSession {
	t.Helper()
	return askingFor(t, dir, time.Hour)
}

// askingFor ends statements after a while.
func askingFor(t *testing.T, dir string, wait time.Duration) *sdk.ClientSession {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	run, err := openRun(ctx, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := run.store.Close(); err != nil {
		t.Fatal(err)
	}
	a := &app{out: io.Discard, err: io.Discard}
	w := watch.New(watched(a, dir, run.config.Rules.Calendar))
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		w.Follow(ctx)
	}()
	here, there := sdk.NewInMemoryTransports()
	asked := askedRun(a, dir, w)
	asked.QueryWait = min(asked.QueryWait, wait)
	if _, err := mcp.New(asked).Connect(ctx, there, nil); err != nil {
		t.Fatal(err)
	}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		cancel()
		<-followed
	})
	return s
}

// tell calls a tool and returns its text; into gets its fields, nil: nobody wants them. The answer is an error if failed says so.
func tell(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any, failed bool, into any) string {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: an error of the protocol: %v", tool, args, err)
	}
	text := res.Content[0].(*sdk.TextContent).Text
	if res.IsError != failed || len(text) > 40_000 {
		t.Fatalf("%s %v: error %v, %d bytes: %.1000s", tool, args, res.IsError, len(text), text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%s %v: %v in %s", tool, args, err, text)
		}
	}
	return text
}

type told struct {
	Columns []string
	Rows    [][]any
	Note    string
}

// The tools tell what the commands print.
func TestMCP_TellsWhatCommandsPrint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--out", dir))
	s := asking(t, dir)
	printed := inspectionIn(t, must(t, in(t, "inspect", dir, "--json")))

	var run struct {
		WorldHash string         `json:"world_hash"`
		Agents    map[string]int `json:"agents"`
		Doing     string         `json:"doing"`
		World     worldSummary   `json:"world"`
	}
	if tell(t, s, "run", nil, false, &run); run.WorldHash != printed.WorldHash || run.Agents["ACTIVE"] != 8 || run.Doing != "finished at cycle 3 of 3" || run.World.Messages == 0 {
		t.Errorf("the run: %+v", run)
	}
	var agents told
	tell(t, s, "agents", nil, false, &agents)
	if len(agents.Rows) != 8 || agents.Rows[7][1] != printed.Agents[7].Alias || agents.Rows[7][5] != float64(printed.Agents[7].Balance) || agents.Note != "" {
		t.Errorf("the agents: %+v", agents)
	}
	if tell(t, s, "agents", map[string]any{"from": 7}, false, &agents); len(agents.Rows) != 2 || agents.Rows[0][0] != 7.0 {
		t.Errorf("agents from 7 on: %+v", agents.Rows)
	}
	if tell(t, s, "agents", map[string]any{"status": "DEAD"}, false, &agents); len(agents.Rows) != 0 {
		t.Errorf("nobody is dead: %+v", agents.Rows)
	}
	alias := printed.Agents[2].Alias
	for _, name := range []any{3, "3", alias, strings.ToUpper(alias), printed.Agents[2].ID, alias[:6]} {
		var one inspectionJSON
		if tell(t, s, "agent", map[string]any{"agent": name}, false, &one); len(one.Agents) != 1 || mustJSON(t, one.Agents[0]) != mustJSON(t, printed.Agents[2]) {
			t.Errorf("agent %v is %+v", name, one.Agents)
		}
	}

	var said struct{ Text, Note string }
	tell(t, s, "explain", map[string]any{"agent": alias}, false, &said)
	if want := must(t, in(t, "explain", dir, "--agent", alias)).out; said.Text != want || want == "" {
		t.Errorf("what it did last:\n%s\nwant\n%s", said.Text, want)
	}
	tell(t, s, "explain", map[string]any{"agent": 3, "tick": 256}, false, &said)
	if want := must(t, in(t, "explain", dir, "--agent", alias, "--tick", "256")).out; said.Text != want || !strings.Contains(want, "goals") {
		t.Errorf("a slot:\n%s\nwant\n%s", said.Text, want)
	}

	var figures told
	tell(t, s, "metrics", nil, false, &figures)
	if len(figures.Rows) != 4 || figures.Columns[0] != "cycle" || len(figures.Rows[3]) != len(figures.Columns) || figures.Rows[3][0] != 3.0 {
		t.Errorf("figures: %+v", figures)
	}
	if tell(t, s, "metrics", map[string]any{"from": 1, "to": 2}, false, &figures); len(figures.Rows) != 2 || figures.Rows[0][0] != 1.0 {
		t.Errorf("figures of cycles 1 and 2: %+v", figures.Rows)
	}
	if tell(t, s, "metrics", map[string]any{"from": 9}, false, &figures); len(figures.Rows) != 0 || !strings.Contains(figures.Note, "no figures") {
		t.Errorf("figures of a cycle to come: %+v", figures)
	}

	var found told
	tell(t, s, "query", map[string]any{"sql": "SELECT agent, count(*) AS n FROM v.acts GROUP BY agent ORDER BY agent", "limit": 3}, false, &found)
	if len(found.Rows) != 3 || found.Columns[1] != "n" || found.Rows[0][1].(float64) < 1 || !strings.Contains(found.Note, "rows are left out after the first 3") {
		t.Errorf("acts by agent: %+v", found)
	}
	found = told{}
	tell(t, s, "query", map[string]any{"sql": "SELECT id FROM nexus_agents ORDER BY spawn_index"}, false, &found)
	if len(found.Rows) != 8 || found.Rows[2][0] != printed.Agents[2].ID || found.Note != "" {
		t.Errorf("bytes are no hex digits: %+v", found)
	}

	var measured societyJSON
	tell(t, s, "society", nil, false, &measured)
	var want societyJSON
	if err := json.Unmarshal([]byte(must(t, in(t, "society", dir, "--json")).out), &want); err != nil {
		t.Fatal(err)
	}
	if a, b := mustJSON(t, measured), mustJSON(t, want); a != b {
		t.Errorf("social metrics:\n%s\n%s", a, b)
	}
}

// What happened and who is stuck is known at the first question, and of one agent if that is asked.
func TestMCP_StuckAndWhatHappened(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "minds.scripted.malformed_rate=0.7", "--out", dir))
	s := asking(t, dir)
	var want []string // who is awake and has a streak
	for _, g := range inspectionIn(t, must(t, in(t, "inspect", dir, "--json"))).Agents {
		if g.Status == "ACTIVE" && g.NOPStreak >= 3 {
			want = append(want, g.Alias)
		}
	}
	var stuck struct {
		Doing string
		Stuck []watch.Stuck
	}
	tell(t, s, "stuck", nil, false, &stuck)
	var got []string
	for _, g := range stuck.Stuck {
		got = append(got, g.Agent)
		if g.Streak < 3 || g.Reason == "" {
			t.Errorf("%+v is stuck", g)
		}
	}
	if slices.Sort(got); len(want) == 0 || len(got) != len(want) || !strings.HasPrefix(stuck.Doing, "finished") {
		t.Errorf("%v are stuck, want %v (%s)", got, want, stuck.Doing)
	}
	var all, one, none struct {
		Items []struct{ Level, Agent, Text string }
		After uint64
		Note  string
	}
	if tell(t, s, "what_happened", map[string]any{"level": "routine", "limit": 5}, false, &all); len(all.Items) != 5 || !strings.Contains(all.Note, "older items are left out") {
		t.Errorf("five items: %+v", all)
	}
	tell(t, s, "what_happened", map[string]any{"agent": 2, "limit": 1000}, false, &one)
	if len(one.Items) == 0 || slices.ContainsFunc(one.Items, func(it struct{ Level, Agent, Text string }) bool {
		return it.Agent != one.Items[0].Agent || it.Level == "routine"
	}) {
		t.Errorf("about agent 2: %+v", one)
	}
	if tell(t, s, "what_happened", map[string]any{"level": "routine", "after": all.After}, false, &none); len(none.Items) != 0 || none.After != all.After {
		t.Errorf("after the newest: %+v", none)
	}
}

// Wrong questions are errors of the tool, in the words of the commands.
func TestMCP_WrongQuestions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--set", "store.tables=demand", "--out", dir))
	s := asking(t, dir)
	for _, q := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"run", map[string]any{"cycle": 1}, "cycle"},
		{"agents", map[string]any{"status": "ASLEEP"}, "status"},
		{"agents", map[string]any{"from": 0}, "minimum"},
		{"agent", nil, "agent"},
		{"agent", map[string]any{"agent": ""}, "agent is empty; want a number, name, alias or id"},
		{"agent", map[string]any{"agent": "nobody"}, `no agent of ` + dir + ` is named "nobody"; want its number from 1 to 8`},
		{"explain", map[string]any{"agent": 9}, "is named \"9\""},
		{"explain", map[string]any{"agent": 1, "tick": 100000}, "has the cycles 1 to 1; choose a tick of one of them"},
		{"explain", map[string]any{"agent": 1, "tick": -1}, "minimum"},
		{"explain", map[string]any{"agent": 1, "tick": 257}, "has no slot at tick 257; its slots in cycle 1 are"},
		{"what_happened", map[string]any{"level": "loud"}, "level"},
		{"what_happened", map[string]any{"limit": 1001}, "maximum"},
		{"what_happened", map[string]any{"agent": "nobody"}, "is named \"nobody\""},
		{"metrics", map[string]any{"from": 3, "to": 2}, "to is 2 and from is 3; want to at least from"},
		{"query", nil, "sql"},
		{"query", map[string]any{"sql": "SELECT 1", "limit": 1001}, "maximum"},
		{"query", map[string]any{"sql": "DELETE FROM nexus_agents"}, `the statement begins with "DELETE"; want one SELECT`},
		{"query", map[string]any{"sql": "WITH a AS (SELECT 1) DELETE FROM nexus_agents"}, "docs/STORE.md"},
		{"query", map[string]any{"sql": "SELECT * FROM nowhere"}, "no such table: nowhere"},
		{"query", map[string]any{"sql": "SELECT * FROM v.acts"}, "the tables of " + dir + " are not filled yet; kingdom tables " + dir + " fills them"},
		{"society", nil, "the tables of " + dir + " are not filled yet; kingdom tables " + dir + " fills them"},
	} {
		if got := tell(t, s, q.tool, q.args, true, nil); !strings.Contains(got, q.want) {
			t.Errorf("%s %v: %s, want %q", q.tool, q.args, got, q.want)
		}
	}
	var found told // what is always complete can be asked at any time
	if tell(t, s, "query", map[string]any{"sql": "SELECT count(*) FROM v_agents"}, false, &found); found.Rows[0][0] != 8.0 {
		t.Errorf("%+v", found)
	}
	must(t, in(t, "tables", dir))
	if tell(t, s, "query", map[string]any{"sql": "SELECT count(*) FROM v_acts"}, false, &found); found.Rows[0][0] == 0.0 {
		t.Errorf("after kingdom tables: %+v", found)
	}
}

// A statement that never ends is ended, and the server goes on; answers have a bounded size, and say what is left out.
func TestMCP_Bounds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", dir))
	s := askingFor(t, dir, 200*time.Millisecond)
	const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
	for _, stmt := range []string{numbers + "SELECT count(*) FROM n", numbers + "SELECT i FROM n WHERE i < 3"} {
		if got := tell(t, s, "query", map[string]any{"sql": stmt}, true, nil); !strings.Contains(got, "took longer than 200ms and was ended; ask for less") {
			t.Errorf("%s: %s", stmt, got)
		}
	}
	s = asking(t, dir)
	var found told
	tell(t, s, "query", map[string]any{"sql": numbers + "SELECT i, printf('%.*c', 200, 'x') FROM n LIMIT 5000", "limit": 1000}, false, &found)
	if n := len(found.Rows); n < 100 || n > 200 || !strings.Contains(found.Note, fmt.Sprintf("rows are left out after the first %d", n)) {
		t.Errorf("%d rows of 200 bytes: %s", n, found.Note)
	}
	tell(t, s, "query", map[string]any{"sql": "SELECT printf('%.*c', 9000, 'x')"}, false, &found)
	if len(found.Rows) != 1 || len(found.Rows[0][0].(string)) != 4096 || !strings.Contains(found.Note, "cut: use substr") {
		t.Errorf("a long value: %s", found.Note)
	}
	found = told{}
	tell(t, s, "query", map[string]any{"sql": numbers + "SELECT i FROM n LIMIT 150"}, false, &found)
	if len(found.Rows) != 100 || found.Note == "" {
		t.Errorf("without a limit %d rows: %q", len(found.Rows), found.Note)
	}
}

// The command speaks the protocol and nothing else on standard output, and ends with its input or by Ctrl-C.
func TestMCP_Command(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--out", dir))
	for name, end := range map[string]func(input io.Closer, interrupt func()){
		"end of input": func(input io.Closer, _ func()) { _ = input.Close() },
		"Ctrl-C":       func(_ io.Closer, interrupt func()) { interrupt() },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			fromClient, toServer := io.Pipe()
			fromServer, toClient := io.Pipe()
			var errw lockedWriter
			errw.w = io.Discard
			root := newRoot(toClient, &errw)
			root.SetIn(fromClient)
			done := make(chan int, 1)
			go func() {
				done <- executeRoot(ctx, root, []string{"mcp", dir}, &errw)
				_ = toClient.Close()
			}()
			lines := bufio.NewReader(fromServer)
			for _, ask := range []struct{ say, want string }{
				{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "data, not instructions"},
				{`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `"readOnlyHint":true`},
				{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"agents","arguments":{}}}`, `top_goal`},
			} {
				if _, err := io.WriteString(toServer, ask.say+"\n"); err != nil {
					t.Fatal(err)
				}
				line, err := lines.ReadString('\n')
				if err != nil || !json.Valid([]byte(line)) || !strings.Contains(line, ask.want) {
					t.Fatalf("%s: %v\n%s", ask.say, err, line)
				}
			}
			end(toServer, cancel)
			if code := <-done; code != exitOK {
				t.Errorf("exit %d", code)
			}
			if rest, _ := io.ReadAll(lines); len(rest) > 0 {
				t.Errorf("after the end: %s", rest)
			}
		})
	}
	says(t, "mcp|"+dir+"-none", exitInput, "does not exist; want the directory of a run")
	says(t, "mcp|"+dir+"|--json", exitInput, "which is JSON; leave out --json")
	says(t, "mcp", exitInput, "takes a run directory")
}

// Every tool says that it only reads, and when to use it; each parameter says what it is.
func TestMCP_ToolsAreDescribed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "1", "--logs=false", "--out", dir))
	res, err := asking(t, dir).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range res.Tools {
		names = append(names, tool.Name)
		if a := tool.Annotations; a == nil || !a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint || len(tool.Description) < 80 {
			t.Errorf("tool %s: %+v, %q", tool.Name, a, tool.Description)
		}
		var schema struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal([]byte(mustJSON(t, tool.InputSchema)), &schema); err != nil {
			t.Fatal(err)
		}
		for name, p := range schema.Properties {
			if p.Description == "" {
				t.Errorf("parameter %s of %s is not described", name, tool.Name)
			}
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "agent agents explain metrics query run society stuck what_happened" {
		t.Errorf("tools %s", got)
	}
}
