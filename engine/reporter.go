package engine

import (
	"slices"

	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/world/realm"
)

// reporter reports commits and cycle ends to the observers.
type reporter struct {
	*publisher // nil: there are no observers
	realm      *realm.Realm
	agents     *agentPool
}

// tick reports a committed tick. Slices that turns use again are copied.
func (w *reporter) tick(open wire.Cycle, t wire.Tick, sc *tickSeats, events []*wire.Event, inputs []InputReport) {
	if w.publisher == nil {
		return
	}
	c := &Commit{Tick: t, Cycle: open, Epoch: w.realm.Epoch(), Events: events, Inputs: inputs, Seats: make([]SeatReport, len(sc.live))}
	const part = 64 // seats that are worth a worker
	w.agents.each((len(sc.live)+part-1)/part, func(k int) {
		for i := k * part; i < min((k+1)*part, len(sc.live)); i++ {
			c.Seats[i] = sc.live[i].report()
		}
	})
	c.Changes = w.statusChanges(events)
	w.commit(c)
}

// statusChanges returns the changes of status among events.
func (w *reporter) statusChanges(events []*wire.Event) []StatusChange {
	var out []StatusChange
	for _, ev := range events {
		if p, ok := ev.Payload.(*wire.AgentStatusChangeEvent); ok {
			out = append(out, w.statusChange(p))
		}
	}
	return out
}

func (s *seat) report() SeatReport {
	r := SeatReport{
		Agent: s.id, Role: s.a.Genome.Role,
		Thinks: slices.Clone(s.thinks), Satisfaction: s.satisfactions, Faults: s.faults,
	}
	if s.step.Kind == ooda.StepSend {
		r.Type, r.Msg = s.step.Envelope.Type, s.step.Envelope.MsgID
	}
	if s.reply.Err != nil {
		r.Refused = string(s.reply.Err.Message)
	}
	if s.step.NOP != nil {
		nop := *s.step.NOP
		r.NOP = &nop
	}
	return r
}

// cycle reports a finished cycle.
func (w *reporter) cycle(row *CycleRow, m MetricsRow, end *realm.CycleEnd, events []*wire.Event) {
	if w.publisher == nil {
		return
	}
	r := &CycleReport{Row: *row, Metrics: m, Events: events, QueueDropped: w.realm.Dropped()}
	r.Changes = w.statusChanges(events)
	for _, s := range w.agents.bySpawn() {
		for _, g := range s.turn.Satisfactions() {
			r.Ended = append(r.Ended, GoalReport{s.id, g})
		}
	}
	for _, woken := range end.Woken {
		for i := range r.Changes {
			if r.Changes[i].Agent == woken.Agent {
				r.Changes[i].Cause, r.Changes[i].HoldEnded = woken.Cause, woken.HoldEnded
			}
		}
	}
	w.publisher.cycle(r)
}

func (w *reporter) statusChange(p *wire.AgentStatusChangeEvent) StatusChange {
	s := w.agents.peek(p.AgentID)
	balance, _ := w.realm.Balance(s.id)
	return StatusChange{
		Agent: s.id, Role: s.a.Genome.Role, From: p.OldStatus, To: p.NewStatus, Reason: p.Reason,
		Balance: balance, Reputation: float64(w.realm.Agent(s.id).Reputation),
	}
}
