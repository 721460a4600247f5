package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

const (
	maxWrites   = 8 // entries published and updated per agent and cycle
	maxVerified = 4 // verifications per agent and cycle that count for its reputation
)

// counters holds what agents have used of their quotas in this cycle.
type counters struct {
	*world.Table[wire.AgentID, Counter]
}

func newCounters(s *world.State) *counters {
	return &counters{world.NewTable[wire.AgentID](s, "counters", counterCodec)}
}

func (x *counters) forUpdate(a wire.AgentID) *Counter {
	if x.Get(a) == nil {
		x.Put(a, &Counter{})
	}
	return x.Edit(a)
}

// mayWrite refuses an entry or update with text bytes of text if it exceeds the sender's quotas of the cycle.
func (x *counters) mayWrite(c *world.Context, text int) *world.Refusal {
	if n := x.Get(c.Source); n != nil && n.Writes >= maxWrites {
		return &world.Refusal{
			Category: wire.CategoryQuotaExceeded, Reason: "rate",
			Details: []world.Detail{world.Limit(maxWrites), c.UntilCycle(c.Cycle + 1)},
		}
	}
	return x.mayAdd(c, text)
}

// mayAdd refuses text bytes of text if they exceed the sender's quota of the cycle.
func (x *counters) mayAdd(c *world.Context, text int) *world.Refusal {
	used := uint64(0)
	if n := x.Get(c.Source); n != nil {
		used = n.Text
	}
	return c.TextQuota(used, uint64(text), c.Rules.OracleText)
}

func (x *counters) countWrite(c *world.Context, text int) {
	x.forUpdate(c.Source).Writes++
	x.countText(c, text)
}

// countText adds text bytes to what the sender has used.
func (x *counters) countText(c *world.Context, text int) {
	if text > 0 {
		x.forUpdate(c.Source).Text += uint64(text)
	}
}

// creditVerifier credits an agent with its verification of an entry by author, once another agent has given the same
// verdict, so that neither verdicts without reading nor agreeing to what others said earn reputation. The VERIFY pair
// must be free, and at most maxVerified verifications count in a cycle.
func (x *counters) creditVerifier(c *world.Context, d *Daemon, verifier, author wire.AgentID) {
	if n := x.Get(verifier); n != nil && n.Verified >= maxVerified {
		return
	}
	if d.ledger.UsePair(c, world.PairVerify, verifier, author) {
		x.forUpdate(verifier).Verified++
		d.roster.AddContribution(c, verifier, verifierQuarters)
	}
}

// reset deletes all counters at the end of a cycle.
func (x *counters) reset() { x.Each(func(a wire.AgentID, _ *Counter) { x.Delete(a) }) }
