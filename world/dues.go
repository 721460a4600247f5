package world

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// Dues is a calendar of things that become due, so that a cycle end needs to look only at those. It is an index,
// rebuilt on restore. Things that were settled early stay in it, so the caller has to check whether a thing is still
// due.
type Dues struct{ at map[wire.Cycle][]wire.Hash }

// Schedule notes that something becomes due at the end of a cycle, or at the next cycle end if that one is over.
func (d *Dues) Schedule(c wire.Cycle, id wire.Hash) {
	if d.at == nil {
		d.at = map[wire.Cycle][]wire.Hash{}
	}
	d.at[c] = append(d.at[c], id)
}

// Due returns what is due at the end of a cycle, ids ascending, each once.
func (d *Dues) Due(now wire.Cycle) (ids []wire.Hash) {
	for _, c := range det.SortedKeys(d.at) {
		if c > now {
			break
		}
		ids = append(ids, d.at[c]...)
	}
	slices.SortFunc(ids, wire.Hash.Compare)
	return slices.Compact(ids)
}

// Take is [Dues.Due], and removes what it returns.
func (d *Dues) Take(now wire.Cycle) []wire.Hash {
	ids := d.Due(now)
	for _, c := range det.SortedKeys(d.at) {
		if c > now {
			break
		}
		delete(d.at, c)
	}
	return ids
}
