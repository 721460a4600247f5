package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"kingdom/sql/table"
	"kingdom/sql/views"
)

// runLock is the advisory lock of a database that a run is writing to: "kingdom".
const runLock = 0x6B696E67646F6D

// BusyError says that another process has the database open for a run.
type BusyError struct {
	Database string
	Schema   string // empty for a run that has the database to itself
}

// Error says what to do.
func (e *BusyError) Error() string {
	if e.Schema != "" {
		return fmt.Sprintf("schema %s of database %s is in use by a run that is going on; wait until it ends, or use another schema for another run", e.Schema, e.Database)
	}
	return fmt.Sprintf("database %s is in use by a run that is going on; wait until it ends, or use another database for another run", e.Database)
}

const (
	// lockWait is how long to wait for a lock that is held: the server notices the end
	// of a killed process only at its next read from the connection.
	lockWait = 2 * time.Second
	// lockRetryInterval is the distance of attempts.
	lockRetryInterval = 50 * time.Millisecond
)

// lock takes the run lock; it ends with the connection.
func lock(ctx context.Context, conn *pgx.Conn, p place) error {
	for end := time.Now().Add(lockWait); ; {
		var got bool
		err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, p.lockKey()).Scan(&got)
		if err != nil || got {
			return err
		}
		if time.Now().After(end) {
			return &BusyError{Database: conn.Config().Database, Schema: p.schema}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockRetryInterval):
		}
	}
}

// unlock gives the run lock back at once; closing alone would do it a little later.
func unlock(ctx context.Context, conn *pgx.Conn, p place) error {
	_, err := conn.Exec(ctx, `SELECT pg_advisory_unlock($1)`, p.lockKey())
	return err
}

// migrate brings the store's place in the database to the newest schema. One with tables of
// somebody else is refused.
func migrate(ctx context.Context, conn *pgx.Conn, p place) error {
	if err := refuseForeign(ctx, conn, p); err != nil {
		return err
	}
	db := stdlib.OpenDB(*conn.Config())
	defer db.Close()
	if err := p.migrate(ctx, db); err != nil {
		return err
	}
	if err := makeViews(ctx, conn, p); err != nil {
		return fmt.Errorf("make the views: %w", err)
	}
	return nil
}

// makeViews makes the readable views, unless the database has those of this build.
func makeViews(ctx context.Context, conn *pgx.Conn, p place) error {
	have, make := p.views()
	var digest *int64
	err := conn.QueryRow(ctx, have).Scan(&digest)
	if err == nil && digest != nil && *digest == int64(views.Digest(views.Postgres)) {
		return nil
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, s := range make {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// refuseForeign refuses a place with tables of somebody else.
func refuseForeign(ctx context.Context, conn *pgx.Conn, p place) error {
	rows, err := conn.Query(ctx, `SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_toast%' AND n.nspname NOT LIKE 'pg\_temp%'
		AND ($1 = '' OR n.nspname = $1) ORDER BY 1`, p.schema)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if slices.Contains(names, p.sql("world.run")) {
		return nil
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "."+goose.DefaultTablename) })
	switch {
	case len(names) > 0 && p.schema != "":
		return fmt.Errorf("schema %s of database %s holds other tables (%s); name another schema", p.schema, conn.Config().Database, joinFirst(names))
	case len(names) > 0:
		return fmt.Errorf("database %s holds other tables (%s); use an empty database, or add schema=NAME to its URL to have a schema of it", conn.Config().Database, joinFirst(names))
	}
	return nil
}

// joinFirst joins the first five names.
func joinFirst(names []string) string {
	const shown = 5
	if len(names) > shown {
		return strings.Join(names[:shown], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// querier is a connection, a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// query is how package table reads.
func (p place) query(db querier) table.Query {
	return func(ctx context.Context, sql string, args []any, rows func(table.Cursor) error) error {
		r, err := db.Query(ctx, p.sql(sql), args...)
		if err != nil {
			return err
		}
		defer r.Close()
		return rows(r)
	}
}
