package engine

import (
	"errors"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// A store that lost rows of undelivered events or of tables that no daemon reads back is refused, and the error names
// the table.
func TestResume_RefusesStoreThatLostRows(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store}, 8)
	drop := func(tables ...string) func(m *memStore) {
		return func(m *memStore) {
			for k, r := range m.rows {
				for _, name := range tables {
					if r.Table == name {
						delete(m.rows, k)
					}
				}
			}
		}
	}
	for name, c := range map[string]struct {
		tamper func(m *memStore)
		want   string
	}{
		"queues":   {drop("bus.queues"), "bus.queues"},
		"all":      {drop("bus.queues", "bus.events", "bus.feed"), "bus.feed"},
		"events":   {drop("bus.events"), "bus.events"},
		"messages": {func(m *memStore) { delete(m.chains, place{wire.SystemAgora, "messages"}) }, "AGORA table messages"},
		"a transaction": {func(m *memStore) {
			p := place{wire.SystemMint, "transactions"}
			m.chains[p] = append([]world.Row{}, m.chains[p][1:]...)
		}, "MINT table transactions"},
	} {
		t.Run(name, func(t *testing.T) {
			m := store.copy()
			c.tamper(m)
			_, err := Resume(t.Context(), testConfig("42", 4), Options{Dir: copyDir(t, dir), Store: m, Mind: testMind("42")})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("resume of a store without %s = %v, want a refusal that names %s", name, err, c.want)
			}
		})
	}
}

// A run from before the bus had a hash can be resumed and compared without it.
func TestResume_AcceptsOldRunWithoutBusHash(t *testing.T) {
	store, dir := newMemStore(), t.TempDir()
	mustRun(t, testConfig("42", 4), Options{Dir: dir, Store: store}, 1)
	img, err := store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(testConfig("42", 4), Options{Store: store}, true)
	img.Cycle.BusHash = wire.Hash{}
	if err := e.restore(t.Context(), img); err != nil {
		t.Errorf("restore without a bus hash = %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	row := img.Cycle
	row.BusHash = wire.Hash{1}
	if err := compareCycle(img.Cycle, row); err != nil {
		t.Errorf("a row without a bus hash differs from one with it: %v", err)
	}
	var d *DivergenceError
	if err := compareCycle(row, img.Cycle); !errors.As(err, &d) || d.Component != "bus_hash" {
		t.Errorf("a lost bus hash = %v, want a divergence of bus_hash", err)
	}
}
