package oracle

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// CycleEnd is step 2 of a cycle end: updates whose window is over take effect, then
// scores age, questions become bounties, new entries are compared with older ones, and
// counters begin anew.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.mature(c)
	d.stale(c)
	d.findGaps(c)
	d.compare(c)
	d.rests.forget(c.Cycle + 1)
	d.counters.reset()
}

func (d *Daemon) mature(c *world.Context) {
	for _, id := range det.SortedKeysFunc(d.entries.waiting, wire.Hash.Compare) {
		e := d.entries.Get(id)
		if e.Pending.Due > c.Tick {
			continue
		}
		e = d.entries.Edit(id)
		p := *e.Pending
		e.Pending = nil
		delete(d.entries.waiting, id)
		list, err := parse(d.versions.body(id, p.Version))
		if err != nil {
			panic("oracle: a stored body cannot be read: " + err.Error())
		}
		d.apply(c, e, p.Version, p.Author, list)
	}
}
