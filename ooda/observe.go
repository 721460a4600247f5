package ooda

import "kingdom/wire"

// observe takes in the view: facts of the moment, lists, events, deliveries.
func (t *Turn) observe(v *wire.View) {
	t.slotView.look(v)
	if e := t.agent.Memory.Effects.Last(); e != nil {
		e.Spark += v.Balance - t.agent.Balance
	}
	t.agent.Balance, t.agent.Reputation = v.Balance, float32(v.Reputation)
	t.notes.Slot++
	for _, e := range v.Events {
		t.events.notice(e)
	}
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
