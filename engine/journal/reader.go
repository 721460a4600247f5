package journal

import (
	"errors"
	"io"
	"path/filepath"

	"kingdom/wire"
)

// Reader reads the records of a journal in order, across its segments.
type Reader struct {
	dir      string
	run      wire.Hash
	segments []uint32 // not begun yet
	cur      *Segment // nil: between two, or at the end
}

// NewReader reads the segments that exist now; later ones are not seen.
func NewReader(dir string, run wire.Hash) (*Reader, error) {
	list, err := Segments(dir)
	if err != nil {
		return nil, err
	}
	return &Reader{dir: dir, run: run, segments: list}, nil
}

// Next returns kind and body of the next record. The body is valid until the following call. At the end, also before
// a torn last record, it returns io.EOF.
func (r *Reader) Next() (Kind, []byte, error) {
	for {
		if r.cur == nil {
			if len(r.segments) == 0 {
				return 0, nil, io.EOF
			}
			s, err := OpenSegment(filepath.Join(r.dir, SegmentName(r.segments[0])), r.segments[0], r.run)
			if err != nil {
				return 0, nil, err
			}
			r.cur, r.segments = s, r.segments[1:]
		}
		kind, body, err := r.cur.Next()
		switch {
		case errors.Is(err, io.EOF) || (errors.Is(err, ErrTorn) && len(r.segments) == 0):
			r.Close()
		case errors.Is(err, ErrTorn):
			return 0, nil, r.cur.Corrupt("the file ends inside it, and later segments exist")
		default:
			return kind, body, err
		}
	}
}

// Corrupt returns an error that names the place of the record which Next returned last.
func (r *Reader) Corrupt(reason string) error { return r.cur.Corrupt(reason) }

// Close ends the reading.
func (r *Reader) Close() {
	if r.cur != nil {
		r.cur.Close()
		r.cur = nil
	}
}
