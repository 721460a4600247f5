package engine

import "kingdom/wire"

// look fills in what the agent sees at t: the world before the tick.
func (e *Engine) look(s *seat, t wire.Tick) {
	e.realm.View(s.id, &s.view)
	budget := min(s.alloc.Budget, e.cal.TicksPerCycle)
	s.view.SlotsLeft = slotsLeft(e.cal.Offset(t), budget, e.cal.TicksPerCycle)
}
