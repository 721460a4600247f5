package sqlite

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"kingdom/sql/migrations"
)

// TestMigrations_DownAndUp: every step back works and leaves nothing behind.
func TestMigrations_DownAndUp(t *testing.T) {
	db := open(filepath.Join(t.TempDir(), "kingdom.db"), writing)
	defer db.Close()
	files, err := fs.Sub(migrations.Files(), "sqlite")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := p.DownTo(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d tables and indexes left, %v", left, err)
	}
}

// TestOpen_Pragmas: every connection of a handle has what its DSN asks for.
func TestOpen_Pragmas(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{
		"page_size": "8192", "journal_mode": "wal", "foreign_keys": "1", "synchronous": "2", "busy_timeout": "5000",
	} {
		var got string
		if err := s.write.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s, %v; want %s", pragma, got, err, want)
		}
	}
	if _, err := s.read.Exec("DELETE FROM world_cycles"); err == nil {
		t.Error("the reading handle writes")
	}
}
