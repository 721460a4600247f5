package watch

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kingdom/observe"
)

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

// quiet serves a watcher that follows nothing: it knows what the test puts into its feed.
func quiet(t *testing.T, run Run) (*Watcher, *httptest.Server) {
	t.Helper()
	w := New(run)
	return w, served(t, w)
}

// served serves a watcher until the test ends.
func served(t *testing.T, w *Watcher) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(w.Handler(""))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

func first(heard) bool { return true }

// Who begins to listen hears the newest 500 items, and after those what is new.
func TestPush_TheNewestItems(t *testing.T) {
	w, server := quiet(t, Run{})
	w.feed.add(make([]Item, pushItems+1)...)
	hear := listen(t, server, "level=routine")
	if n := hear(first); len(n.Items) != 500 || !strings.Contains(n.raw, `"items":[{"number":2,`) {
		t.Errorf("%d items: %.100s", len(n.Items), n.raw)
	}
	w.feed.add(Item{Text: "new"})
	if n := hear(first); len(n.Items) != 1 || n.Items[0].Text != "new" {
		t.Errorf("%s", n.raw)
	}
	if n := listen(t, server, "level=routine&after=501")(first); len(n.Items) != 1 || n.Items[0].Text != "new" {
		t.Errorf("after item 501: %s", n.raw)
	}
}

// Before somebody is said to be stuck the run is inspected: the agent may have acted. While nobody is, it is not.
func TestPush_WhoIsStuck(t *testing.T) {
	for _, c := range []struct {
		name       string
		stuck      []Stuck
		inspection string // "" if the run cannot be inspected
		want       string
		asked      int64
	}{
		{"nobody", nil, inspected, `[]`, 0},
		{"has acted", []Stuck{{Agent: alias, Cycle: 1}}, inspected, `[]`, 1},
		{"has a streak", []Stuck{{Agent: "bbbbbbbb", Cycle: 1}}, inspected, `[{"agent":"bbbbbbbb","streak":0,"reason":"","cycle":1,"tick":0}]`, 1},
		{"cannot be seen", []Stuck{{Agent: alias, Cycle: 1}}, "", `[{"agent":"aaaaaaaa","streak":0,"reason":"","cycle":1,"tick":0}]`, 1},
	} {
		var asked atomic.Int64
		w, server := quiet(t, Run{Inspect: func(context.Context) ([]byte, error) {
			if asked.Add(1); c.inspection == "" {
				return nil, errors.New("the store is gone")
			}
			return []byte(c.inspection), nil
		}})
		w.feed.cycle, w.feed.began = 1, true
		for _, s := range c.stuck {
			w.feed.stuck[s.Agent] = s
		}
		if n := listen(t, server, "")(first); !strings.Contains(n.raw, `"stuck":`+c.want+`,"items"`) || asked.Load() != c.asked {
			t.Errorf("%s: inspected %d times, %s", c.name, asked.Load(), n.raw)
		}
	}
}
