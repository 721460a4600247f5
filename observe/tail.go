package observe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
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

// Line is one line of a stream.
type Line struct {
	Stream Stream
	Raw    []byte // the JSON object as stored, without its line end
	fields fields
}

// Cycle and Tick say when it was.
func (l *Line) Cycle() wire.Cycle { return wire.Cycle(l.fields.Cycle) }

// Tick is the tick of the line.
func (l *Line) Tick() wire.Tick { return wire.Tick(l.fields.Tick) }

// fields are those that choosing and showing need.
type fields struct {
	Cycle uint64 `json:"cycle"`
	Tick  uint64 `json:"tick"`
	Kind  string `json:"kind"`
	Agent *struct {
		Alias string `json:"alias"`
		ID    string `json:"id"`
	} `json:"agent"`
	Class      string  `json:"class"`
	Reason     string  `json:"reason"`
	Streak     uint32  `json:"streak"`
	From       string  `json:"status_from"`
	To         string  `json:"status_to"`
	WakeCause  string  `json:"wake_cause"`
	Error      string  `json:"error"`
	Role       string  `json:"role"`
	Active     uint32  `json:"active"`
	Dormant    uint32  `json:"dormant"`
	AgentTicks uint64  `json:"agent_ticks"`
	NOPs       uint64  `json:"nops"`
	WorldHash  string  `json:"world_hash"`
	Outcome    string  `json:"outcome"`
	Action     string  `json:"action"`
	GoalKind   string  `json:"goal_kind"`
	Input      string  `json:"input"`
	Refused    string  `json:"refused"`
	Try        uint32  `json:"try"`
	Reward     uint64  `json:"reward_actual"`
	Balance    int64   `json:"balance"`
	Reputation float64 `json:"reputation"`
}

// Text is the line for people.
func (l *Line) Text() string {
	f := &l.fields
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d tick %d  %-8s ", f.Cycle, f.Tick, l.Stream)
	if f.Agent != nil {
		fmt.Fprintf(&b, " %s", f.Agent.Alias)
	}
	if f.Role != "" {
		fmt.Fprintf(&b, " %s", f.Role)
	}
	switch l.Stream {
	case StreamNOP:
		fmt.Fprintf(&b, "  %s %s, streak %d", f.Class, f.Reason, f.Streak)
	case StreamDormancy:
		l.sleepText(&b)
	case StreamThink:
		fmt.Fprintf(&b, "  try %d %s %s", f.Try, f.Outcome, f.Action)
	case StreamEngine:
		l.engineText(&b)
	}
	if f.Error != "" {
		fmt.Fprintf(&b, "  (%s)", f.Error)
	}
	return b.String()
}

func (l *Line) sleepText(b *strings.Builder) {
	f := &l.fields
	if f.From == f.To {
		fmt.Fprintf(b, "  warning: %d NOPs in a row", f.Streak)
		return
	}
	fmt.Fprintf(b, "  %s → %s: %s, %d ⚡, reputation %.3f", f.From, f.To, f.Reason, f.Balance, f.Reputation)
}

func (l *Line) engineText(b *strings.Builder) {
	f := &l.fields
	switch f.Kind {
	case "cycle":
		fmt.Fprintf(b, "  end of cycle: %d active, %d dormant, %d agent-ticks, %d NOPs, world hash %.16s…", f.Active, f.Dormant, f.AgentTicks, f.NOPs, f.WorldHash)
	case "satisfaction":
		fmt.Fprintf(b, "  goal %s: %s, %d ⚡", f.GoalKind, f.Outcome, f.Reward)
	case "input":
		fmt.Fprintf(b, "  input %s %s", f.Input, f.Refused)
	default:
		fmt.Fprintf(b, "  %s", f.Kind)
	}
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

func (l *Line) before(o *Line) bool {
	if l.fields.Tick != o.fields.Tick {
		return l.fields.Tick < o.fields.Tick
	}
	return l.Stream < o.Stream
}

// wants tells whether a line was asked for.
func (o *TailOptions) wants(f *fields) bool {
	if f.Cycle < uint64(o.Since) {
		return false
	}
	return o.Agent == "" || f.Agent != nil && (o.Agent == f.Agent.Alias || o.Agent == f.Agent.ID)
}

// lineReader reads the lines of one file as they appear. A file that does not
// exist yet has none; one that shrank, because a resumed run cut it, is read on
// from its end.
type lineReader struct {
	stream Stream
	path   string
	f      *os.File
	r      *bufio.Reader
	part   []byte // of a line whose end was not there yet
	read   int64
	head   *Line
}

// peek makes head the next line that was asked for, nil if there is none now.
func (r *lineReader) peek(opt *TailOptions) error {
	for r.head == nil {
		raw, err := r.line()
		if err != nil || raw == nil {
			return err
		}
		l := Line{Stream: r.stream, Raw: raw}
		if err := json.Unmarshal(raw, &l.fields); err != nil {
			return fmt.Errorf("read %s: line %q is no log line: %w", r.path, raw, err)
		}
		if opt.wants(&l.fields) {
			r.head = &l
		}
	}
	return nil
}

// line returns the next whole line, nil at the end.
func (r *lineReader) line() ([]byte, error) {
	if err := r.open(); err != nil || r.f == nil {
		return nil, err
	}
	b, err := r.r.ReadBytes('\n')
	r.read += int64(len(b))
	r.part = append(r.part, b...)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read log: %w", err)
	}
	out := bytes.TrimSuffix(r.part, []byte("\n"))
	r.part = nil
	return out, nil
}

func (r *lineReader) open() error {
	if r.f == nil {
		f, err := os.Open(r.path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		r.f, r.r = f, bufio.NewReaderSize(f, 1<<16)
		return nil
	}
	if r.r.Buffered() > 0 {
		return nil
	}
	info, err := r.f.Stat()
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	if info.Size() < r.read {
		if r.read, err = r.f.Seek(0, io.SeekEnd); err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		r.part = nil
		r.r.Reset(r.f)
	}
	return nil
}

func (r *lineReader) close() {
	if r.f != nil {
		r.f.Close()
	}
}
