package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
	"kingdom/world"
)

// Cursor iterates over the rows of a query. The rows types of both drivers implement it.
type Cursor interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// Query runs a statement in PostgreSQL's dialect (for SQLite the store rewrites it with [Flat]) and calls rows with
// the result.
type Query func(ctx context.Context, sql string, args []any, rows func(Cursor) error) error

// each scans every row of a query: dest names what the columns go to, and got
// takes them.
func (q Query) each(ctx context.Context, sql string, args []any, dest []any, got func()) error {
	return q(ctx, sql, args, func(c Cursor) error {
		for c.Next() {
			if err := c.Scan(dest...); err != nil {
				return err
			}
			got()
		}
		return c.Err()
	})
}

// Run reads the identity of the world; nil if the database holds none.
func (q Query) Run(ctx context.Context) (*engine.RunRow, error) {
	var r engine.RunRow
	var digest []byte
	var physics int64
	var out *engine.RunRow
	var damage error
	err := q.each(ctx, `SELECT scenario, digest, seed, physics FROM world.run`, nil,
		[]any{&r.Scenario, &digest, &r.Seed, &physics}, func() {
			r.Digest, damage = ID32[wire.Hash]("world.run.digest", digest)
			r.Physics, out = uint32(physics), &r
		})
	if err = cmp.Or(err, damage); err != nil {
		return nil, fmt.Errorf("read run: %w", err)
	}
	return out, nil
}

// Last reads the number of the last committed cycle; ok is false if there is none.
func (q Query) Last(ctx context.Context) (c wire.Cycle, ok bool, err error) {
	var n *int64
	err = q.each(ctx, `SELECT max(cycle) FROM world.cycles`, nil, []any{&n}, func() {
		if n != nil {
			c, ok = wire.Cycle(*n), true
		}
	})
	if err != nil {
		return 0, false, fmt.Errorf("read last cycle: %w", err)
	}
	return c, ok, nil
}

// Cycles reads the cycle rows from..to, both inclusive, ascending.
func (q Query) Cycles(ctx context.Context, from, to wire.Cycle) ([]engine.CycleRow, error) {
	var out []engine.CycleRow
	err := Cycles.read(ctx, q, `WHERE cycle BETWEEN $1 AND $2 ORDER BY cycle`, []any{int64(min(from, 1<<62)), int64(min(to, 1<<62))},
		func(r engine.CycleRow) { out = append(out, r) })
	if err != nil {
		return nil, fmt.Errorf("read cycles: %w", err)
	}
	return out, nil
}

// ChainRows calls each with the records from ≤ number < to of an append-only table, in order, without keeping them.
// It stops at the first error of each.
func (q Query) ChainRows(ctx context.Context, system wire.System, table string, from, to uint64, each func(world.Row) error) error {
	var number int64
	var body []byte
	err := q(ctx, `SELECT number, body FROM world.records WHERE system = $1 AND tbl = $2 AND number >= $3 AND number < $4 ORDER BY number`,
		[]any{int64(system) - 1, table, int64(min(from, 1<<62)), int64(min(to, 1<<62))}, func(c Cursor) error {
			for c.Next() {
				if err := c.Scan(&number, &body); err != nil {
					return err
				}
				key := binary.BigEndian.AppendUint64(nil, uint64(number))
				if err := each(world.Row{System: system, Table: table, Key: key, Body: detach(&body), Chain: true}); err != nil {
					return err
				}
			}
			return c.Err()
		})
	if err != nil {
		return fmt.Errorf("read records of %v table %s: %w", system, table, err)
	}
	return nil
}

// rows reads the records of tables that change.
func (q Query) rows(ctx context.Context, past Past) ([]world.Row, error) {
	var out []world.Row
	var failed error
	var system int64
	var table string
	var key, body []byte
	err := q.each(ctx, `SELECT system, tbl, key, body FROM world.rows ORDER BY system, tbl, key`, nil,
		[]any{&system, &table, &key, &body}, func() {
			r := world.Row{System: wire.System(system + 1), Table: table, Key: detach(&key), Body: detach(&body)}
			if past != nil && failed == nil {
				if failed = past.Record(ctx, &r); failed != nil {
					failed = fmt.Errorf("read %x of %v table %s: %w", r.Key, r.System, r.Table, failed)
				}
			}
			out = append(out, r)
		})
	return out, cmp.Or(err, failed)
}

// heads reads where the append-only tables stand.
func (q Query) heads(ctx context.Context) ([]world.Head, error) {
	var out []world.Head
	var system, count int64
	var table string
	var digest []byte
	var damage error
	err := q.each(ctx, `SELECT system, tbl, digest, count FROM world.chains ORDER BY system, tbl`, nil,
		[]any{&system, &table, &digest, &count}, func() {
			h := world.Head{System: wire.System(system + 1), Table: table, Count: uint64(count)}
			var bad error
			h.Digest, bad = ID32[wire.Hash]("world.chains.digest", digest)
			out, damage = append(out, h), cmp.Or(damage, bad)
		})
	return out, cmp.Or(err, damage)
}

// Load reads the last committed cycle; it returns nil if the database holds no world. The query must see one state of
// the database throughout. past is nil if the tables are complete.
func (q Query) Load(ctx context.Context, past Past) (*engine.Image, error) {
	run, err := q.Run(ctx)
	if err != nil || run == nil {
		return nil, err
	}
	last, ok, err := q.Last(ctx)
	if err != nil || !ok {
		return nil, err
	}
	cycles, err := q.Cycles(ctx, last, last)
	if err != nil {
		return nil, err
	}
	if len(cycles) == 0 {
		return nil, &RowError{fmt.Sprintf("world.cycles has a row of cycle %d, which no run reaches", int64(last))}
	}
	im := &engine.Image{Run: *run, Cycle: cycles[0]}
	if im.Rows, err = q.rows(ctx, past); err != nil {
		return nil, fmt.Errorf("load world rows: %w", err)
	}
	if im.Heads, err = q.heads(ctx); err != nil {
		return nil, fmt.Errorf("load world heads: %w", err)
	}
	if im.Minds, err = q.minds(ctx, past); err != nil {
		return nil, fmt.Errorf("load minds: %w", err)
	}
	return im, nil
}

// EventCounts reads how many events of each kind there were.
func (q Query) EventCounts(ctx context.Context) (map[wire.EventKind]uint64, error) {
	out := map[wire.EventKind]uint64{}
	var kind, n int64
	err := q.each(ctx, `SELECT kind, count(*) FROM observer.events GROUP BY kind`, nil, []any{&kind, &n}, func() {
		out[wire.EventKind(kind)] = uint64(n)
	})
	if err != nil {
		return nil, fmt.Errorf("count events: %w", err)
	}
	return out, nil
}

// EventsOf reads the payloads of the events of one kind in a cycle, in the order in which they were emitted.
func (q Query) EventsOf(ctx context.Context, c wire.Cycle, kind wire.EventKind) ([][]byte, error) {
	var out [][]byte
	var payload []byte
	err := q.each(ctx, `SELECT payload FROM observer.events WHERE cycle = $1 AND kind = $2 ORDER BY lamport, agent`, []any{int64(c), int64(kind)}, []any{&payload}, func() {
		out = append(out, detach(&payload))
	})
	if err != nil {
		return nil, fmt.Errorf("read events of cycle %d: %w", c, err)
	}
	return out, nil
}

// detach takes a scanned value out of its variable, so that the next scan cannot
// overwrite it.
func detach(p *[]byte) []byte {
	b := *p
	*p = nil
	if b == nil {
		b = []byte{}
	}
	return b
}

// minds reads every agent of which something is stored, ascending by id.
func (q Query) minds(ctx context.Context, past Past) ([]agent.Rows, error) {
	m := mindReader{query: q, past: past, byAgent: map[wire.AgentID]*agent.Rows{}}
	if err := m.read(ctx, ""); err != nil {
		return nil, err
	}
	out := make([]agent.Rows, 0, len(m.order))
	for _, r := range m.order {
		out = append(out, *r)
	}
	return out, nil
}

// LoadAgent reads what is stored of one agent. past is nil if the tables are complete.
func (q Query) LoadAgent(ctx context.Context, id wire.AgentID, past Past) (agent.Rows, error) {
	m := mindReader{query: q, past: past, byAgent: map[wire.AgentID]*agent.Rows{}}
	if err := m.read(ctx, `WHERE agent_id = $1`, id[:]); err != nil {
		return agent.Rows{}, fmt.Errorf("load agent %v: %w", id, err)
	}
	if len(m.order) == 0 {
		return agent.Rows{}, nil
	}
	return *m.order[0], nil
}
