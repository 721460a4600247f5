package nexus

import (
	"kingdom/det"
	"kingdom/wire"
)

// roster is the index over the agent table: who is ACTIVE, and who fell asleep in
// the open cycle, which the public learns at its end.
type roster struct {
	active []wire.AgentID // ascending; valid while !stale
	stale  bool
	hidden map[wire.AgentID]struct{} // empty at cycle ends, so it is not state
}

func newRoster() roster { return roster{hidden: map[wire.AgentID]struct{}{}} }

// Agent is the record of a, nil if unknown; read-only.
func (d *Daemon) Agent(a wire.AgentID) *Agent { return d.agents.Get(a) }

// Status is the live status; ok is false for unknown agents.
func (d *Daemon) Status(a wire.AgentID) (s wire.AgentStatus, ok bool) {
	r := d.agents.Get(a)
	if r == nil {
		return 0, false
	}
	return r.Status, true
}

// publicStatus is Status as others see it: an agent that its own NOPs put to sleep
// counts as ACTIVE until the cycle's end.
func (d *Daemon) publicStatus(r *Agent) wire.AgentStatus {
	if _, ok := d.roster.hidden[r.ID]; ok {
		return wire.StatusActive
	}
	return r.Status
}

// Reputation of a in [0,1], as of the last cycle end; 0 for unknown ids.
func (d *Daemon) Reputation(a wire.AgentID) float64 {
	r := d.agents.Get(a)
	if r == nil {
		return 0
	}
	return float64(r.Reputation)
}

// Agents returns all agents ever, ascending; read-only.
func (d *Daemon) Agents() []wire.AgentID { return d.agents.Keys() }

// Active returns the agents that are ACTIVE now, ascending; read-only.
func (d *Daemon) Active() []wire.AgentID {
	if d.roster.stale {
		d.roster.active = d.roster.active[:0:0]
		for _, a := range d.agents.Keys() {
			if d.agents.Get(a).Status == wire.StatusActive {
				d.roster.active = append(d.roster.active, a)
			}
		}
		d.roster.stale = false
	}
	return d.roster.active
}

// Counts says how many agents are in each status.
type Counts struct {
	Embryo, Active, Dormant, Dead uint32
}

// Living counts the agents that are not DEAD.
func (n Counts) Living() uint32 { return n.Embryo + n.Active + n.Dormant }

// Count counts the agents by status.
func (d *Daemon) Count() (n Counts) {
	for _, a := range d.agents.Keys() {
		switch d.agents.Get(a).Status {
		case wire.StatusEmbryo:
			n.Embryo++
		case wire.StatusActive:
			n.Active++
		case wire.StatusDormant:
			n.Dormant++
		case wire.StatusDead:
			n.Dead++
		}
	}
	return n
}

// settleHidden lets the public know who fell asleep, ascending by id.
func (d *Daemon) settleHidden() []wire.AgentID {
	out := det.SortedKeysFunc(d.roster.hidden, wire.AgentID.Compare)
	clear(d.roster.hidden)
	return out
}
