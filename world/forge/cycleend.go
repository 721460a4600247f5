package forge

import (
	"kingdom/wire"
	"kingdom/world"
)

// CycleEnd collects the cost of persistent sandboxes, tests one language, deletes what has ended, and starts the
// quotas of the next cycle.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.sandboxes.Each(func(id wire.Hash, b *Sandbox) {
		switch {
		case !b.Persistent && b.Since < c.Cycle:
			d.sandboxes.drop(id)
		case b.Persistent && !d.paid(c, b):
			d.end(c, id, me)
		}
	})
	d.services.Each(func(id wire.Hash, s *Service) {
		switch {
		case s.Stopped != nil && *s.Stopped < c.Cycle:
			d.services.Delete(id)
		case s.Used > 0:
			d.services.Edit(id).Used = 0
		}
	})
	if c.Epoch == advanced {
		d.language.test(c)
	}
	d.cpu.renew(c)
}

// paid takes the price of a persistent sandbox for a cycle. Who wants its service to go on in any
// case pays also with money that it has not, but not while it is in debt.
func (d *Daemon) paid(c *world.Context, b *Sandbox) bool {
	if s := d.services.of(b.ID); s == nil || !s.AutoFund {
		return d.ledger.Fee(c, b.Owner, persistPrice) == nil
	}
	if d.ledger.Balance(b.Owner) < 0 {
		return false
	}
	d.ledger.Debit(c, b.Owner, persistPrice)
	return true
}

// Missing returns what the test of a language at the end of the open cycle needs and that is not in memory. The
// caller fills it and calls Missing again, until it returns nothing.
func (d *Daemon) Missing(t wire.Tick, epoch uint32) []wire.Missing {
	if epoch != advanced {
		return nil
	}
	return d.language.missing(t, d.rules.Calendar.Cycle(t))
}
