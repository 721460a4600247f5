package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"kingdom/agent"
	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/world"
)

// archive reads the history. It may be used from several goroutines.
type archive struct {
	bundles bool // there is the table history_bundles, which files of earlier versions do not have

	mu          sync.Mutex
	recent      map[pageKey]page // pages used since the cache was half full
	older       map[pageKey]page // pages used before that; dropped when recent has grown to half of the limit
	recentBytes int              // bytes of recent
}

// pageKey identifies a blob, or with part firstAgents the list of blobs of a table and cycle.
type pageKey struct {
	cycle wire.Cycle
	table *bulk
	part  int64
}

// firstAgents, as a part, means the list of the agents with whom the blobs of a table and cycle begin.
const firstAgents = -1

// page is a cached value: the decompressed rows of a blob, a list of first agents, or a block of words. Pages never
// change.
type page struct {
	raw    []byte
	firsts [][]byte
	words  history.WordBlock
}

// archiveLimit bounds the pages in memory, in bytes.
const archiveLimit = 16 << 20

// database is what the history is read with: a handle or a transaction.
type database interface {
	querier
	rowQuerier
}

// past reads the history for package table, in one transaction.
type past struct {
	packedReader

	agent  wire.AgentID
	window *history.Window // of whose; nil: not read yet
}

// open returns a page from the cache, or else calls read.
func (a *archive) open(l pageKey, read func() (page, error)) (page, error) {
	a.mu.Lock()
	p, ok := a.recent[l]
	if !ok {
		if p, ok = a.older[l]; ok {
			a.put(l, p)
		}
	}
	a.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := read()
	if err != nil {
		return p, l.wrapError(err)
	}
	a.mu.Lock()
	a.put(l, p)
	a.mu.Unlock()
	return p, nil
}

func (a *archive) put(l pageKey, p page) {
	size := len(p.raw) + 64*len(p.firsts) + p.words.Size() + 64
	if a.recent == nil || a.recentBytes+size > archiveLimit/2 {
		a.older, a.recent, a.recentBytes = a.recent, map[pageKey]page{}, 0
	}
	a.recent[l] = p
	a.recentBytes += size
}

// clear drops all pages.
func (a *archive) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.recent, a.older, a.recentBytes = nil, nil, 0
}

// rows returns the decompressed rows of a blob.
func (a *archive) rows(ctx context.Context, db database, l pageKey) ([]byte, error) {
	p, err := a.open(l, func() (p page, err error) {
		var body []byte
		err = db.QueryRowContext(ctx, `SELECT body FROM history_blobs WHERE cycle = ? AND tbl = ? AND part = ?`, int64(l.cycle), l.table.name, l.part).Scan(&body)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = history.ErrMissing
		case err == nil:
			p.raw, err = history.Unpack(body)
		}
		return p, err
	})
	return p.raw, err
}

// partOf is the place of the blob with the rows of an agent in a cycle.
func (p *past) partOf(ctx context.Context, b *bulk, c wire.Cycle, id wire.AgentID) (part int64, err error) {
	list, err := p.open(pageKey{c, b, firstAgents}, func() (list page, err error) {
		err = query(p.db)(ctx, `SELECT first FROM history_blobs WHERE cycle = $1 AND tbl = $2 ORDER BY part`, []any{int64(c), b.name}, func(rows table.Cursor) error {
			for rows.Next() {
				var first []byte
				if err := rows.Scan(&first); err != nil {
					return err
				}
				list.firsts = append(list.firsts, first)
			}
			return rows.Err()
		})
		return list, err
	})
	for i, first := range list.firsts {
		if bytes.Compare(first, id[:]) <= 0 {
			part = int64(i)
		}
	}
	return part, err
}

// windowOf says where an agent's rows are.
func (p *past) windowOf(ctx context.Context, id wire.AgentID) (*history.Window, error) {
	if p.window == nil || p.agent != id {
		w, err := readWindow(ctx, p.db, id)
		if err != nil {
			return nil, fmt.Errorf("read where the history of agent %v is: %w", id, err)
		}
		p.agent, p.window = id, w
	}
	return p.window, nil
}

// wrapError adds to an error which blob could not be read.
func (l pageKey) wrapError(err error) error {
	return fmt.Errorf("read history of cycle %d, %s, part %d: %w", l.cycle, l.table.name, l.part, err)
}

// rowsOf hands over the rows of an agent in a cycle.
func (p *past) rowsOf(ctx context.Context, b *bulk, c wire.Cycle, id wire.AgentID, got func(v []any) error) error {
	part, err := p.partOf(ctx, b, c, id)
	if err != nil {
		return err
	}
	l := pageKey{c, b, part}
	raw, err := p.rows(ctx, p.db, l)
	if err != nil {
		return err
	}
	r := history.NewReader(&b.shape, raw)
	v := make([]any, len(b.table.Columns))
	if r.Seek(b.shape.Key(id[:])) {
		for r.More() && r.Next() {
			r.Row(v)
			if err := got(v); err != nil {
				return err
			}
		}
	}
	if r.Err() != nil {
		return l.wrapError(r.Err())
	}
	return nil
}

// Experiences implements table.Past.
func (p *past) Experiences(ctx context.Context, id wire.AgentID) ([]agent.ExperienceRow, error) {
	w, err := p.windowOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.experiences(ctx, id, w)
}

func (p *past) experiences(ctx context.Context, id wire.AgentID, w *history.Window) ([]agent.ExperienceRow, error) {
	var out []agent.ExperienceRow
	seen := map[uint64]bool{}
	for _, c := range w.ActCycles() { // the newest first, so that what was written twice counts as it stands last
		err := p.rowsOf(ctx, bulkExperiences, c, id, func(v []any) error {
			r := table.Experiences.Row(v)
			if !seen[r.ID] {
				seen[r.ID] = true
				r.Action, r.Lesson = slices.Clone(r.Action), slices.Clone(r.Lesson)
				out = append(out, r)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b agent.ExperienceRow) int { return cmp.Compare(a.ID, b.ID) })
	return out[max(0, len(out)-agent.RestoredExperiences):], nil
}

// EndedPlans implements table.Past.
func (p *past) EndedPlans(ctx context.Context, id wire.AgentID) ([]agent.PlanRow, error) {
	w, err := p.windowOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.endedPlans(ctx, id, w)
}

func (p *past) endedPlans(ctx context.Context, id wire.AgentID, w *history.Window) ([]agent.PlanRow, error) {
	var out []agent.PlanRow
	plans := w.Plans()
	for _, c := range w.PlanCycles() {
		err := p.rowsOf(ctx, bulkPlans, c, id, func(v []any) error {
			if at, ok := plans[uint64(v[0].(int64))]; ok && at == c {
				r := table.Plans.Row(v)
				r.Steps, r.Dependencies = slices.Clone(r.Steps), slices.Clone(r.Dependencies)
				out = append(out, r)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b agent.PlanRow) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// chainRows hands the records from ≤ number < to of an append-only table to each, in order.
func (p *past) chainRows(ctx context.Context, system wire.System, tbl string, from, to uint64, each func(world.Row) error) error {
	blobs, err := p.blobsOf(ctx, system, tbl, from, to)
	if err != nil {
		return err
	}
	number, body := table.Records.Column("number"), table.Records.Column("body")
	key := bulkRecords.shape.Key(int64(system)-1, tbl)
	for _, l := range blobs {
		raw, err := p.rows(ctx, p.db, l)
		if err != nil {
			return err
		}
		r := history.NewReader(&bulkRecords.shape, raw)
		for r.Seek(key) {
			for r.More() && r.Next() {
				n := uint64(r.Int(number))
				if n < from || n >= to {
					continue
				}
				row := world.Row{System: system, Table: tbl, Key: binary.BigEndian.AppendUint64(nil, n), Body: bytes.Clone(r.Bytes(body)), Chain: true}
				if err := each(row); err != nil {
					return err
				}
			}
		}
		if r.Err() != nil {
			return l.wrapError(r.Err())
		}
	}
	return nil
}

// blobsOf returns the keys of the blobs with the records from ≤ number < to, in order.
func (p *past) blobsOf(ctx context.Context, system wire.System, tbl string, from, to uint64) ([]pageKey, error) {
	rows, err := p.db.QueryContext(ctx, `SELECT cycle, part FROM history_chains WHERE system = ?1 AND tbl = ?2 AND number < ?4
		AND number >= COALESCE((SELECT max(number) FROM history_chains WHERE system = ?1 AND tbl = ?2 AND number <= ?3), 0) ORDER BY number`,
		int64(system)-1, tbl, int64(min(from, 1<<62)), int64(min(to, 1<<62)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err tells what was wrong
	var out []pageKey
	for rows.Next() {
		var c, part int64
		if err := rows.Scan(&c, &part); err != nil {
			return nil, err
		}
		if l := (pageKey{wire.Cycle(c), bulkRecords, part}); len(out) == 0 || out[len(out)-1] != l {
			out = append(out, l)
		}
	}
	return out, rows.Err()
}
