package ooda

import "kingdom/wire"

// observe takes in the view: facts of the moment, lists, events, deliveries.
func (t *Turn) observe(v *wire.View) {
	t.slotView.look(v)
	if e := t.agent.Memory.Effects.Last(); e != nil {
		e.Spark -= t.spent(v)
	}
	t.agent.Balance, t.agent.Reputation = v.Balance, float32(v.Reputation)
	t.notes.Slot++
	for _, e := range v.Events {
		t.events.notice(e)
	}
	keepEvents(t.items(), v.Events)
	t.shareIncome(v.Earned)
	workReader{&t.replies}.followWorks(v)
	workReader{&t.replies}.takeProofs(v)
	for i := range v.Deliveries {
		if w, ok := v.Deliveries[i].Body.(*wire.WorldState); ok {
			t.notes.Active = w.ActiveAgents
		}
		t.task.receive(&v.Deliveries[i])
	}
}

// spent is how many ⚡ left the account since the last slot, without what a cycle awake costs. What came in meanwhile was paid
// for other things: events tell it, and the effect of the act that it is for. If the agent rested since its last act, what the
// end of a cycle took was for other things, too: for sandboxes and services, or bonds.
func (t *Turn) spent(v *wire.View) int64 {
	spent := int64(v.Earned-min(v.Earned, t.notes.Earned)) - (v.Balance - t.agent.Balance)
	if t.notes.Slot == 0 { // the first of its cycle
		if acts := t.agent.Memory.Experiences; acts.Len() > 0 && t.notes.Rested.At > acts.Recent(0).Tick {
			return 0
		}
		spent -= int64(t.rules.Upkeep)
	}
	return max(spent, 0)
}
