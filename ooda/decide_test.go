package ooda

import (
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
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
			row := s.t.sight.action("entry_get")
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
		row := s.t.sight.action(c.action)
		for range c.successes {
			s.a.Learning.Act(tripleOf(row, goals.SubjectEntry), goals.KindLearn, true)
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

// TestDecide_OnlyTheTopGoalsPlanIsANewDesign: plans of lesser goals are everyday work.
func TestDecide_OnlyTheTopGoalsPlanIsANewDesign(t *testing.T) {
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
		if p := s.ask().Prompt; p.Slot != slot || p.SlotsLeft != 64 || p.Balance != 100 || p.Tick != s.view.Tick {
			t.Errorf("slot %d: %d, %d slots left, balance %d", slot, p.Slot, p.SlotsLeft, p.Balance)
		}
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
	}
	s.t.CycleStart(wire.TickAlloc{Budget: 7}, 512)
	if p := s.ask().Prompt; p.Slot != 0 || s.a.TickBudget != 7 {
		t.Errorf("the first slot of a cycle is %d, budget %d", p.Slot, s.a.TickBudget)
	}
}

func TestCycleEnd_LeavesOnlyTasksThatWait(t *testing.T) {
	ref := wire.Hash{1}
	for _, c := range []struct {
		name string
		task *agent.Task
		kept bool
	}{
		{"none", nil, false},
		{"running", &agent.Task{TickLimit: 3, TicksUsed: 1}, false},
		{"waiting", &agent.Task{TickLimit: 3, TicksUsed: 1, Awaits: &ref}, true},
	} {
		s := newSolo(t, genomes[6])
		s.a.CurrentTask = c.task
		s.t.CycleEnd(511)
		if kept := s.a.CurrentTask != nil; kept != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, kept, c.kept)
		}
	}
}

func TestWake_AddsOneExploreGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	explore := func() (n int) {
		for _, g := range s.a.Goals.Living() {
			if g.Kind() == goals.KindExplore {
				n++
			}
		}
		return n
	}
	for range 2 {
		_ = s.a.SetStatus(wire.StatusDormant)
		s.a.NOPStreak = 5
		s.t.Wake(WakeTimer, 300)
		if s.a.Status != wire.StatusActive || s.a.NOPStreak != 0 || explore() != 1 || len(s.t.Faults()) != 0 {
			t.Fatalf("%v, streak %d, %d explore goals", s.a.Status, s.a.NOPStreak, explore())
		}
	}
}

// TestTask_EffortCountsEverySlot: of an action of two slots both are the goal's effort.
func TestTask_EffortCountsEverySlot(t *testing.T) {
	s := newSolo(t, genomes[2])
	s.view.SlotsLeft = 2 // just enough
	step := s.slot(publish, wire.Reply{Type: wire.TypeAck, Body: &wire.EntryPublishAck{EntryID: wire.Hash{1}}})
	g := s.a.Goals.Get(s.t.pending.goal)
	if step.Kind != StepSend || g == nil || g.Record.Effort != 1 {
		t.Fatalf("step %v, goal %+v", step.Kind, g)
	}
	s.ask()
	s.t.Act(llm.Thought{})
	s.t.Record(wire.Reply{})
	if g.Record.Effort != 2 {
		t.Errorf("effort %d after two slots", g.Record.Effort)
	}
	s.ask()
	top := s.t.goals.top
	before := top.Record.Effort
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	if top.Record.Effort != before+1 {
		t.Errorf("effort %d for the top goal after a NOP, %d before", top.Record.Effort, before)
	}
}

func TestTask_NamesThePlanStepItServes(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	row := s.t.sight.action("entry_publish")
	for _, c := range []struct {
		plan uint64
		want bool
	}{{0, false}, {5, true}} {
		p := &pending{row: row, plan: c.plan, step: 3, goalKind: goals.KindEarn, subjectKind: goals.SubjectNone}
		task := s.t.task(p)
		if got := task.PlanStep != nil; got != c.want || got && *task.PlanStep != 3 {
			t.Errorf("plan %d: step %v", c.plan, task.PlanStep)
		}
	}
}

func TestNOP_CountsTheThoughtsOfItsSlot(t *testing.T) {
	for _, c := range []struct {
		name     string
		answers  []llm.Thought
		reason   NOPReason
		attempts uint32
		tries    uint32
	}{
		{"chosen at once", []llm.Thought{answered(idle)}, NOPChosen, 1, 3},
		{"chosen after one unusable answer", []llm.Thought{answered("hm"), answered(idle)}, NOPChosen, 2, 3},
		{"timed out after two", []llm.Thought{answered("hm"), answered("hm"), {Outcome: llm.TimedOut}}, NOPTimedOut, 3, 3},
		{"all unusable", []llm.Thought{answered("hm"), answered("hm"), answered("hm")}, NOPParseFailed, 3, 3},
		{"one try", []llm.Thought{answered("hm")}, NOPParseFailed, 1, 1},
		{"no try is one", []llm.Thought{answered("hm")}, NOPParseFailed, 1, 0},
	} {
		s := newSolo(t, genomes[0])
		s.rules.Tries = c.tries
		s.ask()
		var step Step
		for i, th := range c.answers {
			if i > 0 && step.Kind != StepAgain {
				t.Errorf("%s: no try %d", c.name, i)
			}
			step = s.t.Act(th)
		}
		if step.NOP == nil || step.NOP.Reason != c.reason || step.NOP.Attempts != c.attempts || step.NOP.Goal == nil || step.NOP.Model != c.answers[len(c.answers)-1].Model {
			t.Errorf("%s: %+v", c.name, step.NOP)
		}
	}
}

// TestAttribute: the same action and subject first, then the same action, then the top goal.
func TestAttribute(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	get, query := s.t.sight.action("entry_get"), s.t.sight.action("entry_query")
	o := &s.t.offers
	o.list = []llm.Affordance{
		{Action: query, Goal: wire.Hash{1}, Subject: wire.Hash{20}},
		{Action: get, Goal: wire.Hash{2}, Subject: wire.Hash{10}},
		{Action: get, Goal: wire.Hash{3}, Subject: wire.Hash{20}},
		{Action: get, Goal: wire.Hash{4}, Subject: wire.Hash{20}},
	}
	o.refs = []offerRef{{goal: goals.KindOwn}, {goal: goals.KindLearn, plan: 2, step: 1}, {goal: goals.KindMentor, plan: 3, step: 2}, {}}
	top := s.t.goals.top
	for _, c := range []struct {
		name    string
		action  string
		subject wire.Hash
		goal    wire.Hash
		kind    goals.Kind
		plan    uint64
	}{
		{"exact", "entry_get", wire.Hash{20}, wire.Hash{3}, goals.KindMentor, 3},
		{"same action", "entry_get", wire.Hash{30}, wire.Hash{2}, goals.KindLearn, 2},
		{"not offered", "balance_query", wire.Hash{20}, top.ID, top.Kind(), 0},
	} {
		p := &pending{row: s.t.sight.action(c.action), subject: c.subject}
		o.attribute(p)
		if p.goal != c.goal || p.goalKind != c.kind || p.plan != c.plan {
			t.Errorf("%s: goal %v of %v, plan %d", c.name, p.goal, p.goalKind, p.plan)
		}
	}
	o.list, o.refs = o.list[1:], o.refs[1:]
	p := &pending{row: get, subject: wire.Hash{30}}
	if o.attribute(p); p.goal != (wire.Hash{2}) {
		t.Errorf("the first with the same action is %v", p.goal)
	}
	s.t.goals.top = nil
	p = &pending{row: s.t.sight.action("balance_query")}
	if o.attribute(p); !p.goal.IsZero() || p.goalKind != goals.KindOwn {
		t.Errorf("no goal at all: %+v", p)
	}
}

// TestTask_GivenUpFailsTheStepThatWaited: the plan goes on when its result never came.
func TestTask_GivenUpFailsTheStepThatWaited(t *testing.T) {
	for _, blocked := range []bool{true, false} {
		s := newSolo(t, genomes[2])
		s.slot(withField(getEntry, `,"memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}`), ack)
		p := s.a.Memory.Plans.Of(s.t.pending.goal)
		ref := wire.Hash{1}
		if blocked {
			p.Blocked = &ref
		}
		s.a.CurrentTask = &agent.Task{GoalID: p.Goal, TickLimit: 1, Awaits: &ref}
		s.slot(idle, wire.Reply{})
		if failed := p.Tries == 1; failed != blocked || s.a.CurrentTask != nil || p.Status == memory.PlanAbandoned {
			t.Errorf("blocked %v: tries %d, task %v", blocked, p.Tries, s.a.CurrentTask)
		}
	}
}

// withField adds a field to an answer.
func withField(answer, field string) string { return answer[:len(answer)-1] + field + "}" }

func TestDecide_NoGoalNeedsNoThought(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for len(s.a.Goals.Living()) > 0 {
		s.a.Goals.Abandon(s.a.Goals.Living()[0].ID, 0)
	}
	s.t.goals.top = nil
	if asked := s.t.decide(); asked.Kind != AskSilent || s.t.goals.top != nil {
		t.Errorf("%+v", asked)
	}
}
