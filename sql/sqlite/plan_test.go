package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/sql/sqltest"
	"kingdom/sql/table"
)

// TestLoadAgent_ReadsByIndex: what a snapshot costs must not grow with the plans
// that an agent ever had, so SQLite must look them up by agent and status; nor with other agents, so it must look up beliefs by their ids.
func TestLoadAgent_ReadsByIndex(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), Live)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	looked, beliefs := 0, 0
	explain := table.Query(func(ctx context.Context, stmt string, args []any, _ func(table.Cursor) error) error {
		return query(s.read)(ctx, "EXPLAIN QUERY PLAN "+stmt, args, func(c table.Cursor) error {
			for c.Next() {
				var id, parent, unused int
				var detail string
				if err := c.Scan(&id, &parent, &unused, &detail); err != nil {
					return err
				}
				if strings.Contains(detail, "agent_beliefs") {
					beliefs++
					if !strings.Contains(detail, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") {
						t.Errorf("beliefs are read by %q, want by a range of ids", detail)
					}
				}
				if !strings.Contains(detail, "agent_plans") {
					continue
				}
				looked++
				if !strings.Contains(detail, "USING INDEX idx_plans_agent_status (agent_id=? AND status") {
					t.Errorf("plans are read by %q, want by agent and status", detail)
				}
			}
			return c.Err()
		})
	})
	if _, err := explain.LoadAgent(t.Context(), sqltest.ID(0), nil); err != nil {
		t.Fatal(err)
	}
	if beliefs != 1 {
		t.Errorf("%d searches of agent_beliefs, want one", beliefs)
	}
	if looked != 3 {
		t.Errorf("%d searches of agent_plans, want one per living range and finished status", looked)
	}
}
