package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"kingdom/observe"
	"kingdom/wire"
)

func agentID(t *testing.T) wire.AgentID {
	t.Helper()
	id, err := wire.ParseHash(strings.Repeat("aa", 32))
	if err != nil {
		t.Fatal(err)
	}
	return wire.AgentID(id)
}

// A newcomer that gets a name while it is watched is told by its name from the next cycle on.
func TestWatcher_LearnsNames(t *testing.T) {
	dir := dirWith(t, nil)
	var named atomic.Bool
	server := serve(t, dir, func(r *Run) {
		r.Names = func(context.Context) map[wire.AgentID]string {
			if named.Load() {
				return map[wire.AgentID]string{agentID(t): "anna"}
			}
			return nil
		}
	})
	hear := listen(t, server, "level=routine")
	write(t, observe.StreamNOP.Path(dir), nop(264, 1))
	if n := hear(func(n heard) bool { return len(n.Items) > 0 }); !strings.HasPrefix(n.Items[0].Text, alias+" ") {
		t.Errorf("without a name: %q", n.Items[0].Text)
	}
	named.Store(true)
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0", "1,0")
	hear(func(n heard) bool { return n.Cycle != nil })
	for tick := 512; ; tick += 4 { // the name is copied between two looks at the logs
		write(t, observe.StreamNOP.Path(dir), nop(tick, 1))
		if n := hear(func(n heard) bool { return len(n.Items) > 0 }); strings.HasPrefix(n.Items[len(n.Items)-1].Text, "anna ") {
			return
		}
	}
}

// Of a run that is old already, the events of the newest sixteen cycles are read, and then each further cycle once.
func TestWatcher_EventsOfTheNewestCycles(t *testing.T) {
	dir := dirWith(t, nil)
	rows := []string{"cycle,gini"}
	for c := range 40 {
		rows = append(rows, fmt.Sprint(c, ",0"))
	}
	write(t, observe.MetricsPath(dir), strings.ReplaceAll(strings.Join(rows, "\n"), " ", ""))
	server := serve(t, dir, nil)
	hear := listen(t, server, "level=critical")
	var texts []string
	all := func(n heard) bool {
		for _, it := range n.Items {
			texts = append(texts, it.Text)
		}
		return n.Cycle != nil && *n.Cycle >= 39
	}
	if hear(all); len(texts) != 16 || !strings.HasPrefix(texts[0], "epoch 24 begins") || !strings.HasPrefix(texts[15], "epoch 39 begins") {
		t.Errorf("%d events: %q", len(texts), texts)
	}
	texts = nil
	write(t, observe.MetricsPath(dir), "40,0")
	if hear(func(n heard) bool { return all(n) && *n.Cycle == 40 }); len(texts) != 1 || !strings.HasPrefix(texts[0], "epoch 40 begins") {
		t.Errorf("after another cycle: %q", texts)
	}
	var got []struct{ Cycle int }
	if status, body, h := get(t, server, "/api/metrics?from=39", ""); status != 200 || json.Unmarshal([]byte(body), &got) != nil || len(got) != 2 || got[0].Cycle != 39 || h.Get("Content-Type") != "application/json" {
		t.Errorf("figures from cycle 39 on: %d %s (%s)", status, body, h.Get("Content-Type"))
	}
}

// What cannot be read is told while that lasts.
func TestWatcher_TellsProblems(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	server := serve(t, dirWith(t, nil), func(r *Run) {
		r.Status = func(context.Context) (Status, error) {
			if broken.Load() {
				return Status{}, errors.New("the store is away")
			}
			return Status{Running: true, Text: "running"}, nil
		}
	})
	hear := listen(t, server, "")
	if n := hear(func(n heard) bool { return n.Problem != "" }); n.Problem != "the store is away" || n.Status != "" || !strings.Contains(n.raw, `"items":[]`) || !strings.Contains(n.raw, `"stuck":[]`) {
		t.Errorf("%s", n.raw)
	}
	broken.Store(false)
	hear(func(n heard) bool { return n.Problem == "" && n.Status == "running" })
	broken.Store(true)
	if n := hear(func(n heard) bool { return n.Problem != "" }); n.Status != "running" { // the last that is known
		t.Errorf("%s", n.raw)
	}
}

// A log that is damaged ends what is heard of logs, and says so; what else there is goes on.
func TestWatcher_DamagedLog(t *testing.T) {
	dir := dirWith(t, map[observe.Stream][]string{observe.StreamNOP: {nop(264, 1), "no JSON"}})
	server := serve(t, dir, nil)
	hear := listen(t, server, "level=routine")
	if n := hear(func(n heard) bool { return n.Problem != "" }); !strings.Contains(n.Problem, "nop.jsonl") {
		t.Errorf("%s", n.raw)
	}
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0")
	if n := hear(func(n heard) bool { return n.Cycle != nil }); n.Problem == "" {
		t.Errorf("the damage is forgotten: %s", n.raw)
	}
}

// The run is inspected once per cycle, and only if somebody asks; agents that have acted by then are not stuck any more.
func TestWatcher_InspectsOncePerCycle(t *testing.T) {
	dir := dirWith(t, map[observe.Stream][]string{observe.StreamNOP: {nop(264, 3)}})
	var asked atomic.Int64
	server := serve(t, dir, func(r *Run) {
		r.Inspect = func(context.Context) ([]byte, error) {
			asked.Add(1)
			return []byte(inspected), nil
		}
	})
	for status, body := 0, ""; status != 200 || !strings.Contains(body, "NOP 3 in a row"); {
		status, body, _ = get(t, server, "/api/timeline?level=routine", "")
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("inspected %d times although nobody asked", n)
	}
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0", "1,0")
	if _, body, _ := get(t, server, "/api/stuck", ""); body != "[]\n" {
		t.Errorf("an agent without a streak at the end of the cycle is stuck: %s", body)
	}
	for range 5 {
		get(t, server, "/api/run", "")
		get(t, server, "/api/agents/1", "")
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("inspected %d times in one cycle", n)
	}
}

// What is told of an agent are the newest items about it, and of nobody else.
func TestServer_ItemsOfAnAgent(t *testing.T) {
	var lines []string
	for i := range 150 {
		lines = append(lines, nop(256+4*i, 1), strings.ReplaceAll(nop(256+4*i, 1), alias, "bbbbbbbb"))
	}
	server := serve(t, dirWith(t, map[observe.Stream][]string{observe.StreamNOP: lines}), nil)
	var got struct {
		Cycle int
		Agent struct{ Name string }
		Items []struct {
			Agent string
			Tick  int
		}
	}
	for len(got.Items) < 100 || got.Items[99].Tick != 256+4*149 {
		if _, body, _ := get(t, server, "/api/agents/anna", ""); json.Unmarshal([]byte(body), &got) != nil {
			t.Fatal(body)
		}
	}
	if got.Cycle != 1 || got.Agent.Name != "anna" || len(got.Items) != 100 || got.Items[0].Tick != 256+4*50 {
		t.Errorf("%+v", got)
	}
	for _, it := range got.Items {
		if it.Agent != alias {
			t.Errorf("an item is about %s", it.Agent)
		}
	}
}

// A run without logs is asked for the life of its agents, too.
func TestWatcher_RunWithoutLogs(t *testing.T) {
	dir := t.TempDir()
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0")
	kinds := make(chan int, 1)
	serve(t, dir, func(r *Run) {
		r.Events = func(_ context.Context, _, _ wire.Cycle, of []wire.EventKind) ([]Event, error) {
			kinds <- len(of)
			return nil, nil
		}
	})
	if n := <-kinds; n != len(Kinds(false)) {
		t.Errorf("asked for %d kinds of events, want %d", n, len(Kinds(false)))
	}
	if _, err := os.Stat(observe.StreamEngine.Path(dir)); err == nil {
		t.Error("watching has made a log")
	}
}

// Events that cannot be read are asked for again, also if no further cycle ends.
func TestWatcher_AsksAgainForEvents(t *testing.T) {
	dir := dirWith(t, nil)
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0")
	var tries atomic.Int64
	server := serve(t, dir, func(r *Run) {
		events := r.Events
		r.Events = func(ctx context.Context, from, to wire.Cycle, kinds []wire.EventKind) ([]Event, error) {
			if tries.Add(1) == 1 {
				return nil, errors.New("the store is busy")
			}
			return events(ctx, from, to, kinds)
		}
	})
	listen(t, server, "")(func(n heard) bool { return len(n.Items) == 1 && n.Problem == "" })
}

// Whoever waits until a watcher is ready is told all that the run had written.
func TestWatcher_Ready(t *testing.T) {
	var lines []string
	for i := range 1500 {
		lines = append(lines, nop(256+4*i, 1))
	}
	dir := dirWith(t, map[observe.Stream][]string{observe.StreamNOP: lines})
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0", "1,0.5")
	w := New(Run{
		Dir: dir, Calendar: wire.Calendar{TicksPerCycle: 256},
		Names:  func(context.Context) map[wire.AgentID]string { return nil },
		Status: func(context.Context) (Status, error) { return Status{Text: "finished"}, nil },
		Events: func(context.Context, wire.Cycle, wire.Cycle, []wire.EventKind) ([]Event, error) { return nil, nil },
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Ready(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ready before it has read anything: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		w.Follow(ctx)
	}()
	if err := w.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	status, problem := w.Doing()
	if n, rows := len(w.Timeline(0, Routine, alias, 5000)), w.Figures(1).Rows; n != 1500 || len(rows) != 1 || string(rows[0].Values[1]) != "0.5" || status.Text != "finished" || problem != "" {
		t.Errorf("%d items, figures %v, %q, %q", n, rows, status.Text, problem)
	}
	if n := len(w.Timeline(0, Routine, "bbbbbbbb", 5000)); n != 0 {
		t.Errorf("%d items about nobody", n)
	}
	stop()
	<-followed
}

// A run that has ended without figures is not shown as one in which nothing happened.
func TestWatcher_MissesTheFigures(t *testing.T) {
	dir := dirWith(t, nil)
	server := serve(t, dir, func(r *Run) {
		r.Status = func(context.Context) (Status, error) { return Status{Text: "finished at cycle 1 of 1"}, nil }
	})
	hear := listen(t, server, "")
	hear(func(n heard) bool {
		return n.Problem == observe.MetricsPath(dir)+" is missing, so no figures and no events are shown; restore it from a copy"
	})
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0")
	hear(func(n heard) bool { return n.Problem == "" && n.Cycle != nil })
}
