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
	rows []metricsRow
}

// metricsRow is a row as a JSON object with the columns as keys, in their order.
type metricsRow struct {
	cycle wire.Cycle
	json  json.RawMessage
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
	m.size, m.at = info.Size(), info.ModTime()
	m.rows = m.rows[:0]
	b = b[:bytes.LastIndexByte(b, '\n')+1] // a row may be half written
	lines := csv.NewReader(bytes.NewReader(b))
	lines.FieldsPerRecord = -1
	rows, err := lines.ReadAll()
	if err != nil {
		return true, fmt.Errorf("read %s: %w", m.path, err)
	}
	for i, row := range rows {
		cycle, err := strconv.ParseUint(row[0], 10, 64)
		if i == 0 || err != nil || len(row) != len(rows[0]) { // the heading, or a line of somebody else
			continue
		}
		m.rows = append(m.rows, metricsRow{wire.Cycle(cycle), rowJSON(rows[0], row)})
	}
	return true, nil
}

// rowJSON writes numbers as numbers and all else as text.
func rowJSON(columns, row []string) json.RawMessage {
	out := []byte{'{'}
	for i, column := range columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, column), ':')
		if _, err := strconv.ParseFloat(row[i], 64); err == nil && json.Valid([]byte(row[i])) {
			out = append(out, row[i]...)
		} else {
			text, _ := json.Marshal(row[i]) // a string always has a form
			out = append(out, text...)
		}
	}
	return append(out, '}')
}

// last is the last cycle that has a row; ok is false if there is none.
func (m *metrics) last() (c wire.Cycle, ok bool) {
	if len(m.rows) == 0 {
		return 0, false
	}
	return m.rows[len(m.rows)-1].cycle, true
}
