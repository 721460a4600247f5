//go:build !race

package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// What was changed in a store is found by the branches that hold it.
func TestInspect_Repos(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "works", "--cycles", "3", "--set", "store.tables=live", "--out", dir))
	if r := must(t, in(t, "inspect", dir, "--repos")); !strings.Contains(r.out, `"GENESIS_BOOTSTRAP"`) || !strings.Contains(r.out, "intact\n") {
		t.Fatalf("the repos of a sound run: %s", r.out)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := db.Exec(`UPDATE world_records SET body = CAST(substr(body, 1, length(body) - 4) || x'21212121' AS BLOB) WHERE system = 1 AND tbl = 'contents'`)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := changed.RowsAffected(); n == 0 || err != nil {
		t.Fatalf("%d contents changed, error %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r := in(t, "inspect", dir, "--repos")
	if r.code != exitFailure || !strings.Contains(r.out, "its content is not the one that was written") || !strings.Contains(r.err, "are not what was stored and signed") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r := in(t, "inspect", dir, "--repos", "--json"); r.code != exitFailure || !strings.Contains(r.out, `"branches"`) {
		t.Errorf("exit %d\n%s", r.code, r.out)
	}
}
