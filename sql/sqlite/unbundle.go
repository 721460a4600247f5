package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"kingdom/sql/table"
)

// unbundle moves the rows in values of history_bundles into their tables. If it is interrupted, the next call continues
// with the values that are left.
func (s *Store) unbundle(ctx context.Context) error {
	for {
		n, err := s.unbundleSome(ctx)
		if err != nil || n == 0 {
			return err
		}
		s.checkpoint(ctx)
	}
}

// unbundleSome moves some values in one transaction, and returns how many.
func (s *Store) unbundleSome(ctx context.Context) (int, error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // does nothing after Commit
	if s.historyWriter != nil {
		s.historyWriter.takeRows() // they are in their tables from now on
	}
	type value struct {
		of   bundleAgent
		name string
		body []byte
	}
	var values []value
	err = query(tx)(ctx, `SELECT b.agent, a.id, b.tbl, b.body FROM history_bundles b JOIN nexus_agents a ON a.spawn_index = b.agent ORDER BY b.agent, b.tbl LIMIT $1`, []any{agentsPerStep}, func(c table.Cursor) error {
		for c.Next() {
			var v value
			if err := c.Scan(&v.of.place, &v.of.id, &v.name, &v.body); err != nil {
				return err
			}
			values = append(values, v)
		}
		return c.Err()
	})
	if err != nil {
		return 0, err
	}
	for _, v := range values {
		for i := range s.puts {
			if d := bundledOf(s.puts[i].table); d != nil && d.name == v.name {
				if err := d.unbundle(ctx, tx, &s.puts[i], v.of, v.body); err != nil {
					return 0, fmt.Errorf("write %s of agent %x: %w", d.name, v.of.id, err)
				}
			}
		}
	}
	return len(values), tx.Commit()
}

func bundledOf(t *table.Table) *bundled {
	for _, d := range bundledTables {
		if d.table == t {
			return d
		}
	}
	return nil
}

// unbundle replaces the rows of an agent in the table by those of its value, and deletes the value.
func (d *bundled) unbundle(ctx context.Context, tx *sql.Tx, w *put, of bundleAgent, body []byte) error {
	rows, err := d.bundle.Unpack(body)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, table.Flat(`DELETE FROM `+d.name+` WHERE `+d.where), d.keyOf(of)); err != nil {
		return err
	}
	put := execEach(context.WithoutCancel(ctx), tx, &err, nil, w.upsert)
	for _, row := range rows {
		put(row...)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM history_bundles WHERE agent = ? AND tbl = ?`, of.place, d.name)
	}
	return err
}
