package ooda

import (
	"testing"

	"kingdom/wire"
)

// A strategist gets no offers but to rest and nop, and is asked in each slot all the same.
func TestStrategist_GetsNoOffersAndIsAskedEachSlot(t *testing.T) {
	for _, strategist := range []bool{false, true} {
		s := newSolo(t, genomes[2])
		if strategist {
			s.rules.Strategists = []wire.AgentID{s.a.ID}
		}
		s.t = NewTurn(s.a, &s.rules)
		s.t.CycleStart(wire.TickAlloc{Budget: 64, Cycle: 1}, 256)
		for range 3 {
			asked := s.ask()
			if asked.Kind != AskThink {
				t.Fatalf("strategist %v: %v", strategist, asked.Kind)
			}
			const idling = 2 // to rest, and nop
			if got := len(asked.Prompt.Affordances); (got == idling) != strategist || got < idling {
				t.Errorf("strategist %v: %d offers", strategist, got)
			}
			step := s.t.Act(answered(`{"action":"balance_query","params":{"agent_id":"` + s.a.ID.String() + `"},"reasoning":"waits"}`))
			if step.Kind != StepSend {
				t.Fatalf("strategist %v: %+v", strategist, step)
			}
			r := ack
			r.Ref = step.Envelope.MsgID
			s.t.Record(r)
		}
	}
}
