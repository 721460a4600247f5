package nexus

import "kingdom/wire"

// Advance sets the clock to tick t.
func (d *Daemon) Advance(t wire.Tick) {
	k := d.clock.Edit("")
	k.Tick, k.Cycle = t, d.rules.Calendar.Cycle(t)
}

// Clock returns the clock's record; read-only.
func (d *Daemon) Clock() *Clock { return d.clock.Get("") }

// Epoch is the current epoch.
func (d *Daemon) Epoch() uint32 { return d.clock.Get("").Epoch }

// Consumed notes that n agents consumed a tick.
func (d *Daemon) Consumed(n uint64) {
	if n > 0 {
		d.clock.Edit("").Ticks += n
	}
}

// Awake notes that a consumed a tick of the cycle, so that the cycle does not
// count as an inactive one.
func (d *Daemon) Awake(a wire.AgentID, cycle wire.Cycle) {
	if r := d.agents.Get(a); r != nil && r.LastActiveCycle != cycle {
		d.agents.Edit(a).LastActiveCycle = cycle
	}
}

// Param is the value that a passed CHANGE_PARAM gave name, else fallback.
func (d *Daemon) Param(name string, fallback int64) int64 {
	if p := d.params.Get(name); p != nil {
		return p.Value
	}
	return fallback
}
