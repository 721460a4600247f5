package history

import (
	"bytes"
	"encoding/binary"
)

// Reader reads the rows of a blob, one after the other.
type Reader struct {
	shape      *Shape
	rowColumns []int
	raw        []byte // groups that are not begun
	rows       []byte // of the open group, that are not read
	left       uint64 // how many these are
	cells      []cell
	err        error
}

// Unpack checks a blob and decompresses its rows, for [NewReader].
func Unpack(blob []byte) (raw []byte, err error) { return decompress(blob) }

// NewReader reads what was unpacked from a blob of a table. The bytes of its rows are parts of raw.
func NewReader(s *Shape, raw []byte) *Reader {
	return &Reader{shape: s, rowColumns: s.rowColumns(), raw: raw, cells: make([]cell, len(s.columns))}
}

// Next moves to the next row. It returns false at the end and after an error.
func (r *Reader) Next() bool {
	for r.left == 0 {
		if !r.group(nil) {
			return false
		}
	}
	r.left--
	for _, c := range r.rowColumns {
		if r.rows, r.err = readCell(r.rows, &r.shape.columns[c], &r.cells[c]); r.err != nil {
			r.left, r.raw = 0, nil
			return false
		}
	}
	return true
}

// Seek moves before the first row of the next group with this key. It returns false if there is none.
func (r *Reader) Seek(key []byte) bool { return r.group(key) }

// More reports whether the current group has more rows.
func (r *Reader) More() bool { return r.left > 0 }

// group opens the next group, or if want is not nil, the next group with this key.
func (r *Reader) group(want []byte) bool {
	for r.err == nil && len(r.raw) > 0 {
		key, ok := r.takeSized()
		if !ok {
			return r.fail()
		}
		n, size := binary.Uvarint(r.raw)
		if size <= 0 {
			return r.fail()
		}
		r.raw = r.raw[size:]
		rows, ok := r.takeSized()
		if !ok || n > uint64(len(rows))+1 {
			return r.fail()
		}
		if want != nil && !bytes.Equal(key, want) {
			continue
		}
		r.rows, r.left = rows, n
		clear(r.cells)
		for _, c := range r.shape.group {
			if key, r.err = readCell(key, &r.shape.columns[c], &r.cells[c]); r.err != nil {
				return r.fail()
			}
		}
		return true
	}
	r.left = 0
	return false
}

// takeSized removes a length and as many bytes from raw, and returns the bytes.
func (r *Reader) takeSized() (b []byte, ok bool) {
	n, size := binary.Uvarint(r.raw)
	if size <= 0 || n > uint64(len(r.raw)-size) {
		return nil, false
	}
	b, r.raw = r.raw[size:size+int(n)], r.raw[size+int(n):]
	return b, true
}

func (r *Reader) fail() bool {
	r.left, r.raw = 0, nil
	r.err = errTruncated
	return false
}

// Int is the whole number in a column of the row.
func (r *Reader) Int(column int) int64 { return r.cells[column].n }

// Bytes are the bytes in a column of the row, a part of what the reader was given.
func (r *Reader) Bytes(column int) []byte { return r.cells[column].b }

// Row puts the values of the row into v, in column order, as package table has them.
func (r *Reader) Row(v []any) {
	for i := range r.cells {
		v[i] = r.cells[i].value(r.shape.columns[i].Kind)
	}
}

// Err returns the error that ended the reading, nil at the end of the rows.
func (r *Reader) Err() error { return r.err }
