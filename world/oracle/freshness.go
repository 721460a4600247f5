package oracle

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// Ages in cycles beyond which an entry is staler.
const (
	agedAfterCycles  = 100
	staleAfterCycles = 500
)

// outdatedFactor is the factor for each reference to a tag of Vault that a newer one has overtaken.
const outdatedFactor = 0.8

// Freshness returns the score of an entry that was last updated age cycles ago and refers to this many outdated tags:
// 1, × 0.9 after 100 cycles, × 0.7 more after 500, × 0.8 for each of the tags.
func Freshness(age uint64, outdated int) float64 {
	f := 1.0
	if age > agedAfterCycles {
		f = float64(f * 0.9)
	}
	if age > staleAfterCycles {
		f = float64(f * 0.7)
	}
	for range outdated {
		f = float64(f * outdatedFactor)
	}
	return det.Quantise(f)
}

// ages keeps the freshness of published entries.
type ages struct {
	rules   *world.Rules
	entries *entries
	code    world.Vault // nil: this world has no Vault

	byTag map[wire.Hash][]uint32 // index: published entries by a tag that they refer to; nil: not made yet
}

// refreshDue looks at the entries whose freshness may change at this cycle end: those that cross a
// border of age, those that were updated, and those that refer to a tag that was overtaken. All
// others keep theirs.
func (a *ages) refreshDue(c *world.Context) {
	for _, border := range []wire.Cycle{agedAfterCycles + 1, staleAfterCycles + 1} {
		if c.Cycle >= border {
			a.refresh(c, a.entries.updated[c.Cycle-border], "age")
		}
	}
	if a.code == nil {
		return
	}
	var list []uint32
	for _, tag := range a.code.OutdatedTags() {
		list = append(list, a.entriesByTag()[tag]...)
	}
	a.refresh(c, append(list, a.entries.updated[c.Cycle]...), "tag")
}

// refresh computes the freshness of entries anew.
func (a *ages) refresh(c *world.Context, list []uint32, reason string) {
	names := a.entries.ids
	list = slices.Clone(list)
	slices.SortFunc(list, func(m, n uint32) int { return names.id(m).Compare(*names.id(n)) })
	for _, n := range slices.Compact(list) {
		e, id := a.entries.at(n), *names.id(n)
		old, now := e.freshness, a.freshness(e, c.Cycle)
		if id == EntryZero || old == now {
			continue
		}
		a.entries.markChanged(e)
		e.freshness = now
		a.entries.updateGrade(e)
		emit(c, wire.KindStalenessDetected, a.entries.author(e), &wire.StalenessDetectedEvent{
			EntryID: id, OldFreshness: old, NewFreshness: now, Reason: []byte(reason), Tick: c.Tick,
		})
	}
}

// freshness is that of a published entry in cycle now.
func (a *ages) freshness(e *packedEntry, now wire.Cycle) float32 {
	outdated := 0
	for _, tag := range a.tagsOf(e) {
		if _, old, _ := a.code.Tag(tag); old {
			outdated++
		}
	}
	return float32(Freshness(uint64(now-a.rules.Calendar.Cycle(e.updated.Tick())), outdated))
}

// tagsOf lists the tags that a published entry refers to, each once: those that were stored before
// the tick of its publication, so that no later tag changes what a reference means.
func (a *ages) tagsOf(e *packedEntry) (tags []wire.Hash) {
	if a.code == nil {
		return nil
	}
	for _, ref := range a.entries.textOf(e).References {
		if at, _, ok := a.code.Tag(ref); ok && at < e.published.Tick() && !slices.Contains(tags, ref) {
			tags = append(tags, ref)
		}
	}
	return tags
}

// entriesByTag are the published entries that refer to a tag, by tag. After a restore they are found
// when somebody first asks, since Vault is restored later.
func (a *ages) entriesByTag() map[wire.Hash][]uint32 {
	if a.byTag == nil {
		a.byTag = map[wire.Hash][]uint32{}
		for _, n := range a.entries.order {
			a.indexTags(a.entries.at(n))
		}
	}
	return a.byTag
}

// indexTags notes the tags that a published entry refers to.
func (a *ages) indexTags(e *packedEntry) {
	for _, tag := range a.tagsOf(e) {
		a.byTag[tag] = append(a.byTag[tag], e.number)
	}
}
