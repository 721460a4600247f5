package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sync"
	"time"

	"kingdom/observe"
	"kingdom/wire"
)

// Run is the run that is watched, and how to ask for what its logs do not hold.
type Run struct {
	Dir      string
	Calendar wire.Calendar

	// Names returns the names of the agents that have one.
	Names func(context.Context) map[wire.AgentID]string
	// Status returns what the run is doing.
	Status func(context.Context) (Status, error)
	// Inspect returns what kingdom inspect --json prints of the run.
	Inspect func(context.Context) ([]byte, error)
	// Events returns the events of some kinds in the cycles from..to, both inclusive, cycle by cycle.
	Events func(ctx context.Context, from, to wire.Cycle, kinds []wire.EventKind) ([]Event, error)
}

// Status is what a run is doing.
type Status struct {
	Running bool
	Text    string // such as "running, cycle 3 of 10"
}

// Watcher learns what happens in a run and answers requests about it.
type Watcher struct {
	run   Run
	feed  *feed
	every time.Duration // between looks at the run

	logsRead   latch // the logs that there were are read
	cyclesRead latch // likewise the figures and events of cycles

	mu      sync.Mutex // guards those below
	figures Figures
	names   map[wire.AgentID]string // of the agents that have one, as of the last cycle

	inspecting sync.Mutex // guards the fields below, also while the run is inspected
	inspected  *inspection
	at         time.Time
}

// inspection is what inspect printed, and when it holds.
type inspection struct {
	raw     []byte
	cycle   wire.Cycle // whose end it shows
	running bool       // the run went on
	agents  []inspectedAgent
}

// inspectedAgent is an agent of an inspection.
type inspectedAgent struct {
	Number    int    `json:"number"`
	ID        string `json:"id"`
	Alias     string `json:"alias"`
	Name      string `json:"name"`
	NOPStreak uint32 `json:"nop_streak"`

	raw json.RawMessage
}

// New returns a watcher of a run. It learns nothing before Follow is called.
func New(run Run) *Watcher {
	return &Watcher{run: run, feed: newFeed(), every: 500 * time.Millisecond, logsRead: newLatch(), cyclesRead: newLatch()}
}

// latch is closed once.
type latch struct {
	once   *sync.Once
	closed chan struct{}
}

func newLatch() latch { return latch{new(sync.Once), make(chan struct{})} }

func (l latch) close() { l.once.Do(func() { close(l.closed) }) }

// Ready waits until all that the run had written when Follow was called has been read, or could not be.
func (w *Watcher) Ready(ctx context.Context) error {
	for _, l := range []latch{w.logsRead, w.cyclesRead} {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.closed:
		}
	}
	return nil
}

// Follow learns what happens in the run until the context ends, which is no error. What cannot be read is told to whoever asks
// (problem), and tried again.
func (w *Watcher) Follow(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { w.followLogs(ctx) })
	both.Go(func() { w.followCycles(ctx) })
	both.Wait()
}

// followLogs adds the lines of the logs as they are written. If one cannot be read, the lines before it are all that there is.
func (w *Watcher) followLogs(ctx context.Context) {
	names := map[wire.AgentID]string{}
	maps.Copy(names, w.run.Names(ctx))
	opt := observe.TailOptions{
		Streams: []observe.Stream{observe.StreamEngine, observe.StreamNOP, observe.StreamDormancy, observe.StreamGoals},
		Names:   names, Follow: true, Every: w.every, Read: w.logsRead.close,
		Ended: func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			maps.Copy(names, w.names) // newcomers may have one
			return false              // the run may be resumed
		},
	}
	err := observe.Tail(ctx, w.run.Dir, opt, func(l observe.Line) error {
		w.feed.addLine(&l)
		return nil
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		w.feed.change(func() { w.feed.logs = err.Error() })
		w.logsRead.close()
	}
}

// firstEvents is of how many cycles before it began a watcher knows the events.
const firstEvents = 16

// followCycles adds the figures and the events of each cycle that ends, and what the run is doing.
func (w *Watcher) followCycles(ctx context.Context) {
	figures := newMetrics(w.run.Dir)
	next, begun := wire.Cycle(0), false // the first cycle whose events are not known yet
	for {
		changed, err := figures.read()
		last, ok := figures.last()
		if err == nil && changed && ok {
			w.mu.Lock()
			w.figures = figures.since(0)
			w.mu.Unlock()
			w.feed.change(func() { w.feed.cycle, w.feed.began = last, true })
		}
		if ok && !begun {
			next, begun = last-min(last, firstEvents-1), true
		}
		if err == nil && ok && next <= last {
			var events []Event
			if events, err = w.run.Events(ctx, next, last, Kinds(w.logs())); err == nil {
				next = last + 1
				w.addEvents(ctx, events)
			}
		}
		w.noteStatus(ctx, cmp.Or(err, w.checkFigures()))
		w.cyclesRead.close()
		select {
		case <-ctx.Done():
			return
		case <-time.After(w.every):
		}
	}
}

// checkFigures returns an error if a run that does not go on has no figures, from which cycles are known: the file was removed.
func (w *Watcher) checkFigures() error {
	w.feed.mu.Lock()
	known := w.feed.status != Status{} && !w.feed.status.Running && !w.feed.lost
	w.feed.mu.Unlock()
	path := observe.MetricsPath(w.run.Dir)
	if _, err := os.Stat(path); known && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing, so no figures and no events are shown; restore it from a copy", path)
	}
	return nil
}

// logs reports whether the run writes logs.
func (w *Watcher) logs() bool {
	_, err := os.Stat(observe.StreamEngine.Path(w.run.Dir))
	return err == nil
}

func (w *Watcher) addEvents(ctx context.Context, events []Event) {
	names := w.run.Names(ctx)
	w.mu.Lock()
	w.names = names
	w.mu.Unlock()
	items := make([]Item, len(events))
	for i := range events {
		items[i] = ofEvent(&events[i], w.run.Calendar, names)
	}
	w.feed.add(items...)
}

// noteStatus notes what the run is doing, and that something could not be read, if that is news.
func (w *Watcher) noteStatus(ctx context.Context, problem error) {
	status, err := w.run.Status(ctx)
	if problem = errors.Join(problem, err); ctx.Err() != nil {
		return
	}
	text := ""
	if problem != nil {
		text = problem.Error()
	}
	w.feed.mu.Lock()
	if w.feed.lost = err != nil; err != nil {
		status = w.feed.status
	}
	news := status != w.feed.status || text != w.feed.problem
	w.feed.mu.Unlock()
	if news {
		w.feed.change(func() { w.feed.status, w.feed.problem = status, text })
	}
}

// freshFor is how long an inspection is good enough while the run goes on: it takes a second of computing in large worlds.
const freshFor = 2 * time.Second

// inspect returns the run at the end of its last cycle, or of the one before if that was asked for just now.
func (w *Watcher) inspect(ctx context.Context) (*inspection, error) {
	w.inspecting.Lock()
	defer w.inspecting.Unlock()
	w.feed.mu.Lock()
	cycle, running, lost := w.feed.cycle, w.feed.status.Running, w.feed.lost
	w.feed.mu.Unlock()
	if in := w.inspected; in != nil && !lost && (in.cycle >= cycle && in.running == running || time.Since(w.at) < freshFor) {
		return in, nil
	}
	raw, err := w.run.Inspect(ctx)
	if err != nil {
		return nil, fmt.Errorf("inspect the run: %w", err)
	}
	in, err := readInspection(raw)
	if err != nil {
		return nil, err
	}
	in.running = running
	w.inspected, w.at = in, time.Now()
	free := map[string]bool{}
	for i := range in.agents {
		if a := &in.agents[i]; a.NOPStreak == 0 {
			free[a.Alias] = true
		}
	}
	w.feed.act(in.cycle, free)
	return in, nil
}

func readInspection(raw []byte) (*inspection, error) {
	var found struct {
		Cycle  wire.Cycle        `json:"cycle"`
		Agents []json.RawMessage `json:"agents"`
	}
	if err := json.Unmarshal(raw, &found); err != nil {
		return nil, fmt.Errorf("read what inspect says: %w", err)
	}
	in := &inspection{raw: raw, cycle: found.Cycle, agents: make([]inspectedAgent, len(found.Agents))}
	for i, b := range found.Agents {
		if err := json.Unmarshal(b, &in.agents[i]); err != nil {
			return nil, fmt.Errorf("read what inspect says of an agent: %w", err)
		}
		in.agents[i].raw = b
	}
	return in, nil
}
