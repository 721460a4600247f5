package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
)

// packed are columns of a table that a store with a history keeps packed until tables are made: memories and
// states of agents, which are most of what an agent takes on disk and of which more than half repeats itself, and events
// that wait for agents, of which there are thousands when some are asleep.
type packed struct {
	table   *table.Table
	columns []int
	by      int  // column by which rows are found: of agents their id, of events the table's name
	dense   bool // rows are written seldom and are long
}

var (
	packedMinds = []packed{
		packedColumns(table.Memory.Table, "agent_id", "knowledge", "peer_model").densely(),
		packedColumns(table.Changes.Table, "agent_id", "body"),
		packedColumns(table.State.Table, "agent_id", "body"),
	}
	packedEvents = packedColumns(table.Rows, "tbl", "body")
	packedTables = append(slices.Clone(packedMinds), packedEvents)
)

func packedColumns(t *table.Table, by string, names ...string) packed {
	p := packed{table: t, by: t.Column(by)}
	for _, n := range names {
		p.columns = append(p.columns, t.Column(n))
	}
	return p
}

func (p packed) densely() packed {
	p.dense = true
	return p
}

// append appends the packed form of a column's value.
func (p *packed) append(w *history.Words, dst, raw []byte) []byte {
	if p.dense {
		return w.AppendDense(dst, raw)
	}
	return w.AppendPacked(dst, raw)
}

// packing gives put the rows of a table packed, if it is one of those.
func packing(w *history.Words, t *table.Table, put func(v ...any)) func(v ...any) {
	for _, p := range packedTables {
		if p.table == t {
			return p.packing(w, put)
		}
	}
	return put
}

func (p *packed) packing(w *history.Words, put func(v ...any)) func(v ...any) {
	room := slices.Repeat([][]byte{{}}, len(p.columns)) // not nil, which would be NULL
	return func(v ...any) {
		if !p.has(v) {
			put(v...)
			return
		}
		for i, c := range p.columns {
			room[i] = p.append(w, room[i][:0], v[c].([]byte))
			v[c] = room[i]
		}
		put(v...)
	}
}

// has says whether a row is one that is packed.
func (p *packed) has(v []any) bool { return p.table != table.Rows || v[p.by] == table.WaitingEvents }

// where is the condition for what is packed of a table.
func (p *packed) where() string {
	if p.table == table.Rows {
		return fmt.Sprintf(` WHERE system = %d AND tbl = '%s'`, int64(wire.SystemNexus)-1, table.WaitingEvents) // both, as the table's key has them
	}
	return ""
}

// agentsPerStep is of how many agents rows are unpacked before it is committed.
const agentsPerStep = 64

// unpack writes what is packed as it is without, for those who read tables. What was stopped or killed goes on
// with what is still packed.
func (s *Store) unpack(ctx context.Context) error {
	if err := s.unbundle(ctx); err != nil {
		return err
	}
	if err := s.unpackOf(ctx, []packed{packedEvents}, []any{table.WaitingEvents}); err != nil {
		return err
	}
	ids, err := s.agents(ctx)
	for err == nil && len(ids) > 0 {
		n := min(len(ids), agentsPerStep)
		err = s.unpackOf(ctx, packedMinds, ids[:n])
		ids = ids[n:]
		s.checkpoint(ctx)
	}
	return err
}

func (s *Store) agents(ctx context.Context) (ids []any, err error) {
	err = query(s.read)(ctx, `SELECT agent_id FROM agent.state`, nil, func(c table.Cursor) error {
		for c.Next() {
			var id []byte
			if err := c.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return c.Err()
	})
	return ids, err
}

// unpackOf unpacks the rows of some agents, or the events, in one transaction.
func (s *Store) unpackOf(ctx context.Context, tables []packed, of []any) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	words := plainly{&s.archive, tx}
	for i := range s.puts {
		for _, p := range tables {
			if p.table != s.puts[i].table {
				continue
			}
			for _, id := range of {
				if err := p.unpackOf(ctx, tx, words, &s.puts[i], id); err != nil {
					return fmt.Errorf("unpack %s.%s of %x: %w", p.table.Schema, p.table.Name, id, err)
				}
			}
		}
	}
	return tx.Commit()
}

func (p *packed) unpackOf(ctx context.Context, tx *sql.Tx, words plainly, w *put, id any) error {
	var rows [][]any
	err := query(tx)(ctx, `SELECT `+p.table.Names()+` FROM `+p.table.Schema+`.`+p.table.Name+` WHERE `+p.table.Columns[p.by].Name+` = $1`, []any{id}, func(c table.Cursor) error {
		for c.Next() {
			v, err := scanned(c, p.table)
			if err != nil {
				return err
			}
			rows = append(rows, v)
		}
		return c.Err()
	})
	put := each(context.WithoutCancel(ctx), tx, &err, nil, w.upsert)
	for _, v := range rows {
		changed := false
		for _, c := range p.columns {
			b := v[c].([]byte)
			plain, uerr := words.Plain(ctx, b)
			if uerr != nil {
				return uerr
			}
			changed = changed || history.IsPacked(b)
			v[c] = append([]byte{}, plain...) // not nil, which would be NULL
		}
		if changed && err == nil {
			put(v...)
		}
	}
	return err
}
