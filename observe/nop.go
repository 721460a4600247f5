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
	class   string // "NOP", "idle", "rest"; empty when no slot caused it
	reason  string
	cause   string          // of a wake
	nop     *ooda.NOPRecord // nil when no slot caused it
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
		zap.Object("agent", who(s.agent)), zap.String("role", s.role.String()),
		text("class", s.class), text("reason", s.reason), zap.Uint32("streak", n.Streak), zap.Uint64("slots", n.Slots),
		goalField(n.Goal), tier(n.Tier, n.Tier != 0), text("model", n.Model), zap.Uint32("attempts", n.Attempts), text("error", n.Error), text("reasoning", n.Reasoning),
		status("status_from", s.from), status("status_to", s.to), text("wake_cause", s.cause),
		zap.Int64("balance", s.balance), zap.Float64("reputation", s.rep),
	}
}

func lineOf(c *engine.Commit, s *engine.SeatReport) slotLine {
	n := s.NOP
	return slotLine{
		cycle: c.Cycle, tick: c.Tick, agent: s.Agent, role: s.Role, class: n.Reason.Class(), reason: n.Reason.String(),
		nop: n, from: n.StatusFrom, to: n.StatusTo, balance: n.Balance, rep: n.Reputation,
	}
}

// idle writes the line of a slot that sent nothing of its mind's.
func (l *Logs) idle(now time.Time, c *engine.Commit, s *engine.SeatReport) {
	if s.NOP == nil {
		return
	}
	line := lineOf(c, s)
	l.nop.line(now, line.fields(l.run))
}

// changes writes warnings and status changes of a tick to the dormancy stream.
func (l *Logs) changes(now time.Time, c *engine.Commit) {
	for _, ev := range c.Events {
		if p, ok := ev.Payload.(*wire.AgentNopWarningEvent); ok {
			l.warned(now, c, p)
		}
	}
	for _, ch := range c.Changes {
		l.moved(now, c, ch)
	}
}

func (l *Logs) warned(now time.Time, c *engine.Commit, p *wire.AgentNopWarningEvent) {
	if s := seatOf(c, p.AgentID); s != nil && s.NOP != nil {
		line := lineOf(c, s)
		line.reason = "nop_warning"
		l.sleep.line(now, line.fields(l.run))
	}
}

func (l *Logs) moved(now time.Time, c *engine.Commit, ch engine.StatusChange) {
	line := slotLine{cycle: c.Cycle, tick: c.Tick, agent: ch.Agent, role: ch.Role, balance: ch.Balance, rep: ch.Reputation}
	if s := seatOf(c, ch.Agent); s != nil && s.NOP != nil {
		line = lineOf(c, s)
	}
	line.from, line.to, line.reason = ch.From, ch.To, ch.Reason
	l.sleep.line(now, line.fields(l.run))
}

func seatOf(c *engine.Commit, id wire.AgentID) *engine.SeatReport {
	for i := range c.Seats {
		if c.Seats[i].Agent == id {
			return &c.Seats[i]
		}
	}
	return nil
}

// wakes writes the status changes of a cycle end: wakes, sleep for inactivity and
// deaths to the dormancy stream; births to the engine's.
func (l *Logs) wakes(now time.Time, r *engine.CycleReport) {
	for i := range r.Ended {
		l.ended(now, r.Row.Cycle, r.Row.Tick, r.Ended[i].Agent, &r.Ended[i].Satisfaction)
	}
	for _, ch := range r.Changes {
		if ch.From == wire.StatusEmbryo && ch.To == wire.StatusActive {
			l.born(now, r, ch)
			continue
		}
		line := slotLine{
			cycle: r.Row.Cycle, tick: r.Row.Tick, agent: ch.Agent, role: ch.Role, reason: ch.Reason,
			from: ch.From, to: ch.To, balance: ch.Balance, rep: ch.Reputation,
		}
		if ch.Cause != 0 {
			line.cause = ch.Cause.String()
		}
		l.sleep.line(now, line.fields(l.run))
	}
}
