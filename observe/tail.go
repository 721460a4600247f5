package observe

import (
	"context"
	"time"

	"kingdom/wire"
)

// TailOptions choose lines.
type TailOptions struct {
	Streams []Stream      // nil: all
	Agent   string        // alias or id; empty: all, lines without an agent too
	Since   wire.Cycle    // from this cycle on
	Follow  bool          // go on with what the run adds, until the context ends
	Every   time.Duration // between looks when following; 0: half a second
}

// Tail gives the chosen lines of a run directory to show, in the order of ticks.
// Following, it ends with the context's error.
func Tail(ctx context.Context, dir string, opt TailOptions, show func(Line) error) error {
	streams := opt.Streams
	if streams == nil {
		streams = Streams()
	}
	every := opt.Every
	if every == 0 {
		every = 500 * time.Millisecond
	}
	readers := make([]*lineReader, len(streams))
	for i, s := range streams {
		readers[i] = &lineReader{stream: s, path: s.Path(dir)}
		defer readers[i].close()
	}
	for {
		if err := merge(ctx, readers, &opt, show); err != nil {
			return err
		}
		if !opt.Follow {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

// merge shows what the readers have now, earliest tick first; at equal ticks the
// order of streams decides.
func merge(ctx context.Context, readers []*lineReader, opt *TailOptions, show func(Line) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var first *lineReader
		for _, r := range readers {
			if err := r.peek(opt); err != nil {
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
		if err := show(*l); err != nil {
			return err
		}
	}
}

// wants tells whether a line was asked for.
func (o *TailOptions) wants(f *fields) bool {
	if f.Cycle < uint64(o.Since) {
		return false
	}
	return o.Agent == "" || f.Agent != nil && (o.Agent == f.Agent.Alias || o.Agent == f.Agent.ID)
}
