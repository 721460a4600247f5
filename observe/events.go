package observe

import (
	"errors"
	"time"

	"go.uber.org/zap"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/goals"
	"kingdom/wire"
)

// commonFields returns the fields with which every line of engine.jsonl and of the goals stream begins.
func (l *Logs) commonFields(kind string, cycle, tick uint64) []zap.Field {
	return []zap.Field{zap.String("run", l.run), zap.String("kind", kind), zap.Uint64("cycle", cycle), zap.Uint64("tick", tick)}
}

// writeCycle writes the line of a finished cycle.
func (l *Logs) writeCycle(now time.Time, r *engine.CycleReport) {
	c, m := &r.Row, &r.Metrics
	l.engine.line(now, append(l.commonFields("cycle", uint64(c.Cycle), uint64(c.Tick)),
		zap.Uint32("epoch", c.Epoch), zap.String("world_hash", c.WorldHash.String()), zap.String("agents_hash", c.AgentsHash.String()),
		zap.Uint32("agents", r.Metrics.Agents), zap.Uint32("active", c.Active), zap.Uint32("dormant", c.Dormant), zap.Uint32("dead", c.Dead),
		zap.Uint64("agent_ticks", m.AgentTicks), zap.Uint64("nops", m.NOPs), zap.Uint64("messages", m.Messages),
		zap.Uint64("transactions", m.Transactions), zap.Uint32("open_bounties", m.OpenBounties), zap.Uint32("completed_bounties", m.CompletedBounties),
		zap.Uint64("dropped", r.Dropped), zap.Uint64("queue_dropped", r.QueueDropped),
	))
}

// writeInputs writes the inputs from outside that took effect before a tick.
func (l *Logs) writeInputs(now time.Time, c *engine.Commit) {
	for _, in := range c.Inputs {
		fields := append(l.commonFields("input", uint64(c.Cycle), uint64(c.Tick)),
			zap.Uint64("input_seq", in.Seq), zap.String("input", in.Do), agentField("agent", in.Agent), textField("what", in.What), textField("refused", in.Refused))
		if in.File != "" {
			fields = append(fields, zap.String("file", in.File))
		}
		l.engine.line(now, fields)
	}
}

// writeSatisfactions writes the goals that ended for an agent in a slot, and its faults. An answer that stayed unusable
// is a fault too, but the line of its NOP says so already.
func (l *Logs) writeSatisfactions(now time.Time, c *engine.Commit, s *engine.SeatReport) {
	for i := range s.Satisfaction {
		l.writeGoalEnd(now, c.Cycle, c.Tick, s.Agent, &s.Satisfaction[i])
	}
	for _, err := range s.Faults {
		if e, ok := errors.AsType[*agent.Error](err); ok && e.Kind == agent.KindParseFailure {
			continue
		}
		l.engine.line(now, append(l.commonFields("fault", uint64(c.Cycle), uint64(c.Tick)), zap.Object("agent", agentObject(s.Agent)), zap.String("error", err.Error())))
	}
}

// writeGoalEnd writes the end of one goal. In large populations these are three quarters of all lines, not counting those of thoughts.
func (l *Logs) writeGoalEnd(now time.Time, c wire.Cycle, t wire.Tick, a wire.AgentID, g *goals.Satisfaction) {
	l.goals.line(now, append(l.commonFields("satisfaction", uint64(c), uint64(t)),
		zap.Object("agent", agentObject(a)), zap.Object("goal", endedGoalObject{g}),
		zap.String("domain", g.Domain.String()), zap.String("outcome", g.Outcome()), textField("reason", string(g.Reason)), closedByField(g.ClosedBy),
		zap.Uint64("reward_actual", g.RewardActual), zap.Uint64("reward_expected", g.RewardExpected),
		zap.Float32("reputation_delta", g.ReputationDelta), zap.Float32("novelty_score", g.NoveltyScore), zap.Uint64("effort", g.Effort)))
}

// writeWarmup writes an agent that became ACTIVE for the first time.
func (l *Logs) writeWarmup(now time.Time, r *engine.CycleReport, ch engine.StatusChange) {
	l.engine.line(now, append(l.commonFields("warmup", uint64(r.Row.Cycle), uint64(r.Row.Tick)),
		zap.Object("agent", agentObject(ch.Agent)), zap.String("role", ch.Role.String())))
}
