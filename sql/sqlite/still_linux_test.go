package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/engine"
	"kingdom/sql/sqltest"
)

// A finished run that another user owns can be read, also after a program has opened its database and closed it, which removes the
// files beside it. Where its log holds something, it cannot.
func TestOpenReadOnly_WhereNothingMayBeWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kingdom.db")
	s, err := Open(t.Context(), path, Live)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*engine.Batch{sqltest.Batch(0, 2), sqltest.Batch(1, 2)} {
		if err := s.CommitCycle(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := tool.QueryRow("SELECT count(*) FROM world_cycles").Scan(&rows); err != nil || tool.Close() != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-shm"); err == nil {
		t.Fatal("the tool left a file beside the database, which this test is not about")
	}
	read := func() error {
		defer sqltest.AsStranger(t, dir)()
		r, err := OpenReadOnly(t.Context(), path)
		if err != nil {
			return err
		}
		defer r.Close()
		im, err := r.Load(t.Context())
		if err == nil && im.Cycle.Cycle != 1 {
			t.Errorf("it reads cycle %d, want 1", im.Cycle.Cycle)
		}
		return err
	}
	if err := read(); err != nil {
		t.Errorf("without a log: %v", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := read(); !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "write") {
		t.Errorf("a database that only its owner may read: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil { //nolint:gosec // the stranger may read it again
		t.Fatal(err)
	}
	for log, readable := range map[string]bool{"": true, "cycles that the file lacks": false} {
		if err := os.WriteFile(path+"-wal", []byte(log), 0o644); err != nil { //nolint:gosec // the stranger may read it
			t.Fatal(err)
		}
		switch err := read(); {
		case readable && err != nil:
			t.Errorf("with an empty log: %v", err)
		case !readable && (err == nil || !strings.Contains(err.Error(), "use a copy that you own")):
			t.Errorf("with a log that holds something: %v", err)
		}
	}
}

// A database is read without the files beside it only if nothing is missing without them and nobody writes.
func TestIsStill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	want := func(what string, still bool) {
		t.Helper()
		if isStill(t.Context(), path) != still {
			t.Errorf("%s: isStill is %v", what, !still)
		}
	}
	want("no log", true)
	s, err := Open(t.Context(), path, Live)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"-wal", path+"-elsewhere"); err != nil {
		t.Fatal(err)
	}
	want("a run that is going on", false)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	want("a run that has ended", true)
	for log, still := range map[string]bool{"": true, "x": false} {
		if err := os.WriteFile(path+"-wal", []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		want("a log of "+log, still)
	}
}
