package postgres

import (
	"fmt"

	"kingdom/sql/table"
)

// chunk turns rows into columns.
type chunk struct {
	cols  []array
	rows  int
	bytes int // about what the values take on the wire
}

// array is one column's values; one of the slices is in use.
type array struct {
	kind    table.Kind
	null    bool
	ints    []int64
	nulls   []*int64
	smalls  []int16
	bytes   [][]byte
	texts   []string
	reals   []float32
	doubles []float64
	bools   []bool
}

func newChunk(cols []table.Column) *chunk {
	c := &chunk{cols: make([]array, len(cols))}
	for i, col := range cols {
		c.cols[i] = array{kind: col.Kind, null: col.Null}
	}
	return c
}

// add appends a row.
func (c *chunk) add(v []any) {
	c.rows++
	for i := range v {
		c.bytes += c.cols[i].add(v[i])
	}
}

// add appends a value and returns its size.
func (a *array) add(v any) int {
	switch {
	case a.kind == table.Int && a.null:
		var p *int64
		if x, ok := v.(int64); ok {
			p = &x
		}
		a.nulls = append(a.nulls, p)
	case a.kind == table.Int:
		a.ints = append(a.ints, v.(int64))
	case a.kind == table.Small:
		a.smalls = append(a.smalls, int16(v.(int64)))
	case a.kind == table.Bytes:
		b, _ := v.([]byte) // nil is NULL
		a.bytes = append(a.bytes, b)
		return 4 + len(b)
	case a.kind == table.Text:
		a.texts = append(a.texts, v.(string))
		return 4 + len(v.(string))
	case a.kind == table.Real:
		a.reals = append(a.reals, float32(v.(float64)))
	case a.kind == table.Double:
		a.doubles = append(a.doubles, v.(float64))
	case a.kind == table.Bool:
		a.bools = append(a.bools, v.(bool))
	}
	return 12
}

// columns are the parameters of the statement.
func (c *chunk) columns() []any {
	out := make([]any, len(c.cols))
	for i := range c.cols {
		out[i] = c.cols[i].values()
	}
	return out
}

func (a *array) values() any {
	switch a.kind {
	case table.Int:
		if a.null {
			return a.nulls
		}
		return a.ints
	case table.Small:
		return a.smalls
	case table.Bytes:
		return a.bytes
	case table.Text:
		return a.texts
	case table.Real:
		return a.reals
	case table.Double:
		return a.doubles
	case table.Bool:
		return a.bools
	}
	panic(fmt.Sprintf("postgres: column kind %d has no array", a.kind))
}
