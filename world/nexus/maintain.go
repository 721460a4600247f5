package nexus

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// inactivityLimit is how many cycles without a consumed tick an agent may have;
// one more and it sleeps.
const inactivityLimit = 10

// BeginCycleEnd fixes whose votes count at this cycle end, and resets the list of changes.
func (d *Daemon) BeginCycleEnd() {
	d.governance.electorate = append(d.governance.electorate[:0], d.Active()...)
	d.spawning.sponsored = 0
	d.roster.changes = nil
	d.roster.newcomers = nil
}

// Changes returns the status changes and the newcomers since BeginCycleEnd.
func (d *Daemon) Changes() (changes []Change, newcomers []wire.AgentID) {
	return d.roster.changes, d.roster.newcomers
}

// Maintain is step 6 of a cycle's end: warm-up, inactivity, bankruptcy, wakes,
// auto-spawn, tallies.
func (d *Daemon) Maintain(c *world.Context, wakes []Wake) {
	for _, a := range d.revealSleepers() {
		d.forum.AgentLeft(c, a, wire.StatusDormant)
	}
	for _, a := range slices.Clone(d.Living()) {
		r := d.agents.Get(a)
		switch r.Status {
		case wire.StatusEmbryo:
			if c.Cycle > d.rules.Calendar.Cycle(r.SpawnTick) {
				d.setStatus(c, a, wire.StatusActive, "warmup", 0)
			}
		case wire.StatusActive:
			d.roster.countInactive(c, r)
		default: // nothing to do for the others
		}
	}
	for _, a := range slices.Clone(d.Living()) {
		d.roster.killBankrupt(c, d.agents.Get(a))
	}
	d.roster.wake(c, wakes)
	d.spawning.autoSpawn(c)
	d.governance.tally(c)
}

// countInactive counts a cycle without a consumed tick. Cycle 0 has no slots and skips it.
func (r *roster) countInactive(c *world.Context, rec *Agent) {
	if c.Cycle == 0 {
		return
	}
	if rec.LastActiveCycle == c.Cycle {
		if rec.InactiveCycles > 0 {
			r.agents.Edit(rec.ID).InactiveCycles = 0
		}
		return
	}
	if r.agents.Edit(rec.ID).InactiveCycles++; rec.InactiveCycles > inactivityLimit {
		r.setStatus(c, rec.ID, wire.StatusDormant, "inactive", 0)
		r.forum.AgentLeft(c, rec.ID, wire.StatusDormant)
	}
}

func (r *roster) killBankrupt(c *world.Context, rec *Agent) {
	if rec.Status != wire.StatusActive && rec.Status != wire.StatusDormant {
		return
	}
	if n := r.mint.Insolvent(rec.ID); n >= world.InsolventFatal {
		r.kill(c, rec.ID, "bankruptcy", wire.KillReason{Bankruptcy: &wire.KilledByBankruptcy{NegativeCycles: n}})
	}
}

// wake applies the requests and the timers in agent order, one per agent: the
// first cause in the order of wire.WakeCause counts.
func (r *roster) wake(c *world.Context, wakes []Wake) {
	first := make(map[wire.AgentID]wire.WakeCause, len(wakes))
	for _, w := range wakes {
		if have, ok := first[w.Agent]; !ok || w.Cause < have {
			first[w.Agent] = w.Cause
		}
	}
	for _, a := range r.Living() {
		rec := r.agents.Get(a)
		if rec.Status != wire.StatusDormant {
			continue
		}
		cause, asked := first[a]
		switch {
		case rec.HeldUntil != nil:
			cause, asked = wire.WakeOperator, rec.holdEnds(c.Cycle)
		case r.timerDue(c, rec) && (!asked || wire.WakeTimer < cause):
			cause, asked = wire.WakeTimer, true
		}
		if asked {
			r.setStatus(c, a, wire.StatusActive, cause.String(), cause)
		}
	}
}

func (r *roster) timerDue(c *world.Context, rec *Agent) bool {
	return r.rules.WakeAfter > 0 &&
		c.Cycle >= r.rules.Calendar.Cycle(*rec.DormantSince)+wire.Cycle(r.rules.WakeAfter)
}

func sortHashes(h []wire.Hash) { slices.SortFunc(h, wire.Hash.Compare) }
