package engine

import (
	"context"

	"kingdom/agent"
	"kingdom/wire"
)

// eventBatch is how many events are handled between two checks of the context; a new agent costs about a tenth of a
// millisecond.
const eventBatch = 1 << 10

// handleEvents takes the world's events since the last call, adds a seat for each new agent and copies changed statuses to
// the seats. It returns the events. If ctx ends before it is done, the engine must not run on.
func (e *Engine) handleEvents(ctx context.Context) ([]*wire.Event, error) {
	events := e.realm.TakeEvents()
	for i, ev := range events {
		if i%eventBatch == eventBatch-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e.progress(StageAgents, len(e.agents.index))
		}
		var err error
		switch p := ev.Payload.(type) {
		case *wire.AgentSpawnEvent:
			err = e.syncSeat(p.AgentID)
		case *wire.AgentStatusChangeEvent:
			if p.NewStatus == wire.StatusDormant {
				e.count.slept++
			}
			err = e.syncSeat(p.AgentID)
		case *wire.AgentNopWarningEvent:
			e.count.warnings++
		case *wire.AgentKillEvent:
			err = e.syncSeat(p.AgentID)
		}
		if err != nil {
			return nil, err
		}
	}
	e.events = append(e.events, events...)
	return events, nil
}

// syncSeat makes an agent's seat agree with the roster; a new agent gets a seat.
func (e *Engine) syncSeat(id wire.AgentID) error {
	r := e.realm.Agent(id)
	s := e.agents.seat(id)
	if s == nil {
		a := agent.New(agent.NewIdentity(e.cfg.Rules.Seed, r.SpawnIndex, r.SpawnTick, r.Genome), e.cfg.Limits)
		if n := int(r.SpawnIndex) - 1; n < len(e.cfg.Beginnings) {
			if err := e.cfg.Beginnings[n].apply(a, &e.cfg.Turn); err != nil {
				return err
			}
		}
		a.Birth = e.births.take(id)
		e.births.addName(a)
		s = newSeat(a, &e.cfg.Turn)
		e.agents.add(s)
		s.touched = true
	}
	e.wakes.countStatus(s.status, r.Status)
	s.status = r.Status
	if err := s.a.SetStatus(r.Status); err != nil {
		panic(err) // the roster made a transition that the status machine does not have
	}
	s.touched = true
	return nil
}
