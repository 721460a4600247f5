package oracle

import (
	"kingdom/wire"
	"kingdom/world"
)

// CycleEnd is step 2 of a cycle end: updates whose window is over take effect, then
// scores age, questions become bounties, new entries are compared with older ones, and
// counters begin anew.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.texts.mature(c)
	d.entries.pending.Take(c.Cycle)
	d.ages.stale(c)
	d.gaps.open(c)
	d.duplicates.compare(c)
	d.rests.forget(c.Cycle + 1)
	d.counters.reset()
}

// maturing lists the entries whose pending update takes effect at the end of a cycle, ids ascending.
func (s *entries) maturing(cal wire.Calendar, now wire.Cycle) (out []*card) {
	for _, id := range s.pending.Due(now) {
		if e := s.find(id); e != nil {
			if p := s.others[e.number].pending; p != nil && cal.Cycle(p.Due) <= now {
				out = append(out, e)
			}
		}
	}
	return out
}

func (x *texts) mature(c *world.Context) {
	for _, e := range x.entries.maturing(x.rules.Calendar, c.Cycle) {
		p := x.entries.awaited(e)
		list, err := parse(x.versions.body(x.entries.idOf(e), p.Version))
		if err != nil {
			panic("oracle: a stored body cannot be read: " + err.Error())
		}
		x.apply(c, e, p.Version, p.Author, list)
	}
}
