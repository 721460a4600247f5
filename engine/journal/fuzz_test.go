package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"kingdom/wire"
)

// readSegment reads the bytes of a segment file as a journal is read: the records (kind and
// body) before the first error, and that error, io.EOF at a clean end.
func readSegment(b []byte, number uint32, run wire.Hash) (records [][]byte, err error) {
	s := &Segment{path: "fuzzed", number: number, r: bufio.NewReader(bytes.NewReader(b)), size: int64(len(b)), off: HeaderLen}
	if err := s.header(run); err != nil {
		return nil, err
	}
	for {
		kind, body, err := s.Next()
		if err != nil {
			return records, err
		}
		records = append(records, append([]byte{byte(kind)}, body...))
	}
}

// known reports whether an error is one that reading a damaged file may give.
func known(err error) bool {
	var corrupt *CorruptError
	var mismatch *MismatchError
	return errors.Is(err, io.EOF) || errors.Is(err, ErrTorn) || errors.As(err, &corrupt) || errors.As(err, &mismatch)
}

// split cuts data into bodies, each behind its u16 length; none is empty.
func split(data []byte) (bodies [][]byte) {
	for len(data) > 2 {
		n := min(int(binary.BigEndian.Uint16(data)), len(data)-2)
		if data = data[2:]; n > 0 {
			bodies = append(bodies, data[:n])
		}
		data = data[n:]
	}
	return bodies
}

// joined is what split takes apart.
func joined(bodies ...[]byte) (data []byte) {
	for _, b := range bodies {
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(b))), b...)
	}
	return data
}

// framed is a file of these records.
func framed(records [][]byte, number uint32, run wire.Hash) []byte {
	b := AppendHeader(nil, number, run)
	for i, r := range records {
		b = AppendRecord(b, number, uint64(i), Kind(r[0]), func(dst []byte) []byte { return append(dst, r[1:]...) })
	}
	return b
}

// someRecords are of several lengths.
func someRecords() [][]byte {
	return [][]byte{[]byte("a thought of some length"), {2}, bytes.Repeat([]byte{3}, 300), []byte("\x04\x00\xFF")}
}

// FuzzSegment: a file of any bytes never breaks the reader; what it takes is what
// the writer would have written.
func FuzzSegment(f *testing.F) {
	run := testRun
	good := framed(someRecords(), 1, run)
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add(good[:HeaderLen])
	f.Add(append(bytes.Clone(good), 0, 0, 1))
	f.Add(append(AppendHeader(nil, 1, run), 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		bodies, err := readSegment(b, 1, run)
		if !known(err) {
			t.Fatalf("an error of another kind: %v", err)
		}
		again := framed(bodies, 1, run)
		if len(bodies) > 0 && !bytes.HasPrefix(b, again) || errors.Is(err, io.EOF) && len(again) != len(b) {
			t.Fatalf("%d records were taken that the writer writes otherwise", len(bodies))
		}
	})
}

// FuzzSegment_Damage: whatever was recorded, one flipped byte is named as damage at
// or before its place, and never taken for a torn end; cutting the file leaves
// the records before the cut and a torn end.
func FuzzSegment_Damage(f *testing.F) {
	bodies := someRecords()
	f.Add(joined(bodies...), uint32(HeaderLen), byte(1), uint32(0))
	f.Add(joined(bodies...), uint32(HeaderLen+3), byte(0x80), uint32(9))
	f.Add(joined([]byte{1}, []byte{2, 3}), uint32(2), byte(0xFF), uint32(1))
	f.Add([]byte{}, uint32(HeaderLen-1), byte(4), uint32(5))
	f.Fuzz(func(t *testing.T, data []byte, place uint32, flip byte, cut uint32) {
		run, bodies := testRun, split(data)
		whole := framed(bodies, 1, run)
		if got, err := readSegment(whole, 1, run); !errors.Is(err, io.EOF) || !slices.EqualFunc(got, bodies, bytes.Equal) {
			t.Fatalf("%d of %d records come back: %v", len(got), len(bodies), err)
		}
		if flip != 0 {
			i := int(place % uint32(len(whole)))
			bad := bytes.Clone(whole)
			bad[i] ^= flip
			got, err := readSegment(bad, 1, run)
			var corrupt *CorruptError
			var mismatch *MismatchError
			switch {
			case errors.As(err, &corrupt) && corrupt.Offset <= int64(i):
			case errors.As(err, &mismatch) && i < HeaderLen:
			default:
				t.Fatalf("byte %d flipped by %x: %v", i, flip, err)
			}
			if len(got) > len(bodies) || !slices.EqualFunc(got, bodies[:len(got)], bytes.Equal) {
				t.Fatalf("byte %d flipped by %x: other records were read", i, flip)
			}
		}
		keep := HeaderLen + int(cut%uint32(len(whole)-HeaderLen+1))
		got, err := readSegment(whole[:keep], 1, run)
		if !errors.Is(err, io.EOF) && !errors.Is(err, ErrTorn) || len(got) > len(bodies) || !slices.EqualFunc(got, bodies[:len(got)], bytes.Equal) {
			t.Fatalf("cut after %d bytes: %d records, %v", keep, len(got), err)
		}
		if clean := len(framed(got, 1, run)) == keep; clean != errors.Is(err, io.EOF) {
			t.Fatalf("cut after %d bytes, behind %d records: %v", keep, len(got), err)
		}
	})
}
