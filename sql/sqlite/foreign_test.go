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
)

// foreign is a store that is asked, and the folder of its file.
func foreign(t *testing.T, tables sqlite.Tables) (*sqlite.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "kingdom.db"), tables)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

// What is asked in another form than a single statement that reads is refused before SQLite sees it.
func TestQueryForeign_OnlyReads(t *testing.T) {
	s, dir := foreign(t, sqlite.Live)
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
		_, err := s.QueryForeign(t.Context(), stmt, 10)
		if bad := new(sqlite.StatementError); !errors.As(err, &bad) || !strings.Contains(err.Error(), wrong) || !strings.HasSuffix(err.Error(), "want one SELECT (or WITH … SELECT, or VALUES), which only reads") {
			t.Errorf("%q: %v, want that it %s", stmt, err, wrong)
		}
	}
	for _, stmt := range []string{
		"SELECT 1", "select 1;", " \n-- a; b\nVALUES(1) ; ", "WITH a AS (SELECT ';' AS \";\") SELECT * FROM a -- the end",
		"SELECT '--', '/*', 'it''s; fine' /* open", "SELECT count(*) FROM v.acts", "SELECT count(*) FROM v_acts JOIN nexus.agents ON 1",
	} {
		if found, err := s.QueryForeign(t.Context(), stmt, 10); err != nil || len(found.Rows) != 1 {
			t.Errorf("%q: %v", stmt, err)
		}
	}
	if found, err := s.QueryForeign(t.Context(), "SELECT column1 AS a, 7 AS a FROM (VALUES (2), (3), (1)) ORDER BY 1 DESC", 2); err != nil || len(found.Rows) != 2 || found.Rows[0][0] != int64(3) || found.Rows[1][0] != int64(2) || !found.More {
		t.Errorf("the order of rows is lost: %+v %v", found, err)
	}
	if found, err := s.QueryForeign(t.Context(), "SELECT 'v.acts and agent.goals for $1'", 10); err != nil || found.Rows[0][0] != "v.acts and agent.goals for $1" {
		t.Errorf("a text was changed: %v %v", found, err)
	}
}

// What begins as a statement that reads and does more is refused by the connection.
func TestQueryForeign_CannotWrite(t *testing.T) {
	s, _ := foreign(t, sqlite.Live)
	for stmt, wrong := range map[string]string{
		"WITH a AS (SELECT 1) DELETE FROM nexus_agents":             "syntax error",
		"WITH a AS (SELECT 1) DELETE FROM nexus_agents RETURNING 1": "syntax error",
		"SELECT 1) DELETE FROM nexus_agents WHERE (1":               "parentheses of the statement do not match",
		"SELECT load_extension('x')":                                "not authorized",
		"SELECT zeroblob(1000000000)":                               "too big",
		"SELECT * FROM pragma_query_only(0)":                        "too many arguments",
	} {
		if _, err := s.QueryForeign(t.Context(), stmt, 10); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v, want %q", stmt, err, wrong)
		}
	}
}

// A statement ends with its context, whether it computes its first row or a later one.
func TestQueryForeign_Ends(t *testing.T) {
	s, _ := foreign(t, sqlite.Live)
	for _, stmt := range []string{
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 3 OR i < 0",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := s.QueryForeign(ctx, stmt, 10); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v, want that its time is over", stmt, err)
		}
		cancel()
	}
	if found, err := s.QueryForeign(t.Context(), "SELECT 1", 10); err != nil || len(found.Rows) != 1 {
		t.Errorf("after statements that were ended: %v", err)
	}
}

// An answer is bounded in rows, in the length of a value, and in all.
func TestQueryForeign_IsBounded(t *testing.T) {
	s, _ := foreign(t, sqlite.Live)
	for _, tt := range []struct {
		stmt       string
		rows, size int
		more, cut  bool
	}{
		{"VALUES (1), (2)", 2, 0, false, false},
		{"VALUES (1), (2), (3)", 2, 0, true, false},
		{"SELECT printf('%.*c', 4096, 'x')", 1, 4096, false, false},
		{"SELECT printf('%.*c', 4097, 'x')", 1, 4096, false, true},
		{"SELECT zeroblob(5000)", 1, 4096, false, true},
	} {
		found, err := s.QueryForeign(t.Context(), tt.stmt, 2)
		if err != nil || len(found.Rows) != tt.rows || found.More != tt.more || found.Cut != tt.cut {
			t.Errorf("%q: %d rows, more %v, cut %v (%v)", tt.stmt, len(found.Rows), found.More, found.Cut, err)
			continue
		}
		size := 0
		switch v := found.Rows[0][0].(type) {
		case string:
			size = len(v)
		case []byte:
			size = len(v)
		}
		if size != tt.size {
			t.Errorf("%q: a value of %d bytes, want %d", tt.stmt, size, tt.size)
		}
	}
	found, err := s.QueryForeign(t.Context(), "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT printf('%.*c', 4096, 'x') FROM n", 100000)
	if err != nil || !found.More || len(found.Rows) > 300 {
		t.Errorf("an answer of %d rows of 4 KiB: %v", len(found.Rows), err)
	}
}

// The connection itself cannot open another file: neither one that exists nor a new one.
func TestForeignConnection_OpensNoOtherFile(t *testing.T) {
	s, dir := foreign(t, sqlite.Live)
	other := filepath.Join(dir, "other.db")
	for _, stmt := range []string{"ATTACH '" + other + "' AS o", "VACUUM INTO '" + other + "'"} {
		if err := sqlite.RunForeign(t.Context(), s, stmt); err == nil {
			t.Errorf("%s was run", stmt)
		}
		if _, err := os.Stat(other); err == nil {
			t.Fatalf("%s made a file", stmt)
		}
	}
	if err := sqlite.RunForeign(t.Context(), s, "DELETE FROM nexus_agents"); err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("rows can be deleted: %v", err)
	}
}

func TestNeedsTables(t *testing.T) {
	s, _ := foreign(t, sqlite.Later)
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
