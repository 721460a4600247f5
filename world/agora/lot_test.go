package agora

import (
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// TestLot: three of those awake are drawn in the mean, and three more in each further cycle, until all are; who is drawn stays
// so.
func TestLot(t *testing.T) {
	const awake, things = 64, 256
	r := &world.Rules{Seed: wire.WorldSeed("42")}
	for cycle := range wire.Cycle(awake/juryPerCycle + 1) {
		drawn := 0
		for thing := range things {
			l := lot{thing: wire.Hash{byte(thing)}, at: 300, since: 1}
			for i := range awake {
				a := wire.AgentID{byte(i), 1}
				switch now, before := l.drew(r, awake, a, 1+cycle), l.drew(r, awake, a, max(cycle, 1)); {
				case now:
					drawn++
				case before:
					t.Fatalf("agent %d is drawn for %d in cycle %d and not in the next", i, thing, cycle)
				}
			}
		}
		want := min(awake, juryPerCycle*int(1+cycle))
		if mean := float64(drawn) / things; mean < float64(want)*0.9 || mean > float64(want)*1.1 {
			t.Errorf("%.2f of %d are drawn in cycle %d, want about %d", mean, awake, cycle, want)
		}
	}
}

// BenchmarkLot is what a look at a lot costs; a view looks at one for each open request that names nobody, 64 at most.
func BenchmarkLot(b *testing.B) {
	r, l := &world.Rules{Seed: wire.WorldSeed("42")}, lot{at: 300}
	for b.Loop() {
		l.drew(r, 64, wire.AgentID{1}, 0)
	}
}
