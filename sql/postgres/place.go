package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"

	"kingdom/sql/migrations"
	"kingdom/sql/table"
	"kingdom/sql/views"
)

// schemaParam is the parameter of a URL that names a schema.
const schemaParam = "schema"

// place is where a store has its tables in a database: in several schemas of a database of its own, or
// all in one schema of a shared database.
type place struct {
	schema string // "" for the whole database
	sql    func(text string) string
}

// schemaName matches valid names of schemas. They need no quotes, unless they are keywords of SQL, which check
// asks the server about.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// reservedNames are schema names that have another meaning.
var reservedNames = []string{"v", "information_schema"}

// SchemaError says that a URL names a schema that cannot be one.
type SchemaError struct {
	Schema string
	Why    string
}

// Error says what would be right.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("schema %q %s; want lower-case letters, digits and _, at most 63, beginning with a letter, such as run_1", e.Schema, e.Why)
}

// placeOf takes the schema out of the parameters of a URL.
func placeOf(params map[string]string) (place, error) {
	schema, given := params[schemaParam]
	delete(params, schemaParam)
	if !given {
		return place{sql: func(text string) string { return text }}, nil
	}
	own := slices.ContainsFunc(table.All(), func(t *table.Table) bool { return t.Schema == schema })
	switch {
	case schema == "":
		return place{}, &SchemaError{schema, "is empty"}
	case !schemaName.MatchString(schema):
		return place{}, &SchemaError{schema, "is no name for it"}
	case own || slices.Contains(reservedNames, schema) || strings.HasPrefix(schema, "pg_"):
		return place{}, &SchemaError{schema, "is a name that means something else"}
	}
	return place{schema: schema, sql: table.Within(schema)}, nil
}

// Check returns what is wrong with a postgres:// URL, as far as that can be known without the server.
func Check(url string) error {
	cfg, err := pgconn.ParseConfig(url)
	if err != nil {
		return errMalformed
	}
	_, err = placeOf(cfg.RuntimeParams)
	return err
}

// prepare creates the schema, if the place has one and it does not exist.
func (p place) prepare(ctx context.Context, conn *pgx.Conn) error {
	if p.schema == "" {
		return nil
	}
	if err := p.check(ctx, conn); err != nil {
		return err
	}
	there, err := p.exists(ctx, conn)
	if err == nil && !there {
		_, err = conn.Exec(ctx, "CREATE SCHEMA "+p.schema)
	}
	return err
}

// check asks the server whether the name is a word of SQL.
func (p place) check(ctx context.Context, conn *pgx.Conn) error {
	var plain bool
	err := conn.QueryRow(ctx, "SELECT quote_ident($1) = $1", p.schema).Scan(&plain)
	if err == nil && !plain {
		err = &SchemaError{p.schema, "is a word of SQL"}
	}
	return err
}

// rowQuerier asks for one row.
type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// exists reports whether the schema exists.
func (p place) exists(ctx context.Context, db rowQuerier) (there bool, err error) {
	err = db.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_namespace WHERE nspname = $1", p.schema).Scan(&there)
	return there, err
}

// checkExists returns an error if the schema does not exist or has no tables.
func (p place) checkExists(ctx context.Context, db rowQuerier) error {
	if p.schema == "" {
		return nil
	}
	var found bool
	err := db.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", p.sql("world.run")).Scan(&found)
	if err == nil && !found {
		err = fmt.Errorf("schema %s: %w", p.schema, table.ErrNoWorld)
	}
	return err
}

// migrate brings the tables to the newest version.
func (p place) migrate(ctx context.Context, db *sql.DB) error {
	if p.schema == "" {
		return migrations.Up(ctx, goose.DialectPostgres, db)
	}
	return migrations.UpIn(ctx, p.schema, db)
}

// views returns the query for the digest of the existing views, and the statements that create the views.
func (p place) views() (have string, statements []string) {
	if p.schema == "" {
		return views.Have(views.Postgres), views.Statements(views.Postgres)
	}
	return views.HaveIn(p.schema), views.StatementsIn(p.schema)
}

// lockKey is the number of the advisory lock; each schema has its own.
func (p place) lockKey() int64 {
	if p.schema == "" {
		return runLock
	}
	sum := sha256.Sum256([]byte("kingdom schema " + p.schema))
	return int64(binary.BigEndian.Uint64(sum[:]))
}
