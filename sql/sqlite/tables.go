package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"kingdom/engine"
	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// Made returns up to which cycle the plain tables are filled from the history. whole says that they are complete.
// Otherwise through is the last cycle that they contain, and none says that they contain no cycle.
func (s *Store) Made(ctx context.Context) (through wire.Cycle, none, whole bool, err error) {
	last, any, err := s.Last(ctx)
	if err != nil || !any || !s.hasHistory {
		return last, !any, true, err
	}
	made, err := readTablesThrough(ctx, s.read)
	if err != nil {
		return 0, false, false, fmt.Errorf("read how far the tables of %s go: %w", s.path, explainError(err))
	}
	return wire.Cycle(made.Int64), !made.Valid, made.Valid && wire.Cycle(made.Int64) >= last, nil
}

func readTablesThrough(ctx context.Context, db rowQuerier) (made sql.NullInt64, err error) {
	return made, db.QueryRowContext(ctx, `SELECT made FROM history_state`).Scan(&made)
}

// rowsPerStep is how many rows MakeTables writes at least before it commits, unless it is done.
const rowsPerStep = 5000

// MakeTables fills the plain tables with the part of the history that they do not contain yet. It works in steps of
// whole cycles, so it can be interrupted at any time and continued later. After each step progress is called with the
// last cycle that the tables contain and the last cycle that there is. Nothing may be committed during the call.
func (s *Store) MakeTables(ctx context.Context, progress func(through, last wire.Cycle)) error {
	if !s.hasHistory {
		return nil
	}
	if s.write == nil {
		return fmt.Errorf("make tables: %s is open for reading only", s.path)
	}
	last, ok, err := query(s.read).Last(ctx)
	if err == nil {
		err = s.unpack(ctx)
	}
	for err == nil && ok {
		var through wire.Cycle
		if through, err = s.makeStep(ctx, last); err != nil {
			break
		}
		progress(through, last)
		if through >= last {
			return nil
		}
		s.checkpoint(ctx)
	}
	if err != nil {
		return fmt.Errorf("make tables in %s: %w", s.path, explainError(err))
	}
	return nil
}

// makeStep makes the rows of some cycles in one transaction.
func (s *Store) makeStep(ctx context.Context, last wire.Cycle) (through wire.Cycle, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // does nothing after Commit
	made, err := readTablesThrough(ctx, tx)
	if err != nil {
		return 0, err
	}
	if made.Valid {
		through = wire.Cycle(made.Int64)
	} else if through, err = cycleBeforeFirst(ctx, tx); err != nil {
		return 0, err
	}
	m := tableWriter{ctx: ctx, tx: tx, store: s}
	for through < last || through == noCycle {
		through++
		if err := m.cycle(through); err != nil {
			return 0, err
		}
		if m.rows >= rowsPerStep {
			break
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE history_state SET made = ?`, int64(through)); err != nil {
		return 0, err
	}
	return through, tx.Commit()
}

// noCycle is the cycle before the first.
const noCycle = ^wire.Cycle(0)

// cycleBeforeFirst is the cycle before the first that is stored.
func cycleBeforeFirst(ctx context.Context, tx *sql.Tx) (wire.Cycle, error) {
	var first int64
	err := tx.QueryRowContext(ctx, `SELECT min(cycle) FROM world_cycles`).Scan(&first)
	return wire.Cycle(first) - 1, err
}

// tableWriter writes the rows of cycles into their tables.
type tableWriter struct {
	ctx   context.Context
	tx    *sql.Tx
	store *Store
	rows  int
}

func (m *tableWriter) cycle(c wire.Cycle) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	batch := &engine.Batch{Cycle: engine.CycleRow{Cycle: c}}
	for i := range m.store.puts {
		p := &m.store.puts[i]
		var err error
		h := bulkOf(p.table)
		put := m.rowWriter(p, &err)
		switch {
		case h != nil:
			err = m.fill(h, c, batch, put, &err)
		case repeatsRecords(p.table):
			p.table.Rows(batch, put)
		}
		if err != nil {
			return fmt.Errorf("write %s.%s of cycle %d: %w", p.table.Schema, p.table.Name, c, err)
		}
	}
	return nil
}

// rowWriter returns what writes a row into a table.
func (m *tableWriter) rowWriter(p *put, err *error) func(v ...any) {
	run := execEach(context.WithoutCancel(m.ctx), m.tx, err, p.insert, p.upsert)
	return func(v ...any) {
		m.rows++
		run(v...)
	}
}

// fill writes the rows of a table in a cycle; records also go to the batch, for the tables
// that repeat them.
func (m *tableWriter) fill(h *bulk, c wire.Cycle, batch *engine.Batch, put func(v ...any), failed *error) error {
	v := make([]any, len(h.table.Columns))
	for part := int64(0); ; part++ {
		var body []byte
		err := m.tx.QueryRowContext(m.ctx, `SELECT body FROM history_blobs WHERE cycle = ? AND tbl = ? AND part = ?`, int64(c), h.name, part).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return *failed
		}
		if err != nil {
			return err
		}
		l := pageKey{c, h, part}
		raw, err := history.Unpack(body)
		if err != nil {
			return l.wrapError(err)
		}
		r := history.NewReader(&h.shape, raw)
		for r.Next() {
			r.Row(v)
			put(v...)
			if h == bulkRecords {
				batch.Rows = append(batch.Rows, rowOfRecord(v))
			}
		}
		if r.Err() != nil {
			return l.wrapError(r.Err())
		}
	}
}

// rowOfRecord is the record of a row of world.records.
func rowOfRecord(v []any) world.Row {
	return world.Row{
		System: wire.System(v[0].(int64) + 1), Table: v[1].(string), Key: binary.BigEndian.AppendUint64(nil, uint64(v[2].(int64))), Body: v[3].([]byte), Chain: true,
	}
}

// EventCounts returns how many events of each kind there were.
func (s *Store) EventCounts(ctx context.Context) (map[wire.EventKind]uint64, error) {
	if !s.hasHistory {
		counts, err := query(s.read).EventCounts(ctx)
		return counts, s.named(err)
	}
	counts, err := readKinds(ctx, s.read)
	if err != nil {
		return nil, s.named(fmt.Errorf("count events: %w", err))
	}
	return counts, nil
}

// EventsOf returns the payloads of the events of one kind in a cycle, in the order in which they were emitted. It needs no
// plain tables.
func (s *Store) EventsOf(ctx context.Context, c wire.Cycle, kind wire.EventKind) ([][]byte, error) {
	if !s.hasHistory {
		out, err := query(s.read).EventsOf(ctx, c, kind)
		return out, s.named(err)
	}
	var parts int64
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM history_blobs WHERE cycle = ? AND tbl = ?`, int64(c), bulkEvents.name).Scan(&parts); err != nil {
		return nil, s.named(fmt.Errorf("read events of cycle %d: %w", c, err))
	}
	payload := table.Events.Column("payload")
	var out [][]byte
	for part := range parts {
		l := pageKey{c, bulkEvents, part}
		raw, err := s.archive.rows(ctx, s.read, l)
		if err != nil {
			return nil, s.named(fmt.Errorf("read events of cycle %d: %w", c, err))
		}
		r := history.NewReader(&bulkEvents.shape, raw)
		for r.Next() {
			if wire.EventKind(r.Int(eventKind)) == kind {
				out = append(out, bytes.Clone(r.Bytes(payload)))
			}
		}
		if r.Err() != nil {
			return nil, l.wrapError(r.Err())
		}
	}
	return out, nil
}
