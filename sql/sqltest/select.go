package sqltest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kingdom/sql/table"
)

// A user's statement finds the same in both stores, whatever form of a name it has, and can do nothing but read.
func testSelect(t *testing.T, open Database) {
	s := open(t)
	must(t, s.CommitCycle(t.Context(), Batch(0, 3)))
	WithTables(t, s)
	find := func(ctx context.Context, stmt string, limit int) (columns []string, rows [][]any, err error) {
		columns, err = s.Select(ctx, stmt, limit, func(names []string, values []any) error {
			if len(names) != len(values) {
				t.Errorf("%s: columns %q of a row with %d values", stmt, names, len(values))
			}
			rows = append(rows, values)
			return nil
		})
		return columns, rows, err
	}
	id := ID(1)
	for _, tt := range []struct {
		stmt    string
		columns []string
		rows    [][]any
	}{
		{"SELECT spawn_index AS n FROM v.agents ORDER BY n -- all", []string{"n"}, [][]any{{int64(1)}, {int64(2)}, {int64(3)}}},
		{"SELECT count(*) AS n FROM v_agents WHERE 'v.agents; x' <> ''", []string{"n"}, [][]any{{int64(3)}}},
		{"SELECT id FROM nexus.agents WHERE spawn_index = 2;", []string{"id"}, [][]any{{id[:]}}},
		{"SELECT 'it''s' AS a, NULL AS b, CAST(0.5 AS REAL) AS c", []string{"a", "b", "c"}, [][]any{{"it's", nil, 0.5}}},
		{"WITH a AS (SELECT 7 AS x) SELECT x, x + 1 AS y FROM a WHERE x = 8", []string{"x", "y"}, nil},
	} {
		columns, rows, err := find(t.Context(), tt.stmt, 0)
		if err != nil || !slices.Equal(columns, tt.columns) || cmp.Diff(tt.rows, rows) != "" {
			t.Errorf("%s: columns %q, %v, rows differ (-want +got):\n%s", tt.stmt, columns, err, cmp.Diff(tt.rows, rows))
		}
	}
	if _, rows, err := find(t.Context(), "SELECT spawn_index FROM v.agents ORDER BY 1 DESC", 2); err != nil || cmp.Diff([][]any{{int64(3)}, {int64(2)}}, rows) != "" {
		t.Errorf("the first two: %v, %v", rows, err)
	}
	for stmt, wrong := range map[string]string{
		"DELETE FROM nexus.agents": "want one SELECT", "SELECT 1; DELETE FROM nexus.agents": "more than one statement", "": "empty",
		"SELECT * FROM nowhere": "nowhere", "SELECT nothing FROM v.agents": "nothing", "SELECT * FROM": "syntax",
		"WITH a AS (DELETE FROM nexus.agents RETURNING 1) SELECT * FROM a": "",
	} {
		if _, _, err := find(t.Context(), stmt, 0); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want an error with %q", stmt, err, wrong)
		} else if bad := new(table.StatementError); wrong != "" && !errors.As(err, &bad) {
			t.Errorf("%q: %T %v, want a StatementError", stmt, err, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, _, err := find(ctx, "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a statement without an end: %v", err)
	}
	if _, rows, err := find(t.Context(), "SELECT count(*) FROM v.agents", 0); err != nil || cmp.Diff([][]any{{int64(3)}}, rows) != "" {
		t.Errorf("after all that there are %v agents, %v", rows, err)
	}
}
