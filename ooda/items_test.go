package ooda

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Beliefs about offered actions and about what the agent aspires to come first, then the mind's own, then the others by confidence.
func TestItems_BeliefsAboutOfferedActionsFirst(t *testing.T) {
	s := newSolo(t, genomes[6])
	get, _ := action.ByName("entry_get")
	verify, _ := action.ByName("entry_verify")
	s.t.offers.list = []llm.Affordance{{Action: get}, {Action: get, Compose: llm.ComposeAnswer}, {Action: verify}}
	b := s.a.Memory.Beliefs
	for _, c := range []struct {
		claim memory.Claim
		sure  float64
	}{
		{memory.Claim{Subject: []byte("bounties"), Predicate: "get done"}, 1},             // 0.4
		{memory.Claim{Subject: []byte("I think"), Predicate: "holds"}, 1},                 // 0.6
		{memory.Claim{Subject: []byte("entry_verify"), Predicate: "works"}, 0.1},          // 0.8
		{memory.Claim{Subject: []byte("entry_get"), Predicate: "works"}, 0.1},             // a look: its offer says as much
		{memory.Claim{Subject: []byte("msg_post"), Predicate: "works"}, 0.1},              // 0.32: not offered
		{memory.Claim{Subject: []byte("answer in SOCIAL"), Predicate: "pays"}, 0.95},      // 0.9
		{memory.Claim{Subject: []byte("answers in SOCIAL"), Predicate: "pays"}, 0.95},     // 0.36: another kind
		{memory.Claim{Subject: []byte("work in DESIGN"), Predicate: "pays"}, 0.08},        // 0.84: an aspiration of the role
		{memory.Claim{Subject: []byte("work in ECONOMY"), Predicate: "pays"}, 0.07},       // 0.344: of no role
		{memory.Claim{Subject: []byte("entry_get"), Predicate: "is not decided yet"}, .5}, // 0
	} {
		b.Set(c.claim, c.sure, nil, 1)
	}
	want := []string{"answer in SOCIAL", "work in DESIGN", "entry_verify", "I think", "bounties", "answers in SOCIAL", "work in ECONOMY", "msg_post", "entry_get"}
	for n := range len(want) + 2 {
		first := slices.Clone(want[:min(n, len(want))])
		if n == 2 || n == 3 { // one of two or three places is for what the mind stated
			first[n-1] = "I think"
		}
		got := s.t.items().beliefs(n)
		if len(got) != len(first) {
			t.Fatalf("%d of the %d most useful", len(got), n)
		}
		for i := range got {
			if got[i].Subject() != first[i] {
				t.Errorf("the %d most useful: %d is %s (%.2f), want %s", n, i, got[i].Subject(), got[i].Use, first[i])
			}
		}
	}
}

// TestItems_EqualActsInARowAreOneLine: equal acts in a row are one line with their effects added up; failures
// are listed once per action and subject.
func TestItems_EqualActsInARowAreOneLine(t *testing.T) {
	s := newSolo(t, genomes[6])
	m := s.a.Memory
	do := func(name string, subject wire.Hash, o memory.Outcome, e memory.Effect) {
		e.Experience = m.Experiences.AddAct(1, &memory.Act{Action: name, Subject: &subject}, o, nil)
		m.Effects.Add(e)
	}
	do("msg_post", wire.Hash{1}, memory.OutcomeFailure, memory.Effect{Refusal: "rate"})
	do("entry_get", wire.Hash{2}, memory.OutcomeSuccess, memory.Effect{Fresh: 1})
	do("msg_post", wire.Hash{1}, memory.OutcomeFailure, memory.Effect{Refusal: "duplicate"})
	do("msg_query", wire.Hash{3}, memory.OutcomeSuccess, memory.Effect{Fresh: 2})
	do("msg_query", wire.Hash{3}, memory.OutcomeSuccess, memory.Effect{})
	do("msg_query", wire.Hash{3}, memory.OutcomeSuccess, memory.Effect{Fresh: 1, Spark: -2})
	do("entry_publish", wire.Hash{}, memory.OutcomeSuccess, memory.Effect{Object: wire.Hash{9}, Approved: 2, Disputed: 1, Spark: 10})
	m.Reasonings.Add(memory.Reasoning{Experience: m.Effects.Last().Experience, Text: "it pays"})

	x := s.t.items()
	last, ok := x.lastAct()
	if !ok || last.Act.Action != "entry_publish" || last.Effect.Approved != 2 || last.Reasoning != "it pays" {
		t.Errorf("the last act is %+v", last)
	}
	got := ""
	for a := range x.acts(1, 8) {
		got += fmt.Sprintf("%d × %s %d new %+d; ", a.Times, a.Act.Action, a.Effect.Fresh, a.Effect.Spark)
	}
	if want := "3 × msg_query 3 new -2; 1 × msg_post 0 new +0; 1 × entry_get 1 new +0; 1 × msg_post 0 new +0; "; got != want {
		t.Errorf("acts before: %s", got)
	}
	if f := x.failures(4); len(f) != 1 || f[0].Times != 2 || f[0].Effect.Refusal != "duplicate" {
		t.Errorf("failures %+v", f)
	}
}

// TestEffects_VerdictsAndPaymentsReachTheirAct: verdicts, signals, answers and payments reach the act that they are for.
func TestEffects_VerdictsAndPaymentsReachTheirAct(t *testing.T) {
	s := newSolo(t, genomes[0])
	me := s.a.ID
	entry, message, bounty := wire.Hash{1, 1}, wire.Hash{1, 2}, wire.Hash{1, 3}
	m := s.a.Memory
	for i, id := range []wire.Hash{entry, message, bounty} {
		m.Effects.Add(memory.Effect{Experience: uint64(i + 1), Object: id})
	}
	s.a.Learning.Publish(entry, wire.EntryKindFAQ, 1)
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: message, Author: me, Kind: wire.MessageKindQuestion})
	s.a.Balance = s.view.Balance
	s.view.Balance, s.view.Earned = s.view.Balance+20, 25 // and 5 were spent
	s.ask(
		event(wire.KindEntryVerified, 256, peerA, &wire.EntryVerifiedEvent{EntryID: entry, Verifier: peerA, Verdict: wire.VerdictAccurate}),
		event(wire.KindEntryVerified, 256, peerB, &wire.EntryVerifiedEvent{EntryID: entry, Verifier: peerB, Verdict: wire.VerdictInaccurate}),
		event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: message, Author: peerA, Kind: wire.SignalKindHelpful}),
		event(wire.KindBountyCompleted, 256, peerA, &wire.BountyCompletedEvent{BountyID: bounty, Claimer: me, Reward: 30}),
	)
	s.t.Act(answered(`{"action":"nop","reasoning":"I wait"}`))
	s.t.Record(wire.Reply{})
	s.reply(&wire.MsgQuery{}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
		{ID: wire.Hash{2}, Tick: 9, Author: peerA, Kind: wire.MessageKindAnswer, Content: textContent("x"), References: []wire.Hash{message}},
	}}})
	if e := m.Effects.ByExperience(1); e.Approved != 1 || e.Disputed != 1 {
		t.Errorf("of the entry: %+v", e)
	}
	if e := m.Effects.ByExperience(2); e.Approved != 1 || e.Answers != 1 {
		t.Errorf("of the message: %+v", e)
	}
	if e := m.Effects.ByExperience(3); e.Reward != 30 || e.Spark != -5 {
		t.Errorf("of the bounty: %+v", e)
	}
	if text, _ := s.t.items().lastReasoning(); text != "I wait" {
		t.Errorf("the last reasoning is %q", text)
	}
}

// An act is told its own price, not what came in meanwhile nor what the cycle costs.
func TestEffects_PriceOfAnAct(t *testing.T) {
	s := newSolo(t, genomes[0])
	rules := *s.t.rules
	rules.Upkeep = 2
	s.t.self.rules = &rules
	s.slot(getEntry, ack)
	for _, c := range []struct {
		name            string
		first           bool // slot of a cycle
		balance, earned int64
		want            int64
	}{
		{"its price", false, -4, 0, -4}, {"a payment", false, 10, 10, 0}, {"both", false, 6, 10, -4}, {"a new cycle", true, -6, 0, -4}, {"a new cycle without upkeep", true, 0, 0, 0},
	} {
		e := s.a.Memory.Effects.Last()
		if e.Spark = 0; c.first {
			s.a.Notebook.CycleStart()
		}
		s.view.Balance, s.view.Earned = s.a.Balance+c.balance, s.a.Notebook.Earned+uint64(c.earned)
		s.slot(idle, wire.Reply{})
		if e.Spark != c.want {
			t.Errorf("%s: %d, want %d", c.name, e.Spark, c.want)
		}
	}
}

// TestReadings_KeepWhatRepliesShowed: what a look showed is kept as typed things; a refusal is kept with its
// reason.
func TestReadings_KeepWhatRepliesShowed(t *testing.T) {
	s := newSolo(t, genomes[6])
	question, answer := wire.Hash{4}, wire.Hash{5}
	s.slot(getEntry, wire.Reply{Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: wire.OracleEntry{
		ID: wire.Hash{3}, Author: peerB, Title: []byte("Maps"), Kind: wire.EntryKindPattern, Accuracy: 0.5, VerifiedBy: []wire.AgentID{peerA},
		Body: wire.TextBody("all of it"),
	}}})
	look := s.a.Memory.Readings[0]
	if e := look.Entries[0]; string(e.Title) != "Maps" || string(e.Text) != "all of it\n" || e.Accuracy != 0.5 || e.Verifiers != 1 {
		t.Errorf("%+v", look)
	}
	if a, _ := s.t.items().lastAct(); a.Reading == nil || a.Reading.Experience != look.Experience {
		t.Error("the last act does not show what it read")
	}
	s.slot(getEntry, refused)
	if look := s.a.Memory.Readings[1]; look.Refusal == "" || look.Items() != 0 {
		t.Errorf("a refusal: %+v", look)
	}
	got := readMessages([]wire.Message{
		{ID: answer, Author: peerA, Kind: wire.MessageKindAnswer, Content: textContent("so"), References: []wire.Hash{question}},
		{ID: question, Author: peerB, Kind: wire.MessageKindQuestion, Content: textContent("how?"), References: []wire.Hash{}},
	}, nil)
	if got[0].About != question || got[1].Answers != 1 || string(got[1].Text) != "how?" {
		t.Errorf("%+v", got)
	}
}

// BenchmarkItems measures what a prompt asks of a full memory, once per slot and only of those
// minds that read.
func BenchmarkItems(b *testing.B) {
	v := newVillage(8, "items")
	m := scripted.New(v.rules.WorldSeed, scripted.Knobs{})
	for c := wire.Cycle(1); c <= 6; c++ {
		v.cycle(b, m, c, 64)
	}
	p := v.people[0]
	for i := range 256 {
		p.a.Memory.Beliefs.Set(memory.Claim{Subject: fmt.Append(nil, "claim ", i), Predicate: "holds"}, float64(i%11)/10, nil, v.tick)
	}
	p.slots = 64
	p.t.CycleStart(wire.TickAlloc{Budget: 64}, v.tick)
	v.look(p, 7)
	p.t.Ask(&p.view)
	for _, c := range []struct {
		name string
		run  func(x items)
	}{
		{"beliefs", func(x items) { x.beliefs(10) }},
		{"knowledge", func(x items) { x.knowledge(5) }},
		{"lessons", func(items) { p.t.offers.recallLessons() }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.run(p.t.items())
			}
		})
	}
}

// The prompt shows the plan of the current goal, even if another goal matters more now. If that goal has no plan, the
// active plan is shown.
func TestItems_PlanOfTheCurrentGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	about, top := s.about(goals.KindBuildLibrary, wire.Hash{1}), s.about(goals.KindLearn, wire.Hash{2})
	for _, g := range []*goals.Goal{about, top} {
		if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		s.a.Memory.Plans.Add(memory.Plan{Goal: g.ID, Steps: []memory.PlanStep{{Action: stepCodec.Bytes(&stepAction{"entry_query", `{"limit":5}`})}}})
	}
	s.a.Memory.Plans.Activate(top.ID)
	s.t.offers.ranking = []*goals.Goal{about, top}
	if p, ok := s.t.items().plan(); !ok || p.Goal.ID != about.ID {
		t.Errorf("the plan of the goal that the agent is about: %v, %+v", ok, p.Goal)
	}
	s.a.Memory.Plans.Finish(s.a.Memory.Plans.ByGoal(about.ID), memory.PlanCompleted)
	if p, ok := s.t.items().plan(); !ok || p.Goal.ID != top.ID {
		t.Errorf("where that one has no plan: %v, %+v", ok, p.Goal)
	}
}
