package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

func custom(c wire.CustomCheck) []wire.BountyRequirement {
	return []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &c)}}
}

func TestBountySteps(t *testing.T) {
	kind, eight, nine := wire.EntryKindFAQ, uint32(8), uint32(9)
	for _, c := range []struct {
		name         string
		requirements []wire.BountyRequirement
		steps        int // 0: no plan can deliver it
	}{
		{"nothing in particular", nil, 3},
		{"a program", []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile}}, 0},
		{"tests", []wire.BountyRequirement{{Kind: wire.RequirementKindMustPassTests}}, 0},
		{"eight verified entries", custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &eight}), 11},
		{"nine verified entries", custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &nine}), 0},
		{"verified entries of no kind", custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Count: &eight}), 3},
		{"verified entries without number", custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind}), 3},
		{"an answer", custom(wire.CustomCheck{Check: wire.CheckOracleAnswered, Question: &wire.Hash{7}}), 4},
		{"an answer to nothing", custom(wire.CustomCheck{Check: wire.CheckOracleAnswered}), 3},
		{"another check", custom(wire.CustomCheck{Check: "by_hand", Kind: &kind, Count: &eight}), 3},
		{"a check that is none", []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: []byte{0xC1}}}, 3},
	} {
		m := bountySteps(&wire.BountyView{Requirements: c.requirements})
		n := 0
		if m != nil {
			n = len(m.steps)
		}
		if n != c.steps {
			t.Errorf("%s: %d steps, want %d", c.name, n, c.steps)
		}
	}
}

func TestTemplateFor_BountyNotInViewHasNoTemplate(t *testing.T) {
	s := newSolo(t, genomes[6])
	if m := s.t.plans.templateFor(s.aboutBounty()); m != nil {
		t.Errorf("%v", m.names)
	}
	s.t.slotView.look(&wire.View{Claims: []wire.BountyView{*s.holding()}})
	if m := s.t.plans.templateFor(s.aboutBounty()); m == nil || m.names[0] != "bounty_claim" || len(m.names) != 5 {
		t.Errorf("%+v", m)
	}
}

// TestPlanner_EstimatesTicksCostAndRisk: ticks and cost from the catalogue, risk from experience.
func TestPlanner_EstimatesTicksCostAndRisk(t *testing.T) {
	s := newSolo(t, genomes[6])
	steps := []memory.PlanStep{{EstimatedTicks: 2}, {EstimatedTicks: 3}}
	g := s.about(goals.KindEarn, wire.Hash{1})
	row, _ := action.ByName("entry_get")
	s.a.Memory.Beliefs.Set(worksClaim(row), 0.75, nil, 1)
	p := s.t.plans.add(g, steps, []string{"entry_get", "channel_create"}) // 3/4 · 1/2
	if p.EstimatedTicks != 5 || p.EstimatedCost != 5 || p.Risk != 0.625 {
		t.Errorf("%d ticks, %d ⚡, risk %v; want 5, 5, 0.625", p.EstimatedTicks, p.EstimatedCost, p.Risk)
	}
	if stepTicks("entry_publish") != 2 || stepTicks("no such action") != 1 {
		t.Errorf("ticks of steps: %d, %d", stepTicks("entry_publish"), stepTicks("no such action"))
	}
}

// TestPlanner_RemembersTwentyFourSteps: the 25th plan takes the place of the first.
func TestPlanner_RemembersTwentyFourSteps(t *testing.T) {
	s := newSolo(t, genomes[6])
	step := memory.PlanStep{Action: stepCodec.Bytes(&stepAction{"entry_get", `{"entry_id":"$subject"}`}), EstimatedTicks: 1}
	plans := make([]*memory.Plan, planCache+1)
	for i := range plans {
		plans[i] = &memory.Plan{ID: uint64(i + 1), Steps: []memory.PlanStep{step, step}}
	}
	first := s.t.plans.present(plans[0])
	for _, p := range plans[1:planCache] {
		s.t.plans.present(p)
	}
	if s.t.plans.present(plans[0]) != first {
		t.Error("the first of 24 plans was forgotten")
	}
	first.payload = &wire.EntryGet{}
	if s.t.plans.present(plans[0]).payload == nil {
		t.Error("the payload of a step was forgotten")
	}
	plans[0].Step = 1
	if c := s.t.plans.present(plans[0]); c != first || c.payload != nil || c.step != 1 {
		t.Errorf("the second step: %+v", c)
	}
	if c := s.t.plans.present(plans[planCache]); c != first || s.t.plans.ids[0] != uint64(planCache+1) {
		t.Error("the 25th plan has another place")
	}
}

// Whether a reply completes the step of a plan depends on the reply and on whether the postcondition can be seen at
// once.
func TestPlanner_ReplyAdvancesOrFailsTheStep(t *testing.T) {
	const look = `{"channels":["$channel"],"kinds":["QUESTION"],"time_range":[$tick,$tick],"sort":"RECENT","limit":10}`
	for _, c := range []struct {
		name  string
		step  templateStep
		body  any
		ok    bool
		read  bool // the message of the goal
		stale bool // the plan moved on before the reply came
		steps uint32
		tries uint32
	}{
		{"taken", templateStep{"entry_get", "{}", "", ""}, nil, true, false, false, 1, 0},
		{"refused", templateStep{"entry_get", "{}", "", ""}, nil, false, false, false, 0, 1},
		{"looked and found", templateStep{"msg_query", look, "", "message_read"}, nil, true, true, false, 1, 0},
		{"looked in vain", templateStep{"msg_query", look, "", "message_read"}, nil, true, false, false, 0, 1},
		{"looked for something else", templateStep{"msg_query", look, "", "bounty_mine"}, nil, true, false, false, 1, 0},
		{"posted elsewhere", templateStep{"msg_post", "{}", "", "message_answered"}, nil, true, false, false, 0, 1},
		{"posted for something else", templateStep{"msg_post", "{}", "", "bounty_mine"}, nil, true, false, false, 1, 0},
		{"shows later", templateStep{"bounty_claim", "{}", "", "bounty_mine"}, nil, true, false, false, 1, 0},
		{"submitted", templateStep{"bounty_submit", "{}", "", ""}, &wire.BountySubmitAck{Status: wire.BountyStatusCompleted}, true, false, false, 1, 0},
		{"submitted in vain", templateStep{"bounty_submit", "{}", "", ""}, &wire.BountySubmitAck{Status: wire.BountyStatusClaimed}, true, false, false, 0, 1},
		{"another step by now", templateStep{"entry_get", "{}", "", ""}, nil, true, false, true, 0, 0},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: mine, Author: peerA, Read: c.read})
		g := s.about(goals.KindAnswer, mine)
		if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		m := newTemplate([]templateStep{c.step, {"entry_get", "{}", "", ""}})
		plan := s.t.plans.add(g, m.steps, m.names)
		p := &pending{goal: g.ID, plan: plan.ID}
		if c.stale {
			p.step = 1
		}
		s.t.plans.stepTaken(p, &wire.Reply{Body: c.body}, c.ok)
		if plan.Step != c.steps || plan.Tries != c.tries {
			t.Errorf("%s: step %d, %d tries; want %d and %d", c.name, plan.Step, plan.Tries, c.steps, c.tries)
		}
	}
}

// The current plan is found only by its own id and step.
func TestPlanner_CurrentOnlyForSamePlanAndStep(t *testing.T) {
	s := newSolo(t, genomes[6])
	g := s.about(goals.KindEarn, wire.Hash{1})
	plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
	for i, c := range []struct {
		p    pending
		want bool
	}{
		{pending{goal: g.ID, plan: plan.ID}, true},
		{pending{goal: g.ID}, false},
		{pending{goal: g.ID, plan: plan.ID + 1}, false},
		{pending{goal: g.ID, plan: plan.ID, step: 1}, false},
		{pending{goal: wire.Hash{9}, plan: plan.ID}, false},
	} {
		if got := s.t.plans.current(&c.p) == plan; got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

func TestPlanner_NextStepSkipsDoneStepsAndWaitsForBlockedOnes(t *testing.T) {
	const get = `{"entry_id":"$me"}`
	ref := wire.Hash{1}
	for _, c := range []struct {
		name    string
		steps   []templateStep
		blocked bool
		allowed []string
		step    uint32
		offered bool
		status  memory.PlanStatus
	}{
		{"free", []templateStep{{"entry_get", get, "", ""}}, false, nil, 0, true, 0},
		{"holds already", []templateStep{{"entry_get", get, "", "may_post"}, {"entry_get", get, "", ""}}, false, nil, 1, true, 0},
		{"all hold already", []templateStep{{"entry_get", get, "", "may_post"}}, false, nil, 1, false, memory.PlanCompleted},
		{"does not hold yet", []templateStep{{"entry_get", get, "", "bounty_mine"}}, false, nil, 0, true, 0},
		{"may not be taken yet", []templateStep{{"entry_get", get, "bounty_mine", ""}}, false, nil, 0, false, 0},
		{"waits for a result", []templateStep{{"entry_get", get, "", ""}}, true, nil, 0, false, 0},
		{"is not served", []templateStep{{"entry_get", get, "", ""}}, false, []string{"msg_post"}, 0, false, 0},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Allowed = c.allowed
		s.t.slotView.look(&wire.View{SlotsLeft: 9})
		g := s.about(goals.KindOperator, mine)
		if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		m := newTemplate(c.steps)
		plan := s.t.plans.add(s.a.Goals.Get(g.ID), m.steps, m.names)
		before := plan.Status
		if c.blocked {
			plan.Blocked = &ref
		}
		next := s.t.plans.nextStep(g, plan)
		want := c.status
		if want == 0 {
			want = before
		}
		if (next != nil) != c.offered || plan.Step != c.step || plan.Status != want || plan.Tries != 0 {
			t.Errorf("%s: step %+v; plan at %d, %v", c.name, next, plan.Step, plan.Status)
		}
	}
}

// A completed plan resets the count of failed plans.
func TestPlanner_SecondFailedPlanEndsTheGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	g := s.about(goals.KindAnswer, mine)
	if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
		t.Fatal(err)
	}
	g = s.a.Goals.Get(g.ID)
	run := func(ok bool) {
		plan := s.t.plans.add(g, documentSteps.steps, documentSteps.names)
		for range 3 {
			if plan.Status == memory.PlanAbandoned || plan.Status == memory.PlanCompleted {
				break
			}
			s.t.plans.stepEnded(plan, ok)
		}
	}
	run(false)
	if g.Record.Failed != 1 || !g.Alive() {
		t.Fatalf("after one failed plan: %d, %v", g.Record.Failed, g.Status)
	}
	run(true)
	if g.Record.Failed != 0 || !g.Alive() {
		t.Fatalf("after a completed plan: %d, %v", g.Record.Failed, g.Status)
	}
	run(false)
	run(false)
	if g.Alive() || len(s.t.Satisfactions()) != 1 {
		t.Errorf("after two failed plans the goal is %v", g.Status)
	}
}

func TestFill_InvalidParametersNeverResolve(t *testing.T) {
	s := newSolo(t, genomes[6])
	row, _ := action.ByName("entry_get")
	c := &plannedStep{act: actionOfStep(stepCodec.Bytes(&stepAction{"entry_get", `{"entry_id":"$subject","more":1}`}))}
	if found := s.t.plans.fill(c, row, s.about(goals.KindOwn, mine)); found != neverResolves || c.payload != nil {
		t.Errorf("%v, %+v", found, c.payload)
	}
}
