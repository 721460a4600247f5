package postgres

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"kingdom/sql/table"
	"kingdom/sql/views"
)

// Select runs a statement that a user or a language model wrote, calls each with its rows, at most limit of them (0 means all), and
// returns the names of the columns. A value is an int64, float64, bool, string, []byte or nil, and each may keep it. The statement must be a single one that reads;
// anything else is a [*table.StatementError]. Tables and views have the names of both databases, such as v.acts and v_acts. The end of ctx
// ends the statement.
func (s *Store) Select(ctx context.Context, stmt string, limit int, each func(columns []string, values []any) error) (columns []string, err error) {
	stmt, err = table.ReadingStatement(stmt, s.place.names)
	if err != nil {
		return nil, err
	}
	columns, err = s.selectRows(ctx, stmt, limit, each)
	bad := new(pgconn.PgError)
	switch {
	case err != nil && ctx.Err() != nil:
		err = ctx.Err()
	case errors.As(err, &bad) && (strings.HasPrefix(bad.Code, "42") || strings.HasPrefix(bad.Code, "22")): // what the statement says, or does with its values
		err = table.Unknown(bad.Message)
	}
	return columns, s.secret.wrap("read PostgreSQL", err)
}

func (s *Store) selectRows(ctx context.Context, stmt string, limit int, each func(columns []string, values []any) error) (columns []string, err error) {
	tx, err := s.read.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	rows, err := tx.Query(ctx, stmt, pgx.QueryExecModeExec) // of several statements the server runs none; values are texts
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for n := 0; (limit == 0 || n < limit) && rows.Next(); n++ {
		columns = namesOf(rows)
		values := make([]any, len(columns))
		for i, b := range rows.RawValues() {
			if values[i], err = valueOf(&rows.FieldDescriptions()[i], b); err != nil {
				return nil, err
			}
		}
		if err := each(columns, values); err != nil {
			return nil, err
		}
	}
	return namesOf(rows), rows.Err()
}

func namesOf(rows pgx.Rows) (columns []string) {
	for _, f := range rows.FieldDescriptions() {
		columns = append(columns, f.Name)
	}
	return columns
}

// valueOf returns a value that the server sent as text.
func valueOf(f *pgconn.FieldDescription, text []byte) (v any, err error) {
	if text == nil {
		return nil, nil
	}
	switch f.DataTypeOID {
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		v, err = strconv.ParseInt(string(text), 10, 64)
	case pgtype.Float4OID, pgtype.Float8OID, pgtype.NumericOID:
		v, err = strconv.ParseFloat(string(text), 64)
	case pgtype.BoolOID:
		v = string(text) == "t"
	case pgtype.ByteaOID:
		v, err = hex.DecodeString(strings.TrimPrefix(string(text), `\x`))
	default:
		v = string(text)
	}
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", f.Name, err)
	}
	return v, nil
}

// names gives tables and views the names that they have in this database.
func (p place) names(code string) string {
	if p.schema == "" {
		return views.Rename(code, "v.")
	}
	return views.Rename(p.sql(code), p.schema+".v_")
}
