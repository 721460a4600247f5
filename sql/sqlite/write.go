package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"kingdom/engine"
	"kingdom/sql/table"
)

// put writes the rows of one table: one prepared statement per row, which in one
// transaction is as fast as SQLite gets.
type put struct {
	table  *table.Table
	insert *sql.Stmt
	remove *sql.Stmt // nil if rows are never deleted
}

func prepare(ctx context.Context, db *sql.DB, t *table.Table) (put, error) {
	p := put{table: t}
	name := t.Schema + "_" + t.Name
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.Columns)), ", ")
	var err error
	p.insert, err = db.PrepareContext(ctx, "INSERT INTO "+name+" ("+t.Names()+") VALUES ("+marks+")"+t.Upsert("CURRENT_TIMESTAMP"))
	if err != nil {
		return p, fmt.Errorf("prepare %s: %w", name, err)
	}
	if t.Gone != nil {
		var keys []string
		for _, c := range t.Columns[:t.Key] {
			keys = append(keys, c.Name+" = ?")
		}
		p.remove, err = db.PrepareContext(ctx, "DELETE FROM "+name+" WHERE "+strings.Join(keys, " AND "))
		if err != nil {
			return p, fmt.Errorf("prepare %s: %w", name, err)
		}
	}
	return p, nil
}

// write carries out the part of a batch that concerns the table. What is written
// and dropped in one cycle ends up dropped.
func (p put) write(ctx context.Context, tx *sql.Tx, b *engine.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := exec(ctx, tx, p.insert, func(put func(v ...any)) { p.table.Rows(b, put) })
	if err == nil && p.remove != nil {
		err = exec(ctx, tx, p.remove, func(put func(v ...any)) { p.table.Gone(b, put) })
	}
	return err
}

// exec runs st for every row. The driver starts a goroutine per statement for a
// context that can end, so it gets one that cannot; write checks between tables.
func exec(ctx context.Context, tx *sql.Tx, st *sql.Stmt, rows func(put func(v ...any))) error {
	ctx = context.WithoutCancel(ctx)
	st = tx.StmtContext(ctx, st)
	var err error
	rows(func(v ...any) {
		if err == nil {
			_, err = st.ExecContext(ctx, v...)
		}
	})
	return err
}
