package watch

import (
	"context"
	"strings"
	"testing"

	"kingdom/observe"
	"kingdom/wire"
)

// follow follows a run until the test ends, with status in place of what the run says of itself. A look at the run ends
// with the call of status.
func follow(t *testing.T, dir string, status func(context.Context) (Status, error)) (w *Watcher, ended func()) {
	t.Helper()
	w = New(Run{
		Dir: dir, Calendar: wire.Calendar{TicksPerCycle: 256}, Status: status,
		Names: func(context.Context) map[wire.AgentID]string { return map[wire.AgentID]string{agentID(t): "anna"} },
		Events: func(context.Context, wire.Cycle, wire.Cycle, []wire.EventKind) ([]Event, error) {
			return nil, nil
		},
	})
	w.every = 1
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Follow(ctx)
	}()
	ended = func() {
		cancel()
		<-done
	}
	t.Cleanup(ended)
	return w, ended
}

// Agents that have a name when watching begins are told by it from the first line on.
func TestFollow_KnowsNamesFromTheStart(t *testing.T) {
	w, _ := follow(t, dirWith(t, map[observe.Stream][]string{observe.StreamNOP: {nop(264, 1)}}), func(context.Context) (Status, error) { return Status{}, nil })
	hear := listen(t, served(t, w), "level=routine")
	if n := hear(func(n heard) bool { return len(n.Items) > 0 }); !strings.HasPrefix(n.Items[0].Text, "anna ") {
		t.Errorf("%q", n.Items[0].Text)
	}
}

// Nobody is woken by looks at a run in which nothing happens.
func TestFollow_AQuietRunIsNoNews(t *testing.T) {
	dir := dirWith(t, nil)
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0")
	looks := make(chan struct{})
	w, ended := follow(t, dir, func(ctx context.Context) (Status, error) {
		select {
		case looks <- struct{}{}:
		case <-ctx.Done():
		}
		return Status{Running: true, Text: "running"}, nil
	})
	<-looks // the first brings all there is to know, its status when the second has begun
	<-looks
	w.feed.mu.Lock()
	changed, cycle := w.feed.changed, w.feed.began
	w.feed.mu.Unlock()
	for range 3 {
		<-looks
	}
	if isClosed(changed) || !cycle {
		t.Errorf("woken %t, figures %t", isClosed(changed), cycle)
	}
	ended()
}

// A run whose first cycle goes on has no figures yet, though their heading is there.
func TestFollow_NoFiguresBeforeTheFirstCycleEnds(t *testing.T) {
	dir := dirWith(t, nil)
	write(t, observe.MetricsPath(dir), "cycle,gini")
	w, _ := follow(t, dir, func(context.Context) (Status, error) { return Status{Text: "running"}, nil })
	hear := listen(t, served(t, w), "")
	if n := hear(func(n heard) bool { return n.Status != "" }); n.Cycle != nil || !strings.Contains(n.raw, `"cycle":null`) {
		t.Errorf("%s", n.raw)
	}
	write(t, observe.MetricsPath(dir), "0,0")
	if n := hear(func(n heard) bool { return n.Cycle != nil }); *n.Cycle != 0 {
		t.Errorf("%s", n.raw)
	}
}

// Follow returns when nothing of it goes on any more. That it was told to end is no problem of the run.
func TestFollow_Ends(t *testing.T) {
	var looked bool // without a lock: Follow has ended when it is read
	began := make(chan struct{}, 1)
	w, ended := follow(t, dirWith(t, nil), func(ctx context.Context) (Status, error) {
		select {
		case began <- struct{}{}:
		default:
		}
		<-ctx.Done()
		looked = true
		return Status{}, ctx.Err()
	})
	<-began
	ended()
	if !looked || w.feed.logs != "" || w.feed.problem != "" {
		t.Errorf("the last look has ended: %t; problems %q %q", looked, w.feed.logs, w.feed.problem)
	}
}
