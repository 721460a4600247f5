package oracle

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of the comparison of new entries with older ones.
const (
	maxNeighbours  = 256 // newest entries of each tag that are compared
	maxReports     = 16  // flags and suggestions per new entry
	duplicateAbove = 0.8 // similarity from which on a pair is flagged: similarities are quantised, and 0.8 comes out just above
	minLinkTags    = 2   // shared tags from which a link is suggested
)

// duplicates compares new entries with older ones, flags duplicates and suggests links.
type duplicates struct {
	rules   *world.Rules
	entries *entries
	round   uint32 // one per new entry; an older entry is compared once in each
}

// compare compares the entries published since the last cycle end, oldest first.
func (d *duplicates) compare(c *world.Context) {
	first := len(d.entries.order)
	for first > 0 && d.rules.Calendar.Cycle(d.entries.at(d.entries.order[first-1]).published.Tick()) == c.Cycle {
		first--
	}
	for _, n := range d.entries.order[first:] {
		d.compareEntry(c, d.entries.at(n))
	}
}

// compareEntry compares one new entry with those published before it.
func (d *duplicates) compareEntry(c *world.Context, e *packedEntry) {
	left := maxReports
	d.round++
	d.entries.titles.setText(d.entries.title(e))
	var buf [8]uint32
	topics := d.entries.topicNumbers(buf[:0], e)
	for _, t := range topics {
		list := d.entries.byNumber[t].entries
		at := len(list) - 1
		for at >= 0 && d.entries.at(list[at]).place >= e.place {
			at--
		}
		for i := at; i >= 0 && i > at-maxNeighbours && left > 0; i-- {
			if o := d.entries.at(list[i]); o.comparedIn != d.round {
				o.comparedIn = d.round
				left -= d.reportPair(c, e, o, topics, left)
			}
		}
	}
}

// reportPair emits at most left events about what two entries have in common, and returns how many. topics are the
// tags of a.
func (d *duplicates) reportPair(c *world.Context, a, b *packedEntry, topics []uint32, left int) (n int) {
	var buf [8]uint32
	theirs := d.entries.topicNumbers(buf[:0], b)
	both := shared(topics, theirs)
	if s, same := d.entries.similarity(a, b, jaccard(both, len(topics), len(theirs)), duplicateAbove); same {
		emit(c, wire.KindDuplicateFlagged, d.entries.author(a), &wire.DuplicateFlaggedEvent{
			NewEntryID: d.entries.idOf(a), ExistingEntryID: d.entries.idOf(b), Similarity: float32(s), Tick: c.Tick,
		})
		n++
	}
	if n == left || both < minLinkTags {
		return n
	}
	if x, y := d.entries.idOf(a), d.entries.idOf(b); !d.entries.links.related(x, y) {
		tags := make([][]byte, 0, both)
		for _, t := range topics {
			if slices.Contains(theirs, t) {
				tags = append(tags, d.entries.byNumber[t].name)
			}
		}
		emit(c, wire.KindCrossLinkSuggested, d.entries.author(a), &wire.CrossLinkSuggestedEvent{
			Source: x, Target: y, SharedTags: tags, Tick: c.Tick,
		})
		n++
	}
	return n
}
