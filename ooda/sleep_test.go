package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// A rest becomes a sleep only for a reason that lies in the world, and the report gives it.
func TestSleep_ForAReason(t *testing.T) {
	for _, c := range []struct {
		name string
		with func(s *solo)
		why  string
	}{
		{"a pause", func(*solo) {}, ""},
		{"nothing productive for three cycles", func(s *solo) { s.t.notes.Barren = 3 }, ""},
		{"for four", func(s *solo) { s.t.notes.Barren = 4 }, "no_demand"},
		{"but in this one", func(s *solo) { s.t.notes.Barren, s.t.notes.Worked = 4, true }, ""},
		{"a plan waits", func(s *solo) {
			s.t.notes.Barren = 4
			g := goals.New(s.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindVote, Text: "x"}, 1)
			if err := s.t.Inject(g, 256); err != nil {
				s.Fatal(err)
			}
			p := s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Steps: []memory.PlanStep{{Action: stepCodec.Bytes(&stepAction{"entry_query", `{"limit":5}`})}}})
			p.Blocked = &wire.Hash{1}
		}, "blocked"},
		{"poor, with upkeep", func(s *solo) { s.rules.Upkeep, s.view.Balance = 3, 5 }, "poverty"},
		{"poor, but it earns", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.a.Memory.Market.Wage = 3, 5, 3.2 }, ""},
		{"enough for two cycles", func(s *solo) { s.rules.Upkeep, s.view.Balance = 3, 6 }, ""},
		{"poor, without upkeep", func(s *solo) { s.view.Balance = 0 }, ""},
	} {
		s := newSolo(t, genomes[6])
		c.with(s)
		step := s.slot(restFor(4), ack)
		if c.why == "" {
			if step.Kind != StepNone || !step.Resting || s.a.Status != wire.StatusActive {
				t.Errorf("%s: %+v, %s", c.name, step, s.a.Status)
			}
			continue
		}
		q, ok := step.Payload.(*wire.AgentStatusMsg)
		if step.Kind != StepSend || !ok || q.Status == nil || *q.Status != wire.StatusDormant || q.Reason == nil || *q.Reason != c.why || !wire.SleepReason(c.why) {
			t.Fatalf("%s: %+v", c.name, step)
		}
		if step.Resting || step.NOP.StatusTo != wire.StatusDormant || s.a.Status != wire.StatusDormant || s.a.NOPStreak != 0 {
			t.Errorf("%s: %+v, %s, streak %d", c.name, step, s.a.Status, s.a.NOPStreak)
		}
		if s.t.Wake(900); s.t.notes.Barren != 0 {
			t.Errorf("%s: who was called is barren", c.name)
		}
	}
}

// What nobody waits for is worth less than a rest, what somebody waits for more; the poor think less lightly.
func TestRest_IsWorthWhatNothingCallsFor(t *testing.T) {
	worths := func(with func(s *solo)) (rest, nop float64) {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		with(s)
		list := s.ask().Prompt.Affordances
		return list[len(list)-2].Priority, list[len(list)-1].Priority
	}
	free, least := worths(func(s *solo) { s.view.SlotsLeft = 60 })
	busy, _ := worths(func(s *solo) {
		s.view.SlotsLeft = 8
		s.noteEntries(4, memory.EntryNote{Author: peerA, Read: true})
	})
	poor, poorest := worths(func(s *solo) { s.view.Balance = 5 })
	if least != 0.15 && !near(least, reserve) || free <= busy || busy < least || poorest <= least || poor <= poorest {
		t.Errorf("rest is worth %v to the free, %v to the busy, %v to the poor; nop %v, to the poor %v", free, busy, poor, least, poorest)
	}
	_, earner := worths(func(s *solo) { s.a.Memory.Market.Wage = 30 * float64(s.a.TickBudget) })
	if !near(earner, 0.5) {
		t.Errorf("nop is worth %v to who earns 30 ⚡ in a slot", earner)
	}
}
