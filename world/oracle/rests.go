package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// rests keep an agent whose update of an entry was rejected from making another there
// for a while.
type rests struct {
	*world.Table[string, Rest]                         // entry ‖ agent
	due                        map[wire.Cycle][]string // index: keys by Until
}

func newRests(s *world.State) *rests {
	return &rests{Table: world.NewTable[string](s, "rests", restCodec), due: map[wire.Cycle][]string{}}
}

func (x *rests) set(entry wire.Hash, a wire.AgentID, until wire.Cycle) {
	k := approvalKey(entry, a)
	x.Put(k, &Rest{Until: until})
	x.due[until] = append(x.due[until], k)
}

// forget drops the rests that are over from cycle next on.
func (x *rests) forget(next wire.Cycle) {
	for _, until := range det.SortedKeys(x.due) {
		if until > next {
			return
		}
		for _, k := range x.due[until] {
			if r := x.Get(k); r != nil && r.Until <= next {
				x.Delete(k)
			}
		}
		delete(x.due, until)
	}
}

func (x *rests) restored() {
	x.Each(func(k string, r *Rest) { x.due[r.Until] = append(x.due[r.Until], k) })
}

// stranger says why the sender, who is not the author, may not update e now.
func (x *rests) stranger(c *world.Context, s *entries, e *card) *world.Refusal {
	pending := s.others[e.number].pending
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
