package nexus

import (
	"kingdom/wire"
	"kingdom/world"
)

// status answers AGENT_STATUS: a query about anybody, or a report of the sender's
// runtime about its streak of NOPs.
func (r *roster) status(c *world.Context, q *wire.AgentStatusMsg) wire.Reply {
	rec := r.agents.Get(q.AgentID)
	if rec == nil {
		return refuse(c, wire.CategoryNotFound, "agent")
	}
	if q.Status == nil && q.NopStreak == nil && q.Reason == nil {
		return r.statusReply(c, rec)
	}
	if q.AgentID != c.Source {
		return refuse(c, wire.CategoryUnauthorized, "not_self")
	}
	switch {
	case q.NopStreak == nil:
	case q.Status == nil && q.Reason == nil && *q.NopStreak == wire.NOPWarning:
		c.Emit(wire.SystemNexus, wire.KindAgentNopWarning, rec.ID,
			&wire.AgentNopWarningEvent{AgentID: rec.ID, Streak: wire.NOPWarning, Tick: c.Tick}, nil)
		return r.statusReply(c, rec)
	case q.Status != nil && q.Reason != nil && *q.NopStreak == wire.NOPDormant &&
		*q.Status == wire.StatusDormant && *q.Reason == "nop_limit" && rec.Status == wire.StatusActive:
		r.putToSleep(c, rec.ID, "nop_limit")
		return c.Answer(wire.TypeAgentStatus, &wire.AgentStatusReply{
			AgentID: rec.ID, Status: wire.StatusDormant, Reputation: rec.Reputation,
		})
	case q.Status != nil && q.Reason != nil && *q.Status == wire.StatusDormant && wire.SleepReason(*q.Reason) && rec.Status == wire.StatusActive:
		r.putToSleep(c, rec.ID, *q.Reason)
		return c.Answer(wire.TypeAgentStatus, &wire.AgentStatusReply{
			AgentID: rec.ID, Status: wire.StatusDormant, Reputation: rec.Reputation,
		})
	}
	return refuse(c, wire.CategoryConflict, "bad_transition", world.Status(rec.Status))
}

func (r *roster) statusReply(c *world.Context, rec *Agent) wire.Reply {
	return c.Answer(wire.TypeAgentStatus, &wire.AgentStatusReply{
		AgentID: rec.ID, Status: r.publicStatus(rec), Reputation: rec.Reputation,
	})
}

// kill ends an agent for good: its claims reopen, its unclaimed bounties expire,
// and what it owns goes to the treasury.
func (r *roster) kill(c *world.Context, a wire.AgentID, reason string, why wire.KillReason) {
	r.setStatus(c, a, wire.StatusDead, reason, 0)
	c.Emit(wire.SystemNexus, wire.KindAgentKill, a, &wire.AgentKillEvent{AgentID: a, Reason: why, Tick: c.Tick}, nil)
	r.subscriptions.dropAll(a)
	r.forum.AgentLeft(c, a, wire.StatusDead)
	if r.forge != nil {
		r.forge.AgentLeft(c, a)
	}
	r.mint.Sweep(c, a)
}

// SetStatus carries out an operator input at a boundary: ACTIVE to DORMANT, or any
// living status to DEAD.
func (r *roster) SetStatus(c *world.Context, a wire.AgentID, to wire.AgentStatus, reason string, input uint64) *world.Refusal {
	rec := r.agents.Get(a)
	switch {
	case rec == nil:
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "agent"}
	case !rec.Status.MayBecome(to), to == wire.StatusActive:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "bad_transition", Details: []world.Detail{world.Status(rec.Status)}}
	case to == wire.StatusDead:
		r.kill(c, a, reason, wire.KillReason{Operator: &wire.KilledByOperator{InputID: input}})
	default:
		r.putToSleep(c, a, reason)
	}
	return nil
}

// setStatus changes a status and says so. The callers know the transition to be legal.
func (r *roster) setStatus(c *world.Context, a wire.AgentID, to wire.AgentStatus, reason string, cause wire.WakeCause) {
	rec := r.agents.Edit(a)
	old := rec.Status
	if !old.MayBecome(to) {
		panic("nexus: agent " + a.Alias() + " cannot go from " + old.String() + " to " + to.String())
	}
	held := rec.HeldUntil != nil
	rec.Status, rec.DormantSince, rec.HeldUntil = to, nil, nil
	switch to {
	case wire.StatusActive:
		rec.InactiveCycles, rec.LastActiveCycle = 0, c.Cycle
	case wire.StatusDormant:
		at := c.Tick
		rec.DormantSince = &at
	default: // nothing to do for the others
	}
	r.indexStatus(a, old, to)
	delete(r.hidden, a)
	c.Emit(wire.SystemNexus, wire.KindAgentStatusChange, a, &wire.AgentStatusChangeEvent{
		AgentID: a, OldStatus: old, NewStatus: to, Tick: c.Tick, Reason: reason,
	}, nil)
	r.changes = append(r.changes, Change{Agent: a, New: to, Reason: reason, Cause: cause, HoldEnded: held && to == wire.StatusActive})
}

// putToSleep puts an agent to sleep in mid-cycle: it loses its slots at once, but what
// others see, and its claims, change at the cycle's end.
func (r *roster) putToSleep(c *world.Context, a wire.AgentID, reason string) {
	r.setStatus(c, a, wire.StatusDormant, reason, 0)
	r.hidden[a] = struct{}{}
}
