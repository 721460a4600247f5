package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// cooldowns keep an agent whose update of an entry was rejected from making another there
// for a while.
type cooldowns struct {
	*world.Table[string, Rest]                         // entry ‖ agent
	expiring                   map[wire.Cycle][]string // index: keys by Until
}

func newCooldowns(s *world.State) *cooldowns {
	return &cooldowns{Table: world.NewTable[string](s, "rests", restCodec), expiring: map[wire.Cycle][]string{}}
}

func (x *cooldowns) set(entry wire.Hash, a wire.AgentID, until wire.Cycle) {
	k := approvalKey(entry, a)
	x.Put(k, &Rest{Until: until})
	x.expiring[until] = append(x.expiring[until], k)
}

// expire drops the rests that are over from cycle next on.
func (x *cooldowns) expire(next wire.Cycle) {
	for _, until := range det.SortedKeys(x.expiring) {
		if until > next {
			return
		}
		for _, k := range x.expiring[until] {
			if r := x.Get(k); r != nil && r.Until <= next {
				x.Delete(k)
			}
		}
		delete(x.expiring, until)
	}
}

func (x *cooldowns) restored() {
	x.Each(func(k string, r *Rest) { x.expiring[r.Until] = append(x.expiring[r.Until], k) })
}

// refuseUpdate says why the sender, who is not the author, may not update e now.
func (x *cooldowns) refuseUpdate(c *world.Context, s *entries, e *packedEntry) *world.Refusal {
	pending := s.foreignEdits[e.number].pending
	switch rest := x.Get(approvalKey(s.idOf(e), c.Source)); {
	case pending != nil:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "pending", Details: []world.Detail{world.Until(pending.Due + 1)}}
	case e.verified >= 2: // what two have verified is not a stranger's to change
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "verified"}
	case rest != nil && c.Cycle < rest.Until:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "too_soon", Details: []world.Detail{c.UntilCycle(rest.Until)}}
	}
	return nil
}
