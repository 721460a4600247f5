package nexus

import (
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// Hold carries out an operator's input: a sleeps until the beginning of cycle until, in which it wakes; nothing wakes
// it earlier. If it is held already, the later end counts.
func Hold(d *Daemon, c *world.Context, a wire.AgentID, until wire.Cycle, reason string) *world.Refusal {
	r := d.agents.Get(a)
	switch {
	case r == nil:
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "agent"}
	case until <= c.Cycle:
		return &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "until"}
	case r.Status == wire.StatusDormant:
	case !r.Status.MayBecome(wire.StatusDormant):
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "bad_transition"}
	default:
		d.putToSleep(c, a, reason)
	}
	rec := d.agents.Edit(a)
	if rec.HeldUntil == nil || *rec.HeldUntil < until {
		rec.HeldUntil = &until
	}
	return nil
}

// holdEnds says whether the hold of a sleeper, which has one, ends at this cycle end.
func (a *Agent) holdEnds(now wire.Cycle) bool { return now+1 >= *a.HeldUntil }

// SetParam carries out an operator's input: it sets a parameter like a passed CHANGE_PARAM, within the same bounds,
// but without the minimum time between changes.
func SetParam(d *Daemon, c *world.Context, name string, value int64) *world.Refusal {
	b, ok := d.params.bounds(name)
	switch {
	case !ok:
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "param"}
	case value < b.least || value > b.most:
		return &world.Refusal{
			Category: wire.CategoryInvalidRequest, Reason: "value",
			Details: []world.Detail{{Key: "want", Value: fmt.Sprintf("%d to %d", b.least, b.most)}},
		}
	}
	d.params.set(name, value, c.Cycle)
	return nil
}
