package watch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"kingdom/observe"
	"kingdom/wire"
)

// A run that ends after it was inspected is inspected again: its status has changed, though its last cycle has not.
func TestWatcher_InspectsARunThatHasEnded(t *testing.T) {
	dir := dirWith(t, nil)
	write(t, observe.MetricsPath(dir), "cycle,gini", "0,0", "1,0")
	var ended atomic.Bool
	w := New(Run{
		Dir: dir, Calendar: wire.Calendar{TicksPerCycle: 256},
		Inspect: func(context.Context) ([]byte, error) {
			return fmt.Appendf(nil, `{"cycle":1,"ended":%t}`, ended.Load()), nil
		},
	})
	look := func() string {
		t.Helper()
		in, err := w.inspect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w.at = w.at.Add(-freshFor) // time passes
		return string(in.raw)
	}
	w.feed.cycle, w.feed.status = 1, Status{Running: true}
	if got := look(); got != `{"cycle":1,"ended":false}` {
		t.Errorf("while it runs: %s", got)
	}
	ended.Store(true)
	if got := look(); got != `{"cycle":1,"ended":false}` {
		t.Errorf("the same state is computed again: %s", got)
	}
	w.feed.status.Running = false
	if got := look(); got != `{"cycle":1,"ended":true}` {
		t.Errorf("after its end: %s", got)
	}
	w.run.Status = func(context.Context) (Status, error) { return Status{}, errors.New("the run is gone") }
	w.run.Inspect = func(context.Context) ([]byte, error) { return nil, errors.New("the run is gone") }
	w.noteStatus(t.Context(), nil)
	if in, err := w.inspect(t.Context()); err == nil {
		t.Errorf("a run that is gone is shown as it was: %s", in.raw)
	}
}

// While the run goes on an inspection is good for two seconds, also if a cycle ends meanwhile; then it is made anew.
func TestWatcher_InspectionsAreFreshForTwoSeconds(t *testing.T) {
	var times int
	w := New(Run{Inspect: func(context.Context) ([]byte, error) {
		times++
		return fmt.Appendf(nil, `{"cycle":%d}`, times), nil
	}})
	w.feed.status = Status{Running: true}
	look := func(ended, want wire.Cycle) {
		t.Helper()
		w.feed.cycle = ended
		if in, err := w.inspect(t.Context()); err != nil || in.cycle != want {
			t.Errorf("after cycle %d: %+v %v, want the end of cycle %d", ended, in, err, want)
		}
	}
	look(1, 1)
	look(2, 1)
	w.at = w.at.Add(-freshFor)
	look(2, 2)
	look(3, 2)
}

// What inspect prints is looked into before it is passed on.
func TestWatcher_InspectionsThatCannotBeRead(t *testing.T) {
	for _, raw := range []string{"", "{", `{"cycle":-1}`, `{"agents":[{"number":"one"}]}`} {
		w := New(Run{Inspect: func(context.Context) ([]byte, error) { return []byte(raw), nil }})
		if in, err := w.inspect(t.Context()); err == nil {
			t.Errorf("%q is %+v", raw, in)
		}
	}
}
