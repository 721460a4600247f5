package sqlite

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"kingdom/sql/migrations"
	"kingdom/sql/table"
)

// TestMigrations_DownAndUp: every step back works and leaves nothing behind.
func TestMigrations_DownAndUp(t *testing.T) {
	db := open(filepath.Join(t.TempDir(), "kingdom.db"), writing)
	defer db.Close()
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../migrations/sqlite"))
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

// A world that was written before its cycle rows had a bus_hash can be opened, and has none.
func TestMigrations_OldWorldWithoutBusHashOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kingdom.db")
	db := open(path, writing)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../migrations/sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	var names, values []string
	for _, c := range table.Cycles.Columns {
		if c.Name == "bus_hash" {
			continue
		}
		value := "7"
		if c.Kind == table.Bytes {
			value = "zeroblob(32)"
		}
		names, values = append(names, c.Name), append(values, value)
	}
	if _, err := db.Exec("INSERT INTO world_cycles (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Live)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows, err := s.Cycles(t.Context(), 7, 7)
	if err != nil || len(rows) != 1 || !rows[0].BusHash.IsZero() || rows[0].NOPs != 7 {
		t.Errorf("Cycles = %+v, %v; want one row without a bus hash", rows, err)
	}
}

// TestOpen_EveryConnectionHasThePragmas: every connection of a handle has what its DSN asks for.
func TestOpen_EveryConnectionHasThePragmas(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "kingdom.db"), Live)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]string{
		"page_size": "4096", "journal_mode": "wal", "foreign_keys": "1", "synchronous": "2", "busy_timeout": "5000",
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

// Up executes each file as one statement; that gives the tables and indexes that the file gives line by line.
func TestMigrations_UpEqualsFilesByStatement(t *testing.T) {
	schema := func(up func(db *sql.DB) error) (made string) {
		db := open(filepath.Join(t.TempDir(), "kingdom.db"), writing)
		defer db.Close()
		if err := up(db); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRow(`SELECT group_concat(name || ' ' || coalesce(sql, '') || char(10)) FROM sqlite_master ORDER BY name`).Scan(&made); err != nil {
			t.Fatal(err)
		}
		return made
	}
	byStatement := schema(func(db *sql.DB) error {
		p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../migrations/sqlite"))
		if err != nil {
			return err
		}
		_, err = p.Up(t.Context())
		return err
	})
	if got := schema(func(db *sql.DB) error { return migrations.Up(t.Context(), goose.DialectSQLite3, db) }); got != byStatement {
		t.Errorf("Up made\n%s\nthe files say\n%s", got, byStatement)
	}
}
