package oracle

import (
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// Ages in cycles above which the freshness of an entry drops.
const (
	agedAfterCycles  = 100
	staleAfterCycles = 500
)

// outdatedFactor is the factor for each reference to a tag of Vault that a newer tag has replaced.
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

	byTag map[wire.Hash][]uint32 // index: published entries by the tags that they refer to; nil: not built yet
}

// refreshDue updates the entries whose freshness may change at this cycle end: those that reach an age limit, those
// that were updated, and those that refer to a tag that was replaced.
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

// refresh recomputes the freshness of entries, in order of their ids, and emits the changes.
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

// freshness returns the freshness of a published entry in cycle now.
func (a *ages) freshness(e *packedEntry, now wire.Cycle) float32 {
	outdated := 0
	for _, tag := range a.tagsOf(e) {
		if _, old, _ := a.code.Tag(tag); old {
			outdated++
		}
	}
	return float32(Freshness(uint64(now-a.rules.Calendar.Cycle(e.updated.Tick())), outdated))
}

// tagsOf returns the distinct tags that a published entry refers to. Tags that were stored at or after the tick of
// its publication are left out, so that a later tag does not change what a reference means.
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

// entriesByTag returns the index byTag. After a restore the first call builds it, because Vault is restored after
// Oracle.
func (a *ages) entriesByTag() map[wire.Hash][]uint32 {
	if a.byTag == nil {
		a.byTag = map[wire.Hash][]uint32{}
		for _, n := range a.entries.order {
			a.indexTags(a.entries.at(n))
		}
	}
	return a.byTag
}

// indexTags adds a published entry to byTag.
func (a *ages) indexTags(e *packedEntry) {
	for _, tag := range a.tagsOf(e) {
		a.byTag[tag] = append(a.byTag[tag], e.number)
	}
}
