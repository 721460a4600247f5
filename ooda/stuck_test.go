package ooda

import (
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

const idle = `{"action":"nop"}`

// message is the event of a message in #help by somebody else.
func message(n byte, k wire.MessageKind, at wire.Tick) *wire.Event {
	author := wire.AgentID{77}
	return event(wire.KindMessagePosted, at, author, &wire.MessagePostedEvent{
		MessageID: wire.Hash{1, n}, ChannelID: channelHelp, Author: author, Kind: k, Tick: at,
	})
}

// Its plan could not refer to the question any more.
func TestAnswerGoal_EndsWhenQuestionIsForgotten(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{}, message(0, wire.MessageKindQuestion, 256))
	if s.goal(goals.KindAnswer) == nil {
		t.Fatal("a question is no opportunity to answer")
	}
	var flood []*wire.Event
	for i := range byte(memory.NotebookMessages) {
		flood = append(flood, message(1+i, wire.MessageKindStatement, 258))
	}
	s.slot(idle, wire.Reply{}, flood...)
	if g := s.goal(goals.KindAnswer); g != nil {
		t.Errorf("goal about a forgotten question is %s", g.Status)
	}
}

// TestAnswerGoal_EndsWhenQuestionIsGivenUp: a cycle after the agent stopped looking.
func TestAnswerGoal_EndsWhenQuestionIsGivenUp(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{}, message(0, wire.MessageKindQuestion, 256))
	s.a.Notebook.Message(wire.Hash{1, 0}).Signed = true
	s.slot(idle, wire.Reply{})
	if s.goal(goals.KindAnswer) == nil {
		t.Error("no patience with a question that was given up")
	}
	s.next = 256 + 256
	s.slot(idle, wire.Reply{})
	if s.goal(goals.KindAnswer) != nil {
		t.Error("a question given up a cycle ago is still to be answered")
	}
}

// TestPlan_WithInvalidParametersIsAbandoned: a reference or parameters that never come
// right count as failures of the step, so the goal gets a plan again.
func TestPlan_WithInvalidParametersIsAbandoned(t *testing.T) {
	for name, params := range map[string]string{
		"no entry id":   `{"entry_id":"$mine"}`,
		"no last step":  `{"entry_id":"$last.object_id"}`,
		"unknown param": `{"entry_id":"$subject","loud":true}`,
	} {
		s := newSolo(t, genomes[2])
		s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"plan":[{"action":"entry_get","params":`+params+`}]}}`, refused)
		p := s.planned()
		if p == nil {
			t.Fatalf("%s: no plan", name)
		}
		for range memory.StepTries {
			if p.Status == memory.PlanAbandoned {
				t.Errorf("%s: abandoned before the second try", name)
			}
			s.slot(idle, wire.Reply{})
		}
		if p.Status != memory.PlanAbandoned {
			t.Errorf("%s: the plan is %s at try %d", name, p.Status, p.Tries)
		}
	}
}

// TestPlan_InvalidStepsOfMindAreDropped: what is wrong without any reference never
// enters a plan, and the think record counts it.
func TestPlan_InvalidStepsOfMindAreDropped(t *testing.T) {
	s := newSolo(t, genomes[2])
	step := s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"plan":[
		{"action":"entry_get","params":{"entry_id":"nonsense"}},{"action":"entry_get"},
		{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}}`, refused)
	p := s.planned()
	if p == nil || len(p.Steps) != 1 || step.Think.Dropped != 2 {
		t.Errorf("plan %+v, %d dropped", p, step.Think.Dropped)
	}
}

// TestPlan_ReplacedByMindIsNotCountedAsFailed: the goal outlives the first failed plan
// after any number of new ones.
func TestPlan_ReplacedByMindIsNotCountedAsFailed(t *testing.T) {
	s := newSolo(t, genomes[2])
	for range 3 {
		s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}}`, refused)
	}
	g := s.a.Goals.Get(s.t.pending.goal)
	s.a.Memory.Plans.ByGoal(g.ID).Tries = memory.StepTries - 1
	s.t.plans.stepEnded(s.a.Memory.Plans.ByGoal(g.ID), false)
	if !g.Alive() || s.a.Memory.Plans.ByGoal(g.ID) != nil {
		t.Errorf("after one failed plan the goal is %s", g.Status)
	}
}

// TestNewborn_FirstGoalsAreGivenOnce: a goal from outside takes nothing from a newborn,
// and an agent without goals is not born again.
func TestNewborn_FirstGoalsAreGivenOnce(t *testing.T) {
	s := newSolo(t, genomes[2])
	own := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindOperator, Text: "write"}, 255)
	if err := s.t.Inject(own, 255); err != nil {
		t.Fatal(err)
	}
	s.slot(idle, wire.Reply{})
	learn := s.goal(goals.KindLearn)
	if nodes, _ := s.a.Memory.Knowledge.Size(); learn == nil || nodes != 1 {
		t.Fatalf("a newborn with a goal from outside: learn goal %v, %d nodes", learn, nodes)
	}
	for len(s.a.Goals.Living()) > 0 {
		s.a.Goals.Abandon(s.a.Goals.Living()[0].ID, goals.ReasonPlans, 0)
	}
	s.slot(idle, wire.Reply{})
	if s.goal(goals.KindLearn) != nil {
		t.Error("born twice")
	}
}

// TestInject_ReplacedGoalIsEndedProperly: the goal that makes room ends like any other:
// satisfaction, plan, claim.
func TestInject_ReplacedGoalIsEndedProperly(t *testing.T) {
	s := newSolo(t, genomes[6])
	b := s.bounty()
	s.slot(idle, wire.Reply{}, s.created(b))
	s.takeStep(ack)
	claimed := *b
	me := s.a.ID
	claimed.Claimer, claimed.Status, claimed.ClaimedAt = &me, wire.BountyStatusClaimed, 256
	s.view.Bounties, s.view.Claims = nil, []wire.BountyView{claimed}
	s.slot(idle, wire.Reply{})

	goal := s.goal(goals.KindClaimBounty)
	plan := s.a.Memory.Plans.ByGoal(goal.ID)
	s.a.Goals.Choose(nil)
	s.t.Satisfactions()
	soon := wire.Tick(300)
	for i := range byte(40) {
		h := wire.Hash{9, 9, i}
		g := goals.New(s.a.ID, goals.LayerObjective, goals.SourceRole, goals.Description{Kind: goals.KindDoReview, Text: "x", Subject: &h, Reward: 9_000}, 300)
		g.Deadline = &soon
		_ = s.t.Inject(g, 300)
	}
	if goal.Alive() || plan.Status != memory.PlanAbandoned {
		t.Fatalf("goal %s, plan %s", goal.Status, plan.Status)
	}
	ended := 0
	for _, sat := range s.t.Satisfactions() {
		if sat.Goal == goal.ID && !sat.Completed {
			ended++
		}
	}
	if ended != 1 {
		t.Errorf("%d satisfactions", ended)
	}
	asked := s.ask()
	if r, ok := asked.Prompt.Affordances[0].Params.(*wire.BountyReview); !ok || r.BountyID != b.ID || r.Verdict != wire.BountyVerdictReject {
		t.Errorf("the claim is not offered for release first: %s", asked.Prompt.Affordances[0].Name())
	}
}

// Claims end by themselves when their lease runs out; they are not released then.
func TestReleases_OfClaimsNoLongerHeldAreDropped(t *testing.T) {
	s := newSolo(t, genomes[6])
	for i := range byte(memory.NotebookReleases) {
		s.a.Notebook.Release(wire.Hash{i + 1})
	}
	me := s.a.ID
	held := wire.BountyView{ID: wire.Hash{4}, Claimer: &me, Status: wire.BountyStatusReviewing}
	s.view.Claims = []wire.BountyView{held, {ID: wire.Hash{3}, Creator: me, Claimer: &wire.AgentID{5}, Status: wire.BountyStatusClaimed}}
	s.slot(idle, wire.Reply{})
	if r := s.a.Notebook.Releases; len(r) != 1 || r[0] != held.ID {
		t.Errorf("to be released: %v, want only what is still held", r)
	}
}

// The goal is paid all income since it was made, not only the last payment.
func TestEarnGoal_IsPaidAllIncomeSinceItWasMade(t *testing.T) {
	s := newSolo(t, genomes[2])
	for _, now := range []struct {
		balance int64
		earned  uint64
	}{{10, 500}, {16, 510}, {28, 522}, {33, 527}} {
		s.view.Balance, s.view.Earned = now.balance, now.earned
		s.slot(idle, wire.Reply{})
	}
	for _, sat := range s.t.Satisfactions() {
		if sat.Kind == goals.KindEarn {
			if !sat.Completed || sat.RewardActual != 27 {
				t.Errorf("earned %d with %s, want 27", sat.RewardActual, sat.Outcome())
			}
			return
		}
	}
	t.Error("nothing was earned")
}
