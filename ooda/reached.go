package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

// Reached completes the living operator goals with this text, because the operator says that they are reached. It
// returns how many there were.
func (t *Turn) Reached(text string, tick wire.Tick) int {
	t.seen.tick = tick // of what the agent learns from it
	var ids []wire.Hash
	for _, g := range t.agent.Goals.Living() {
		if g.Kind() == goals.KindOperator && g.Description.Text == text {
			ids = append(ids, g.ID)
		}
	}
	for _, id := range ids {
		t.goals.tell(&goals.Fact{Kind: goals.FactReached, Goal: id})
	}
	return len(ids)
}
