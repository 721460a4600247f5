package oracle

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// fakeVault is a Vault that holds tags only.
type fakeVault struct {
	world.Vault
	stored    map[wire.Hash]wire.Tick
	outdated  []wire.Hash
	overtaken []wire.Hash
}

func (v *fakeVault) Tag(id wire.Hash) (wire.Tick, bool, bool) {
	at, ok := v.stored[id]
	return at, slices.Contains(v.outdated, id), ok
}

func (v *fakeVault) OutdatedTags() []wire.Hash { return v.overtaken }

// outdate makes tags outdated in the cycle that ends next.
func (v *fakeVault) outdate(tags ...wire.Hash) {
	v.overtaken = tags
	v.outdated = append(v.outdated, tags...)
}

// An entry is staler for each tag that it refers to once the tag's repo has a newer one; other entries are not looked
// at.
func TestStaleness_EntryReferringToOutdatedTag(t *testing.T) {
	old, late, other := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	for _, restored := range []bool{false, true} {
		b := newBench(t)
		v := &fakeVault{stored: map[wire.Hash]wire.Tick{old: 100, late: 256, other: 90}}
		b.ages.code = v
		about := func(title string, refs ...wire.Hash) wire.Hash {
			q := draft(title)
			q.Entry.References = refs
			return b.post(0, q)
		}
		one := about("one", old, old, wire.Hash{9})
		two := about("two", other, old)
		none := about("none", late) // stored in the tick of the publication: nobody has seen it
		b.end(1)
		if restored { // the index over references is made anew
			b.ages.byTag = nil
		}
		v.outdate(old, late)
		b.end(2)
		if d := cmp.Diff([]string{"staleness_detected", "staleness_detected"}, b.kinds()); d != "" {
			t.Error(d)
		}
		for _, e := range b.c.Events {
			if p := e.Payload.(*wire.StalenessDetectedEvent); string(p.Reason) != "tag" {
				t.Errorf("stale because of %s", p.Reason)
			}
		}
		v.outdate(other)
		b.end(3)
		v.overtaken = nil
		fresh := func(e wire.Hash, want float64) {
			t.Helper()
			if got := b.head(e).Freshness; got != float32(det.Quantise(want)) {
				t.Errorf("freshness %v, want %v", got, want)
			}
		}
		fresh(one, 0.8)
		fresh(two, 0.8*0.8)
		fresh(none, 1)
		b.at(4 * 256)
		b.must(0, &wire.EntryUpdate{EntryID: two, NewBody: wire.TextBody("new")})
		fresh(two, 1)
		b.end(4) // what it refers to is as old as before
		fresh(two, 0.8*0.8)
		fresh(about("late", other), 0.8)
		b.end(102) // age comes on top
		fresh(one, 0.8*0.9)
	}
}
