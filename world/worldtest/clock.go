package worldtest

import (
	"strings"

	"kingdom/wire"
	"kingdom/world/realm"
)

func (s *session) openCycle() {
	if !s.open {
		c := s.rules.Calendar.Cycle(s.tick) + 1
		s.realm.StartCycle(c)
		s.tick, s.open = s.rules.Calendar.First(c)-1, true
	}
}

// nextTick steps to the next tick; behind the last of a cycle it ends that first.
func (s *session) nextTick() {
	if s.open && s.tick == s.rules.Calendar.Last(s.rules.Calendar.Cycle(s.tick)) && s.tick != s.before() {
		s.endCycle(nil)
	}
	s.openCycle()
	s.tick++
	s.realm.OpenTick(s.tick)
}

// before is the tick before the first of the open cycle.
func (s *session) before() wire.Tick { return s.last.Tick }

func (s *session) step(words []string) {
	if len(words) == 0 {
		s.nextTick()
		s.show(s.realm.TakeEvents())
		return
	}
	s.openCycle()
	to := s.rules.Calendar.First(s.last.Cycle+1) + wire.Tick(s.parse(words[0]))
	if to <= s.tick {
		s.t.Fatalf("tick %d is not ahead of tick %d", to, s.tick)
	}
	s.tick = to
	s.realm.OpenTick(to)
	s.show(s.realm.TakeEvents())
}

func (s *session) endCycle(wakes []realm.Wake) {
	s.last = s.realm.EndCycle(wakes)
	s.tick, s.open = s.last.Tick, false
	e := &s.last
	s.printf("cycle %d ends: epoch %d, %d active, %d dormant, %d embryo, %d dead, %d ticks",
		e.Cycle, e.Epoch, e.Active, e.Dormant, e.Embryo, e.Dead, e.TotalTicks)
	var shown []*wire.Event
	for _, ev := range s.realm.TakeEvents() {
		if ev.Kind != wire.KindCycleEnd && ev.Kind != wire.KindEconomyReportPublished {
			shown = append(shown, ev)
		}
	}
	s.show(shown)
}

// whole runs one whole cycle; awake says whether every ACTIVE agent takes a slot.
func (s *session) whole(awake bool) {
	if !s.open {
		s.openCycle()
	}
	if awake {
		s.tick++
		s.realm.OpenTick(s.tick)
		var seats []realm.Seat
		for _, a := range s.realm.Active() {
			seats = append(seats, realm.Seat{Agent: a})
		}
		s.realm.Commit(s.tick, seats)
	}
	s.realm.TakeEvents()
	s.endCycle(nil)
}

func (s *session) wakes(words []string) (out []realm.Wake) {
	for _, w := range words {
		who, cause, _ := strings.Cut(w, ":")
		for c := wire.WakeOperator; c <= wire.WakeMessage; c++ {
			if c.String() == cause {
				out = append(out, realm.Wake{Agent: s.agent(who), Cause: c})
			}
		}
	}
	return out
}
