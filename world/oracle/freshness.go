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

// perOutdated is the factor for each reference to a tag of Vault that a newer one has overtaken.
const perOutdated = 0.8

// Freshness is the score of an entry last updated age cycles ago that refers to so many outdated
// tags: 1, × 0.9 after 100 cycles, × 0.7 as well after 500, × 0.8 for each of those tags.
func Freshness(age uint64, outdated int) float64 {
	f := 1.0
	if age > agedAfter {
		f = float64(f * 0.9)
	}
	if age > staleAt {
		f = float64(f * 0.7)
	}
	for range outdated {
		f = float64(f * perOutdated)
	}
	return det.Quantise(f)
}

// stale looks at the entries whose freshness may change at this cycle end: those that cross a
// border of age, those that were updated, and those that refer to a tag that was overtaken. All
// others keep theirs.
func (d *Daemon) stale(c *world.Context) {
	for _, border := range []wire.Cycle{agedAfter + 1, staleAt + 1} {
		if c.Cycle >= border {
			d.refresh(c, d.entries.updated[c.Cycle-border], "age")
		}
	}
	if d.code == nil {
		return
	}
	var ids []wire.Hash
	for _, tag := range d.code.Overtaken() {
		ids = append(ids, d.references()[tag]...)
	}
	d.refresh(c, append(ids, d.entries.updated[c.Cycle]...), "tag")
}

// refresh computes the freshness of entries anew.
func (d *Daemon) refresh(c *world.Context, ids []wire.Hash, reason string) {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, wire.Hash.Compare)
	for _, id := range slices.Compact(ids) {
		e := d.entries.Get(id)
		old, now := e.Head.Freshness, d.freshness(e, c.Cycle)
		if id == EntryZero || old == now {
			continue
		}
		d.entries.Edit(id).Head.Freshness = now
		d.entries.rate(e)
		d.emit(c, wire.KindStalenessDetected, e.Head.Author, &wire.StalenessDetectedEvent{
			EntryID: id, OldFreshness: old, NewFreshness: now, Reason: []byte(reason), Tick: c.Tick,
		})
	}
}

// freshness is that of a published entry in cycle now.
func (d *Daemon) freshness(e *Entry, now wire.Cycle) float32 {
	outdated := 0
	for _, tag := range d.tagsOf(e) {
		if _, old, _ := d.code.Tag(tag); old {
			outdated++
		}
	}
	return float32(Freshness(uint64(now-d.rules.Calendar.Cycle(e.Head.UpdatedAt)), outdated))
}

// tagsOf lists the tags that a published entry refers to, each once: those that were stored before
// the tick of its publication, so that no later tag changes what a reference means.
func (d *Daemon) tagsOf(e *Entry) (tags []wire.Hash) {
	if d.code == nil {
		return nil
	}
	for _, ref := range e.Head.References {
		if at, _, ok := d.code.Tag(ref); ok && at < e.PublishedAt && !slices.Contains(tags, ref) {
			tags = append(tags, ref)
		}
	}
	return tags
}

// references are the published entries that refer to a tag, by tag. After a restore they are found
// when somebody first asks, since Vault is restored later.
func (d *Daemon) references() map[wire.Hash][]wire.Hash {
	if d.aboutTag == nil {
		d.aboutTag = map[wire.Hash][]wire.Hash{}
		for _, x := range d.entries.order {
			d.refer(x.Entry)
		}
	}
	return d.aboutTag
}

// refer notes the tags that a published entry refers to.
func (d *Daemon) refer(e *Entry) {
	for _, tag := range d.tagsOf(e) {
		d.aboutTag[tag] = append(d.aboutTag[tag], e.Head.ID)
	}
}
