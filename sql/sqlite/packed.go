package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// packed describes the columns of a table that a store with a history keeps packed until tables are made: memories and
// states of agents, which need most of the space on disk and of which more than half is repetition, and events
// that wait for agents, of which there are thousands when some agents are asleep.
type packed struct {
	table     *table.Table
	columns   []int
	keyColumn int  // column by which rows are found: of agents their id, of events the table's name
	dense     bool // rows are written seldom and are long
}

var (
	packedMinds = []packed{
		packedColumns(table.Memory.Table, "agent_id", "knowledge", "peer_model").asDense(),
		packedColumns(table.Changes.Table, "agent_id", "body"),
		packedColumns(table.State.Table, "agent_id", "body"),
	}
	packedEvents = packedColumns(table.Rows, "tbl", "body")
	packedTables = append(slices.Clone(packedMinds), packedEvents)
)

func packedColumns(t *table.Table, by string, names ...string) packed {
	p := packed{table: t, keyColumn: t.Column(by)}
	for _, n := range names {
		p.columns = append(p.columns, t.Column(n))
	}
	return p
}

func (p packed) asDense() packed {
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

// packRows returns a function that packs the rows of a table and passes them to put; put itself if the table is not
// packed.
func packRows(w *history.Words, t *table.Table, put func(v ...any)) func(v ...any) {
	if t == table.Rows {
		return packRecords(w, put)
	}
	for _, p := range packedMinds {
		if p.table == t {
			return p.packRows(w, put)
		}
	}
	return put
}

func (p *packed) packRows(w *history.Words, put func(v ...any)) func(v ...any) {
	room := slices.Repeat([][]byte{{}}, len(p.columns)) // not nil, which would be NULL
	return func(v ...any) {
		for i, c := range p.columns {
			room[i] = p.append(w, room[i][:0], v[c].([]byte))
			v[c] = room[i]
		}
		put(v...)
	}
}

// Columns of world.rows.
var (
	recordTable = table.Rows.Column("tbl")
	recordKey   = table.Rows.Column("key")
	recordBody  = table.Rows.Column("body")
)

// packRecords returns a function that packs the records of the world and passes them to put: waiting events with words,
// all others with numbers for names. Records that views decode stay as they are.
func packRecords(w *history.Words, put func(v ...any)) func(v ...any) {
	events, room := packedEvents.packRows(w, put), []byte{}
	return func(v ...any) {
		switch tbl := v[recordTable].(string); {
		case tbl == table.WaitingEvents:
			events(v...)
			return
		case !slices.Contains(table.ViewedRows, tbl):
			room = history.AppendRecord(room[:0], v[recordKey].([]byte), v[recordBody].([]byte))
			v[recordBody] = room
		}
		put(v...)
	}
}

// Record implements table.Past.
func (p packedReader) Record(ctx context.Context, r *world.Row) (err error) {
	if r.Table == table.WaitingEvents {
		r.Body, err = p.Plain(ctx, r.Body)
	} else {
		r.Body, err = history.UnpackRecord(r.Body, r.Key)
	}
	return err
}

// where returns the condition for the rows of a table that are packed.
func (p *packed) where() string {
	if p.table == table.Rows {
		return fmt.Sprintf(` WHERE system = %d AND tbl = '%s'`, int64(wire.SystemNexus)-1, table.WaitingEvents) // both, as the table's key has them
	}
	return ""
}

// agentsPerStep is the number of agents whose rows are unpacked in one transaction.
const agentsPerStep = 64

// unpack replaces all packed values by plain ones, for queries of the tables. If it is interrupted, the next call
// continues with what is still packed.
func (s *Store) unpack(ctx context.Context) error {
	if err := s.unbundle(ctx); err != nil {
		return err
	}
	if err := s.unpackOf(ctx, []packed{packedEvents}, []any{table.WaitingEvents}); err != nil {
		return err
	}
	if err := s.unpackRecords(ctx); err != nil {
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

// recordsPerStep is the number of records of the world that are read in one transaction.
const recordsPerStep = 5000

// unpackRecords replaces the packed records of the world, except for waiting events, by plain ones.
func (s *Store) unpackRecords(ctx context.Context) error {
	last := []any{int64(-1), "", []byte{}} // the key of the record that was looked at last
	for last != nil {
		var err error
		if last, err = s.unpackRecordsAfter(ctx, last); err != nil {
			return fmt.Errorf("unpack records of the world: %w", err)
		}
		s.checkpoint(ctx)
	}
	return nil
}

// unpackRecordsAfter unpacks some records in one transaction, and returns the key of the last one; nil if there are no more.
func (s *Store) unpackRecordsAfter(ctx context.Context, after []any) (last []any, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // does nothing after Commit
	var packed [][]any
	n := 0
	err = query(tx)(ctx, `SELECT system, tbl, key, body FROM world.rows WHERE (system, tbl, key) > ($1, $2, $3) ORDER BY system, tbl, key LIMIT $4`,
		append(slices.Clone(after), recordsPerStep), func(c table.Cursor) error {
			for ; c.Next(); n++ {
				v, err := scanRow(c, table.Rows)
				if err != nil {
					return err
				}
				key, body := append([]byte{}, v[recordKey].([]byte)...), v[recordBody].([]byte) // an empty key is not nil, which would be NULL
				v[recordKey] = key
				last = v[:table.Rows.Key]
				if v[recordTable] == table.WaitingEvents {
					continue
				}
				plain, err := history.UnpackRecord(body, key)
				if err != nil {
					return fmt.Errorf("%x of table %s: %w", key, v[recordTable], err)
				}
				if !bytes.Equal(plain, body) {
					packed = append(packed, append([]any{plain}, last...))
				}
			}
			return c.Err()
		})
	for _, v := range packed {
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE world_rows SET body = ?1 WHERE system = ?2 AND tbl = ?3 AND key = ?4`, v...)
		}
	}
	if err != nil {
		return nil, err
	}
	if n < recordsPerStep {
		last = nil
	}
	return last, tx.Commit()
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
	words := packedReader{&s.archive, tx}
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

func (p *packed) unpackOf(ctx context.Context, tx *sql.Tx, words packedReader, w *put, id any) error {
	var rows [][]any
	err := query(tx)(ctx, `SELECT `+p.table.Names()+` FROM `+p.table.Schema+`.`+p.table.Name+` WHERE `+p.table.Columns[p.keyColumn].Name+` = $1`, []any{id}, func(c table.Cursor) error {
		for c.Next() {
			v, err := scanRow(c, p.table)
			if err != nil {
				return err
			}
			rows = append(rows, v)
		}
		return c.Err()
	})
	put := execEach(context.WithoutCancel(ctx), tx, &err, nil, w.upsert)
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
