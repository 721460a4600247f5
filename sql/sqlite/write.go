package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"kingdom/engine"
	"kingdom/sql/history"
	"kingdom/sql/table"
)

// put writes the rows of one table: one prepared statement per row, which in one
// transaction is as fast as SQLite gets.
type put struct {
	table  *table.Table
	insert *sql.Stmt // only if rows are nearly all new: without the upsert, thus without a statement journal
	upsert *sql.Stmt
	remove *sql.Stmt // nil if rows are never deleted
}

func prepare(ctx context.Context, db *sql.DB, t *table.Table) (put, error) {
	p := put{table: t}
	name := t.Schema + "_" + t.Name
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.Columns)), ", ")
	var err error
	insert := "INSERT INTO " + name + " (" + t.Names() + ") VALUES (" + marks + ")"
	p.upsert, err = db.PrepareContext(ctx, insert+t.Upsert("CURRENT_TIMESTAMP"))
	if err == nil && t.Fresh {
		p.insert, err = db.PrepareContext(ctx, insert)
	}
	if err != nil {
		return p, fmt.Errorf("prepare %s: %w", name, err)
	}
	if t.Gone == nil {
		return p, nil
	}
	var keys []string
	for _, c := range t.Columns[:t.Key] {
		keys = append(keys, c.Name+" = ?")
	}
	p.remove, err = db.PrepareContext(ctx, "DELETE FROM "+name+" WHERE "+strings.Join(keys, " AND "))
	if err != nil {
		return p, fmt.Errorf("prepare %s: %w", name, err)
	}
	return p, nil
}

// writeBatch carries out the part of a batch that concerns the table, or gives it to the
// history; k is nil where there is none.
func (p *put) writeBatch(ctx context.Context, tx *sql.Tx, k *historyCommit, b *engine.Batch) error {
	if k != nil {
		if repeatsRecords(p.table) {
			return nil
		}
		if h := bulkOf(p.table); h != nil {
			return k.write(ctx, h, b)
		}
		if p.table == table.Beliefs.Table {
			return k.writeBeliefs(ctx, b)
		}
	}
	return p.write(ctx, tx, b, k.packingWords())
}

// write carries out the part of a batch that concerns the table. What is written
// and dropped in one cycle ends up dropped. With words rows are packed.
func (p put) write(ctx context.Context, tx *sql.Tx, b *engine.Batch, words *history.Words) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// The driver starts a goroutine per statement for a context that can end, so
	// statements get one that cannot.
	ctx = context.WithoutCancel(ctx)
	var err error
	run := execEach(ctx, tx, &err, p.insert, p.upsert)
	if words != nil {
		run = packRows(words, p.table, run)
	}
	p.table.Rows(b, run)
	if p.remove != nil {
		p.table.Gone(b, execEach(ctx, tx, &err, nil, p.remove))
	}
	return err
}

// execEach returns a function that runs a statement for a row: first, if there is
// one, and second where first finds the key taken. After an error it does nothing.
func execEach(ctx context.Context, tx *sql.Tx, err *error, first, second *sql.Stmt) func(v ...any) {
	second = tx.StmtContext(ctx, second)
	if first == nil {
		return func(v ...any) {
			if *err == nil {
				_, *err = second.ExecContext(ctx, v...)
			}
		}
	}
	first = tx.StmtContext(ctx, first)
	return func(v ...any) {
		if *err != nil {
			return
		}
		if _, *err = first.ExecContext(ctx, v...); keyExists(*err) {
			_, *err = second.ExecContext(ctx, v...)
		}
	}
}

// keyExists says whether a key is in the table already.
func keyExists(err error) bool {
	bad := new(sqlite.Error)
	return errors.As(err, &bad) && (bad.Code() == codes.SQLITE_CONSTRAINT_PRIMARYKEY || bad.Code() == codes.SQLITE_CONSTRAINT_ROWID)
}
