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
