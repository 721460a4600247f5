package observe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// lineReader reads the lines of one file that may still grow. A file that does not exist yet has no lines. A file that
// has become shorter, because a resumed run removed lines, is read on from its end.
type lineReader struct {
	stream Stream
	path   string
	f      *os.File
	frames *frameReader // of a compressed file, else nil
	r      *bufio.Reader
	part   []byte // beginning of a line whose end is not written yet
	read   int64
	next   *Line
}

// peek sets next to the next line that was asked for, nil if there is none now.
func (r *lineReader) peek(opt *TailOptions) error {
	for r.next == nil {
		raw, err := r.line()
		if err != nil || raw == nil {
			return err
		}
		l := Line{Stream: r.stream, Raw: raw}
		if err := json.Unmarshal(raw, &l.fields); err != nil {
			return fmt.Errorf("read %s: line %q is not a log line: %w", r.path, raw, err)
		}
		if opt.wants(&l.fields) {
			l.setName(opt.Names)
			r.next = &l
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
		return nil, fmt.Errorf("read %s: %w; the lines before it are complete", r.path, err)
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
		if isCompressed(r.path) {
			if r.frames, err = newFrameReader(f); err != nil {
				return fmt.Errorf("read log: %w", err)
			}
			r.r = bufio.NewReaderSize(r.frames, 1<<16)
		}
		return nil
	}
	if r.r.Buffered() > 0 {
		return nil
	}
	info, err := r.f.Stat()
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	if r.frames != nil {
		if info.Size() < r.frames.next {
			r.frames.truncated(info.Size())
			r.part = nil
		}
		return nil
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

// incomplete reports whether the file has bytes after its last whole line or frame, and their offset.
func (r *lineReader) incomplete() (at int64, cut bool) {
	if r.frames == nil {
		return r.read - int64(len(r.part)), len(r.part) > 0
	}
	info, err := r.f.Stat()
	return r.frames.next, err == nil && info.Size() > r.frames.next
}

func (r *lineReader) close() {
	if r.frames != nil {
		r.frames.close()
	}
	if r.f != nil {
		r.f.Close()
	}
}
