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
	Follow  bool                    // wait for further lines until the context ends or Ended returns true
	Ended   func() bool             // says whether the run has ended, so that following ends too; nil: never
	Every   time.Duration           // between looks when following; 0: half a second
	Read    func()                  // called whenever all lines that there are have been shown; nil: nobody wants to know
	Closed  bool                    // the run has ended: an incomplete last line or frame is an error
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
		streams = append(slices.Clone(streams), StreamNOP) // read but not shown: why agents became dormant
		t.hideNOP = true
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
		if opt.Read != nil {
			opt.Read()
		}
		if ended {
			return t.checkComplete()
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
	hideNOP bool // lines of nop are not shown
	show    func(Line) error
}

// merge shows the lines that the readers have now, by tick, and within a tick in the order of the streams.
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
			if r.next != nil && (first == nil || r.next.before(first.next)) {
				first = r
			}
		}
		if first == nil {
			return nil
		}
		l := first.next
		first.next = nil
		switch l.Stream {
		case StreamNOP:
			if t.streaks.add(&l.fields); t.hideNOP {
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

// checkComplete returns an error if a file of an ended run has an incomplete last line or frame.
func (t *tail) checkComplete() error {
	for _, r := range t.readers {
		if at, cut := r.incomplete(); cut && t.opt.Closed {
			return &DamageError{r.path, fmt.Errorf("it is damaged: the line or frame at byte %d is incomplete; %s", at, afterDamage)}
		}
	}
	return nil
}

// wants reports whether a line was asked for.
func (o *TailOptions) wants(f *fields) bool {
	return o.Agent == "" || f.Agent != nil && (o.Agent == f.Agent.Alias || o.Agent == f.Agent.ID)
}
