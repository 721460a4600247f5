package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kingdom/sql/sqlite"
	"kingdom/sql/table"
)

// asked is a store that is asked, and the folder of its file.
func asked(t *testing.T, tables sqlite.Tables) (*sqlite.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), tables)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

// selected is what a statement finds.
func selected(ctx context.Context, s *sqlite.Store, stmt string, limit int) (rows [][]any, err error) {
	_, err = s.Select(ctx, stmt, limit, func(_ []string, values []any) error {
		rows = append(rows, values)
		return nil
	})
	return rows, err
}

// What is asked in another form than a single statement that reads is refused before SQLite sees it.
func TestSelect_OnlyReads(t *testing.T) {
	s, dir := asked(t, sqlite.Live)
	other := filepath.Join(dir, "other.db")
	for stmt, wrong := range map[string]string{
		"": "is empty", " -- nothing": "is empty", ";;": "is empty",
		"DELETE FROM nexus_agents":                               `begins with "DELETE"`,
		"INSERT INTO world_run VALUES (1)":                       `begins with "INSERT"`,
		"PRAGMA query_only = 0":                                  `begins with "PRAGMA"`,
		"/* SELECT */ ATTACH '" + other + "' AS o":               `begins with "ATTACH"`,
		"-- SELECT\nVACUUM INTO '" + other + "'":                 `begins with "VACUUM"`,
		"EXPLAIN SELECT 1":                                       `begins with "EXPLAIN"`,
		"(SELECT 1)":                                             `begins with "(SELECT 1)"`,
		"SELECT 1; PRAGMA query_only = 0":                        "more than one statement",
		"SELECT ';'; ATTACH '" + other + "' AS o":                "more than one statement",
		"SELECT 1 -- '\n; DELETE FROM nexus_agents -- '":         "more than one statement",
		"SELECT 1 /* ' */; DELETE FROM nexus_agents /* ' */":     "more than one statement",
		"SELECT [a'] FROM (SELECT 1 AS [a']); VACUUM -- '":       "more than one statement",
		"SELECT 'open":                                           "has no end",
		"SELECT 1\x00; DELETE FROM nexus_agents":                 "zero byte",
		"SELECT \"a\"\"b; \" FROM t; DELETE FROM nexus_agents;;": "more than one statement",
	} {
		_, err := selected(t.Context(), s, stmt, 10)
		if bad := new(table.StatementError); !errors.As(err, &bad) || !strings.Contains(err.Error(), wrong) || !strings.HasSuffix(err.Error(), "want one SELECT (or WITH … SELECT, or VALUES), which only reads") {
			t.Errorf("%q: %v, want that it %s", stmt, err, wrong)
		}
	}
	for _, stmt := range []string{
		"SELECT 1", "select 1;", " \n-- a; b\nVALUES(1) ; ", "WITH a AS (SELECT ';' AS \";\") SELECT * FROM a -- the end",
		"SELECT '--', '/*', 'it''s; fine' /* open", "SELECT count(*) FROM v.acts", "SELECT count(*) FROM v_acts JOIN nexus.agents ON 1",
	} {
		if found, err := selected(t.Context(), s, stmt, 10); err != nil || len(found) != 1 {
			t.Errorf("%q: %v", stmt, err)
		}
	}
	if found, err := selected(t.Context(), s, "SELECT column1 AS a, 7 AS a FROM (VALUES (2), (3), (1)) ORDER BY 1 DESC", 2); err != nil || len(found) != 2 || found[0][0] != int64(3) || found[1][0] != int64(2) {
		t.Errorf("the order of rows is lost: %+v %v", found, err)
	}
	if found, err := selected(t.Context(), s, "SELECT 'v.acts and agent.goals for $1'", 10); err != nil || found[0][0] != "v.acts and agent.goals for $1" {
		t.Errorf("a text was changed: %v %v", found, err)
	}
}

// What begins as a statement that reads and does more is refused by the connection.
func TestSelect_CannotWrite(t *testing.T) {
	s, _ := asked(t, sqlite.Live)
	for stmt, wrong := range map[string]string{
		"WITH a AS (SELECT 1) DELETE FROM nexus_agents":             "syntax error",
		"WITH a AS (SELECT 1) DELETE FROM nexus_agents RETURNING 1": "syntax error",
		"SELECT 1) DELETE FROM nexus_agents WHERE (1":               "parentheses of the statement do not match",
		"SELECT load_extension('x')":                                "not authorized",
		"SELECT zeroblob(1000000000)":                               "too big",
		"SELECT * FROM pragma_query_only(0)":                        "too many arguments",
	} {
		if _, err := selected(t.Context(), s, stmt, 10); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", stmt, err, wrong)
		}
	}
}

// A statement ends with its context, whether it computes its first row or a later one.
func TestSelect_Ends(t *testing.T) {
	s, _ := asked(t, sqlite.Live)
	for _, stmt := range []string{
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 3 OR i < 0",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := selected(ctx, s, stmt, 10); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v, want that its time is over", stmt, err)
		}
		cancel()
	}
	if found, err := selected(t.Context(), s, "SELECT 1", 10); err != nil || len(found) != 1 {
		t.Errorf("after statements that were ended: %v", err)
	}
}

// No more rows are made than asked for.
func TestSelect_Limit(t *testing.T) {
	s, _ := asked(t, sqlite.Live)
	endless := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
	if found, err := selected(t.Context(), s, endless, 3); err != nil || len(found) != 3 || found[2][0] != int64(3) {
		t.Errorf("three rows of an endless statement: %v %v", found, err)
	}
	if found, err := selected(t.Context(), s, endless+" LIMIT 5000", 0); err != nil || len(found) != 5000 {
		t.Errorf("all of 5,000 rows: %d, %v", len(found), err)
	}
}

// The connection itself cannot open another file: neither one that exists nor a new one.
func TestUntrustedConnection_OpensNoOtherFile(t *testing.T) {
	s, dir := asked(t, sqlite.Live)
	other := filepath.Join(dir, "other.db")
	for _, stmt := range []string{"ATTACH '" + other + "' AS o", "VACUUM INTO '" + other + "'"} {
		if err := sqlite.RunUntrusted(t.Context(), s, stmt); err == nil {
			t.Errorf("%s was run", stmt)
		}
		if _, err := os.Stat(other); err == nil {
			t.Fatalf("%s made a file", stmt)
		}
	}
	if err := sqlite.RunUntrusted(t.Context(), s, "DELETE FROM nexus_agents"); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("rows can be deleted: %v", err)
	}
}

func TestNeedsTables(t *testing.T) {
	s, _ := asked(t, sqlite.Later)
	for stmt, want := range map[string]bool{
		"SELECT * FROM agent_experiences": true, "SELECT * FROM agent.experiences": true, "SELECT * FROM V_Acts": true, "SELECT * FROM v.acts": true,
		"SELECT * FROM v.replies": true, "SELECT * FROM v_service_calls": true, "SELECT * FROM v.transactions": true,
		"SELECT * FROM nexus_agents": false, "SELECT * FROM v.agents": false, "SELECT * FROM observer.metrics": false, "SELECT * FROM v_bounties": false,
	} {
		if got, err := s.NeedsTables(t.Context(), stmt); err != nil || got != want {
			t.Errorf("%s: %v %v, want %v", stmt, got, err, want)
		}
	}
}
