package oracle

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of the comparison of new entries with older ones.
const (
	neighbours = 256 // newest entries of each tag
	remarks    = 16  // flags and suggestions per new entry
	duplicate  = 0.8 // similarity above which a pair is flagged
	linkTags   = 2   // shared tags from which a link is suggested
)

// compare looks at the entries published since the last cycle end, oldest first.
func (d *Daemon) compare(c *world.Context) {
	first := len(d.order)
	for first > 0 && d.rules.Calendar.Cycle(d.entries.Get(d.order[first-1]).PublishedAt) == c.Cycle {
		first--
	}
	for _, id := range d.order[first:] {
		d.remark(c, d.entries.Get(id))
	}
}

// remark compares one new entry with those published before it.
func (d *Daemon) remark(c *world.Context, e *Entry) {
	left := remarks
	seen := map[wire.Hash]struct{}{}
	for _, t := range e.Head.Tags {
		list := d.byTag[string(t)]
		at := len(list) - 1
		for d.entries.Get(list[at]).Place >= e.Place {
			at--
			if at < 0 {
				break
			}
		}
		for i := at; i >= 0 && i > at-neighbours && left > 0; i-- {
			if _, ok := seen[list[i]]; ok {
				continue
			}
			seen[list[i]] = struct{}{}
			left -= d.pair(c, &e.Head, &d.entries.Get(list[i]).Head, left)
		}
	}
}

// pair reports what two entries have in common, at most left events, and says how many.
func (d *Daemon) pair(c *world.Context, a, b *wire.OracleEntry, left int) (n int) {
	if s := Similarity(a, b); s > duplicate {
		d.emit(c, wire.KindDuplicateFlagged, a.Author, &wire.DuplicateFlaggedEvent{
			NewEntryID: a.ID, ExistingEntryID: b.ID, Similarity: float32(s), Tick: c.Tick,
		})
		n++
	}
	if n < left && shared(a.Tags, b.Tags) >= linkTags && !d.related(a.ID, b.ID) {
		common := slices.DeleteFunc(slices.Clone(a.Tags), func(t []byte) bool { return !contains(b.Tags, t) })
		d.emit(c, wire.KindCrossLinkSuggested, a.Author, &wire.CrossLinkSuggestedEvent{
			Source: a.ID, Target: b.ID, SharedTags: common, Tick: c.Tick,
		})
		n++
	}
	return n
}
