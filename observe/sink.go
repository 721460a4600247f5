package observe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// sink is one append-only file of lines.
type sink struct {
	path string
	f    *os.File
	w    lineWriter
	enc  zapcore.Encoder
	err  error // first error; nothing is written after it
}

// lineWriter buffers whole lines; it may write them before it is flushed.
type lineWriter interface {
	io.Writer
	Flush() error
}

// newEncoder returns the encoder of lines: the field ts with the wall clock time, then the fields of the stream.
func newEncoder() zapcore.Encoder {
	return zapcore.NewJSONEncoder(zapcore.EncoderConfig{
		TimeKey: "ts", EncodeTime: zapcore.RFC3339NanoTimeEncoder, SkipLineEnding: false,
	})
}

// openSink opens a file for appending. If its name ends in .zst, lines are written as zstd frames.
func openSink(path string) (*sink, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	s := &sink{path: path, f: f, enc: newEncoder()}
	if !isCompressed(path) {
		s.w = bufio.NewWriterSize(f, 1<<16)
		return s, nil
	}
	s.w = &frameWriter{w: f}
	return s, nil
}

// line writes one JSON line.
func (s *sink) line(now time.Time, fields []zap.Field) {
	if s.err != nil {
		return
	}
	b, err := s.enc.EncodeEntry(zapcore.Entry{Time: now}, fields)
	if err == nil {
		_, err = s.w.Write(b.Bytes())
		b.Free()
	}
	s.setErr(err)
}

func (s *sink) setErr(err error) {
	if s.err == nil && err != nil {
		s.err = fmt.Errorf("write %s: %w; the run itself is not affected; if somebody else changed the file, move it away", s.path, err)
	}
}

func (s *sink) flush() {
	if s.err == nil {
		s.setErr(s.w.Flush())
	}
}

func (s *sink) close() error {
	s.flush()
	if w, ok := s.w.(*frameWriter); ok && s.err == nil {
		s.setErr(w.finish(s.f))
	}
	return errors.Join(s.err, s.f.Close())
}

// trim removes everything from the first line of cycle c on, and an incomplete last line: they belong to cycles that
// are executed again.
func (s *sink) trim(c uint64, cycleOf func(line []byte) (uint64, bool)) {
	if s.err != nil {
		return
	}
	if isCompressed(s.path) {
		s.setErr(trimFrames(s.f, c, cycleOf))
		return
	}
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		s.setErr(err)
		return
	}
	r := bufio.NewReaderSize(s.f, 1<<16)
	var keep int64
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // also after a line that has no end
			break
		}
		if err != nil { // what could not be read must not be cut off
			s.setErr(err)
			return
		}
		if n, ok := cycleOf(line); ok && n >= c {
			break
		}
		keep += int64(len(line))
	}
	s.setErr(s.f.Truncate(keep))
}

// jsonCycle reads the cycle of a log line.
func jsonCycle(line []byte) (uint64, bool) {
	var v struct {
		Cycle *uint64 `json:"cycle"`
	}
	if json.Unmarshal(line, &v) != nil || v.Cycle == nil {
		return 0, false
	}
	return *v.Cycle, true
}

// csvCycle reads the cycle of a line of metrics; the heading has none.
func csvCycle(line []byte) (uint64, bool) {
	first, _, _ := bytes.Cut(line, []byte(","))
	n, err := strconv.ParseUint(string(first), 10, 64)
	return n, err == nil
}
