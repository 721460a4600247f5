package nexus

import (
	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// roster is who exists and in which status. What others learn of an agent that falls asleep
// in mid-cycle they learn at the cycle's end.
type roster struct {
	agents *world.Table[wire.AgentID, Agent]

	active []wire.AgentID            // index: who is ACTIVE, ascending; valid while !stale
	stale  bool                      // active must be rebuilt
	hidden map[wire.AgentID]struct{} // asleep but ACTIVE to others; empty at cycle ends, so it is not state

	changes   []Change       // of status since BeginEnd
	newcomers []wire.AgentID // since BeginEnd
}

// Agent is the record of a, nil if unknown; read-only.
func (r *roster) Agent(a wire.AgentID) *Agent { return r.agents.Get(a) }

// Status is the live status; ok is false for unknown agents.
func (r *roster) Status(a wire.AgentID) (s wire.AgentStatus, ok bool) {
	rec := r.agents.Get(a)
	if rec == nil {
		return 0, false
	}
	return rec.Status, true
}

// publicStatus is Status as others see it: an agent that its own NOPs put to sleep
// counts as ACTIVE until the cycle's end.
func (r *roster) publicStatus(a *Agent) wire.AgentStatus {
	if _, ok := r.hidden[a.ID]; ok {
		return wire.StatusActive
	}
	return a.Status
}

// Reputation of a in [0,1], as of the last cycle end; 0 for unknown ids.
func (r *roster) Reputation(a wire.AgentID) float64 {
	rec := r.agents.Get(a)
	if rec == nil {
		return 0
	}
	return float64(rec.Reputation)
}

// Kin says whether a and b are of one house; false if one of them is unknown.
func (r *roster) Kin(a, b wire.AgentID) bool {
	x, y := r.agents.Get(a), r.agents.Get(b)
	return x != nil && y != nil && x.House == y.House
}

// Agents returns all agents ever, ascending; read-only.
func (r *roster) Agents() []wire.AgentID { return r.agents.Keys() }

// Active returns the agents that are ACTIVE now, ascending; read-only.
func (r *roster) Active() []wire.AgentID {
	if r.stale {
		r.active = r.active[:0:0]
		for _, a := range r.agents.Keys() {
			if r.agents.Get(a).Status == wire.StatusActive {
				r.active = append(r.active, a)
			}
		}
		r.stale = false
	}
	return r.active
}

// Counts says how many agents are in each status.
type Counts struct {
	Embryo, Active, Dormant, Dead uint32
}

// Living counts the agents that are not DEAD.
func (n Counts) Living() uint32 { return n.Embryo + n.Active + n.Dormant }

// Count counts the agents by status.
func (r *roster) Count() (n Counts) {
	for _, a := range r.agents.Keys() {
		switch r.agents.Get(a).Status {
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

// revealSleepers lets the public know who fell asleep, ascending by id.
func (r *roster) revealSleepers() []wire.AgentID {
	out := det.SortedKeysFunc(r.hidden, wire.AgentID.Compare)
	clear(r.hidden)
	return out
}

// Awake notes that a consumed a tick of the cycle, so that the cycle does not
// count as an inactive one.
func (r *roster) Awake(a wire.AgentID, cycle wire.Cycle) {
	if rec := r.agents.Get(a); rec != nil && rec.LastActiveCycle != cycle {
		r.agents.Edit(a).LastActiveCycle = cycle
	}
}
