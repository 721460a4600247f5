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

// duplicates compares new entries with older ones and says what they have in common.
type duplicates struct {
	rules   *world.Rules
	entries *entries
	round   uint64 // of comparison: an entry is compared once in each
}

// compare looks at the entries published since the last cycle end, oldest first.
func (d *duplicates) compare(c *world.Context) {
	first := len(d.entries.order)
	for first > 0 && d.rules.Calendar.Cycle(d.entries.order[first-1].PublishedAt) == c.Cycle {
		first--
	}
	for _, e := range d.entries.order[first:] {
		d.remark(c, e)
	}
}

// remark compares one new entry with those published before it.
func (d *duplicates) remark(c *world.Context, e *card) {
	left := remarks
	d.round++
	d.entries.like.compareWith(e.Head.Title)
	for _, t := range e.Head.Tags {
		list := d.entries.byTag[string(t)].cards
		at := len(list) - 1
		for at >= 0 && list[at].Place >= e.Place {
			at--
		}
		for i := at; i >= 0 && i > at-neighbours && left > 0; i-- {
			if o := list[i]; o.round != d.round {
				o.round = d.round
				left -= d.pair(c, e, o, left)
			}
		}
	}
}

// pair reports what two entries have in common, at most left events, and says how many.
func (d *duplicates) pair(c *world.Context, a, b *card, left int) (n int) {
	x, y := &a.Head, &b.Head
	if s, same := a.similarity(b, &d.entries.like, duplicate); same {
		emit(c, wire.KindDuplicateFlagged, x.Author, &wire.DuplicateFlaggedEvent{
			NewEntryID: x.ID, ExistingEntryID: y.ID, Similarity: float32(s), Tick: c.Tick,
		})
		n++
	}
	if n < left && common(a.topics, b.topics) >= linkTags && !d.entries.links.related(x.ID, y.ID) {
		tags := slices.DeleteFunc(slices.Clone(x.Tags), func(t []byte) bool { return !contains(y.Tags, t) })
		emit(c, wire.KindCrossLinkSuggested, x.Author, &wire.CrossLinkSuggestedEvent{
			Source: x.ID, Target: y.ID, SharedTags: tags, Tick: c.Tick,
		})
		n++
	}
	return n
}
