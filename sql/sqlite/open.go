package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"kingdom/sql/migrations"
	"kingdom/sql/table"
	"kingdom/sql/views"
)

// mode is what a handle may do.
type mode uint8

const (
	writing mode = iota + 1
	reading
	still // reading a file that nobody writes, where no file may be made beside it
	locking
	probing
)

// busyMS is how long a statement waits for another handle's lock, in milliseconds.
const busyMS = 5000

// lockMS is how long a run that begins waits for its guard, in milliseconds. Whoever looks whether a run is going on
// (lockHeld) holds the guard for a moment, too.
const lockMS = 300

// open returns a handle; pragmas stand in the DSN so that every connection has
// them. The driver carries them out in alphabetical order, and page_size has no
// effect once the journal mode is WAL, so migrate sets that one.
func open(path string, m mode) *sql.DB {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	q := url.Values{}
	pragma := func(p string) { q.Add("_pragma", p) }
	switch m {
	case writing:
		q.Set("_txlock", "immediate")
		pragma(fmt.Sprintf("busy_timeout(%d)", busyMS))
		pragma("page_size(4096)")
		pragma("synchronous(FULL)")
		pragma("wal_autocheckpoint(0)") // Store.checkpoint does it, for it can be interrupted
		pragma("foreign_keys(1)")
		pragma("cache_size(-16384)") // KiB; a page of 4 KiB takes up to 8 in the driver's allocator
		pragma("temp_store(2)")      // statement journals in memory: half of the time of a commit otherwise
	case reading, still:
		q.Set("mode", "ro")
		if m == still {
			q.Set("immutable", "1")
		}
		pragma(fmt.Sprintf("busy_timeout(%d)", busyMS))
		pragma("query_only(1)")
	case probing:
		q.Set("mode", "ro")
		pragma("busy_timeout(0)")
	case locking:
		q.Set("_txlock", "exclusive")
		pragma(fmt.Sprintf("busy_timeout(%d)", lockMS))
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		panic(fmt.Sprintf("sqlite: driver is not registered: %v", err))
	}
	return db
}

// migrate brings the file to the newest schema. A file with tables of somebody
// else is refused.
func migrate(ctx context.Context, db *sql.DB) error {
	if err := refuseForeign(ctx, db); err != nil {
		return err
	}
	// The file remembers this mode.
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return fmt.Errorf("set journal mode: %w", err)
	}
	if err := migrations.Up(ctx, goose.DialectSQLite3, db); err != nil {
		return err
	}
	if err := makeViews(ctx, db); err != nil {
		return fmt.Errorf("make the views: %w", err)
	}
	return nil
}

// makeViews makes the readable views, unless the file has those of this build.
func makeViews(ctx context.Context, db *sql.DB) error {
	var have uint32
	if err := db.QueryRowContext(ctx, views.Have(views.SQLite)).Scan(&have); err != nil || have == views.Digest(views.SQLite) {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	for _, s := range views.Statements(views.SQLite) {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func refuseForeign(ctx context.Context, db *sql.DB) error {
	var names []string
	err := query(db)(ctx, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`, nil, func(c table.Cursor) error {
		for c.Next() {
			var name string
			if err := c.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return c.Err()
	})
	if err != nil {
		return err
	}
	if slices.Contains(names, "world_run") {
		return nil
	}
	if len(names) > 0 && strings.Join(names, " ") != goose.DefaultTablename {
		return fmt.Errorf("it holds other tables (%s); use a new file", strings.Join(names, ", "))
	}
	return nil
}

// querier is a handle or a transaction.
type querier interface {
	QueryContext(ctx context.Context, sql string, args ...any) (*sql.Rows, error)
}

// query is how package table reads.
func query(db querier) table.Query {
	return func(ctx context.Context, stmt string, args []any, rows func(table.Cursor) error) error {
		r, err := db.QueryContext(ctx, table.Flat(stmt), args...)
		if err != nil {
			return err
		}
		return errors.Join(rows(r), r.Close())
	}
}
