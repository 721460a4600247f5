package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kingdom/sql/sqlite"
	"kingdom/sql/sqltest"
)

func fresh(tables sqlite.Tables) func(t testing.TB) sqltest.Database {
	return func(t testing.TB) sqltest.Database { return database(t, tables) }
}

func database(t testing.TB, tables sqlite.Tables) sqltest.Database {
	path := filepath.Join(t.TempDir(), "a b?%#.db") // no character of a path is special
	return func(t testing.TB) sqltest.Store {
		t.Helper()
		s, err := sqlite.Open(t.Context(), path, tables)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
}

// watched opens a new store that makes tables later, and a second connection to its file that sees what lies where.
func watched(t *testing.T) (*sqlite.Store, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Later)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return s, db
}

func TestStore_Conformance(t *testing.T) {
	t.Run("live", func(t *testing.T) { sqltest.Run(t, fresh(sqlite.Live)) })
	t.Run("later", func(t *testing.T) { sqltest.Run(t, fresh(sqlite.Later)) })
}

func BenchmarkStore(b *testing.B) {
	b.Run("live", func(b *testing.B) { sqltest.Benchmarks(b, fresh(sqlite.Live)) })
	b.Run("later", func(b *testing.B) { sqltest.Benchmarks(b, fresh(sqlite.Later)) })
}

func TestStore_FullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CommitCycle(t.Context(), sqltest.Batch(0, 2)); err != nil {
		t.Fatal(err)
	}
	sqlite.LimitPages(t, s, 1) // SQLite never goes below what is in use
	err = s.CommitCycle(t.Context(), sqltest.Batch(1, 400))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("commit to a full disk = %v, want ENOSPC", err)
	}
	sqlite.LimitPages(t, s, 1<<20)
	im, err := s.Load(t.Context())
	if err != nil || im.Cycle.Cycle != 0 {
		t.Fatalf("Load after a full disk = cycle %v, %v; want cycle 0", im.Cycle.Cycle, err)
	}
	if err := s.CommitCycle(t.Context(), sqltest.Batch(1, 400)); err != nil {
		t.Errorf("commit when there is space again: %v", err)
	}
}

// When the writer is gone, nobody holds the file.
func TestStore_ReleasesFileWhenWriterIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CommitCycle(t.Context(), sqltest.Batch(0, 2)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := sqlite.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 {
		if busy, err := r.Busy(t.Context()); err != nil || busy {
			t.Errorf("Busy after Close = %v, %v", busy, err)
		}
		os.Remove(path + ".lock") // as where a run was copied without it
	}
}

// Where the files cannot be made the error says what to change.
func TestStore_UnwritableDirectoryErrorSaysWhatToDo(t *testing.T) {
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nowhere", "kingdom.db"), sqlite.Live)
	if err == nil || !strings.HasSuffix(err.Error(), "this user may not write in it; change its permissions, or use a copy that you own") {
		t.Errorf("Open where there is no directory = %v", err)
	}
}

// SQLite has a limit for paths, and only says that it cannot open the file.
func TestStore_PathThatIsTooLong(t *testing.T) {
	dir := t.TempDir()
	for len(dir) < 499-len("/kingdom.db")-200 {
		dir = filepath.Join(dir, strings.Repeat("x", 100))
	}
	longest := filepath.Join(dir, strings.Repeat("x", 499-len("/kingdom.db")-1-len(dir)), "kingdom.db")
	tooLong := filepath.Join(dir, strings.Repeat("x", 500-len("/kingdom.db")-1-len(dir)), "kingdom.db")
	for _, path := range []string{longest, tooLong} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sqlite.Open(t.Context(), longest, sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "its full path has 500 bytes, and SQLite opens no file whose path has more than 499; use a directory with a shorter path"
	if _, err := sqlite.Open(t.Context(), tooLong, sqlite.Live); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestStore_SecondProcess opens the file again from another process.
func TestStore_SecondProcess(t *testing.T) {
	const variable = "KINGDOM_TEST_SECOND"
	if path := os.Getenv(variable); path != "" {
		if r, err := sqlite.OpenReadOnly(t.Context(), path); err != nil {
			t.Errorf("reading beside a run: %v", err)
		} else {
			defer r.Close()
			if busy, err := r.Busy(t.Context()); err != nil || !busy {
				t.Errorf("Busy beside a run = %v, %v", busy, err)
			}
			if err := r.Bind(t.Context(), sqltest.World); err != nil {
				t.Errorf("Bind of a store for reading: %v", err)
			}
			if err := r.CommitCycle(t.Context(), sqltest.Batch(1, 2)); err == nil {
				t.Error("a store for reading wrote")
			}
			if im, err := r.Load(t.Context()); err != nil || im.Cycle.Cycle != 0 {
				t.Errorf("Load beside a run = %v, %v", im, err)
			}
		}
		_, err := sqlite.Open(t.Context(), path, sqlite.Live)
		var busy *sqlite.BusyError
		if !errors.As(err, &busy) || err.Error() != path+" is in use by a process that carries its run on; wait until it ends" {
			t.Errorf("Open beside a run = %v, want a BusyError", err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "kingdom.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CommitCycle(t.Context(), sqltest.Batch(0, 2)); err != nil {
		t.Fatal(err)
	}
	second := exec.Command(os.Args[0], "-test.run=^TestStore_SecondProcess$", "-test.v")
	second.Env = append(os.Environ(), variable+"="+path)
	out, err := second.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("second process: %v\n%s", err, out)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := sqlite.Open(t.Context(), path, sqlite.Live)
	if err != nil {
		t.Fatalf("Open after the first run ended: %v", err)
	}
	again.Close()
}

func TestOpen_Refuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newer := filepath.Join(dir, "newer")
	s, err := sqlite.Open(t.Context(), newer, sqlite.Live)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	write("newer", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	prose := filepath.Join(dir, "prose")
	if err := os.WriteFile(prose, []byte(strings.Repeat("not a database ", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "guarded")
	if err := os.WriteFile(locked+".lock", []byte(strings.Repeat("not a database ", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{write("other", "CREATE TABLE songs (id INTEGER)"), "holds other tables (songs); use a new file"},
		{newer, "its schema has version 999, this program knows 13; use a newer kingdom"},
		{prose, "file is not a database (26): the file is damaged, or not a database of kingdom; restore it from a copy"},
		{locked, "guarded.lock was changed, and holds no data: if nothing is running there, remove it"},
		{filepath.Join(dir, "missing", "x.db"), "unable to open database file"},
	} {
		s, err := sqlite.Open(t.Context(), c.path, sqlite.Live)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Open(%s) = %v, want …%s…", filepath.Base(c.path), err, c.want)
		}
	}
	if _, err := sqlite.OpenReadOnly(t.Context(), filepath.Join(dir, "nothing.db")); err == nil {
		t.Error("OpenReadOnly made a file")
	}
}
