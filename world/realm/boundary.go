package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// SetPeers sets the peers that an agent follows first, at most 24, the most important first, for the default
// subscriptions that StartCycle renews.
func (r *Realm) SetPeers(a wire.AgentID, best []wire.AgentID) { r.bus.setPeers(a, best) }

// StartCycle opens cycle c: it allocates the budgets of the ACTIVE agents and renews the default subscriptions. It
// returns the TICK_ALLOC messages, ascending by agent. The caller delivers them, because an agent without slots has
// no View.
func (r *Realm) StartCycle(c wire.Cycle) []wire.TickAlloc {
	first := r.rules.Calendar.First(c)
	r.cycle, r.receiver.chain = c, wire.Hash{}
	ctx := r.enterBoundary(first)
	r.nexus.Advance(first)
	alloc := r.nexus.Allocate(ctx, c)
	r.bus.startCycle(first)
	r.leaveBoundary()
	return alloc
}

// OpenTick begins the boundary before tick t.
func (r *Realm) OpenTick(t wire.Tick) {
	ctx := r.enterBoundary(t)
	r.nexus.Advance(t)
	ctx.Emit(wire.SystemNexus, wire.KindTick, ctx.Source, &wire.TickEvent{Tick: t, Cycle: ctx.Cycle}, nil)
	r.leaveBoundary()
}

// SetStatus carries out an operator's input: ACTIVE to DORMANT, or any living status
// to DEAD. input is the input's id: tick << 32 | input_seq. Waking happens only at cycle end.
func (r *Realm) SetStatus(t wire.Tick, a wire.AgentID, s wire.AgentStatus, reason string, input uint64) *world.Refusal {
	refusal := r.nexus.SetStatus(r.enterBoundary(t), a, s, reason, input)
	r.leaveBoundary()
	return refusal
}

// Spawn carries out an operator's AGENT_SPAWN_REQ. The new agent starts as EMBRYO. The parent is an agent, which pays
// the fund, or NEXUS_0, for which the treasury pays.
func (r *Realm) Spawn(t wire.Tick, q *wire.AgentSpawnReq) (*wire.AgentSpawnAck, *world.Refusal) {
	ack, refusal := r.nexus.Spawn(r.enterBoundary(t), q)
	r.leaveBoundary()
	return ack, refusal
}
