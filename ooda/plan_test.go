package ooda

import (
	"slices"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const publish = `{"action":"entry_publish","params":{"entry":{"kind":"PATTERN","title":"t","body":"b","tags":[],"references":[]},"review":"IMMEDIATE"}}`

var refused = wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte("not_found")}}

// bounty puts an open bounty for verified entries in front of the agent.
func (s *solo) bounty() *wire.BountyView {
	kind, count := wire.EntryKindPattern, uint32(2)
	s.view.Bounties = []wire.BountyView{{
		ID: wire.Hash{9}, Creator: wire.SystemID(wire.SystemAgora), Title: []byte("Patterns"), Reward: 200, Deadline: 25_000,
		Difficulty: wire.DifficultyEasy, Status: wire.BountyStatusOpen,
		Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
			Check: wire.CheckOracleVerified, Kind: &kind, Count: &count,
		})}},
	}}
	return &s.view.Bounties[0]
}

func (s *solo) created(b *wire.BountyView) *wire.Event {
	return event(wire.KindBountyCreated, 256, b.Creator, &wire.BountyCreatedEvent{
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Difficulty: b.Difficulty, Deadline: b.Deadline,
	})
}

// step answers with the plan step that the prompt offers for the bounty.
func (s *solo) offered() string {
	for _, a := range s.t.prompt.Affordances {
		if a.Plan && a.GoalKind == "claim_bounty" {
			return `{"action":"` + a.Name() + `","params":` + string(a.Action.AppendJSON(nil, a.Params)) + `}`
		}
	}
	return ""
}

func (s *solo) takeStep(r wire.Reply) string {
	s.Helper()
	for asked := s.ask(); asked.Kind == AskSilent; asked = s.ask() {
		s.t.Act(llm.Thought{})
		s.t.Record(wire.Reply{})
	}
	text := s.offered()
	if text == "" {
		s.t.Act(answered(`{"action":"nop"}`))
		s.t.Record(wire.Reply{})
		return ""
	}
	step := s.t.Act(answered(text))
	r.Ref = step.Envelope.MsgID
	s.t.Record(r)
	return strings.ToLower(step.Envelope.Type.String())
}

func TestPlan_DeliversABounty(t *testing.T) {
	s := newSolo(t, genomes[6])
	b := s.bounty()
	claimed := *b
	me := s.a.ID
	claimed.Claimer, claimed.Status, claimed.ClaimedAt = &me, wire.BountyStatusClaimed, 256
	s.slot(`{"action":"nop"}`, wire.Reply{}, s.created(b))
	if got := s.takeStep(ack); got != "bounty_claim" {
		t.Fatalf("first step %q", got)
	}
	s.view.Bounties, s.view.Claims = nil, []wire.BountyView{claimed}
	for i := range byte(2) {
		if got := s.takeStep(wire.Reply{Type: wire.TypeAck, Body: &wire.EntryPublishAck{EntryID: wire.Hash{10 + i}}}); got != "entry_publish" {
			t.Fatalf("step %d is %q", 2+i, got)
		}
	}
	if got := s.takeStep(wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{20}}}); got != "msg_post" {
		t.Fatalf("fourth step %q", got)
	}
	if got := s.takeStep(ack); got != "" {
		t.Fatalf("submitted by %q before the entries were verified", got)
	}
	for i := range byte(2) {
		s.slot(`{"action":"nop"}`, wire.Reply{}, event(wire.KindEntryVerified, 300, wire.AgentID{3}, &wire.EntryVerifiedEvent{
			EntryID: wire.Hash{10 + i}, Verifier: wire.AgentID{3}, Verdict: wire.VerdictAccurate, NewAccuracy: 1,
		}))
	}
	if got := s.takeStep(wire.Reply{Type: wire.TypeAck, Body: &wire.BountySubmitAck{Status: wire.BountyStatusCompleted}}); got != "bounty_submit" {
		t.Fatalf("last step %q", got)
	}
	s.slot(`{"action":"nop"}`, wire.Reply{}, event(wire.KindBountyCompleted, 310, me, &wire.BountyCompletedEvent{BountyID: b.ID, Claimer: me, Reward: 200}))
	for _, sat := range s.t.Satisfactions() {
		if sat.Kind == goals.KindClaimBounty && sat.Completed && sat.RewardActual == 200 {
			return
		}
	}
	t.Error("the paid bounty satisfied nobody")
}

// TestPlan_GoalIsGivenUpAfterSecondFailedPlan: a step that fails twice abandons the plan and gives
// the claim back; the goal is planned once more and then given up.
func TestPlan_GoalIsGivenUpAfterSecondFailedPlan(t *testing.T) {
	s := newSolo(t, genomes[6])
	b := s.bounty()
	s.slot(`{"action":"nop"}`, wire.Reply{}, s.created(b))
	s.takeStep(ack)
	claimed := *b
	me := s.a.ID
	claimed.Claimer, claimed.Status, claimed.ClaimedAt = &me, wire.BountyStatusClaimed, 256
	s.view.Bounties, s.view.Claims = nil, []wire.BountyView{claimed}

	for plan := 1; plan <= 2; plan++ {
		for try := 1; try <= 2; try++ {
			if got := s.takeStep(refused); got != "entry_publish" {
				t.Fatalf("plan %d, try %d: step %q", plan, try, got)
			}
		}
		goal := s.goal(goals.KindClaimBounty)
		if alive := goal != nil; alive != (plan == 1) {
			t.Fatalf("after plan %d the goal is alive: %v", plan, alive)
		}
		if plan == 1 {
			if len(s.a.Notebook.Releases) != 1 {
				t.Fatal("the claim of the abandoned plan is not given back")
			}
		}
	}
	abandoned := 0
	for _, p := range s.a.Memory.Plans.Ended() {
		if p.Status == memory.PlanAbandoned {
			abandoned++
		}
	}
	if abandoned != 2 {
		t.Errorf("%d plans were abandoned", abandoned)
	}
	asked := s.ask()
	first := &asked.Prompt.Affordances[0]
	review, ok := first.Params.(*wire.BountyReview)
	if !ok || review.Verdict != wire.BountyVerdictReject || review.BountyID != b.ID {
		t.Fatalf("the release is not offered first: %s", first.Name())
	}
	s.t.Act(answered(`{"action":"bounty_review","params":` + string(first.Action.AppendJSON(nil, first.Params)) + `}`))
	s.t.Record(ack)
	if len(s.a.Notebook.Releases) != 0 {
		t.Error("a released claim is still to be given back")
	}
}

func TestPlan_WrittenByMindReplacesTemplate(t *testing.T) {
	s := newSolo(t, genomes[2])
	text := strings.TrimSuffix(idle, "}") + `,"memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"` + someEntry + `"}},{"action":"balance_query","params":{"agent_id":"$me"}}]}}`
	s.ask()
	top := s.t.goals.top
	s.t.Act(answered(text))
	s.t.Record(wire.Reply{})
	p := s.a.Memory.Plans.ByGoal(top.ID)
	if p == nil || len(p.Steps) != 2 || p.EstimatedTicks != 2 {
		t.Fatalf("plan %+v", p)
	}
	goal := s.a.Goals.Get(p.Goal)
	if c := s.t.plans.nextStep(goal, p); c == nil || c.act.Action != "entry_get" {
		t.Fatalf("first step %+v", c)
	}
	s.a.Memory.Plans.Advance(p)
	if c := s.t.plans.nextStep(goal, p); c == nil || c.subject != wire.Hash(s.a.ID) {
		t.Errorf("second step is about %+v, want the agent itself", c)
	}
}

// TestPlan_StepOfClosedActionIsNotOffered: the gate of a proposal depends on its parameters.
func TestPlan_StepOfClosedActionIsNotOffered(t *testing.T) {
	for _, c := range []struct {
		kind, what string
		epoch      uint32
		open       bool
	}{
		{"CUSTOM", `{"title":"Quieter","text":"Fewer messages."}`, 2, true},
		{"CHANGE_PARAM", `{"param":"mint.reward.entry","value":12}`, 2, false},
		{"CHANGE_PARAM", `{"param":"mint.reward.entry","value":12}`, 5, true},
	} {
		s := newSolo(t, genomes[2])
		s.view.Epoch = c.epoch
		plan := `[{"action":"proposal_submit","params":{"kind":"` + c.kind + `","description":` + c.what + `}}]`
		s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"plan":`+plan+`}}`, refused)
		asked := s.ask()
		if got := slices.Contains(names(asked.Prompt), "proposal_submit"); got != c.open {
			t.Errorf("%s in epoch %d: offered %v", c.kind, c.epoch, got)
		}
	}
}

func TestTurn_CallsOutOfOrderPanic(t *testing.T) {
	for name, play := range map[string]func(s *solo){
		"act first":    func(s *solo) { s.t.Act(llm.Thought{}) },
		"record first": func(s *solo) { s.t.Record(wire.Reply{}) },
		"ask, record":  func(s *solo) { s.ask(); s.t.Record(wire.Reply{}) },
		"act twice":    func(s *solo) { s.ask(); s.t.Act(answered(getEntry)); s.t.Act(answered(getEntry)) },
		"ask after act": func(s *solo) {
			s.ask()
			s.t.Act(answered(getEntry))
			s.ask()
		},
	} {
		func() {
			s := newSolo(t, genomes[0])
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			play(s)
		}()
	}
}

func TestResolve(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.ask()
	subject := wire.Hash{0xab}
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindAnswer, Subject: &subject}, 1)
	for _, c := range []struct {
		in, want string
		found    resolution
	}{
		{`{"a":"$subject"}`, `{"a":"` + subject.String() + `"}`, resolved},
		{`{"a":"$bounty","b":"$me"}`, `{"a":"` + subject.String() + `","b":"` + s.a.ID.String() + `"}`, resolved},
		{`{"a":"$last.object_id"}`, "", neverResolves},
		{`{"a":"$own"}`, "", resolvesLater},
		{`{"a":$tick}`, "", neverResolves},
		{`{"a":"$channel"}`, `{"a":"` + channelHelp.String() + `"}`, resolved},
		{`{"a":"costs 5$ or $five"}`, `{"a":"costs 5$ or $five"}`, resolved},
	} {
		got, found := s.t.plans.resolve(nil, c.in, &g)
		if found != c.found || found == resolved && string(got) != c.want {
			t.Errorf("%s: %s, %v", c.in, got, found)
		}
	}
	s.a.Notebook.SetObject(g.ID, wire.Hash{0xcd})
	if got, found := s.t.plans.resolve(nil, "$last.object_id", &g); found != resolved || string(got) != (wire.Hash{0xcd}).String() {
		t.Errorf("$last.object_id is %s, %v", got, found)
	}
}

func TestFill_PayloadIsRemadeWhenItsReferencesChange(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.ask()
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindOwn}, 1)
	c := &plannedStep{act: actionOfStep(stepCodec.Bytes(&stepAction{"entry_get", `{"entry_id":"$last.object_id"}`}))}
	row, _ := action.ByName("entry_get")
	if found := s.t.plans.fill(c, row, &g); found != neverResolves || c.payload != nil {
		t.Fatalf("nothing found yet: %d, %+v", found, c.payload)
	}
	for _, id := range []wire.Hash{{1}, {1}, {2}} {
		before := c.payload
		again := before != nil && c.subject == id
		s.a.Notebook.SetObject(g.ID, id)
		if found := s.t.plans.fill(c, row, &g); found != resolved || c.subject != id || c.payload.(*wire.EntryGet).EntryID != id {
			t.Fatalf("%s: %d, %+v", id, found, c)
		}
		if (c.payload == before) != again {
			t.Errorf("%s: the payload was made again: %v", id, !again)
		}
	}
}
