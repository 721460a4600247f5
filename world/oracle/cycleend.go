package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// CycleEnd is step 2 of a cycle end: updates whose window is over take effect, peer reviews end, then
// scores age, questions become bounties, new entries are compared with older ones, and
// counters begin anew.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.writer.applyDue(c)
	d.entries.pending.Take(c.Cycle)
	d.endReviews(c)
	d.ages.refreshDue(c)
	d.gaps.open(c)
	d.duplicates.compare(c)
	d.cooldowns.expire(c.Cycle + 1)
	d.counters.reset()
}

// dueUpdates returns the entries whose pending update takes effect at the end of cycle now, ids ascending.
func (s *entries) dueUpdates(cal wire.Calendar, now wire.Cycle) (out []*packedEntry) {
	for _, id := range s.pending.Due(now) {
		if e := s.find(id); e != nil {
			if p := s.foreignEdits[e.number].pending; p != nil && cal.Cycle(p.Due) <= now {
				out = append(out, e)
			}
		}
	}
	return out
}

// applyDue applies the updates that are due, except those of entries that two agents have verified meanwhile: these only
// their author may change.
func (x *writer) applyDue(c *world.Context) {
	for _, e := range x.entries.dueUpdates(x.rules.Calendar, c.Cycle) {
		if e.verified >= verifiedBy {
			x.dropPending(c, e, Self, nil)
			continue
		}
		p := x.entries.takePending(e)
		list, err := decodeBody(x.versions.body(x.entries.idOf(e), p.Version))
		if err != nil {
			panic("oracle: a stored body cannot be read: " + err.Error())
		}
		x.apply(c, e, p.Version, p.Author, nil, list)
	}
}
