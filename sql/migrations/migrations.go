// Package migrations has the versioned schema of a world database, as embedded SQL files for both databases, and [Up],
// which executes them.
//
// The files of both folders create the same tables, with the columns that package table declares. The stores call Up
// when they open a database for a run, before the first tick.
//
// A released file is never changed. A change of the schema is a new file with the next number in both folders.
// docs/STORE.md describes the tables.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Up brings a database to the newest version of the schema. It returns an error if the database has a still newer
// version.
func Up(ctx context.Context, dialect goose.Dialect, db *sql.DB) error {
	folder := "sqlite"
	if dialect == goose.DialectPostgres {
		folder = "postgres"
	}
	steps, err := read(folder)
	if err != nil {
		return err
	}
	return up(ctx, dialect, db, steps)
}

// UpIn brings one schema of a PostgreSQL database to the newest version. All tables are in this schema, named as in
// SQLite. The schema must exist, and its name must not need quotes.
func UpIn(ctx context.Context, schema string, db *sql.DB) error {
	steps, err := read("postgres")
	if err != nil {
		return err
	}
	inOneSchema(steps, schema)
	return up(ctx, goose.DialectPostgres, db, steps, goose.WithTableName(schema+"."+goose.DefaultTablename))
}

// step is a migration: a file.
type step struct {
	file     string
	version  int64
	up, down string // SQL
}

// read returns the migrations of a folder.
func read(folder string) (steps []step, err error) {
	names, err := fs.Glob(files, folder+"/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		s := step{file: name}
		if s.version, err = goose.NumericComponent(name); err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
		s.up, s.down, _ = strings.Cut(string(text), "-- +goose Down\n")
		steps = append(steps, s)
	}
	return steps, nil
}

// up executes the migrations that a database lacks. Each is executed as one statement. Given the files, goose would split
// them, for which it takes a buffer of 4 MiB for each: a quarter of all that a short run allocates.
func up(ctx context.Context, dialect goose.Dialect, db *sql.DB, steps []step, opts ...goose.ProviderOption) error {
	var all []*goose.Migration
	for _, s := range steps {
		run := func(text string) *goose.GoFunc {
			return &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, text); err != nil {
					return fmt.Errorf("%s: %w", s.file, err)
				}
				return nil
			}}
		}
		all = append(all, goose.NewGoMigration(s.version, run(s.up), run(s.down)))
	}
	p, err := goose.NewProvider(dialect, db, nil, append(opts, goose.WithGoMigrations(all...))...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, known, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if have > known {
		return fmt.Errorf("its schema has version %d, this program knows %d; use a newer kingdom", have, known)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
