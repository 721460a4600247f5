package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
)

// bundled is a table of which a store with a history keeps the rows of an agent (its beliefs, or its plans and goals that
// have not ended) as one value of history_bundles, because separate rows need more than twice the space. Making tables
// moves the rows back into the table. An agent without a value has its rows in the table, where an earlier version or the
// making of tables wrote them; it gets a value when one of them changes.
type bundled struct {
	table   *table.Table
	bundle  *history.Bundle
	name    string
	agent   int    // column of the agent whose row it is
	byPlace bool   // no index finds rows by agent, but their ids begin with its place among the agents
	where   string // what the rows of an agent are; $1 is that place, or the agent's id
}

func newBundled(t *table.Table, placed bool, where string, shared ...string) *bundled {
	return &bundled{t, history.NewBundle(t, shared...), t.Schema + "." + t.Name, t.Column("agent_id"), placed, where}
}

const (
	idsOfPlace = `id >= $1 * 4294967296 AND id < ($1 + 1) * 4294967296`
	openRowsOf = `agent_id = $1 AND status < 2`
)

var (
	bundledBeliefs = newBundled(table.Beliefs.Table, true, idsOfPlace, "evidence")
	bundledPlans   = newBundled(table.Plans.Table, false, openRowsOf)
	bundledGoals   = newBundled(table.Goals.Table, false, openRowsOf)

	bundledTables = []*bundled{bundledBeliefs, bundledPlans, bundledGoals}
)

// bundleAgent is an agent whose rows are in a bundle.
type bundleAgent struct {
	place int64 // spawn_index
	id    []byte
}

// keyOf returns the parameter $1 of the condition where: the place of an agent, or its id.
func (d *bundled) keyOf(of bundleAgent) any {
	if d.byPlace {
		return of.place
	}
	return of.id
}

// bundleWriter brings the values of a table up to date with a batch, agent after agent.
type bundleWriter struct {
	*historyCommit
	*bundled
	ctx context.Context
	put func(v ...any)

	current bundleAgent // the agent whose rows are collected
	changed [][]any     // its rows that are new or changed
	gone    []any       // ids of those that it has no more
}

func (k *historyCommit) bundling(ctx context.Context, d *bundled) *bundleWriter {
	return &bundleWriter{historyCommit: k, bundled: d, ctx: ctx, put: execEach(ctx, k.tx, &k.err, nil, k.bundle)}
}

// addChanged adds a row that is new or has changed.
func (g *bundleWriter) addChanged(v []any) {
	if g.begin(v) {
		g.changed = append(g.changed, slices.Clone(v))
	}
}

// addGone adds a row that must be removed from the value.
func (g *bundleWriter) addGone(v []any) {
	if g.begin(v) {
		g.gone = append(g.gone, v[0])
	}
}

// begin writes the value of the agent before, if the row v belongs to another agent. It returns false after an error.
func (g *bundleWriter) begin(v []any) bool {
	of := bundleAgent{id: v[g.agent].([]byte)}
	if g.err != nil || g.current.id != nil && bytes.Equal(g.current.id, of.id) {
		return g.err == nil
	}
	var err error
	if of.place, err = g.placeOf(g.ctx, of.id); err != nil {
		g.err = fmt.Errorf("find agent %x among the agents: %w", of.id, err)
	}
	g.nextAgent(of)
	return g.err == nil
}

// placeOf returns the place (spawn_index) of an agent.
func (k *historyCommit) placeOf(ctx context.Context, id []byte) (place int64, err error) {
	place, ok := k.places[wire.AgentID(id)]
	if !ok {
		if err = k.tx.StmtContext(ctx, k.place).QueryRowContext(ctx, id).Scan(&place); err == nil {
			k.places[wire.AgentID(id)] = place
		}
	}
	return place, err
}

// nextAgent writes the value of the agent whose rows were collected, and begins with another. What changes and is gone in one
// cycle ends up gone.
func (g *bundleWriter) nextAgent(next bundleAgent) {
	if g.err == nil && len(g.changed)+len(g.gone) > 0 {
		if err := g.write(); err != nil && g.err == nil {
			g.err = fmt.Errorf("write what agent %d of the world has: %w", g.current.place, err)
		}
	}
	g.current, g.changed, g.gone = next, g.changed[:0], g.gone[:0]
}

func (g *bundleWriter) write() error {
	key := bundleKey{g.current.place, g.name}
	rows, known := g.pending.rows[key]
	if !known {
		var err error
		if rows, err = g.currentRows(g.ctx, g.tx, g.tx.StmtContext(g.ctx, g.value), g.current); err != nil {
			return err
		}
	}
	find := func(id any) (int, bool) {
		return slices.BinarySearchFunc(rows, id, func(row []any, id any) int { return compareIDs(row[0], id) })
	}
	for _, row := range g.changed {
		i, ok := find(row[0])
		if !ok {
			rows = slices.Insert(rows, i, nil)
		}
		rows[i] = row
	}
	for _, id := range g.gone {
		if i, ok := find(id); ok {
			rows = slices.Delete(rows, i, i+1)
		}
	}
	g.put(g.current.place, g.name, g.bundle.Pack(rows))
	g.pending.rows.put(key, rows, g.changed)
	return nil
}

// compareIDs compares ids of rows: numbers, or hashes.
func compareIDs(a, b any) int {
	if n, ok := a.(int64); ok {
		return cmp.Compare(n, b.(int64))
	}
	return bytes.Compare(a.([]byte), b.([]byte))
}

// writeBeliefs brings the beliefs of all agents up to date with a batch.
func (k *historyCommit) writeBeliefs(ctx context.Context, b *engine.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g := k.bundling(context.WithoutCancel(ctx), bundledBeliefs) // as in put.write
	dropped := map[int64][]any{}                                // by the place of the agent
	table.Beliefs.Gone(b, func(v ...any) {
		place := v[0].(int64) >> 32
		dropped[place] = append(dropped[place], v[0])
	})
	table.Beliefs.Rows(b, func(v ...any) {
		g.addChanged(v)
		g.gone = append(g.gone, dropped[g.current.place]...)
		delete(dropped, g.current.place)
	})
	for _, place := range slices.Sorted(maps.Keys(dropped)) {
		g.nextAgent(bundleAgent{place: place})
		g.gone = dropped[place]
	}
	g.nextAgent(bundleAgent{})
	return k.err
}

// Statements that find the value of an agent.
const (
	valueByPlace = `SELECT body FROM history_bundles WHERE agent = ? AND tbl = ?`
	valueByAgent = `SELECT body FROM history_bundles WHERE agent = (SELECT spawn_index FROM nexus_agents WHERE id = ?) AND tbl = ?`
)

// currentRows returns the rows of an agent, ascending by id, from its value or, if it has none, from the table.
func (d *bundled) currentRows(ctx context.Context, db querier, value *sql.Stmt, of bundleAgent) (rows [][]any, err error) {
	var body []byte
	if err = value.QueryRowContext(ctx, of.place, d.name).Scan(&body); err == nil {
		return d.bundle.Unpack(body)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	err = query(db)(ctx, `SELECT `+d.table.Names()+` FROM `+d.name+` WHERE `+d.where+` ORDER BY id`, []any{d.keyOf(of)}, func(c table.Cursor) error {
		for c.Next() {
			row, err := scanRow(c, d.table)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return c.Err()
	})
	return rows, err
}

// scanRow is the row of a table that a cursor is at.
func scanRow(c table.Cursor, t *table.Table) ([]any, error) {
	row, dest := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range row {
		dest[i] = &row[i]
	}
	return row, c.Scan(dest...)
}

// Bundled implements table.Past.
func (p packedReader) Bundled(ctx context.Context, id wire.AgentID, r *agent.Rows) error {
	if !p.bundles {
		return nil
	}
	for _, d := range bundledTables {
		var body []byte
		err := p.db.QueryRowContext(ctx, valueByAgent, id[:], d.name).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		var rows [][]any
		if err == nil {
			rows, err = d.bundle.Unpack(body)
		}
		if err != nil {
			return fmt.Errorf("read %s of agent %v: %w", d.name, id, err)
		}
		switch d {
		case bundledBeliefs:
			r.Beliefs = derivedRows(table.Beliefs, rows)
		case bundledPlans:
			r.Plans = derivedRows(table.Plans, rows)
		case bundledGoals:
			r.Goals = derivedRows(table.Goals, rows)
		}
	}
	return nil
}

func derivedRows[R any](t *table.Derived[R], rows [][]any) (list []R) {
	for _, row := range rows {
		list = append(list, t.Row(row))
	}
	return list
}
