package forge

import (
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// CycleEnd collects the price of the next cycle of persistent sandboxes, tests one language, deletes what has ended, and starts the
// quotas of the next cycle.
func (d *Daemon) CycleEnd(c *world.Context) {
	d.sandboxes.Each(func(id wire.Hash, b *Sandbox) {
		switch {
		case !b.Persistent && b.Since < c.Cycle:
			d.sandboxes.drop(id)
		case b.Persistent && !d.chargeUpkeep(c, b):
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
	if c.Epoch == advancedEpoch {
		d.language.test(c)
	}
	d.cpu.renew(c)
}

// chargeUpkeep takes the price of a persistent sandbox for the next cycle and reports whether it was paid. That of its
// first cycle was paid when it was made: if each were paid at its end, an owner without free money then would pay none. An owner whose
// service has AutoFund may go into debt for it, but does not pay while it already owes more than it has unlocked: what is
// locked is promised to others.
func (d *Daemon) chargeUpkeep(c *world.Context, b *Sandbox) bool {
	if s := d.services.onSandbox(b.ID); s == nil || !s.AutoFund {
		return d.ledger.Fee(c, b.Owner, action.PersistentPrice) == nil
	}
	if d.ledger.Available(b.Owner) < 0 {
		return false
	}
	d.ledger.Debit(c, b.Owner, action.PersistentPrice)
	return true
}

// Missing returns what the test of a language at the end of the open cycle needs and that is not in memory. The
// caller fills it and calls Missing again, until it returns nothing.
func (d *Daemon) Missing(t wire.Tick, epoch uint32) []wire.Missing {
	if epoch != advancedEpoch {
		return nil
	}
	return d.language.missing(t, d.rules.Calendar.Cycle(t))
}
