package portal

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// At the end of a cycle the counts begin anew. Whoever has to wait beyond the next tick keeps a record, others none.
func TestUsage_EndOfACycle(t *testing.T) {
	const last = 1000 // tick of the cycle
	for _, c := range []struct {
		before Usage
		want   *Usage
	}{
		{Usage{Used: 3, Hits: 2, Last: last}, nil},
		{Usage{Used: 3, Last: 990, Until: last}, nil},
		{Usage{Used: 3, Last: 991, Until: last + 1}, nil},
		{Usage{Used: 3, Last: 992, Until: last + 2}, &Usage{Last: 992, Until: last + 2}},
		{Usage{Used: 3, Hits: 2, Last: last, Until: last + 10}, &Usage{Last: last, Until: last + 10}},
	} {
		l := newLab(t, 3)
		l.usage.Put(agentID(0), &c.before)
		before := c.before
		l.State().Hash()
		l.usage.endCycle(last)
		got := l.usage.Get(agentID(0))
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%+v becomes %+v, want %+v", before, got, c.want)
		}
		other := newLab(t, 3)
		if c.want != nil {
			other.usage.Put(agentID(0), c.want)
		}
		if l.State().Hash() != other.State().Hash() {
			t.Errorf("%+v: the hash is not that of the new counts", before)
		}
	}
}

// An agent that spent its quota and waits for a busy server has a new quota in the next cycle, but waits on.
func TestUsage_WaitingLastsLongerThanTheQuota(t *testing.T) {
	l := newLab(t, 3)
	l.at(l.rules.Calendar.Last(l.c.Cycle) - 5)
	ask := func(want string) {
		t.Helper()
		if got := reasonOf(l.send(0, fmt.Sprintf("https://docs.test/%d", l.msgs), wire.HTTPMethodGet)); got != want {
			t.Errorf("tick %d: %q, want %q", l.c.Tick, got, want)
		}
	}
	for range firstQuota - 1 {
		ask("")
	}
	l.status = 503
	ask("fetch_failed 0703")
	wait := l.c.Tick + restTicks
	l.status = 200
	l.endCycle()
	l.at(wait - 2)
	ask("rate 0701")
	for range firstQuota {
		ask("")
	}
	ask("quota 0701")
}
