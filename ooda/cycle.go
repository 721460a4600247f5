package ooda

import (
	"kingdom/agent"
	"kingdom/goals"
	"kingdom/wire"
)

// CycleStart begins a cycle: it sets the budget, resets counters, and deletes the notes that were not set in the
// cycle before.
func (t *Turn) CycleStart(alloc wire.TickAlloc, at wire.Tick) {
	t.goals.applyBlindness()
	t.slotView.rightsKnown = false // templates may have changed
	t.seen.tick, t.seen.cycle = at, alloc.Cycle
	t.agent.TickBudget = alloc.Budget
	t.regs.carryOver(at)
	t.agent.Memory.Working.CycleStart()
	t.agent.Memory.Market.CycleStart(t.notes.Earned, t.notes.Born)
	complainer{&t.self}.cycleStart(at, alloc.Cycle)
	t.notes.CycleStart()
	requestLimit{&t.self}.forgive()
	t.missed, t.reply = t.missed[:0], wire.Reply{} // a prompt depends on nothing older than its cycle but the agent
	t.seen.recent.begin(t.notes)
}

// CycleEnd ends a cycle: it drops weak beliefs, updates the counters per cycle, and ends the slots that a running
// task did not get.
func (t *Turn) CycleEnd(at wire.Tick) {
	t.seen.tick, t.seen.cycle = at, t.rules.Calendar.Cycle(at) // also of who had no slot in it: a resumed run knows nothing of the slots before
	reflection{&t.self, &t.regs}.cycle(at)
	t.events.reviewJudgements(at)
	t.goals.reconsider()
	t.agent.Memory.Beliefs.CycleEnd()
	t.agent.Memory.Findings.EndEras(t.seen.cycle)
	t.agent.Learning.CycleEnd()
	t.agent.Memory.Topics.Idle(t.seen.cycle, float64(barRises*t.expert().specialisation()))
	t.agent.Memory.Drive.EndCycle(t.deferral().heardOf())
	t.notes.CycleEnd()
	t.seen.recent.end(t.notes)
	switch task := t.agent.CurrentTask; {
	case task == nil:
	case task.Awaits == nil:
		t.agent.CurrentTask = nil
	default:
		task.Owed = 0
	}
}

// Wake wakes the agent: its NOP streak becomes 0 and it gets a goal explore, whatever the cause.
func (t *Turn) Wake(tick wire.Tick) {
	t.agent.NOPStreak, t.notes.IdleCycles = 0, 0
	t.fault(t.agent.SetStatus(wire.StatusActive))
	if !t.agent.Goals.Has(goals.SourceCuriosity, goals.KindExplore) {
		t.fault(t.Inject(goals.Explore(t.agent.ID, tick), tick))
	}
}

// Inject adds a goal from outside. The error is an [*agent.Error] if the layer is full of better goals, and a
// [*goals.DuplicateError] if the goal is alive already.
func (t *Turn) Inject(g goals.Goal, tick wire.Tick) error {
	t.seen.tick = tick // what ends for the newcomer ends now
	a := t.rules.Appraise(t.agent, tick)
	a.Earned = t.notes.Earned
	return agent.Wrap(t.agent.ID, t.goals.put(g, &a))
}

// Faults returns the errors since the last call that concern only the agent: overflows of working memory, goals of the
// mind for which there was no room, and answers that stayed unusable. The turn continued after them.
func (t *Turn) Faults() []error {
	out := t.faults
	t.faults = nil
	return out
}
