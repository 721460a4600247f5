package nexus

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// roster is who exists and in which status, and who falls asleep, wakes and dies. What others learn of an agent that falls asleep
// in mid-cycle they learn at the cycle's end.
type roster struct {
	*siblings
	rules         *world.Rules
	subscriptions *subscriptions
	agents        *world.Table[wire.AgentID, Agent]

	bySpawn []wire.AgentID            // index: all, in the order in which they came
	living  []wire.AgentID            // index: who is not DEAD, ascending
	count   Counts                    // index: of all agents
	active  []wire.AgentID            // index: who is ACTIVE, ascending; valid while !stale
	stale   bool                      // active must be rebuilt
	hidden  map[wire.AgentID]struct{} // asleep but ACTIVE to others; empty at cycle ends, so it is not state

	changes   []Change       // of status since BeginCycleEnd
	newcomers []wire.AgentID // since BeginCycleEnd
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

// PublicKey is the Ed25519 key of an agent; nil for unknown ones.
func (r *roster) PublicKey(a wire.AgentID) []byte {
	if rec := r.agents.Get(a); rec != nil {
		return rec.PublicKey
	}
	return nil
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

// Kin reports whether a and b are of one house; false if one of them is unknown.
func (r *roster) Kin(a, b wire.AgentID) bool {
	x, y := r.agents.Get(a), r.agents.Get(b)
	return x != nil && y != nil && x.House == y.House
}

// Agents returns all agents ever, ascending; read-only.
func (r *roster) Agents() []wire.AgentID { return r.agents.Keys() }

// SpawnedBefore returns those ever who came before tick t, in the order in which they came; read-only.
func (r *roster) SpawnedBefore(t wire.Tick) []wire.AgentID {
	n, _ := slices.BinarySearchFunc(r.bySpawn, t, func(a wire.AgentID, t wire.Tick) int { return cmp.Compare(r.agents.Get(a).SpawnTick, t) })
	return r.bySpawn[:n]
}

// Living returns the agents that are not DEAD, ascending; read-only, until the next change of status.
func (r *roster) Living() []wire.AgentID { return r.living }

// Active returns the agents that are ACTIVE now, ascending; read-only. It may rebuild the list, so it must not be
// called in parallel.
func (r *roster) Active() []wire.AgentID {
	if r.stale {
		r.active = r.active[:0:0]
		for _, a := range r.living {
			if r.agents.Get(a).Status == wire.StatusActive {
				r.active = append(r.active, a)
			}
		}
		r.stale = false
	}
	return r.active
}

// AwakeInCycle returns, ascending, the ACTIVE agents and those that fell asleep since the last cycle end, so that sleeping
// just before a cycle end does not avoid the upkeep.
func (r *roster) AwakeInCycle() []wire.AgentID {
	out := slices.Concat(r.Active(), det.SortedKeysFunc(r.hidden, wire.AgentID.Compare))
	slices.SortFunc(out, wire.AgentID.Compare)
	return out
}

// Counts are the numbers of agents by status.
type Counts struct {
	Embryo, Active, Dormant, Dead uint32
}

// Living returns the number of agents that are not DEAD.
func (n Counts) Living() uint32 { return n.Embryo + n.Active + n.Dormant }

// of is the count of a status.
func (n *Counts) of(s wire.AgentStatus) *uint32 {
	switch s {
	case wire.StatusEmbryo:
		return &n.Embryo
	case wire.StatusActive:
		return &n.Active
	case wire.StatusDormant:
		return &n.Dormant
	default:
		return &n.Dead
	}
}

// ActiveCount is how many agents are ACTIVE now.
func (r *roster) ActiveCount() uint32 { return r.count.Active }

// Count counts the agents by status.
func (r *roster) Count() Counts { return r.count }

// restore rebuilds the indexes.
func (r *roster) restore() {
	r.bySpawn, r.living, r.count, r.stale = slices.Clone(r.agents.Keys()), nil, Counts{}, true
	slices.SortFunc(r.bySpawn, func(a, b wire.AgentID) int {
		return cmp.Compare(r.agents.Get(a).SpawnIndex, r.agents.Get(b).SpawnIndex)
	})
	for _, a := range r.agents.Keys() {
		rec := r.agents.Get(a)
		*r.count.of(rec.Status)++
		if rec.Status != wire.StatusDead {
			r.living = append(r.living, a)
		}
	}
}

// add adds a newcomer.
func (r *roster) add(rec *Agent) {
	r.agents.Put(rec.ID, rec)
	*r.count.of(rec.Status)++
	r.bySpawn = append(r.bySpawn, rec.ID)
	i, _ := slices.BinarySearchFunc(r.living, rec.ID, wire.AgentID.Compare)
	r.living = slices.Insert(r.living, i, rec.ID)
	r.newcomers = append(r.newcomers, rec.ID)
}

// indexStatus notes a change of status in the indexes.
func (r *roster) indexStatus(a wire.AgentID, old, now wire.AgentStatus) {
	*r.count.of(old)--
	*r.count.of(now)++
	r.stale = true
	if now == wire.StatusDead {
		i, _ := slices.BinarySearchFunc(r.living, a, wire.AgentID.Compare)
		r.living = slices.Delete(r.living, i, i+1)
	}
}

// revealSleepers lets the public know who fell asleep, ascending by id.
func (r *roster) revealSleepers() []wire.AgentID {
	out := det.SortedKeysFunc(r.hidden, wire.AgentID.Compare)
	clear(r.hidden)
	return out
}

// MarkActive notes that a used a tick of the cycle, so that the cycle does not count as inactive.
func (r *roster) MarkActive(a wire.AgentID, cycle wire.Cycle) {
	if rec := r.agents.Get(a); rec != nil && rec.LastActiveCycle != cycle {
		r.agents.Edit(a).LastActiveCycle = cycle
	}
}
