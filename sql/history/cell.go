package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kingdom/sql/table"
)

// cell is the value of one column in the row that was written or read last.
type cell struct {
	null bool
	n    int64 // Int, Small, Bool
	b    []byte
	f    float64
	set  bool // b holds the value of a row
}

// Bytes and texts begin with a number: bytesSame, bytesNull, or their length plus bytesFrom.
const (
	bytesSame = iota // as in the row before
	bytesNull
	bytesFrom
)

// appendCell writes a value; last is the cell of the row before.
//
// Whole numbers are differences from the row before, as zigzag varints; where they may be
// NULL a byte says whether they are there. Other numbers are 8 bytes of IEEE 754,
// little-endian.
func appendCell(out []byte, c *table.Column, last *cell, v any) []byte {
	switch c.Kind {
	case table.Int, table.Small, table.Bool:
		if c.Null {
			if v == nil {
				return append(out, 0)
			}
			out = append(out, 1)
		}
		n := intOf(v)
		out = binary.AppendVarint(out, n-last.n)
		last.n = n
		return out
	case table.Bytes, table.Text:
		b, ok := v.([]byte)
		if s, isText := v.(string); isText {
			b, ok = []byte(s), true
		}
		if !ok {
			return binary.AppendUvarint(out, bytesNull)
		}
		return appendBytes(out, last, b)
	case table.Real, table.Double:
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(v.(float64)))
	}
	panic(fmt.Sprintf("history: column %s has no kind", c.Name))
}

// appendBytes writes bytes, which the cell keeps until the next row.
func appendBytes(out []byte, last *cell, b []byte) []byte {
	if last.set && bytes.Equal(last.b, b) {
		return append(out, bytesSame)
	}
	last.b, last.set = b, true
	return append(binary.AppendUvarint(out, uint64(len(b))+bytesFrom), b...)
}

func intOf(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("history: %T is no whole number", v))
}

var errTruncated = errors.New("its rows end too early; " + damaged)

// readCell reads a value into the cell, which holds the value of the row before; rest is what
// follows. The bytes in the cell are a part of b.
func readCell(b []byte, c *table.Column, last *cell) (rest []byte, err error) {
	last.null = false
	switch c.Kind {
	case table.Int, table.Small, table.Bool:
		if c.Null {
			if len(b) == 0 {
				return nil, errTruncated
			}
			there := b[0]
			b = b[1:]
			if there == 0 {
				last.null = true
				return b, nil
			}
		}
		d, n := binary.Varint(b)
		if n <= 0 {
			return nil, errTruncated
		}
		last.n += d
		return b[n:], nil
	case table.Bytes, table.Text:
		head, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errTruncated
		}
		b = b[n:]
		switch {
		case head == bytesNull:
			last.null = true
			return b, nil
		case head == bytesSame && !last.set:
			return nil, errTruncated
		case head == bytesSame:
			return b, nil
		case head-bytesFrom > uint64(len(b)):
			return nil, errTruncated
		}
		size := head - bytesFrom
		last.b, last.set = b[:size:size], true
		return b[size:], nil
	default:
		if len(b) < 8 {
			return nil, errTruncated
		}
		last.f = math.Float64frombits(binary.LittleEndian.Uint64(b))
		return b[8:], nil
	}
}

// value returns what the cell holds, in the types of a row of package table.
func (c *cell) value(k table.Kind) any {
	if c.null {
		return nil
	}
	switch k {
	case table.Int, table.Small:
		return c.n
	case table.Bool:
		return c.n != 0
	case table.Bytes:
		return c.b
	case table.Text:
		return string(c.b)
	default:
		return c.f
	}
}
