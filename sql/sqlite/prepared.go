package sqlite

import (
	"context"
	"database/sql"
	"sync"

	"kingdom/sql/table"
)

// prepared runs the reading statements that come again and again, agent after agent of a snapshot and record after
// record of the past: to compile one takes longer than to run it. It may be used from several goroutines.
type prepared struct {
	db *sql.DB

	mu sync.Mutex
	by map[string]*sql.Stmt // by text; there are some ten, and closing the handle closes them
}

func newPrepared(db *sql.DB) *prepared { return &prepared{db: db, by: map[string]*sql.Stmt{}} }

func (p *prepared) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.by[text]; s != nil {
		return s, nil
	}
	s, err := p.db.PrepareContext(ctx, text)
	if err == nil {
		p.by[text] = s
	}
	return s, err
}

// QueryContext is that of the handle.
func (p *prepared) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext is that of the handle.
func (p *prepared) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := p.statement(ctx, text)
	if err != nil {
		return p.db.QueryRowContext(ctx, text, args...) // which tells the error
	}
	return s.QueryRowContext(ctx, args...)
}

// in is prepared inside of a transaction.
func (p *prepared) in(tx *sql.Tx) table.Query {
	return query(preparedIn{p, tx})
}

type preparedIn struct {
	*prepared
	tx *sql.Tx
}

// QueryContext is that of the transaction.
func (p preparedIn) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return p.tx.StmtContext(ctx, s).QueryContext(ctx, args...)
}
