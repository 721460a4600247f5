package history

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Sizes of a blob before it is compressed, in bytes: from softLimit on the next group begins a
// new blob, from hardLimit on the next row does, unless groups must not be divided. Larger blobs
// compress only a little better, and reading one row of them costs more.
const (
	softLimit = 64 << 10
	hardLimit = 256 << 10
)

// Blob holds rows of one table of one cycle.
type Blob struct {
	First []byte // of the first row: the value of the first column of its group, if that is bytes
	Rows  int
	Body  []byte
}

// Writer makes blobs of the rows of one table of one cycle.
type Writer struct {
	shape      *Shape
	rowColumns []int

	blobs   []Blob
	raw     []byte // groups that are whole, of the blob that is open
	current Blob   // what is known of it

	key    []byte // of the open group
	rowKey []byte // room for the key of a row
	rows   []byte // of the open group
	n      int
	last   []cell
}

// NewWriter begins the blobs of a table.
func NewWriter(s *Shape) *Writer {
	return &Writer{shape: s, rowColumns: s.rowColumns(), last: make([]cell, len(s.columns))}
}

// Put adds a row, values in column order, and returns the place of its blob, from 0, and
// whether it is the first row of a group there. It keeps the bytes of the values, not v.
func (w *Writer) Put(v ...any) (part int, first bool) {
	w.rowKey = w.rowKey[:0]
	for _, c := range w.shape.group {
		var fresh cell
		w.rowKey = appendCell(w.rowKey, &w.shape.columns[c], &fresh, v[c])
	}
	other := w.n == 0 || !bytes.Equal(w.key, w.rowKey)
	size := len(w.raw) + len(w.rows)
	if other || size >= hardLimit && !w.shape.undivided {
		w.endGroup()
		if len(w.raw) >= softLimit {
			w.endBlob()
		}
		w.key = append(w.key[:0], w.rowKey...)
		first = true
	}
	if len(w.raw) == 0 && w.n == 0 && len(w.shape.group) > 0 {
		w.current.First, _ = v[w.shape.group[0]].([]byte)
	}
	for _, c := range w.rowColumns {
		w.rows = appendCell(w.rows, &w.shape.columns[c], &w.last[c], v[c])
	}
	w.n++
	return len(w.blobs), first
}

// Blobs ends the last blob and returns all of them.
func (w *Writer) Blobs() []Blob {
	w.endGroup()
	if len(w.raw) > 0 {
		w.endBlob()
	}
	return w.blobs
}

// endGroup writes the open group: key, number of rows, length of the rows, rows.
func (w *Writer) endGroup() {
	if w.n == 0 {
		return
	}
	w.raw = binary.AppendUvarint(w.raw, uint64(len(w.key)))
	w.raw = append(w.raw, w.key...)
	w.raw = binary.AppendUvarint(w.raw, uint64(w.n))
	w.raw = binary.AppendUvarint(w.raw, uint64(len(w.rows)))
	w.raw = append(w.raw, w.rows...)
	w.current.Rows += w.n
	w.n, w.rows = 0, w.rows[:0]
	clear(w.last)
}

func (w *Writer) endBlob() {
	w.current.Body = compress(w.raw)
	w.current.First = slices.Clone(w.current.First)
	w.blobs = append(w.blobs, w.current)
	w.current, w.raw = Blob{}, w.raw[:0]
}
