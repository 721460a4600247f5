package engine

import (
	"kingdom/agent"
	"kingdom/wire"
)

// absorb takes the events since the last call and lets seats follow the roster:
// newcomers get one, changes of status reach the agent. It returns the events.
func (e *Engine) absorb() []*wire.Event {
	events := e.realm.TakeEvents()
	for _, ev := range events {
		switch p := ev.Payload.(type) {
		case *wire.AgentSpawnEvent:
			e.follow(p.AgentID)
		case *wire.AgentStatusChangeEvent:
			if p.NewStatus == wire.StatusDormant {
				e.count.slept++
			}
			e.follow(p.AgentID)
		case *wire.AgentNopWarningEvent:
			e.count.warnings++
		case *wire.AgentKillEvent:
			e.follow(p.AgentID)
		}
	}
	e.events = append(e.events, events...)
	return events
}

// follow brings an agent's seat to what the roster says.
func (e *Engine) follow(id wire.AgentID) {
	r := e.realm.Agent(id)
	s := e.crew.seat(id)
	if s == nil {
		s = newSeat(agent.New(agent.NewIdentity(e.cfg.Rules.Seed, r.SpawnIndex, r.SpawnTick, r.Genome), e.cfg.Limits), &e.cfg.Turn)
		e.crew.admit(s)
		s.touched = true
	}
	e.wakes.follow(s.status, r.Status)
	s.status = r.Status
	if err := s.a.SetStatus(r.Status); err != nil {
		panic(err) // the roster made a transition that the status machine does not have
	}
	s.touched = true
}
