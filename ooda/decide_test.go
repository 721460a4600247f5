package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// TestThinkContext_CodeComplexity: a bounty for code is as hard as its creator says, and
// asks for the strategic tier from HARD on.
func TestThinkContext_CodeComplexity(t *testing.T) {
	code := []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile}}
	tests := []wire.BountyRequirement{{Kind: wire.RequirementKindCustom}, {Kind: wire.RequirementKindMustPassTests}}
	words := []wire.BountyRequirement{{Kind: wire.RequirementKindCustom}}
	for _, c := range []struct {
		name         string
		difficulty   wire.Difficulty
		requirements []wire.BountyRequirement
		complexity   float32
		tier         llm.Tier
	}{
		{"trivial", wire.DifficultyTrivial, code, 0.1, llm.Tier2},
		{"easy", wire.DifficultyEasy, code, 0.3, llm.Tier2},
		{"moderate", wire.DifficultyModerate, code, 0.5, llm.Tier2},
		{"moderate, tests", wire.DifficultyModerate, tests, 0.5, llm.Tier2},
		{"hard", wire.DifficultyHard, code, 0.8, llm.Tier1},
		{"legendary", wire.DifficultyLegendary, tests, 1, llm.Tier1},
		{"legendary, no code", wire.DifficultyLegendary, words, 0, llm.Tier2},
	} {
		for _, claimed := range []bool{false, true} {
			s := newSolo(t, genomes[6])
			b := s.bounty()
			b.Requirements = c.requirements
			if claimed {
				s.view.Bounties, s.view.Claims = nil, []wire.BountyView{*b}
			}
			s.ask()
			g := s.aboutBounty()
			g.Description.Difficulty = &c.difficulty
			s.t.goals.top = g
			row := s.t.slotView.action("entry_get")
			s.t.offers.list, s.t.offers.topPlanned = []llm.Affordance{{Action: row}}, false
			s.t.prompt.Affordances = make([]llm.Affordance, 3)
			ctx := s.t.thinkContext()
			if ctx.CodeComplexity != c.complexity || llm.Classify(ctx) != c.tier {
				t.Errorf("%s, claimed %v: complexity %v, %v; want %v, %v", c.name, claimed, ctx.CodeComplexity, llm.Classify(ctx), c.complexity, c.tier)
			}
		}
	}
}

func TestThinkContext_Conditions(t *testing.T) {
	for _, c := range []struct {
		name                   string
		action                 string
		choices                int // nop included
		successes              int
		planned                bool
		design, routine, quick bool
	}{
		{"three choices", "entry_get", 3, 0, false, false, false, false},
		{"two choices", "entry_get", 2, 0, false, false, false, true},
		{"one choice", "entry_get", 1, 0, false, false, false, true},
		{"a vote", "proposal_vote", 3, 0, false, false, false, true},
		{"a signal", "signal_send", 3, 0, false, false, false, true},
		{"done twice", "entry_get", 3, 2, false, false, false, false},
		{"done three times", "entry_get", 3, 3, false, false, true, false},
		{"an entry", "entry_publish", 3, 0, false, true, false, false},
		{"a message", "msg_post", 3, 0, false, false, false, false},
		{"a new plan", "entry_get", 3, 0, true, true, false, false},
	} {
		s := newSolo(t, genomes[6])
		s.ask()
		row := s.t.slotView.action(c.action)
		for range c.successes {
			s.a.Learning.Act(tripleOf(row, goals.SubjectEntry), goals.KindLearn.Domain(), goals.KindLearn, true)
		}
		s.t.offers.list, s.t.offers.topPlanned = []llm.Affordance{{Action: row}}, c.planned
		s.t.prompt.Affordances = make([]llm.Affordance, c.choices)
		ctx := s.t.thinkContext()
		if ctx.InvolvesNewDesign != c.design || ctx.IsRoutine != c.routine || ctx.IsSimpleDecision != c.quick || ctx.CodeComplexity != 0 {
			t.Errorf("%s: %+v", c.name, ctx)
		}
	}
	for kind, want := range map[wire.MsgType]bool{
		wire.TypeRepoCreate: true, wire.TypeEntryPublish: true, wire.TypeProposalSubmit: true, wire.TypeMsgPost: false,
	} {
		if designs(kind) != want {
			t.Errorf("%v designs something: %v", kind, !want)
		}
	}
}

// The plan of the top goal asks for the strategic tier in the slot in which it was made, and not in the next one.
func TestDecide_PlanIsNewOnlyInSlotItWasMade(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask(s.created(s.bounty()))
	if !s.t.offers.topPlanned || s.t.goals.top.Kind() != goals.KindClaimBounty {
		t.Fatalf("top goal %v, planned %v", s.t.goals.top.Kind(), s.t.offers.topPlanned)
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.ask()
	if s.t.offers.topPlanned {
		t.Error("a plan of the slot before is new")
	}
}

func TestPrompt_SlotsAreNumberedFromZero(t *testing.T) {
	s := newSolo(t, genomes[6])
	for slot := range uint64(3) {
		if p := s.ask().Prompt; p.Slot != slot || p.SlotsLeft != 64 || p.Tick != s.view.Tick {
			t.Errorf("slot %d: %d, %d slots left", slot, p.Slot, p.SlotsLeft)
		}
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
	}
	s.t.CycleStart(wire.TickAlloc{Budget: 7}, 512)
	if p := s.ask().Prompt; p.Slot != 0 || s.a.TickBudget != 7 {
		t.Errorf("the first slot of a cycle is %d, budget %d", p.Slot, s.a.TickBudget)
	}
}

func TestDecide_WithoutGoalAsksNoThought(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for len(s.a.Goals.Living()) > 0 {
		s.a.Goals.Abandon(s.a.Goals.Living()[0].ID, goals.ReasonPlans, 0)
	}
	s.t.goals.top = nil
	if asked := s.t.decide(); asked.Kind != AskSilent || s.t.goals.top != nil {
		t.Errorf("%+v", asked)
	}
}
