package agora

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// counters holds what agents have used of their quotas in this cycle, and until when they are barred. The cycle end
// visits only counters that were used in the cycle.
type counters struct {
	*world.Table[wire.AgentID, Counter]
	used map[wire.AgentID]struct{} // index: agents with posts or text in this cycle
}

func newCounters(s *world.State) *counters {
	return &counters{
		Table: world.NewTable[wire.AgentID, Counter](s, "counters", counterCodec),
		used:  map[wire.AgentID]struct{}{},
	}
}

// forUpdate returns the counter of a for writing, and creates it if there is none.
func (x *counters) forUpdate(a wire.AgentID) *Counter {
	if x.Get(a) == nil {
		x.Put(a, &Counter{})
	}
	return x.Edit(a)
}

// countPost counts a message of a.
func (x *counters) countPost(a wire.AgentID) {
	x.forUpdate(a).Posts++
	x.used[a] = struct{}{}
}

// mayWrite refuses text bytes of text if they exceed the sender's quota of the cycle.
func (x *counters) mayWrite(c *world.Context, text int) *world.Refusal {
	used := uint64(0)
	if n := x.Get(c.Source); n != nil {
		used = n.Text
	}
	return c.TextQuota(used, uint64(text), c.Rules.AgoraText)
}

// countText adds text bytes to what the sender has used.
func (x *counters) countText(c *world.Context, text int) {
	if text > 0 {
		x.forUpdate(c.Source).Text += uint64(text)
		x.used[c.Source] = struct{}{}
	}
}

// reset resets the quotas at the end of a cycle; next is the number of the next one.
func (x *counters) reset(next wire.Cycle) {
	for _, a := range det.SortedKeysFunc(x.used, wire.AgentID.Compare) {
		n := x.Edit(a)
		n.Posts, n.Text = 0, 0
		if n.BarredUntil <= next && n.GapUntil <= next && n.ClearedFrom <= next && n.Vain+n.Released == 0 {
			x.Delete(a)
		}
	}
	clear(x.used)
}

func (x *counters) restored() {
	x.Each(func(a wire.AgentID, n *Counter) {
		if n.Posts > 0 || n.Text > 0 {
			x.used[a] = struct{}{}
		}
	})
}
