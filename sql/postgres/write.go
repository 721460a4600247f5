package postgres

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kingdom/engine"
	"kingdom/sql/table"
)

const (
	// chunkRows is how many rows one statement carries; one plan serves them all.
	chunkRows = 4096
	// chunkBytes bounds a statement's parameters, far below the protocol's 1 GiB.
	chunkBytes = 8 << 20
	// pipeBytes is how many bytes are sent before the answers are read.
	pipeBytes = 32 << 20
)

// insert writes the rows of one table: a statement over arrays, one per column,
// so that thousands of rows are one message.
type insert struct {
	table  *table.Table
	put    string
	remove string // "" if rows are never deleted
}

var arrayTypes = map[table.Kind]string{
	table.Int: "bigint[]", table.Small: "smallint[]", table.Bytes: "bytea[]", table.Text: "text[]",
	table.Real: "real[]", table.Double: "double precision[]", table.Bool: "boolean[]",
}

func prepare(t *table.Table, p place) insert {
	name := p.sql(t.Schema + "." + t.Name)
	in := insert{table: t}
	in.put = "INSERT INTO " + name + " (" + t.Names() + ") SELECT * FROM unnest(" + params(t.Columns) + ")" + t.Upsert("now()")
	if t.Gone != nil {
		var keys, same []string
		for _, c := range t.Columns[:t.Key] {
			keys = append(keys, c.Name)
			same = append(same, "t."+c.Name+" = gone."+c.Name)
		}
		in.remove = "DELETE FROM " + name + " AS t USING unnest(" + params(t.Columns[:t.Key]) + ") AS gone(" +
			strings.Join(keys, ", ") + ") WHERE " + strings.Join(same, " AND ")
	}
	return in
}

func params(cs []table.Column) string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = fmt.Sprintf("$%d::%s", i+1, arrayTypes[c.Kind])
	}
	return strings.Join(out, ", ")
}

// write carries out the part of a batch that concerns the table. What is written
// and dropped in one cycle ends up dropped.
func (in *insert) write(ctx context.Context, p *pipe, b *engine.Batch) error {
	rows := func(put func(v ...any)) {
		in.table.Rows(b, func(v ...any) {
			if in.table.Lent {
				cloneBytes(v)
			}
			put(v...)
		})
	}
	if err := p.writeRows(ctx, in.put, in.table.Columns, rows); err != nil {
		return err
	}
	if in.remove == "" {
		return nil
	}
	return p.writeRows(ctx, in.remove, in.table.Columns[:in.table.Key], func(put func(v ...any)) { in.table.Gone(b, put) })
}

// cloneBytes copies the bytes of a row.
func cloneBytes(v []any) {
	for i := range v {
		if b, ok := v[i].([]byte); ok {
			v[i] = bytes.Clone(b)
		}
	}
}

// pipe sends statements without waiting for each one's answer.
type pipe struct {
	tx    pgx.Tx
	batch pgx.Batch
	bytes int
}

// writeRows queues a statement for all rows, in chunks.
func (p *pipe) writeRows(ctx context.Context, sql string, cols []table.Column, rows func(put func(v ...any))) error {
	var err error
	c := newChunk(cols)
	send := func() {
		if c.rows > 0 && err == nil {
			err = p.queue(ctx, sql, c)
			c = newChunk(cols)
		}
	}
	rows(func(v ...any) {
		c.add(v)
		if c.rows >= chunkRows || c.bytes >= chunkBytes {
			send()
		}
	})
	send()
	return err
}

func (p *pipe) queue(ctx context.Context, sql string, c *chunk) error {
	p.batch.Queue(sql, c.columns()...)
	if p.bytes += c.bytes; p.bytes >= pipeBytes {
		return p.flush(ctx)
	}
	return nil
}

// flush sends what is queued and reads all answers; the first error names its statement.
func (p *pipe) flush(ctx context.Context) error {
	if p.batch.Len() == 0 {
		return nil
	}
	queued := p.batch.QueuedQueries
	results := p.tx.SendBatch(ctx, &p.batch)
	var err error
	for i := 0; i < len(queued) && err == nil; i++ {
		if _, err = results.Exec(); err != nil {
			verb, _, _ := strings.Cut(queued[i].SQL, " (")
			verb, _, _ = strings.Cut(verb, " USING")
			err = fmt.Errorf("%s: %w", strings.ToLower(verb), err)
		}
	}
	if cerr := results.Close(); err == nil {
		err = cerr
	}
	p.batch, p.bytes = pgx.Batch{}, 0
	return err
}
