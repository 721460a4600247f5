package engine

import (
	"context"
	"fmt"
	"strings"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// busTables begins the names of the tables of what waits to be delivered.
const busTables = "bus."

// checkBus compares what waits to be delivered with its hash in the cycle row. Deliveries
// decide what agents see next, so a lost one would change the run from here on.
func checkBus(w *realm.Realm, img *Image) error {
	want := img.Cycle.BusHash
	got := w.BusHash()
	if want.IsZero() || got == want {
		return nil
	}
	rows := map[string]int{"bus.events": 0, "bus.feed": 0, "bus.queues": 0}
	for i := range img.Rows {
		if r := &img.Rows[i]; !r.Chain && strings.HasPrefix(r.Table, busTables) {
			rows[r.Table]++
		}
	}
	return &DivergenceError{
		Cycle: img.Cycle.Cycle, Component: "bus_hash of the stored rows (tables bus.events, bus.feed and bus.queues of world.rows)", Want: want.String(),
		Got: fmt.Sprintf("%v of %d, %d and %d rows", got, rows["bus.events"], rows["bus.feed"], rows["bus.queues"]),
	}
}

// checkChains recomputes the heads of the append-only tables that no daemon reads when it
// is restored: nothing else would miss their records.
func checkChains(ctx context.Context, db Store, w *realm.Realm, img *Image) error {
	for _, h := range img.Heads {
		if w.Needs(h.System, h.Table) {
			continue // its daemon checks it
		}
		var got world.Head
		err := db.ChainRows(ctx, h.System, h.Table, 0, h.Count, func(r world.Row) error {
			got.Digest = world.FoldRecord(got.Digest, got.Count, r.Body)
			got.Count++
			return nil
		})
		if err != nil {
			return fmt.Errorf("check the stored records: %w", err)
		}
		if got.Digest != h.Digest || got.Count != h.Count {
			return &DivergenceError{
				Cycle: img.Cycle.Cycle, Component: fmt.Sprintf("world.records of %v table %s", h.System, h.Table),
				Want: fmt.Sprintf("%v of %d records", h.Digest, h.Count), Got: fmt.Sprintf("%v of %d records", got.Digest, got.Count),
			}
		}
	}
	return nil
}

// shownEntries are the entries among the changed records of a cycle, as they stand at its end.
type shownEntries struct {
	entries []wire.OracleEntry
	missing []wire.Missing // bodies that the flush has to read
}

// changedEntries reads the world and so belongs to the cycle end, before the flush.
func changedEntries(w *realm.Realm, rows []world.Row) *shownEntries {
	n := 0
	for i := range rows {
		if isEntry(&rows[i]) {
			n++
		}
	}
	out := &shownEntries{entries: make([]wire.OracleEntry, n)}
	n = 0
	for i := range rows {
		if isEntry(&rows[i]) {
			w.Oracle().Show(&out.missing, wire.Hash(rows[i].Key), &out.entries[n])
			n++
		}
	}
	return out
}

func isEntry(r *world.Row) bool {
	return r.System == wire.SystemOracle && r.Table == "entries" && r.Body != nil
}

// bodies are the texts by entry, once what was missing is filled in.
func (s *shownEntries) bodies() map[wire.Hash][]byte {
	out := make(map[wire.Hash][]byte, len(s.entries))
	for i := range s.entries {
		out[s.entries[i].ID] = s.entries[i].Body
	}
	return out
}
