package engine

import (
	"context"
	"fmt"
	"strings"

	"kingdom/world"
	"kingdom/world/realm"
)

// busTables is the prefix of the names of the tables with undelivered messages and events.
const busTables = "bus."

// checkBus compares the undelivered messages and events with their hash in the cycle row. They decide what agents see
// next, so a lost one would change the rest of the run.
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
		Cycle: img.Cycle.Cycle, Stored: true, Component: "bus_hash of the stored rows (tables bus.events, bus.feed and bus.queues of world.rows)", Want: want.String(),
		Got: fmt.Sprintf("%v of %d, %d and %d rows", got, rows["bus.events"], rows["bus.feed"], rows["bus.queues"]),
	}
}

// checkChains recomputes the heads of the append-only tables that no daemon reads when it is restored. Without this
// check lost records of these tables would not be noticed.
func checkChains(ctx context.Context, db Store, w *realm.Realm, img *Image) error {
	for _, h := range img.Heads {
		if w.Needs(h.System, h.Table) {
			continue // checked by its daemon
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
				Cycle: img.Cycle.Cycle, Stored: true, Component: fmt.Sprintf("world.records of %v table %s", h.System, h.Table),
				Want: fmt.Sprintf("%v of %d records", h.Digest, h.Count), Got: fmt.Sprintf("%v of %d records", got.Digest, got.Count),
			}
		}
	}
	return nil
}
