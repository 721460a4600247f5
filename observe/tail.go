package observe

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kingdom/wire"
)

// TailOptions choose lines.
type TailOptions struct {
	Streams []Stream                // nil: all of them
	Agent   string                  // alias or id; empty: all, lines without an agent too
	Names   map[wire.AgentID]string // shown in place of aliases
	Since   wire.Cycle              // from this cycle on
	Follow  bool                    // go on with what the run adds, until the context ends or Ended
	Ended   func() bool             // says whether the run has ended, so that following ends too; nil: never
	Every   time.Duration           // between looks when following; 0: half a second
	Closed  bool                    // nobody writes, and whoever did came to an end: a file without its end is an error, and not still to come
}

// Tail calls show with the chosen lines of a run directory, in the order of ticks. With Follow it returns the
// context's error, or nil after the last line of a run that has ended.
func Tail(ctx context.Context, dir string, opt TailOptions, show func(Line) error) error {
	streams := opt.Streams
	if streams == nil {
		streams = Streams()
	}
	every := opt.Every
	if every == 0 {
		every = 500 * time.Millisecond
	}
	t := tail{opt: &opt, show: show, streaks: streaks{}}
	if slices.Contains(streams, StreamDormancy) && !slices.Contains(streams, StreamNOP) {
		streams = append(slices.Clone(streams), StreamNOP) // read, not shown: what put an agent to sleep
		t.quiet = true
	}
	for _, s := range streams {
		for _, path := range s.Paths(dir) {
			r := &lineReader{stream: s, path: path}
			t.readers = append(t.readers, r)
			defer r.close()
		}
	}
	for {
		ended := !opt.Follow || opt.Ended != nil && opt.Ended()
		if err := t.merge(ctx); err != nil {
			return err
		}
		if ended {
			return t.cut()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

// tail merges the streams of a run.
type tail struct {
	opt     *TailOptions
	readers []*lineReader
	streaks streaks
	quiet   bool // lines of nop are not shown
	show    func(Line) error
}

// merge shows what the readers have now, earliest tick first; at equal ticks the
// order of streams decides.
func (t *tail) merge(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var first *lineReader
		for _, r := range t.readers {
			if err := r.peek(t.opt); err != nil {
				return err
			}
			if r.head != nil && (first == nil || r.head.before(first.head)) {
				first = r
			}
		}
		if first == nil {
			return nil
		}
		l := first.head
		first.head = nil
		switch l.Stream {
		case StreamNOP:
			if t.streaks.see(&l.fields); t.quiet {
				continue
			}
		case StreamDormancy:
			if l.fields.Reason == "nop_limit" {
				l.streak = t.streaks.text(&l.fields)
			}
		default: // the others say nothing about streaks
		}
		if l.fields.Cycle < uint64(t.opt.Since) {
			continue
		}
		if err := t.show(*l); err != nil {
			return err
		}
	}
}

// cut says which file of a closed log lacks its end.
func (t *tail) cut() error {
	for _, r := range t.readers {
		if at, cut := r.cut(); cut && t.opt.Closed {
			return fmt.Errorf("read %s: it is damaged: what begins at byte %d has no end; the lines before it are complete, those after it are in a copy of the run, or in the same scenario run anew", r.path, at)
		}
	}
	return nil
}

// wants tells whether a line was asked for.
func (o *TailOptions) wants(f *fields) bool {
	return o.Agent == "" || f.Agent != nil && (o.Agent == f.Agent.Alias || o.Agent == f.Agent.ID)
}
