package journal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kingdom/wire"
)

// ErrTorn is returned when the file ends inside a record.
var ErrTorn = errors.New("the file ends inside a record")

// Segment reads one journal file record by record.
type Segment struct {
	path   string
	number uint32
	f      *os.File
	r      *bufio.Reader
	size   int64
	off    int64  // of the next record
	n      uint64 // ordinal of the next record
	buf    []byte
}

// Segments returns the numbers of a journal's files, ascending.
func Segments(dir string) ([]uint32, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list journal: %w", err)
	}
	var out []uint32
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".kj")
		if n, err := strconv.ParseUint(name, 10, 32); ok && err == nil {
			out = append(out, uint32(n))
		}
	}
	slices.Sort(out)
	for i, n := range out {
		if n != uint32(i+1) {
			return nil, &CorruptError{File: filepath.Join(dir, SegmentName(uint32(i+1))), Reason: "the segment is missing"}
		}
	}
	return out, nil
}

// OpenSegment opens a segment and checks its header.
func OpenSegment(path string, number uint32, run wire.Hash) (*Segment, error) {
	s := &Segment{path: path, number: number}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open segment: %w", err)
	}
	s.f, s.r, s.size, s.off = f, bufio.NewReaderSize(f, 1<<16), info.Size(), HeaderLen
	if err := s.header(run); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *Segment) header(run wire.Hash) error {
	var b [HeaderLen]byte
	_, err := io.ReadFull(s.r, b[:])
	want := AppendHeader(nil, s.number, run)
	switch {
	case err != nil:
		return &CorruptError{File: s.path, Reason: "the file header is cut short"}
	case checksum(b[:HeaderLen-4]) != binary.BigEndian.Uint32(b[HeaderLen-4:]) || string(b[:4]) != magic:
		return &CorruptError{File: s.path, Reason: "the file header is damaged"}
	case binary.BigEndian.Uint16(b[4:]) != version:
		return &MismatchError{
			What: "journal version", Want: strconv.Itoa(version),
			Got: strconv.Itoa(int(binary.BigEndian.Uint16(b[4:]))), Hint: "use the kingdom version that wrote " + s.path,
		}
	case string(b[:]) != string(want) && string(b[10:HeaderLen-4]) == string(run[:]):
		return &CorruptError{File: s.path, Reason: fmt.Sprintf("it is another file of this run, number %d, under this name", binary.BigEndian.Uint32(b[6:]))}
	case string(b[:]) != string(want):
		return &MismatchError{
			What: "file " + s.path, // a segment of the journal, or a snapshot
			Want: "one of this run", Got: "of another scenario, seed or physics",
			Hint: "it came from another run, or the scenario was changed: restore what was there from a copy",
		}
	}
	return nil
}

// Next returns kind and body of the next record, valid until the following call. It returns io.EOF at the end,
// [ErrTorn] if the file ends inside the last record, and a [*CorruptError] if the file is damaged.
func (s *Segment) Next() (Kind, []byte, error) {
	left := s.size - s.off
	if left == 0 {
		return 0, nil, io.EOF
	}
	if left < prefixLen {
		return 0, nil, ErrTorn
	}
	prefix, err := s.r.Peek(prefixLen)
	if errors.Is(err, io.EOF) { // the torn record was removed meanwhile
		return 0, nil, ErrTorn
	}
	if err != nil {
		return 0, nil, fmt.Errorf("read %s: %w", s.path, err)
	}
	length := binary.BigEndian.Uint32(prefix)
	if placeSum(s.number, s.n, length) != binary.BigEndian.Uint32(prefix[4:]) {
		return 0, nil, s.Corrupt("its length or place is damaged")
	}
	if length == 0 || length > maxRecord {
		return 0, nil, s.Corrupt("its length is out of range")
	}
	whole := prefixLen + int64(length) + 4
	if left < whole {
		return 0, nil, ErrTorn
	}
	s.buf = slices.Grow(s.buf[:0], int(whole))[:whole]
	if _, err := io.ReadFull(s.r, s.buf); err != nil {
		return 0, nil, fmt.Errorf("read %s: %w", s.path, err)
	}
	body := s.buf[prefixLen : whole-4]
	if checksum(body) != binary.BigEndian.Uint32(s.buf[whole-4:]) {
		return 0, nil, s.Corrupt("its content is damaged")
	}
	s.off += whole
	s.n++
	return Kind(body[0]), body[1:], nil
}

// Corrupt returns an error that names the record which Next returned last or failed to read.
func (s *Segment) Corrupt(reason string) error {
	return &CorruptError{File: s.path, Offset: s.off, Record: s.n, Reason: reason}
}

// Close ends the reading.
func (s *Segment) Close() { s.f.Close() }

// Check reads a whole journal and changes nothing. If the last record of the last segment is torn, it is reported to
// warn. Check returns the number of the last segment, 0 if there is no journal.
func Check(dir string, run wire.Hash, warn func(string)) (uint32, error) {
	list, err := Segments(dir)
	if err != nil {
		return 0, err
	}
	for i, n := range list {
		torn, err := readToEnd(dir, n, run)
		switch {
		case err != nil:
			return 0, err
		case torn == nil:
		case i < len(list)-1:
			return 0, torn.Corrupt("the file ends inside it, and later segments exist")
		default:
			warn(torn.incomplete() + "; it is ignored")
		}
	}
	return uint32(len(list)), nil
}

// RemoveTorn removes a torn last record of the last segment and reports it to warn. It is for a journal that passed
// [Check] and whose run is about to go on. It returns the number of the last segment, 0 if there is no journal.
func RemoveTorn(dir string, run wire.Hash, warn func(string)) (uint32, error) {
	list, err := Segments(dir)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	last := list[len(list)-1]
	torn, err := readToEnd(dir, last, run)
	if err != nil || torn == nil {
		return last, err
	}
	warn(fmt.Sprintf("%s; its %d bytes are removed", torn.incomplete(), torn.size-torn.off))
	if err := truncate(torn.path, torn.off); err != nil {
		return 0, fmt.Errorf("remove incomplete journal record: %w", err)
	}
	return last, nil
}

// truncate cuts a file on disk too: a torn record that comes back after a power failure would stand before a later segment,
// where it is damage.
func truncate(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Sync(), f.Close())
}

// readToEnd reads a segment. If its last record is torn, it returns the segment, closed, at the place of that record.
func readToEnd(dir string, number uint32, run wire.Hash) (torn *Segment, err error) {
	s, err := OpenSegment(filepath.Join(dir, SegmentName(number)), number, run)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for {
		_, _, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case errors.Is(err, ErrTorn):
			return s, nil
		case err != nil:
			return nil, err
		}
	}
}

// incomplete describes the torn record.
func (s *Segment) incomplete() string {
	return fmt.Sprintf("journal %s: record %d at offset %d is incomplete", s.path, s.n, s.off)
}
