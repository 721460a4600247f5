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
	run        string
	think      *sink
	nop        *sink
	dormancy   *sink
	engine     *sink
	goals      *sink  // compressed, since it is the longest after think
	otherThink string // path of the think log in the form that is not written, from an earlier execution
	trimmed    bool

	files   sync.Mutex // held while the files are written, since lines may be flushed late
	flushed time.Time
	late    *time.Timer // flushes what no tick has flushed; nil: nothing waits
	closed  bool

	mu     sync.Mutex
	spends []Spend // not written yet
	at     struct{ cycle, tick uint64 }
}

var _ engine.Observer = (*Logs)(nil)

// flushEvery bounds how long a line waits in memory while lines keep coming. flushLate does so if none come, as while the next
// tick waits for models.
const (
	flushEvery = 200 * time.Millisecond
	flushLate  = 2 * flushEvery
)

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
	l := &Logs{run: run, otherThink: think[0]}
	for _, f := range []struct {
		sink **sink
		path string
	}{
		{&l.think, think[1]},
		{&l.nop, StreamNOP.Path(dir)},
		{&l.dormancy, StreamDormancy.Path(dir)},
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

// trimOnce removes, at the first call, the lines that an earlier execution wrote for cycle c and later.
func (l *Logs) trimOnce(c uint64) {
	if l.trimmed {
		return
	}
	l.trimmed = true
	for _, s := range l.sinks() {
		s.trim(c, jsonCycle)
	}
	if _, err := os.Stat(l.otherThink); err == nil {
		old, err := openSink(l.otherThink)
		if err == nil {
			old.trim(c, jsonCycle)
			err = old.close()
		}
		l.think.setErr(err)
	}
}

// Commit writes the lines of one tick.
func (l *Logs) Commit(c *engine.Commit) {
	l.files.Lock()
	defer l.files.Unlock()
	l.trimOnce(uint64(c.Cycle))
	now := time.Now()
	for i := range c.Seats {
		l.writeThoughts(now, c, &c.Seats[i])
		l.writeNOP(now, c, &c.Seats[i])
		l.writeSatisfactions(now, c, &c.Seats[i])
	}
	l.writeSpends(now, uint64(c.Cycle), uint64(c.Tick))
	l.writeInputs(now, c)
	l.writeStatusChanges(now, c)
	switch {
	case now.Sub(l.flushed) > flushEvery:
		l.flush(now)
	case l.late == nil:
		l.late = time.AfterFunc(flushLate, l.flushWaiting)
	}
}

// flushWaiting writes the lines that wait for a tick that does not come.
func (l *Logs) flushWaiting() {
	l.files.Lock()
	defer l.files.Unlock()
	if l.late != nil && !l.closed { // else they were flushed meanwhile
		l.flush(time.Now())
	}
}

// Cycle writes the lines of a cycle end.
func (l *Logs) Cycle(r *engine.CycleReport) {
	l.files.Lock()
	defer l.files.Unlock()
	l.trimOnce(uint64(r.Row.Cycle))
	now := time.Now()
	l.writeSpends(now, uint64(r.Row.Cycle), uint64(r.Row.Tick))
	l.writeCycleEndChanges(now, r)
	l.writeCycle(now, r)
	l.flush(now)
}

func (l *Logs) flush(now time.Time) {
	l.flushed = now
	if l.late != nil {
		l.late.Stop()
		l.late = nil
	}
	for _, s := range l.sinks() {
		s.flush()
	}
}

// Close writes what is left and returns the first error of any file.
func (l *Logs) Close() error {
	l.files.Lock()
	defer l.files.Unlock()
	l.closed = true
	if l.late != nil {
		l.late.Stop()
	}
	var errs []error
	if l.engine != nil {
		l.writeSpends(time.Now(), l.at.cycle, l.at.tick) // for the tick at which the run stopped
	}
	for _, s := range l.sinks() {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

func (l *Logs) sinks() []*sink {
	var out []*sink
	for _, s := range []*sink{l.think, l.nop, l.dormancy, l.engine, l.goals} {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}
