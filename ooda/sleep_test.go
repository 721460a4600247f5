package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// planned is a plan of one step for a task of the agent.
func planned(s *solo) *memory.Plan {
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindVote, Text: "x"}, 1)
	if err := s.t.Inject(g, 256); err != nil {
		s.Fatal(err)
	}
	return s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Steps: []memory.PlanStep{{Action: stepCodec.Bytes(&stepAction{"entry_query", `{"limit":5}`})}}})
}

// A rest becomes a sleep only for a reason in the world, which the status report gives.
func TestSleep_OnlyForAReasonInTheWorld(t *testing.T) {
	for _, c := range []struct {
		name string
		with func(s *solo)
		why  string
	}{
		{"a pause", func(*solo) {}, ""},
		{"nothing productive for two cycles", func(s *solo) { s.t.notes.IdleCycles = 2 }, ""},
		{"for three", func(s *solo) { s.t.notes.IdleCycles = 3 }, "no_demand"},
		{"for three, but it is sociable", func(s *solo) { s.t.notes.IdleCycles, s.a.Genome.Traits.Collaboration = 3, 0.6 }, ""},
		{"for four, though it is", func(s *solo) { s.t.notes.IdleCycles, s.a.Genome.Traits.Collaboration = 4, 0.6 }, "no_demand"},
		{"but in this one", func(s *solo) { s.t.notes.IdleCycles, s.t.notes.Worked = 4, true }, ""},
		{"a plan waits", func(s *solo) {
			s.t.notes.IdleCycles = 4
			planned(s).Blocked = &wire.Hash{1}
		}, "blocked"},
		{"a step of a plan failed", func(s *solo) { s.t.notes.IdleCycles = 4; planned(s).Tries = 1 }, "blocked"},
		{"a plan goes on", func(s *solo) { s.t.notes.IdleCycles = 4; planned(s) }, "no_demand"},
		{"hardly anything left, though it worked", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.Worked = 3, 5, true }, "poverty"},
		{"poor, but it earns", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.a.Memory.Market.Wage = 3, 5, 3.2 }, ""},
		{"enough for two cycles, and it worked", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.Worked = 3, 6, true }, ""},
		{"poor, and of no use for three cycles", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.IdleCycles = 3, 19, 3 }, "poverty"},
		{"poor, and of no use for two", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.IdleCycles = 3, 19, 2 }, ""},
		{"poor, but it worked", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.Worked, s.t.notes.IdleCycles = 3, 19, true, 3 }, ""},
		{"not poor, and of no use", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.t.notes.IdleCycles = 3, 20, 3 }, "no_demand"},
		{"poor, but it earns its upkeep", func(s *solo) { s.rules.Upkeep, s.view.Balance, s.a.Memory.Market.Wage = 3, 5, 3 }, ""},
		{"hardly anything left, but it is blind to money", func(s *solo) {
			s.rules.Upkeep, s.view.Balance, s.rules.Blind = 3, 0, llm.LayersOf([]string{"money"})
		}, ""},
		{"poor, of no use, and blind to money", func(s *solo) {
			s.rules.Upkeep, s.view.Balance, s.t.notes.IdleCycles, s.rules.Blind = 3, 19, 3, llm.LayersOf([]string{"money"})
		}, "no_demand"},
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
		if s.t.notes.Rest != 0 {
			t.Errorf("%s: it rests for %d more slots when it wakes", c.name, s.t.notes.Rest)
		}
		if s.t.Wake(900); s.t.notes.IdleCycles != 0 {
			t.Errorf("%s: who was called is barren", c.name)
		}
	}
}

// A rest has the priority of a slot's worth to the agent, as nop has; poor agents value a slot more.
func TestRest_PriorityIsReservationLikeNop(t *testing.T) {
	worth := func(with func(s *solo)) float64 {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		with(s)
		list := s.ask().Prompt.Affordances
		rest, nop := list[len(list)-2], list[len(list)-1]
		if !rest.Action.IsRest() || rest.Priority != nop.Priority {
			t.Errorf("rest %+v, nop %v", rest, nop.Priority)
		}
		return rest.Priority
	}
	least := worth(func(*solo) {})
	poor := worth(func(s *solo) { s.view.Balance = 5 })
	if earner := worth(func(s *solo) { s.a.Memory.Market.Wage = 30 * float64(s.a.TickBudget) }); !near(least, reserve) || poor <= least || !near(earner, 0.5) {
		t.Errorf("a rest is worth %v, to the poor %v, to who earns 30 ⚡ in a slot %v", least, poor, earner)
	}
}
