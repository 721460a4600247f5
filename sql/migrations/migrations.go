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

	"github.com/pressly/goose/v3"
)

//go:embed postgres/*.sql sqlite/*.sql
var files embed.FS

// Files returns the migrations, in the folders "postgres" and "sqlite".
func Files() embed.FS { return files }

// Up brings a database to the newest version of the schema. It returns an error if the database has a still newer
// version.
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

// UpIn brings one schema of a PostgreSQL database to the newest version. All tables are in this schema, named as in
// SQLite. The schema must exist, and its name must not need quotes.
func UpIn(ctx context.Context, schema string, db *sql.DB) error {
	all, err := oneSchema(schema)
	if err != nil {
		return err
	}
	return up(ctx, goose.DialectPostgres, db, all, goose.WithTableName(schema+"."+goose.DefaultTablename))
}

func up(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS, opts ...goose.ProviderOption) error {
	whole, err := inOnePiece(files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	p, err := goose.NewProvider(dialect, db, whole, opts...)
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
