package realm

import (
	"kingdom/wire"
	"kingdom/world"
)

// SetPeers names the best-known peers of an agent (at most 24: most interactions,
// then id), for the default subscriptions that StartCycle renews.
func (r *Realm) SetPeers(a wire.AgentID, best []wire.AgentID) { r.bus.setPeers(a, best) }

// StartCycle opens cycle c: it allocates the budgets of the ACTIVE agents and renews the
// default subscriptions. What it returns are the TICK_ALLOC messages, ascending by agent; the
// caller hands them over, since an agent without slots has no View that could bring its own.
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

// OpenTick begins the boundary of a stepped tick.
func (r *Realm) OpenTick(t wire.Tick) {
	ctx := r.enterBoundary(t)
	r.nexus.Advance(t)
	ctx.Emit(wire.SystemNexus, wire.KindTick, ctx.Source, &wire.TickEvent{Tick: t, Cycle: ctx.Cycle}, nil)
	r.leaveBoundary()
}

// SetStatus carries out an operator input: ACTIVE to DORMANT (reason "operator" or
// "budget"), or any living status to DEAD. input is the input's id: tick << 32 |
// input_seq. Waking is not done here but at cycle end.
func (r *Realm) SetStatus(t wire.Tick, a wire.AgentID, s wire.AgentStatus, reason string, input uint64) *world.Refusal {
	no := r.nexus.SetStatus(r.enterBoundary(t), a, s, reason, input)
	r.leaveBoundary()
	return no
}

// Spawn carries out an operator's AGENT_SPAWN_REQ and answers it; the newcomer starts as EMBRYO.
// The parent is NEXUS_0, whose fund the treasury pays, or an agent that pays itself.
func (r *Realm) Spawn(t wire.Tick, q *wire.AgentSpawnReq) (*wire.AgentSpawnAck, *world.Refusal) {
	ack, no := r.nexus.Spawn(r.enterBoundary(t), q)
	r.leaveBoundary()
	return ack, no
}
