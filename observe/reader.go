package observe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"kingdom/wire/codec"
)

// DamageError says that a file of a log does not have the lines that were written.
type DamageError struct {
	Path string
	Err  error
}

func (e *DamageError) Error() string { return fmt.Sprintf("read %s: %v", e.Path, e.Err) }
func (e *DamageError) Unwrap() error { return e.Err }

// afterDamage says of which lines of a damaged file something is known, and where the others may be.
const afterDamage = "the lines before it are complete; for those after it use a copy of the run, or run the scenario again"

// lineReader reads the lines of one file that may still grow. A file that does not exist yet has no lines. If a resumed
// run removed lines that were read, and possibly wrote others in their place, the file is read again from its beginning,
// and the lines that were not removed are skipped.
type lineReader struct {
	stream Stream
	path   string
	f      *os.File
	frames *frameReader // of a compressed file, else nil
	r      *bufio.Reader
	part   []byte // beginning of a line whose end is not written yet
	read   int64
	next   *Line

	newest  string // time of the last line that was read
	again   bool   // lines up to newest are skipped
	mark    []byte // what stood before markEnd when the end of the file was reached
	markEnd int64
	looked  os.FileInfo // of the file when it was compared with mark; nil: never
}

// markLen is how many bytes of a file are kept to notice that others were written in their place. They contain a
// checksum if the file is compressed.
const markLen = 64

// peek sets next to the next line that was asked for, nil if there is none now.
func (r *lineReader) peek(opt *TailOptions) error {
	for r.next == nil {
		raw, err := r.line()
		if err != nil || raw == nil {
			return err
		}
		l := Line{Stream: r.stream, Raw: raw}
		err = json.Unmarshal(raw, &l.fields)
		if err == nil && raw[0] != '{' { // null is JSON too
			err = errors.New("it is no object")
		}
		if err != nil {
			return &DamageError{r.path, fmt.Errorf("it is damaged: what begins with %q is not a log line: %w; %s", raw[:min(len(raw), 60)], codec.PlainJSON(err), afterDamage)}
		}
		if r.again && !later(l.fields.Time, r.newest) {
			continue
		}
		r.again, r.newest = false, l.fields.Time
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
		return nil, r.setMark()
	case errors.As(err, new(*fs.PathError)): // the system cannot read the file
		return nil, fmt.Errorf("read log: %w", err)
	case err != nil:
		return nil, &DamageError{r.path, fmt.Errorf("it is damaged: %w; %s", err, afterDamage)}
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
	same, err := r.isSame(info)
	if err != nil || same {
		return err
	}
	return r.rewind()
}

// position returns the offset up to which the file was read.
func (r *lineReader) position() int64 {
	if r.frames != nil {
		return r.frames.next
	}
	return r.read
}

// setMark keeps the bytes before the position, unless it has them.
func (r *lineReader) setMark() error {
	end := r.position()
	if end == r.markEnd {
		return nil
	}
	b := make([]byte, min(end, markLen))
	if _, err := r.f.ReadAt(b, end-int64(len(b))); err != nil && !errors.Is(err, io.EOF) { // cut since then: it will not be the same
		return fmt.Errorf("read log: %w", err)
	}
	r.mark, r.markEnd = b, end
	return nil
}

// isSame reports whether the file still has the bytes that were read from it, as far as the mark shows.
func (r *lineReader) isSame(now os.FileInfo) (bool, error) {
	if now.Size() < r.position() {
		return false, nil
	}
	if r.looked != nil && now.Size() == r.looked.Size() && now.ModTime().Equal(r.looked.ModTime()) {
		return true, nil
	}
	b := make([]byte, len(r.mark))
	if _, err := r.f.ReadAt(b, r.markEnd-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read log: %w", err)
	}
	r.looked = now
	return bytes.Equal(b, r.mark), nil
}

// rewind begins again at the beginning of the file.
func (r *lineReader) rewind() error {
	if r.frames != nil {
		r.frames.rewind()
		r.r.Reset(r.frames)
	} else {
		if _, err := r.f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		r.r.Reset(r.f)
	}
	r.read, r.part, r.mark, r.markEnd = 0, nil, nil, 0
	r.again = r.newest != ""
	return nil
}

// later reports whether the time of a line is after another.
func later(line, other string) bool {
	a, erra := time.Parse(time.RFC3339Nano, line)
	b, errb := time.Parse(time.RFC3339Nano, other)
	return erra != nil || errb != nil || a.After(b)
}

// incomplete reports whether the file has bytes after its last whole line or frame, and their offset. A compressed log has
// at least one frame, if only an empty one.
func (r *lineReader) incomplete() (at int64, cut bool) {
	if r.frames == nil {
		return r.read - int64(len(r.part)), len(r.part) > 0
	}
	info, err := r.f.Stat()
	return r.frames.next, err == nil && (info.Size() > r.frames.next || info.Size() == 0)
}

func (r *lineReader) close() {
	if r.frames != nil {
		r.frames.close()
	}
	if r.f != nil {
		r.f.Close()
	}
}
