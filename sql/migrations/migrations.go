// Package migrations holds the versioned schema of a world database, for both
// databases: embedded SQL files, and [Up], which carries them out.
//
// It promises that the files of both folders make the same tables, with the columns that
// package table declares. The stores call Up when they open a database for a run, before the first tick.
//
// A file that has been released is never changed; a change of the schema is a
// new file with the next number in both folders. docs/STORE.md describes the
// tables.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Files holds the migrations: folder "postgres" and folder "sqlite".
func Files() embed.FS { return files }

// Up brings a database to the newest schema; one that is newer still is refused.
func Up(ctx context.Context, dialect goose.Dialect, db *sql.DB) error {
	folder := "sqlite"
	if dialect == goose.DialectPostgres {
		folder = "postgres"
	}
	files, err := fs.Sub(files, folder)
	if err != nil {
		return err
	}
	return up(ctx, dialect, db, files)
}

// UpIn brings one schema of a PostgreSQL database to the newest tables; they are all in it,
// named as in SQLite. The schema is there, and its name needs no quotes.
func UpIn(ctx context.Context, schema string, db *sql.DB) error {
	all, err := flat(schema)
	if err != nil {
		return err
	}
	return up(ctx, goose.DialectPostgres, db, all, goose.WithTableName(schema+"."+goose.DefaultTablename))
}

func up(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS, opts ...goose.ProviderOption) error {
	p, err := goose.NewProvider(dialect, db, files, opts...)
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
