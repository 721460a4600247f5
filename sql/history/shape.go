package history

import (
	"slices"

	"kingdom/sql/table"
)

// Shape says how the rows of a table are arranged in blobs.
type Shape struct {
	columns   []table.Column
	group     []int // columns whose values the rows of a group share; none: all rows are one group
	undivided bool  // the rows of a group lie in one blob
}

// NewShape describes a table whose rows are grouped by the named columns. If whole is set, the rows of a group are
// never divided between two blobs.
func NewShape(t *table.Table, whole bool, by ...string) Shape {
	s := Shape{columns: t.Columns, undivided: whole}
	for _, name := range by {
		s.group = append(s.group, t.Column(name))
	}
	return s
}

// Key is the key of the group whose columns have these values.
func (s *Shape) Key(values ...any) []byte {
	var key []byte
	for i, c := range s.group {
		var fresh cell
		key = appendCell(key, &s.columns[c], &fresh, values[i])
	}
	return key
}

// rowColumns returns the columns that each row has, which are those that are not in the key.
func (s *Shape) rowColumns() []int {
	var out []int
	for i := range s.columns {
		if !slices.Contains(s.group, i) {
			out = append(out, i)
		}
	}
	return out
}
