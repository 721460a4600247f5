package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// cooldowns keep an agent whose update of an entry was rejected from updating this entry again for restCycles cycles.
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

// expire deletes the cooldowns that have ended by cycle next.
func (x *cooldowns) expire(next wire.Cycle) {
	for _, until := range det.SortedKeys(x.expiring) {
		if until > next {
			return
		}
		for _, k := range x.expiring[until] {
			x.Delete(k) // an agent that rests makes no update that could be rejected, so k has no later cooldown
		}
		delete(x.expiring, until)
	}
}

func (x *cooldowns) restored() {
	x.Each(func(k string, r *Rest) { x.expiring[r.Until] = append(x.expiring[r.Until], k) })
}

// verifiedBy is how many agents must have verified a text so that only its author may change it.
const verifiedBy = 2

// refuseUpdate returns why the sender, if it is not the author, may not update e now, or nil.
func (x *cooldowns) refuseUpdate(c *world.Context, s *entries, e *packedEntry) *world.Refusal {
	pending := s.foreignEdits[e.number].pending
	switch rest := x.Get(approvalKey(s.idOf(e), c.Source)); {
	case pending != nil:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "pending", Details: []world.Detail{world.Until(pending.Due + 1)}}
	case e.verified >= verifiedBy: // only the author may change what two agents have verified
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "verified"}
	case rest != nil && c.Cycle < rest.Until:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "too_soon", Details: []world.Detail{c.UntilCycle(rest.Until)}}
	}
	return nil
}
