package observe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kingdom/engine"
)

// Logs writes the log streams of one run. It is an engine.Observer.
type Logs struct {
	run     string
	think   *sink
	nop     *sink
	sleep   *sink
	engine  *sink
	goals   *sink  // compressed, for it is the longest after think
	other   string // where the think log of an earlier execution may be, in the other form
	begun   bool
	flushed time.Time

	mu     sync.Mutex
	spends []Spend // noted, not written
	at     struct{ cycle, tick uint64 }
}

var _ engine.Observer = (*Logs)(nil)

// flushEvery bounds how long a line waits in memory while lines keep coming.
const flushEvery = 200 * time.Millisecond

// Options choose how logs are written.
type Options struct {
	PlainThink bool // think.jsonl is not compressed
}

// Open opens the logs of a run directory for appending. run is the name of the run in each line.
func Open(dir, run string, opt Options) (*Logs, error) {
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o777); err != nil {
		return nil, fmt.Errorf("open logs: %w", err)
	}
	think := StreamThink.Paths(dir) // plain, compressed
	if opt.PlainThink {
		slices.Reverse(think)
	}
	l := &Logs{run: run, other: think[0]}
	for _, f := range []struct {
		sink **sink
		path string
	}{
		{&l.think, think[1]},
		{&l.nop, StreamNOP.Path(dir)},
		{&l.sleep, StreamDormancy.Path(dir)},
		{&l.engine, StreamEngine.Path(dir)},
		{&l.goals, StreamGoals.Path(dir) + compressed},
	} {
		s, err := openSink(f.path)
		if err != nil {
			return nil, errors.Join(err, l.Close())
		}
		*f.sink = s
	}
	return l, nil
}

// begin cuts what an earlier, interrupted execution wrote of cycle c and later.
func (l *Logs) begin(c uint64) {
	if l.begun {
		return
	}
	l.begun = true
	for _, s := range l.sinks() {
		s.trim(c, jsonCycle)
	}
	if _, err := os.Stat(l.other); err == nil {
		old, err := openSink(l.other)
		if err == nil {
			old.trim(c, jsonCycle)
			err = old.close()
		}
		l.think.keep(err)
	}
}

// Commit writes the lines of one tick.
func (l *Logs) Commit(c *engine.Commit) {
	l.begin(uint64(c.Cycle))
	now := time.Now()
	for i := range c.Seats {
		l.thinks(now, c, &c.Seats[i])
		l.idle(now, c, &c.Seats[i])
		l.satisfied(now, c, &c.Seats[i])
	}
	l.spent(now, uint64(c.Cycle), uint64(c.Tick))
	l.inputs(now, c)
	l.changes(now, c)
	if now.Sub(l.flushed) > flushEvery {
		l.flush(now)
	}
}

// Cycle writes the lines of a cycle end.
func (l *Logs) Cycle(r *engine.CycleReport) {
	l.begin(uint64(r.Row.Cycle))
	now := time.Now()
	l.spent(now, uint64(r.Row.Cycle), uint64(r.Row.Tick))
	l.wakes(now, r)
	l.cycle(now, r)
	l.flush(now)
}

func (l *Logs) flush(now time.Time) {
	l.flushed = now
	for _, s := range l.sinks() {
		s.flush()
	}
}

// Close writes what is left and returns the first error of any file.
func (l *Logs) Close() error {
	var errs []error
	if l.engine != nil {
		l.spent(time.Now(), l.at.cycle, l.at.tick) // of the tick at which the run stopped
	}
	for _, s := range l.sinks() {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

func (l *Logs) sinks() []*sink {
	var out []*sink
	for _, s := range []*sink{l.think, l.nop, l.sleep, l.engine, l.goals} {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}
