package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// What the end of a cycle changes in an agent: what it believes too weakly and what it counted of periods that are long over is forgotten,
// an idle cycle is counted, and the topics in which no work was found good are left to others longer, the sooner by specialists.
func TestCycleEnd_WhatFadesAndWhatIsCounted(t *testing.T) {
	weak, sure := memory.Claim{Subject: []byte("weak"), Predicate: "holds"}, memory.Claim{Subject: []byte("sure"), Predicate: "holds"}
	for _, c := range []struct {
		breadth float32
		bar     float64 // after the cycle; 1 before
	}{{0, 1.06}, {0.5, 1.035}, {1, 1.01}} {
		s, _ := writing(t, 0.5)
		s.a.Genome.Traits.DepthVsBreadth = c.breadth
		for i := range s.a.Memory.Topics {
			s.a.Memory.Topics[i].Bar = 1
		}
		s.a.Memory.Beliefs.Set(weak, 0.01, nil, 256)
		s.a.Memory.Beliefs.Set(sure, 0.9, nil, 256)
		s.hasCounted(memory.MeasureEraPay, string(memory.AppendEra(nil, 1)), 10, 3)
		idle := s.a.Notebook.IdleCycles
		const end = 20 * 256
		s.t.CycleEnd(end)
		if b := s.a.Memory.Beliefs; b.Get(weak) != nil || b.Get(sure) == nil {
			t.Errorf("of beliefs it keeps the weak one %v, the sure one %v", b.Get(weak) != nil, b.Get(sure) != nil)
		}
		if len(s.a.Memory.Findings) != 0 {
			t.Errorf("it still counts %s", s.counts())
		}
		if got := s.a.Notebook.IdleCycles; got != idle+1 {
			t.Errorf("%d idle cycles after %d", got, idle)
		}
		if got := s.a.Memory.Topics.Bar(memory.TopicTalk); !near(got, c.bar) {
			t.Errorf("breadth %v: the bar of a topic without work is %v, want %v", c.breadth, got, c.bar)
		}
	}
}

// An own verdict that others confirmed is learned from at the end of a cycle, also by an agent that had no slot in it.
func TestCycleEnd_ReviewsOwnJudgements(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Notebook.SeeEntry(memory.EntryNote{
		ID: wire.Hash{1}, Author: peerA, Title: []byte("How 0a0b0000 judges"), Verdict: uint8(wire.VerdictAccurate), Since: 6, Accuracy: 1, Verdicts: 2,
	})
	s.t.CycleEnd(7*256 + 255)
	if b := s.a.Memory.Beliefs.Get(judgementClaims[memory.TopicVerdicts]); b == nil || b.Confidence <= 0.5 {
		t.Errorf("of its judgement it believes %+v", b)
	}
}

// How often an agent tried something in a cycle is forgotten two cycles later, and a cycle without anything new makes it more curious.
func TestCycleEnd_CuriosityGrows(t *testing.T) {
	s, _ := writing(t, 0.5)
	before := s.a.Learning.SinceNew
	s.t.CycleEnd(2 * 256)
	s.t.CycleEnd(3 * 256)
	if got := s.a.Learning.SinceNew; got < before+1 {
		t.Errorf("after two cycles without anything new it is %d cycles since", got)
	}
}

// A cycle begins without the events and the reply of the one before: a prompt depends on nothing older than its cycle but the agent.
func TestCycleStart_ForgetsWhatWasSeen(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(`{"action":"bounty_claim","params":{"bounty_id":"`+someEntry+`"}}`, refused, event(wire.KindBountyReopened, 256, peerA, &wire.BountyReopenedEvent{BountyID: deal}))
	if len(s.t.seen.recent.list) != 1 {
		t.Fatalf("it has seen %d events", len(s.t.seen.recent.list))
	}
	s.t.CycleStart(wire.TickAlloc{Budget: 32, Cycle: 3}, 768)
	if len(s.t.seen.recent.list) != 0 || s.t.reply.Type != 0 || s.t.seen.tick != 768 || s.t.seen.cycle != 3 || s.a.TickBudget != 32 {
		t.Errorf("at the start of cycle 3 it has seen %d events, a reply %v, at tick %d", len(s.t.seen.recent.list), s.t.reply.Type, s.t.seen.tick)
	}
}

// Errors that concern only the agent are returned once.
func TestFaults_Once(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for range 3 {
		s.t.Act(answered("hm"))
	}
	s.t.Record(wire.Reply{})
	if first, again := s.t.Faults(), s.t.Faults(); len(first) != 1 || len(again) != 0 {
		t.Errorf("%d errors, then %d", len(first), len(again))
	}
}

// What an agent has seen of paid entries about a measure says nothing about others, and fades towards one half while it sees no more.
func TestAgreed_ByMeasureFading(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for _, m := range []memory.Measure{memory.MeasureReward, memory.MeasurePattern} {
		for range 20 {
			s.t.believer().believeAgreed(&memory.OfferNote{Measure: m}, m == memory.MeasureReward, 256)
		}
	}
	now := []float64{s.t.believer().agreed(memory.MeasureReward), s.t.believer().agreed(memory.MeasurePattern), s.t.believer().agreed(memory.MeasureKeeps)}
	if now[0] < 0.9 || now[1] > 0.1 || now[2] != 0.5 {
		t.Errorf("others agree with chances of %v", now)
	}
	for cycles, left := range map[wire.Tick]float64{1: 0.9, 2: 0.81, 10: 0.34867844} { //house:sorted each is looked at by itself
		s.t.slotView.tick = 256 + cycles*256
		for i, m := range []memory.Measure{memory.MeasureReward, memory.MeasurePattern} {
			if got, want := s.t.believer().agreed(m), 0.5+left*(now[i]-0.5); !near(got, want) {
				t.Errorf("%d cycles later others agree with a chance of %v, want %v", cycles, got, want)
			}
		}
	}
	s.t.slotView.tick = 256 * 500 // what is left when it no longer matters stays
	for i, m := range []memory.Measure{memory.MeasureReward, memory.MeasurePattern} {
		if got := s.t.believer().agreed(m) - 0.5; got == 0 || got > 0.01 || got < -0.01 || got > 0 != (now[i] > 0.5) {
			t.Errorf("very much later others agree with a chance of one half and %v", got)
		}
	}
}

// What an agent wants of a sleeper: the delivery of its bounty, first of all; else an answer that nobody gave, or a verdict on its entry, if
// the sleeper works on the topic. The call shows what it is about, for the best goal that concerns others.
func TestOfferCall_WhatIsWantedOfASleeper(t *testing.T) {
	question, entry := wire.Hash{0xA1}, wire.Hash{0xE1}
	asks := func(s *solo) {
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: s.a.ID, Kind: wire.MessageKindQuestion, Text: []byte(memory.MeasureKeeps.Question([]byte("0a0b0000")))})
		s.a.Memory.Market.Want(memory.Want{Subject: question, Since: 256})
	}
	wrote := func(s *solo) {
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: s.a.ID, Own: true, Title: []byte(memory.MeasureDelivers.Title([]byte("0a0b0000")))})
		s.a.Learning.Works = []goals.Work{{Entry: entry}}
		s.hasCounted(memory.MeasureDelivers, "0a0b0000", 1, 3)
	}
	pays := func(by, claimer *wire.AgentID) func(s *solo) {
		return func(s *solo) {
			s.t.slotView.claims = []wire.BountyView{{ID: deal, Creator: s.a.ID, Claimer: claimer, Title: []byte("A parser")}}
			if by != nil {
				s.t.slotView.claims[0].Creator = *by
			}
		}
	}
	for _, c := range []struct {
		name    string
		prepare []func(s *solo)
		works   memory.Topic // on which the sleeper works
		want    string       // what the call shows; "": no call
	}{
		{"a delivery", []func(s *solo){pays(nil, &peerA)}, memory.TopicTalk, "A parser"},
		{"a delivery before an answer", []func(s *solo){asks, pays(nil, &peerA)}, memory.TopicPromises, "A parser"},
		{"a delivery by another", []func(s *solo){pays(nil, &peerB)}, memory.TopicTalk, ""},
		{"a bounty that nobody claimed", []func(s *solo){pays(nil, nil)}, memory.TopicTalk, ""},
		{"a delivery for another", []func(s *solo){pays(&peerB, &peerA)}, memory.TopicTalk, ""},
		{"an answer", []func(s *solo){asks}, memory.TopicPromises, memory.MeasureKeeps.Question([]byte("0a0b0000"))},
		{"an answer of one who works on something else", []func(s *solo){asks}, memory.TopicTalk, ""},
		{"an answer that came", []func(s *solo){asks, func(s *solo) { s.a.Memory.Market.Wants[0].Answers = memory.AnswersCame }}, memory.TopicPromises, ""},
		{"an answer to a question that it has forgotten", []func(s *solo){asks, func(s *solo) { s.a.Notebook.Messages = nil }}, memory.TopicPromises, ""},
		{"an answer about what agents do not count", []func(s *solo){asks, func(s *solo) { s.a.Notebook.Message(question).Text = []byte("How do I sort?") }}, memory.TopicPromises, ""},
		{"a verdict", []func(s *solo){wrote}, memory.TopicPromises, memory.MeasureDelivers.Title([]byte("0a0b0000"))},
		{"a verdict of one who works on something else", []func(s *solo){wrote}, memory.TopicTalk, ""},
		{"a verdict on an entry that it has forgotten", []func(s *solo){wrote, func(s *solo) { s.a.Notebook.Entries = nil }}, memory.TopicPromises, ""},
		{"a verdict on what it has not counted", []func(s *solo){wrote, func(s *solo) { s.a.Memory.Findings = nil }}, memory.TopicPromises, ""},
		{"nothing", nil, memory.TopicPromises, ""},
	} {
		s, o := writing(t, 0.5)
		s.a.Memory.Dealings.AddSleeper(peerA)
		s.a.Memory.Peers.Interest(peerA, []byte(c.works.String()), 256)
		for _, prepare := range c.prepare {
			prepare(s)
		}
		dead, social, other := s.about(goals.KindMentor, wire.Hash{1}), s.about(goals.KindImproveReputation, wire.Hash{2}), s.about(goals.KindEarn, wire.Hash{3})
		dead.Status = goals.StatusAbandoned
		o.ranking = []*goals.Goal{other, dead, social}
		talker(o).offerCall(other)
		got := ""
		for i := range o.list {
			a := &o.list[i]
			if got = string(a.Text); a.Finding != nil {
				if got = a.Finding.Asks; got == "" {
					got = a.Finding.Title
				}
			}
			if p := a.Params.(*wire.MsgPost); a.Compose != llm.ComposeCall || a.Goal != social.ID || wire.AgentID(p.References[0]) != peerA || !near(float64(p.Confidence), 0.7) {
				t.Errorf("%s: the call is %+v for %s", c.name, p, a.GoalKind)
			}
		}
		if got != c.want || len(o.list) > 1 {
			t.Errorf("%s: the call shows %q, want %q", c.name, got, c.want)
		}
	}
}
