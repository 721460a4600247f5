package oracle

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// Ages in cycles beyond which an entry is staler.
const (
	agedAfter = 100
	staleAt   = 500
)

// Freshness is the score of an entry last updated age cycles ago: 1, × 0.9 after 100
// cycles, × 0.7 as well after 500.
func Freshness(age uint64) float64 {
	f := 1.0
	if age > agedAfter {
		f = float64(f * 0.9)
	}
	if age > staleAt {
		f = float64(f * 0.7)
	}
	return det.Quantise(f)
}

// age looks at the entries that cross a border at this cycle end: the score is a
// function of the age, so all others keep theirs.
func (d *Daemon) age(c *world.Context) {
	for _, border := range []wire.Cycle{agedAfter + 1, staleAt + 1} {
		if c.Cycle < border {
			continue
		}
		then := c.Cycle - border
		ids := slices.Clone(d.entries.updated[then])
		slices.SortFunc(ids, wire.Hash.Compare)
		for _, id := range slices.Compact(ids) {
			e := d.entries.Get(id)
			if id == EntryZero || d.rules.Calendar.Cycle(e.Head.UpdatedAt) != then {
				continue
			}
			old, now := e.Head.Freshness, float32(Freshness(uint64(border)))
			if old == now {
				continue
			}
			d.entries.Edit(id).Head.Freshness = now
			d.entries.rate(e)
			d.emit(c, wire.KindStalenessDetected, e.Head.Author, &wire.StalenessDetectedEvent{
				EntryID: id, OldFreshness: old, NewFreshness: now, Reason: []byte("age"), Tick: c.Tick,
			})
		}
	}
}
