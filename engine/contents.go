package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"kingdom/wire"
	"kingdom/world"
)

// contentsLimit bounds the records that contentReader keeps in memory, in bytes.
const contentsLimit = 8 << 20

// contentReader reads records that the world no longer holds in memory from the store, through a bounded cache. The
// cache affects only speed. Several goroutines may use it.
type contentReader struct {
	db Store // nil: the world keeps all records in memory, so none is missing

	mu     sync.Mutex
	recent recordSet // used since the cache was last half full
	older  recordSet // used before that; dropped when recent fills half of the cache
	limit  int
	tables map[recordTable]bool // tables of which a record was read from the store
}

// recordTable names an append-only table.
type recordTable struct {
	system wire.System
	name   string
}

type recordSet struct {
	bodies map[wire.RecordID][]byte
	bytes  int
}

func newContentReader(db Store) *contentReader {
	return &contentReader{db: db, recent: recordSet{bodies: map[wire.RecordID][]byte{}}, limit: contentsLimit, tables: map[recordTable]bool{}}
}

// fill reads the missing records and hands each to its Fill function.
func (x *contentReader) fill(ctx context.Context, missing []wire.Missing) error {
	if len(missing) == 0 {
		return nil
	}
	bodies, rest := x.cached(missing)
	for len(rest) > 0 { // consecutive records are read with one call
		first, n := rest[0], uint64(1)
		for n < uint64(len(rest)) && rest[n] == (wire.RecordID{System: first.System, Table: first.Table, Number: first.Number + n}) {
			n++
		}
		rest = rest[n:]
		err := x.db.ChainRows(ctx, first.System, first.Table, first.Number, first.Number+n, func(r world.Row) error {
			bodies[first] = r.Body
			first.Number++
			return nil
		})
		if err != nil {
			return fmt.Errorf("read contents: %w", err)
		}
	}
	for i := range missing {
		m := &missing[i]
		body, ok := bodies[m.Record]
		if !ok {
			return fmt.Errorf("read contents: record %d of %v table %s is not in the store, which was changed from outside: restore it from a copy",
				m.Record.Number, m.Record.System, m.Record.Table)
		}
		if err := m.Fill(body); err != nil {
			return err
		}
	}
	x.addAll(bodies)
	return nil
}

// cached returns the records that are in the cache and the sorted ids of those that are not.
func (x *contentReader) cached(missing []wire.Missing) (bodies map[wire.RecordID][]byte, rest []wire.RecordID) {
	bodies = make(map[wire.RecordID][]byte, len(missing))
	x.mu.Lock()
	for i := range missing {
		id := missing[i].Record
		if b, ok := x.recent.bodies[id]; ok {
			bodies[id] = b
		} else if b, ok := x.older.bodies[id]; ok {
			bodies[id] = b
		} else {
			rest = append(rest, id)
			x.tables[recordTable{id.System, id.Table}] = true
		}
	}
	x.mu.Unlock()
	slices.SortFunc(rest, wire.RecordID.Compare)
	return bodies, slices.Compact(rest)
}

// addAll adds records that were used to the recent ones.
func (x *contentReader) addAll(bodies map[wire.RecordID][]byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id, b := range bodies {
		x.add(id, b)
	}
}

// addNew adds records that were just written to the store, if records of their table have been read before: new
// records are read most often, and the world soon drops them from memory.
func (x *contentReader) addNew(rows []world.Row) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range rows {
		if r := &rows[i]; r.Chain && x.tables[recordTable{r.System, r.Table}] {
			x.add(wire.RecordID{System: r.System, Table: r.Table, Number: binary.BigEndian.Uint64(r.Key)}, r.Body)
		}
	}
}

// add adds a record to the recent ones; the caller holds the lock.
func (x *contentReader) add(id wire.RecordID, body []byte) {
	if _, ok := x.recent.bodies[id]; ok || len(body) > x.limit/2 {
		return
	}
	if x.recent.bytes+len(body) > x.limit/2 {
		x.older, x.recent = x.recent, recordSet{bodies: map[wire.RecordID][]byte{}}
	}
	x.recent.bodies[id] = body
	x.recent.bytes += len(body)
}
