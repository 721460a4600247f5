package engine

import (
	"context"

	"kingdom/agent"
	"kingdom/wire"
)

// absorbBatch is how many events are taken in between two looks at the context; a newcomer
// costs about a tenth of a millisecond.
const absorbBatch = 1 << 10

// absorb takes the events since the last call and lets seats follow the roster:
// newcomers get one, changes of status reach the agent. It returns the events; when ctx
// ends before it is through, the engine must not run on.
func (e *Engine) absorb(ctx context.Context) ([]*wire.Event, error) {
	events := e.realm.TakeEvents()
	for i, ev := range events {
		if i%absorbBatch == absorbBatch-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e.progress(StageAgents, len(e.crew.index))
		}
		var err error
		switch p := ev.Payload.(type) {
		case *wire.AgentSpawnEvent:
			err = e.follow(p.AgentID)
		case *wire.AgentStatusChangeEvent:
			if p.NewStatus == wire.StatusDormant {
				e.count.slept++
			}
			err = e.follow(p.AgentID)
		case *wire.AgentNopWarningEvent:
			e.count.warnings++
		case *wire.AgentKillEvent:
			err = e.follow(p.AgentID)
		}
		if err != nil {
			return nil, err
		}
	}
	e.events = append(e.events, events...)
	return events, nil
}

// follow brings an agent's seat to what the roster says.
func (e *Engine) follow(id wire.AgentID) error {
	r := e.realm.Agent(id)
	s := e.crew.seat(id)
	if s == nil {
		a := agent.New(agent.NewIdentity(e.cfg.Rules.Seed, r.SpawnIndex, r.SpawnTick, r.Genome), e.cfg.Limits)
		if n := int(r.SpawnIndex) - 1; n < len(e.cfg.Beginnings) {
			if err := e.cfg.Beginnings[n].begin(a); err != nil {
				return err
			}
		}
		s = newSeat(a, &e.cfg.Turn)
		e.crew.admit(s)
		s.touched = true
	}
	e.wakes.follow(s.status, r.Status)
	s.status = r.Status
	if err := s.a.SetStatus(r.Status); err != nil {
		panic(err) // the roster made a transition that the status machine does not have
	}
	s.touched = true
	return nil
}
