package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"kingdom/sql/table"
	"kingdom/sql/views"
)

// Select runs a statement that a user or a language model wrote, calls each with its rows, at most limit of them (0 means all), and
// returns the names of the columns. A value is an int64, float64, bool, string, []byte, time.Time or nil, and each may keep it. The
// statement must be a single one that reads; anything else is a [*table.StatementError]. Tables and views have the names of both
// databases, such as v.acts and v_acts. The end of ctx ends the statement.
//
// The text alone is not trusted: the connection can read this file only. SQLite could otherwise open further files, even to write
// them (ATTACH, VACUUM INTO).
func (s *Store) Select(ctx context.Context, stmt string, limit int, each func(columns []string, values []any) error) (columns []string, err error) {
	stmt, err = table.ReadingStatement(stmt, sqliteNames)
	if err != nil {
		return nil, err
	}
	conn, err := s.untrustedConn(ctx)
	if err != nil {
		return nil, s.named(err)
	}
	defer func() { _ = conn.Close() }() // it was only read
	if limit == 0 {
		limit = -1
	}
	// The driver ends a statement with its context only until the first row is there, so that one is made last: all rows are put
	// into a table in memory before.
	columns, err = selectRows(ctx, conn, fmt.Sprintf("WITH found AS MATERIALIZED (SELECT * FROM (%s) LIMIT %d) SELECT * FROM found", stmt, limit), each)
	bad := new(sqlite.Error)
	switch {
	case err != nil && ctx.Err() != nil:
		err = ctx.Err() // SQLite says only that it was interrupted
	case errors.As(err, &bad) && bad.Code() == codes.SQLITE_ERROR:
		err = table.Unknown(strings.TrimSuffix(strings.TrimPrefix(bad.Error(), "SQL logic error: "), " (1)"))
	case err != nil:
		err = s.named(err)
	}
	return columns, err
}

func selectRows(ctx context.Context, conn *sql.Conn, stmt string, each func(columns []string, values []any) error) (columns []string, err error) {
	rows, err := conn.QueryContext(ctx, stmt)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has the error
	if columns, err = rows.Columns(); err != nil {
		return nil, err
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if err := each(columns, values); err != nil {
			return nil, err
		}
	}
	return columns, rows.Err()
}

// sqliteNames gives tables and views the names that they have in SQLite.
func sqliteNames(code string) string { return views.Rename(table.Flat(code), "v_") }

// untrustedConn returns a connection for statements that a user or a language model wrote.
func (s *Store) untrustedConn(ctx context.Context) (*sql.Conn, error) {
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range []struct{ id, most int }{
		{codes.SQLITE_LIMIT_ATTACHED, 0},      // VACUUM INTO attaches a file, too
		{codes.SQLITE_LIMIT_LENGTH, 64 << 20}, // bytes of a value: zeroblob(1000000000) would take as much memory
		{codes.SQLITE_LIMIT_COLUMN, 200},
	} {
		if _, err := sqlite.Limit(conn, l.id, l.most); err != nil {
			return nil, errors.Join(fmt.Errorf("limit what a statement can do: %w", err), conn.Close())
		}
	}
	return conn, nil
}

// filledLater are the tables that are empty, or show an earlier cycle, before the plain tables are filled (docs/STORE.md).
var filledLater = []string{
	"agent_experiences", "agent_beliefs", "agent_plans", "agent_goals", "world_records", "agora_messages", "mint_transactions", "observer_events",
}

// NeedsTables reports whether a statement names a table that is empty before the plain tables are filled, or a view of one.
func (s *Store) NeedsTables(ctx context.Context, stmt string) (bool, error) {
	needing := map[string]bool{}
	for _, name := range filledLater {
		needing[name] = true
	}
	made := map[string]string{} // views, and how they are made
	err := query(s.read)(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'view'`, nil, func(c table.Cursor) error {
		for c.Next() {
			var name, text string
			if err := c.Scan(&name, &text); err != nil {
				return err
			}
			made[name] = text
		}
		return c.Err()
	})
	for more := true; more; { // a view may be of other views
		more = false
		for name, text := range made {
			if !needing[name] && namesAny(text, needing) {
				needing[name], more = true, true
			}
		}
	}
	return namesAny(sqliteNames(stmt), needing), s.named(err)
}

// word matches a name.
var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// namesAny reports whether a statement contains one of the names.
func namesAny(stmt string, names map[string]bool) bool {
	return slices.ContainsFunc(word.FindAllString(stmt, -1), func(w string) bool { return names[strings.ToLower(w)] })
}
