package ooda

import (
	"bytes"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// A plan written with an act that serves no goal has a goal of its own: it used to replace the plan of the goal on top. What
// the act made is the last object for its first step, which used to fail before it was ever offered.
func TestRemember_PlanBeginsWithWhatTheActMade(t *testing.T) {
	made := wire.Hash{0x77}
	for _, c := range []struct {
		name  string
		reply wire.Reply
		want  bool
	}{
		{"a message that was posted", wire.Reply{Body: &wire.MsgPostAck{MessageID: made}}, true},
		{"a refusal", refused, false},
		{"a reply that shows nothing", ack, false},
	} {
		s := newSolo(t, genomes[2])
		s.ask()
		top := s.t.goals.top.ID
		before := s.a.Memory.Plans.ByGoal(top)
		s.slot(`{"action":"msg_post","params":{"channel":"#general","kind":"STATEMENT","content":"I begin.","confidence":0.5},"reasoning":"Begin.","memory_update":{"plan":[{"action":"msg_query","params":{"references":["$last.object_id"]}}]}}`, c.reply)
		g := s.goal(goals.KindOwn)
		if g == nil || g.Description.Text != "do what you planned: msg_query" {
			t.Fatalf("%s: the plan's own goal is %+v", c.name, g)
		}
		if p := s.a.Memory.Plans.ByGoal(top); p != before {
			t.Errorf("%s: the goal on top has the plan %+v", c.name, p)
		}
		object, noted := s.a.Notebook.Object(g.ID)
		if noted != c.want || noted && object != made {
			t.Errorf("%s: the last object is %v, %v", c.name, object, noted)
		}
		p := s.planned()
		next := s.t.plans.nextStep(g, p)
		if c.want && (next == nil || !bytes.Contains(next.params, []byte(made.String()))) || !c.want && (next != nil || p.Tries != 1) {
			t.Errorf("%s: the first step is %+v after %d tries", c.name, next, p.Tries)
		}
	}
}

// A plan written with the act that reaches its goal outlives the goal.
func TestRemember_PlanOutlivesTheGoalThatItsActReached(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{}, message(0, wire.MessageKindQuestion, 256))
	q := s.a.Notebook.Message(wire.Hash{1, 0})
	q.Read, q.Text = true, []byte("How?")
	if s.goal(goals.KindAnswer) == nil {
		t.Fatal("no goal to answer")
	}
	s.slot(`{"action":"msg_post","params":{"channel":"#help","kind":"ANSWER","content":"So.","references":["`+q.ID.String()+`"],"confidence":0.5},"reasoning":"Then ask back.","memory_update":{"plan":[{"action":"balance_query","params":{"agent_id":"$me"}}]}}`,
		wire.Reply{Body: &wire.MsgPostAck{MessageID: wire.Hash{9}}})
	if p := s.planned(); p == nil || len(p.Steps) != 1 {
		t.Errorf("the plan is %+v", p)
	}
}

// What the mind wrote as a step is offered as it is: no finding of the agent replaces its title, and nothing is left to write.
func TestOfferStep_OfTheMindIsKept(t *testing.T) {
	for _, byMind := range []bool{true, false} {
		_, o := offering(t, func(s *solo) {
			for range 9 {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 10, 1)
			}
		})
		step := &plannedStep{planned: &memory.PlanStep{}, act: &decodedAction{stepAction: stepAction{Action: "entry_publish"}}, payload: &wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindFAQ, Title: []byte("How I work")}}}
		if !byMind {
			step.planned.Precondition = condition("may_publish")
		}
		g := goals.New(o.agent.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindRaiseCoverage, Text: "write"}, 256)
		o.offerStep(&g, &memory.Plan{ID: 8}, step)
		if len(o.list) != 1 {
			t.Fatalf("by the mind %v: %d offers", byMind, len(o.list))
		}
		a := &o.list[0]
		if kept := a.Finding == nil && a.Compose == llm.ComposeNone; kept != byMind {
			t.Errorf("by the mind %v: the finding is %+v, to write: %v", byMind, a.Finding, a.Compose)
		}
	}
}

// The next try is asked with the same text and the reason, and the next slot without it.
func TestUnusable_SaysWhy(t *testing.T) {
	s := newSolo(t, genomes[0])
	p := s.ask().Prompt
	p.Hash() // keeps the text, as for each thought that is recorded
	first := string(p.Render(nil))
	s.t.Act(answered(`{"action":"entry_get","params":{"entry_id":"e99"}}`))
	again := string(s.t.prompt.Render(nil))
	rest, same := strings.CutPrefix(again, first)
	if !same || !strings.HasPrefix(rest, "Your answer to this could not be used: ") || !strings.Contains(rest, `entry_id: there is no "e99" here`) {
		t.Errorf("after the same prompt (%v) stands %q", same, rest)
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	if p := s.ask().Prompt; p.Unusable != "" || strings.Contains(string(p.Render(nil)), "could not be used") {
		t.Errorf("the next slot says %q", p.Unusable)
	}
}

// Channels of the bootstrap go by name, shown or not, in offers as in answers.
func TestPrompt_ChannelsHaveNames(t *testing.T) {
	s := newSolo(t, genomes[6])
	p := s.ask().Prompt
	for _, name := range []string{"general", "help", "bounties", "reviews", "governance"} {
		a, err := p.Parse([]byte(`{"action":"msg_post","params":{"channel":"#`+name+`","kind":"QUESTION","content":"Why?","confidence":0.5}}`), nil)
		if err != nil || a.Payload.(*wire.MsgPost).Channel != wire.ChannelID(name) {
			t.Errorf("#%s: %+v, %v", name, a.Payload, err)
		}
	}
	if _, err := p.Parse([]byte(`{"action":"msg_post","params":{"channel":"#nowhere","kind":"QUESTION","content":"Why?","confidence":0.5}}`), nil); err == nil {
		t.Error("a channel that does not exist has an id")
	}
	text := string(p.Render(nil))
	if !strings.Contains(text, `"channel":"#help"`) {
		t.Errorf("no offer names #help:\n%s", text)
	}
	if want := `"entry_id":"e1"`; !strings.Contains(text, want) { // the founders' entry, which it knows from birth
		t.Errorf("no offer has %s:\n%s", want, text)
	}
}

// What plans may refer to, the params of an act may, too.
func TestPrompt_ReferencesInParams(t *testing.T) {
	s := newSolo(t, genomes[6])
	entry, repo := wire.Hash{0x41}, wire.Hash{0x42}
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Own: true})
	s.a.Notebook.BeginWork(memory.WorkDelivery, wire.Hash{}, 256).Repo = repo
	p := s.ask().Prompt
	for text, want := range map[string]wire.Hash{
		`{"action":"entry_get","params":{"entry_id":"$own"}}`:                                 entry,
		`{"action":"agent_status","params":{"agent_id":"$me"}}`:                               wire.Hash(s.a.ID),
		`{"action":"msg_query","params":{"channels":["$help"]}}`:                              channelHelp,
		`{"action":"snap_create","params":{"repo_id":"$repo","files":{"main.star":"x = 1"}}}`: repo,
	} {
		a, err := p.Parse([]byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !strings.Contains(string(a.Action.AppendJSON(nil, a.Payload)), want.String()) {
			t.Errorf("%s is read as %s", text, a.Action.AppendJSON(nil, a.Payload))
		}
	}
	if _, err := p.Parse([]byte(`{"action":"entry_get","params":{"entry_id":"$last.object_id"}}`), nil); err == nil {
		t.Error("an act has a step before it")
	}
}

// A lesson of an act that went well does not speak against it.
func TestLessonAllows(t *testing.T) {
	_, o := offering(t, nil)
	w := weigher{o}
	for _, c := range []struct {
		lesson llm.Lesson
		want   float64
	}{
		{llm.Lesson{}, 1},
		{llm.Lesson{Text: "ask first", Strength: 0.8, Sure: 0.6}, 1},
		{llm.Lesson{Text: "ask first", Strength: 0.8, Sure: 0.5}, 1},
		{llm.Lesson{Text: "it was refused", Strength: 0.5, Sure: 0.25}, 0.625},
	} {
		if got := w.lessonAllows(&llm.Affordance{Lesson: c.lesson}, nil); got != c.want {
			t.Errorf("%+v: %v, want %v", c.lesson, got, c.want)
		}
	}
}

// The piece of knowledge that the mind wrote last is always shown, whatever the goal is about.
func TestKnowledge_ShowsTheMindsOwnNewest(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(withField(idle, `,"memory_update":{"knowledge":[{"label":"tabs","content":"Tabs are four wide."}]}`), wire.Reply{})
	s.next++
	s.slot(withField(idle, `,"memory_update":{"knowledge":[{"label":"spaces","content":"Spaces are one wide."}]}`), wire.Reply{})
	text := string(s.ask().Prompt.Render(nil))
	if !strings.Contains(text, "Spaces are one wide.") || strings.Contains(text, "Tabs are four wide.") {
		t.Errorf("the memory shows another piece of knowledge:\n%s", text[strings.Index(text, "## YOUR MEMORY"):])
	}
}

// own lets the mind set a goal with a plan.
func (s *solo) own(text, plan string) *memory.Plan {
	s.Helper()
	s.slot(withField(idle, `,"memory_update":{"goals":[{"text":"`+text+`"}],"plan":`+plan+`}`), wire.Reply{})
	for _, g := range s.a.Goals.Living() {
		if g.Description.Text == text {
			return s.a.Memory.Plans.ByGoal(g.ID)
		}
	}
	s.Fatalf("no goal %s", text)
	return nil
}

// What a plan of the mind would do next counts as done if the agent does it by itself, whether or not it was offered.
func TestPlan_StepThatTheMindTakesByItself(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.view.Epoch = 2 // in which no parameter can be changed, so that step is not offered
	change := `{"action":"proposal_submit","params":{"kind":"CHANGE_PARAM","description":{"param":"mint.reward.entry","value":12}}}`
	plan := s.own("Pay more for entries.", `[`+change+`,{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	s.ask()
	if s.offeredAction("proposal_submit") {
		t.Fatal("it is offered")
	}
	s.t.Act(answered(strings.Replace(change, `"value":12`, `"value":13`, 1)))
	s.t.Record(ack)
	if c := s.t.plans.present(plan); plan.Step != 0 || c.payload.(*wire.ProposalSubmit).Author != (wire.AgentID{}) {
		t.Errorf("after another proposal the plan is at step %d, and its step is %+v", plan.Step, c.payload)
	}
	s.ask()
	step := s.t.Act(answered(change))
	if s.t.Record(ack); plan.Step != 1 {
		t.Errorf("after %+v the plan is at step %d", step, plan.Step)
	}
}

// An entry that the agent has published is not published again by its plan.
func TestPlan_PublishesNothingTwice(t *testing.T) {
	s := newSolo(t, genomes[6])
	publish := `{"action":"entry_publish","params":{"entry":{"kind":"TUTORIAL","title":"Loops","body":"So."}}}`
	plan := s.own("Write.", `[`+publish+`,{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{5}, Author: s.a.ID, Title: []byte("Lists"), Own: true})
	if s.ask(); !s.offeredAction("entry_publish") || plan.Step != 0 {
		t.Fatalf("the plan is at step %d", plan.Step)
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{6}, Author: s.a.ID, Title: []byte("Loops"), Own: true})
	if s.ask(); plan.Step != 1 || !s.offeredAction("balance_query") {
		t.Errorf("with such an entry the plan is at step %d", plan.Step)
	}
}

// Plans of the mind are offered and told, however many goals come before theirs.
func TestPlan_OfTheMindIsAlwaysOffered(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.own("Look.", `[{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	for i := range byte(offeringGoals + 2) {
		s.slot(idle, wire.Reply{}, message(i, wire.MessageKindQuestion, s.next))
		q := s.a.Notebook.Message(wire.Hash{1, i})
		q.Read, q.Text = true, []byte("How?")
	}
	s.ask()
	if !s.offeredAction("balance_query") {
		t.Error("its step is not offered")
	}
	if text := string(s.t.prompt.Render(nil)); !strings.Contains(text, "your plan: balance_query next (step 1 of 1)") {
		t.Errorf("the prompt does not say where it stands: %s", text[strings.Index(text, "## YOUR MEMORY"):])
	}
}

// offeredAction reports whether an action is among the offers of the slot.
func (s *solo) offeredAction(name string) bool {
	for i := range s.t.offers.list {
		if s.t.offers.list[i].Name() == name {
			return true
		}
	}
	return false
}

// The mind drops goals that it set itself by their text, or by how a prompt shows it, and no others.
func TestRemember_DropsOwnGoals(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.own("Write about loops.", `[{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	s.own("Write about lists.", `[{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	s.own("Sleep.", `[{"action":"balance_query","params":{"agent_id":"$me"}}]`)
	others := len(s.a.Goals.Living()) - 3
	s.slot(withField(idle, `,"memory_update":{"drop_goals":["Write about lo…","Sleep.","Read",""]}`), wire.Reply{})
	var left []string
	for _, g := range s.a.Goals.Living() {
		if g.Kind() == goals.KindOwn {
			left = append(left, g.Description.Text)
		}
	}
	if len(left) != 1 || left[0] != "Write about lists." || len(s.a.Goals.Living()) != others+1 {
		t.Errorf("left: %v of %d goals", left, len(s.a.Goals.Living()))
	}
	s.ask()
	if text := string(s.t.prompt.Render(nil)); !strings.Contains(text, `own "Sleep."`) {
		t.Errorf("the prompt does not tell it: %s", text[strings.Index(text, "## CURRENT STATE"):])
	}
}
