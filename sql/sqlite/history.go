package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"

	"kingdom/engine"
	"kingdom/sql/history"
	"kingdom/wire"
)

// historyWriter writes the bulk of each cycle into the history, in the transaction of the cycle.
type historyWriter struct {
	windows map[wire.AgentID]*history.Window // as they are stored
	kinds   history.Counts                   // as they are stored; nil: not read yet
	words   *history.Words                   // as they are stored; nil: not read yet, or written by a commit that failed
	rows    bundledRows                      // as they are stored; nil: none is known
	places  map[wire.AgentID]int64           // of agents among the agents

	blob, chain, window, state, word *sql.Stmt
	value, bundle, place             *sql.Stmt // of bundles
}

// pendingHistory is what a commit changes in the writer when it succeeds.
type pendingHistory struct {
	windows map[wire.AgentID]*history.Window
	order   []wire.AgentID // keys of windows, in the order in which they were added
	kinds   history.Counts
	words   *history.Words
	rows    bundledRows
}

func newHistoryWriter(ctx context.Context, db *sql.DB) (*historyWriter, error) {
	k := &historyWriter{windows: map[wire.AgentID]*history.Window{}, places: map[wire.AgentID]int64{}}
	for stmt, text := range map[**sql.Stmt]string{
		&k.blob:   `INSERT INTO history_blobs (cycle, tbl, part, first, n, body) VALUES (?, ?, ?, ?, ?, ?)`,
		&k.chain:  `INSERT INTO history_chains (system, tbl, number, cycle, part) VALUES (?, ?, ?, ?, ?)`,
		&k.window: `INSERT INTO history_agents (agent_id, body) VALUES (?, ?) ON CONFLICT (agent_id) DO UPDATE SET body = excluded.body`,
		&k.word:   `INSERT INTO history_words (generation, part, body) VALUES (?, ?, ?)`,
		&k.value:  valueByPlace,
		&k.bundle: `INSERT INTO history_bundles (agent, tbl, body) VALUES (?, ?, ?) ON CONFLICT (agent, tbl) DO UPDATE SET body = excluded.body`,
		&k.place:  `SELECT spawn_index FROM nexus_agents WHERE id = ?`,
		&k.state:  `INSERT INTO history_state (id, kinds) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET kinds = excluded.kinds`,
	} {
		var err error
		if *stmt, err = db.PrepareContext(ctx, text); err != nil {
			return nil, fmt.Errorf("prepare history: %w", err)
		}
	}
	return k, nil
}

// historyCommit is one commit.
type historyCommit struct {
	*historyWriter
	tx      *sql.Tx
	c       wire.Cycle
	pending pendingHistory

	putBlob, putChain, putWindow, putState, putWord func(v ...any)
	err                                             error
}

// begin starts the history of a commit. The first one reads what is stored.
func (k *historyWriter) begin(ctx context.Context, tx *sql.Tx, c wire.Cycle) (*historyCommit, error) {
	if k.kinds == nil {
		kinds, err := readKinds(ctx, tx)
		if err != nil {
			return nil, err
		}
		k.kinds = kinds
	}
	words, err := k.wordsOf(ctx, tx, c)
	if err != nil {
		return nil, err
	}
	n := &historyCommit{historyWriter: k, tx: tx, c: c, pending: pendingHistory{map[wire.AgentID]*history.Window{}, nil, maps.Clone(k.kinds), words, k.takeRows()}}
	ctx = context.WithoutCancel(ctx) // as in put.write
	n.putWord = execEach(ctx, tx, &n.err, nil, k.word)
	n.putBlob, n.putChain = execEach(ctx, tx, &n.err, nil, k.blob), execEach(ctx, tx, &n.err, nil, k.chain)
	n.putWindow, n.putState = execEach(ctx, tx, &n.err, nil, k.window), execEach(ctx, tx, &n.err, nil, k.state)
	return n, nil
}

// readKinds reads how many events of each kind the history has.
func readKinds(ctx context.Context, db rowQuerier) (history.Counts, error) {
	var b []byte
	err := db.QueryRowContext(ctx, `SELECT kinds FROM history_state`).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return history.Counts{}, nil
	}
	if err != nil {
		return nil, err
	}
	return history.ReadCounts(b)
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, sql string, args ...any) *sql.Row
}

// write puts the rows of a table into the history; those that may still change go to
// bundles, where they stay until they are final.
func (k *historyCommit) write(ctx context.Context, h *bulk, b *engine.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	w := history.NewWriter(&h.shape)
	var living *bundleWriter
	if d := bundledOf(h.table); d != nil {
		living = k.bundling(ctx, d)
	}
	h.table.Rows(b, func(v ...any) {
		if !h.isFinal(v) {
			living.addChanged(v)
			return
		}
		part, first := w.Put(v...)
		if living != nil {
			living.addGone(v)
		}
		if first && h == bulkRecords {
			k.putChain(v[0], v[1], v[2], int64(k.c), int64(part))
		}
		k.note(ctx, h, v)
	})
	if living != nil {
		living.nextAgent(bundleAgent{})
	}
	for part, blob := range w.Blobs() {
		k.putBlob(int64(k.c), h.name, int64(part), blob.First, int64(blob.Rows), blob.Body)
	}
	return k.err
}

// note records in the window of an agent or in the event counts that a row was written.
func (k *historyCommit) note(ctx context.Context, h *bulk, v []any) {
	switch h {
	case bulkExperiences, bulkPlans:
		w := k.windowOf(ctx, wire.AgentID(v[h.agent].([]byte)))
		if h == bulkPlans {
			w.Ended(k.c, uint64(v[0].(int64)))
		} else {
			w.Act(k.c, uint64(v[0].(int64)))
		}
	case bulkEvents:
		k.pending.kinds[wire.EventKind(v[eventKind].(int64))]++
	}
}

// windowOf is the window of an agent as this commit leaves it.
func (k *historyCommit) windowOf(ctx context.Context, id wire.AgentID) *history.Window {
	if w := k.pending.windows[id]; w != nil {
		return w
	}
	w := k.windows[id]
	if w == nil {
		var err error
		if w, err = readWindow(ctx, k.tx, id); err != nil && k.err == nil {
			k.err = err
		}
		if err != nil {
			w = new(history.Window)
		}
	}
	w = w.Clone()
	k.pending.windows[id] = w
	k.pending.order = append(k.pending.order, id)
	return w
}

// readWindow reads which cycles an agent is restored from.
func readWindow(ctx context.Context, db rowQuerier, id wire.AgentID) (*history.Window, error) {
	var b []byte
	err := db.QueryRowContext(ctx, `SELECT body FROM history_agents WHERE agent_id = ?`, id[:]).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return new(history.Window), nil
	}
	if err != nil {
		return nil, err
	}
	return history.ReadWindow(b)
}

// finish writes windows, event counts and new words.
func (k *historyCommit) finish() error {
	for _, id := range k.pending.order {
		k.putWindow(id[:], k.pending.windows[id].Append(nil))
	}
	k.putState(k.pending.kinds.Append(nil))
	first, blocks := k.pending.words.Blocks()
	for i, b := range blocks {
		k.putWord(int64(k.pending.words.Generation), int64(first+i), b)
	}
	return k.err
}

// apply updates the writer after the commit succeeded.
func (k *historyCommit) apply() {
	k.kinds, k.words, k.rows = k.pending.kinds, k.pending.words, k.pending.rows
	maps.Copy(k.windows, k.pending.windows)
}

// hasHistory reports whether the final rows of a world are in the history.
func hasHistory(ctx context.Context, db rowQuerier) (bool, error) {
	if ok, err := hasTable(ctx, db, "history_state"); err != nil || !ok {
		return false, err // written by a version that had no history
	}
	var n int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM history_state`).Scan(&n)
	return n > 0, err
}

// hasTable reports whether the file has a table; files of earlier versions lack some.
func hasTable(ctx context.Context, db rowQuerier, name string) (bool, error) {
	var n int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name = ?`, name).Scan(&n)
	return n > 0, err
}
