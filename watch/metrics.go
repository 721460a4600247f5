package watch

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"kingdom/observe"
	"kingdom/wire"
)

// metrics reads metrics.csv of a run as it grows. It may be used by one goroutine at a time.
type metrics struct {
	path string
	size int64
	at   time.Time

	Figures
}

// Figures are rows of metrics.csv, a row per cycle.
type Figures struct {
	Columns []string
	Rows    []Figure
}

// Figure is a row of figures.
type Figure struct {
	Cycle  wire.Cycle
	Values []json.RawMessage // by column: numbers, and else texts
}

// since returns the rows from a cycle on. They do not change when further ones are read.
func (f *Figures) since(from wire.Cycle) Figures {
	out := Figures{Columns: f.Columns}
	for _, row := range f.Rows {
		if row.Cycle >= from {
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// object writes a row as a JSON object with the columns as keys, in their order.
func (f *Figures) object(row *Figure) json.RawMessage {
	out := []byte{'{'}
	for i, column := range f.Columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, column), ':'), row.Values[i]...)
	}
	return append(out, '}')
}

func newMetrics(dir string) *metrics { return &metrics{path: observe.MetricsPath(dir)} }

// read reads the file if it has changed, and reports whether it has. A file that is not there yet has no rows.
func (m *metrics) read() (changed bool, err error) {
	info, err := os.Stat(m.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read the figures of cycles: %w", err)
	case info.Size() == m.size && info.ModTime().Equal(m.at):
		return false, nil
	}
	b, err := os.ReadFile(m.path)
	if err != nil {
		return false, fmt.Errorf("read the figures of cycles: %w", err)
	}
	m.Rows = nil
	b = b[:bytes.LastIndexByte(b, '\n')+1] // a row may be half written
	lines := csv.NewReader(bytes.NewReader(b))
	lines.FieldsPerRecord = -1
	rows, err := lines.ReadAll()
	if err != nil {
		return true, fmt.Errorf("read %s: %w", m.path, err)
	}
	if len(rows) > 0 {
		m.Columns = rows[0]
	}
	for i, row := range rows {
		cycle, err := strconv.ParseUint(row[0], 10, 64)
		if i == 0 || err != nil || len(row) != len(rows[0]) { // the heading, or a line of somebody else
			continue
		}
		m.Rows = append(m.Rows, Figure{wire.Cycle(cycle), valuesOf(row)})
	}
	m.size, m.at = info.Size(), info.ModTime() // a damaged file is read again, so that it is told as one at each look
	return true, nil
}

// valuesOf returns numbers as numbers and all else as text.
func valuesOf(row []string) []json.RawMessage {
	out := make([]json.RawMessage, len(row))
	for i, value := range row {
		if _, err := strconv.ParseFloat(value, 64); err == nil && json.Valid([]byte(value)) {
			out[i] = json.RawMessage(value)
		} else {
			out[i], _ = json.Marshal(value) // a string always has a form
		}
	}
	return out
}

// last is the last cycle that has a row; ok is false if there is none.
func (m *metrics) last() (c wire.Cycle, ok bool) {
	if len(m.Rows) == 0 {
		return 0, false
	}
	return m.Rows[len(m.Rows)-1].Cycle, true
}
