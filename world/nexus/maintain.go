package nexus

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// inactivityLimit is how many cycles without a consumed tick an agent may have;
// one more and it sleeps.
const inactivityLimit = 10

// BeginEnd fixes who counts for quorums at this cycle end, and forgets the changes
// of the cycle.
func (d *Daemon) BeginEnd() {
	d.electorate = append(d.electorate[:0], d.Active()...)
	d.sponsored = 0
	d.roster.changes = nil
	d.roster.newcomers = nil
}

// Changes returns the status changes and the newcomers since BeginEnd.
func (d *Daemon) Changes() (changes []Change, newcomers []wire.AgentID) {
	return d.roster.changes, d.roster.newcomers
}

// Maintain is step 6 of a cycle's end: warm-up, inactivity, bankruptcy, wakes,
// auto-spawn, tallies.
func (d *Daemon) Maintain(c *world.Context, wakes []Wake) {
	for _, a := range d.revealSleepers() {
		d.forum.Left(c, a, wire.StatusDormant)
	}
	for _, a := range slices.Clone(d.Living()) {
		r := d.agents.Get(a)
		switch r.Status {
		case wire.StatusEmbryo:
			if c.Cycle > d.rules.Calendar.Cycle(r.SpawnTick) {
				d.setStatus(c, a, wire.StatusActive, "warmup", 0)
			}
		case wire.StatusActive:
			d.idle(c, r)
		default: // nothing to do for the others
		}
	}
	for _, a := range slices.Clone(d.Living()) {
		d.bankrupt(c, d.agents.Get(a))
	}
	d.wake(c, wakes)
	d.autoSpawn(c)
	d.tally(c)
}

// idle counts a cycle without a consumed tick. Cycle 0 has no slots and skips it.
func (d *Daemon) idle(c *world.Context, r *Agent) {
	if c.Cycle == 0 {
		return
	}
	if r.LastActiveCycle == c.Cycle {
		if r.InactiveCycles > 0 {
			d.agents.Edit(r.ID).InactiveCycles = 0
		}
		return
	}
	if d.agents.Edit(r.ID).InactiveCycles++; r.InactiveCycles > inactivityLimit {
		d.setStatus(c, r.ID, wire.StatusDormant, "inactive", 0)
		d.forum.Left(c, r.ID, wire.StatusDormant)
	}
}

func (d *Daemon) bankrupt(c *world.Context, r *Agent) {
	if r.Status != wire.StatusActive && r.Status != wire.StatusDormant {
		return
	}
	if n := d.mint.Insolvent(r.ID); n >= world.InsolventFatal {
		d.kill(c, r.ID, "bankruptcy", wire.KillReason{Bankruptcy: &wire.KilledByBankruptcy{NegativeCycles: n}})
	}
}

// wake applies the requests and the timers in agent order, one per agent: the
// first cause in the order of wire.WakeCause counts.
func (d *Daemon) wake(c *world.Context, wakes []Wake) {
	first := make(map[wire.AgentID]wire.WakeCause, len(wakes))
	for _, w := range wakes {
		if have, ok := first[w.Agent]; !ok || w.Cause < have {
			first[w.Agent] = w.Cause
		}
	}
	for _, a := range d.Living() {
		r := d.agents.Get(a)
		if r.Status != wire.StatusDormant {
			continue
		}
		cause, asked := first[a]
		switch {
		case r.HeldUntil != nil:
			cause, asked = wire.WakeOperator, r.released(c.Cycle)
		case d.timerDue(c, r) && (!asked || wire.WakeTimer < cause):
			cause, asked = wire.WakeTimer, true
		}
		if asked {
			d.setStatus(c, a, wire.StatusActive, cause.String(), cause)
		}
	}
}

func (d *Daemon) timerDue(c *world.Context, r *Agent) bool {
	return d.rules.WakeAfter > 0 &&
		c.Cycle >= d.rules.Calendar.Cycle(*r.DormantSince)+wire.Cycle(d.rules.WakeAfter)
}

func sortHashes(h []wire.Hash) { slices.SortFunc(h, wire.Hash.Compare) }
