package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kingdom/sql/table"
)

func newQuery(a *app) *cobra.Command {
	var q queryFlags
	cmd := &cobra.Command{
		Use:   "query RUN | SWEEP STATEMENT",
		Short: "Ask the database of a run, or of each run of a sweep, in SQL",
		Long: "Run one SELECT over the tables and views of a run (docs/STORE.md lists them, with examples) and print what it finds.\n" +
			"Both stores take both forms of a name, v.acts and v_acts. In a sweep each of its runs is asked, and a first column says\n" +
			"its seed. The statement can only read. If it is -, it is read from standard input. A table that is filled at the end of\n" +
			"the run is refused before that. Ids are printed in hex. --csv prints commas and all texts as they are; --json prints an\n" +
			"object per row, with the columns as its fields; numbers stay numbers, and columns of type JSON are texts.",
		Args: args(2, "a run directory, or that of a sweep, and a SELECT statement in quotes"),
		RunE: func(cmd *cobra.Command, given []string) error {
			stmt := given[1]
			if stmt == "-" {
				b, err := io.ReadAll(standardInput(cmd))
				if err != nil {
					return fmt.Errorf("read the statement from standard input: %w", err)
				}
				stmt = string(b)
			}
			return q.run(cmd.Context(), a, given[0], stmt)
		},
	}
	cmd.Flags().BoolVar(&q.csv, "csv", false, "print comma-separated values, with a line of column names")
	cmd.Flags().StringVar(&q.store, storeFlag, "", "location of the run's store, if it differs from run.json")
	return cmd
}

type queryFlags struct {
	csv   bool
	store string
}

func (q *queryFlags) run(ctx context.Context, a *app, dir, stmt string) error {
	if q.csv && a.json {
		return usagef("--csv and --json are two forms of output; give one of them")
	}
	var out rowPrinter = &textRows{to: tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)}
	switch {
	case q.csv:
		out = &csvRows{to: csv.NewWriter(a.out)}
	case a.json:
		out = jsonRows{to: a.out}
	}
	columns, err := q.ask(ctx, a, dir, stmt, out)
	if err != nil {
		return err
	}
	return out.end(columns)
}

// ask prints what the statement finds in a run, or in each run of a sweep.
func (q *queryFlags) ask(ctx context.Context, a *app, dir, stmt string, out rowPrinter) (columns []string, err error) {
	if !isSweep(dir) {
		return queryRun(ctx, dir, q.store, stmt, out.row)
	}
	s, err := openSweep(dir)
	if err != nil {
		return nil, err
	}
	if err := s.plan(q.store); err != nil {
		return nil, err
	}
	withSeed := func(columns []string) []string { return append([]string{"seed"}, columns...) }
	for _, r := range s.runs {
		if !fileExists(r.dir) {
			a.say("seed %s has not begun; kingdom resume %s runs it", r.seed, shellQuote(dir))
			continue
		}
		found, err := queryRun(ctx, r.dir, r.store, stmt, func(columns []string, values []any) error {
			return out.row(withSeed(columns), append([]any{r.seed}, values...))
		})
		if err != nil {
			return nil, fmt.Errorf("seed %s: %w", r.seed, err)
		}
		columns = withSeed(found)
	}
	return columns, nil
}

// queryRun opens a run for selectIn.
func queryRun(ctx context.Context, dir, store, stmt string, each func(columns []string, values []any) error) (columns []string, err error) {
	run, err := openRun(ctx, dir, store)
	if err != nil {
		return nil, err
	}
	defer captureClose(&err, run.store.Close)
	return selectIn(ctx, run, dir, stmt, 0, each)
}

// selectIn runs a statement of a user's or a model's on the database of a run, calls each with its rows, at most limit of them (0 means
// all), and returns the names of the columns. It refuses to show tables as empty that are only not filled yet.
func selectIn(ctx context.Context, run *openedRun, dir, stmt string, limit int, each func(columns []string, values []any) error) (columns []string, err error) {
	if m, ok := run.store.(interface {
		NeedsTables(ctx context.Context, stmt string) (bool, error)
	}); ok {
		needs, err := m.NeedsTables(ctx, stmt)
		if err == nil && needs {
			err = requireTables(ctx, run.store, dir)
		}
		if err != nil {
			return nil, err
		}
	}
	columns, err = run.store.Select(ctx, stmt, limit, each)
	if wrong, ok := asError[*table.StatementError](err); ok {
		return nil, usagef("the statement cannot be run: %v", wrong)
	}
	return columns, err
}

// rowPrinter prints the rows that a statement finds.
type rowPrinter interface {
	row(columns []string, values []any) error
	end(columns []string) error
}

// textRows prints rows as a table.
type textRows struct {
	to    *tabwriter.Writer
	begun bool
	any   bool // there is a row
}

func (t *textRows) row(columns []string, values []any) error {
	t.begin(columns)
	t.any = true
	cells := make([]string, len(values))
	for i, v := range values {
		if cells[i] = "-"; v != nil {
			cells[i] = oneLine(withoutControls(textOf(v)))
		}
	}
	_, err := fmt.Fprintln(t.to, strings.Join(cells, "\t"))
	return err
}

func (t *textRows) end(columns []string) error {
	if t.begin(columns); !t.any {
		fmt.Fprintln(t.to, "(no rows)")
	}
	return t.to.Flush()
}

// begin prints the names of the columns, once.
func (t *textRows) begin(columns []string) {
	if !t.begun {
		t.begun = true
		fmt.Fprintln(t.to, strings.Join(columns, "\t"))
	}
}

// csvRows prints rows as comma-separated values. NULL is an empty field.
type csvRows struct {
	to    *csv.Writer
	begun bool
}

func (c *csvRows) row(columns []string, values []any) error {
	if err := c.begin(columns); err != nil {
		return err
	}
	fields := make([]string, len(values))
	for i, v := range values {
		if v != nil {
			fields[i] = textOf(v)
		}
	}
	return c.to.Write(fields)
}

// begin writes the names of the columns, once.
func (c *csvRows) begin(columns []string) error {
	if c.begun {
		return nil
	}
	c.begun = true
	return c.to.Write(columns)
}

func (c *csvRows) end(columns []string) error {
	if err := c.begin(columns); err != nil {
		return err
	}
	c.to.Flush()
	return c.to.Error()
}

// jsonRows prints an object per row, with its fields in the order of the columns.
type jsonRows struct{ to io.Writer }

func (j jsonRows) row(columns []string, values []any) error {
	line := []byte{'{'}
	for i, v := range values {
		if slices.Contains(columns[:i], columns[i]) {
			return usagef("two columns are called %q, which cannot be fields of one object; name one of them with AS", columns[i])
		}
		switch v.(type) {
		case []byte, time.Time:
			v = textOf(v)
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = append(append(line, encodeJSON(columns[i])...), ':')
		line = append(line, encodeJSON(v)...)
	}
	_, err := j.to.Write(append(line, '}', '\n'))
	return err
}

func (jsonRows) end([]string) error { return nil }

// encodeJSON returns a value of a column as JSON. What JSON has no number for, such as an infinite one, is null.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// textOf returns a value of a column as text: bytes in hex, as everywhere else.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return hex.EncodeToString(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	}
	return fmt.Sprint(v)
}
