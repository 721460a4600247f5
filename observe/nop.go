package observe

import (
	"time"

	"go.uber.org/zap"

	"kingdom/engine"
	"kingdom/ooda"
	"kingdom/wire"
)

// slotLine is one line of nop.jsonl or dormancy.jsonl; both have the same fields.
type slotLine struct {
	cycle   wire.Cycle
	tick    wire.Tick
	agent   wire.AgentID
	role    wire.Role
	class   string // "NOP", "idle", "rest"; empty if no slot caused the line
	reason  string
	cause   wire.WakeCause  // of a wake; 0: none
	ended   bool            // of a wake: an operator's time to keep the agent asleep was over
	nop     *ooda.NOPRecord // nil if no slot caused the line
	from    wire.AgentStatus
	to      wire.AgentStatus
	balance int64
	rep     float64
}

func (s *slotLine) fields(run string) []zap.Field {
	n := s.nop
	if n == nil {
		n = &ooda.NOPRecord{}
	}
	return []zap.Field{
		zap.String("run", run), zap.Uint64("cycle", uint64(s.cycle)), zap.Uint64("tick", uint64(s.tick)),
		zap.Object("agent", agentObject(s.agent)), zap.String("role", s.role.String()),
		textField("class", s.class), textField("reason", s.reason), zap.Uint32("streak", n.Streak), zap.Uint64("slots", n.Slots),
		goalField(n.Goal), tierField(n.Tier, n.Tier != 0), textField("model", n.Model), zap.Uint32("attempts", n.Attempts), textField("error", n.Error), textField("reasoning", n.Reasoning),
		statusField("status_from", s.from), statusField("status_to", s.to), s.causeField(), s.endedField(),
		zap.Int64("balance", s.balance), zap.Float64("reputation", s.rep),
	}
}

func (s *slotLine) causeField() zap.Field {
	if s.cause == 0 {
		return nullField("wake_cause")
	}
	return zap.Stringer("wake_cause", s.cause)
}

// endedField tells apart the two ways in which an operator wakes an agent, which have one reason in the event.
func (s *slotLine) endedField() zap.Field {
	if s.cause != wire.WakeOperator {
		return nullField("hold_ended")
	}
	return zap.Bool("hold_ended", s.ended)
}

func newSlotLine(c *engine.Commit, s *engine.SeatReport) slotLine {
	n := s.NOP
	return slotLine{
		cycle: c.Cycle, tick: c.Tick, agent: s.Agent, role: s.Role, class: n.Reason.Class(), reason: n.Reason.String(),
		nop: n, from: n.StatusFrom, to: n.StatusTo, balance: n.Balance, rep: n.Reputation,
	}
}

// writeNOP writes the line of a slot in which the mind chose no action.
func (l *Logs) writeNOP(now time.Time, c *engine.Commit, s *engine.SeatReport) {
	if s.NOP == nil {
		return
	}
	line := newSlotLine(c, s)
	l.nop.line(now, line.fields(l.run))
}

// writeStatusChanges writes warnings and status changes of a tick to the dormancy stream.
func (l *Logs) writeStatusChanges(now time.Time, c *engine.Commit) {
	for _, ev := range c.Events {
		if p, ok := ev.Payload.(*wire.AgentNopWarningEvent); ok {
			l.writeWarning(now, c, p)
		}
	}
	for _, ch := range c.Changes {
		l.writeStatusChange(now, c, ch)
	}
}

func (l *Logs) writeWarning(now time.Time, c *engine.Commit, p *wire.AgentNopWarningEvent) {
	if s := findSeat(c, p.AgentID); s != nil && s.NOP != nil {
		line := newSlotLine(c, s)
		line.reason = "nop_warning"
		l.dormancy.line(now, line.fields(l.run))
	}
}

func (l *Logs) writeStatusChange(now time.Time, c *engine.Commit, ch engine.StatusChange) {
	line := slotLine{cycle: c.Cycle, tick: c.Tick, agent: ch.Agent, role: ch.Role, balance: ch.Balance, rep: ch.Reputation}
	if s := findSeat(c, ch.Agent); s != nil && s.NOP != nil {
		line = newSlotLine(c, s)
	}
	line.from, line.to, line.reason = ch.From, ch.To, ch.Reason
	l.dormancy.line(now, line.fields(l.run))
}

func findSeat(c *engine.Commit, id wire.AgentID) *engine.SeatReport {
	for i := range c.Seats {
		if c.Seats[i].Agent == id {
			return &c.Seats[i]
		}
	}
	return nil
}

// writeCycleEndChanges writes the goals that ended and the status changes at a cycle end. Wakes, dormancy because of
// inactivity and deaths go to the dormancy stream, first activations to the engine stream.
func (l *Logs) writeCycleEndChanges(now time.Time, r *engine.CycleReport) {
	for i := range r.Ended {
		l.writeGoalEnd(now, r.Row.Cycle, r.Row.Tick, r.Ended[i].Agent, &r.Ended[i].Satisfaction)
	}
	for _, ch := range r.Changes {
		if ch.From == wire.StatusEmbryo && ch.To == wire.StatusActive {
			l.writeWarmup(now, r, ch)
			continue
		}
		line := slotLine{
			cycle: r.Row.Cycle, tick: r.Row.Tick, agent: ch.Agent, role: ch.Role, reason: ch.Reason,
			from: ch.From, to: ch.To, balance: ch.Balance, rep: ch.Reputation, cause: ch.Cause, ended: ch.HoldEnded,
		}
		l.dormancy.line(now, line.fields(l.run))
	}
}
