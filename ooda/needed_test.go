package ooda

import (
	"crypto/sha256"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// answerTo is the event of an answer of somebody else to a message.
func answerTo(n byte, to wire.Hash, at wire.Tick) *wire.Event {
	e := message(n, wire.MessageKindAnswer, at)
	p := *e.Payload.(*wire.MessagePostedEvent)
	p.Reference = &to
	e.Payload = &p
	return e
}

// TestNeed_OfAnswerHalvesWithEachOtherAnswer: one answer of another halves the need, whether an event or a look told
// of it, and counts once; two end the goal.
func TestNeed_OfAnswerHalvesWithEachOtherAnswer(t *testing.T) {
	question := wire.Hash{1, 0}
	need := func(a Asked) float64 {
		for i := range a.Prompt.Affordances {
			if f := &a.Prompt.Affordances[i]; f.GoalKind == goals.KindAnswer.String() && f.Name() == "msg_query" {
				return f.Considered.Of(llm.FactorNeed)
			}
		}
		return 0
	}
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{}, message(0, wire.MessageKindQuestion, 256))
	if got := need(s.ask()); got != 1 {
		t.Errorf("nobody answered: need %v", got)
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.reply(&wire.MsgQuery{References: &[]wire.Hash{question}}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
		{ID: wire.Hash{1, 1}, Author: wire.AgentID{77}, Kind: wire.MessageKindAnswer, Tick: 257, References: []wire.Hash{question}},
	}}})
	if got := need(s.ask(answerTo(1, question, 257))); got != 0.5 {
		t.Errorf("one other answered, as a look and an event told: need %v, want 0.5", got)
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.slot(idle, wire.Reply{}, answerTo(2, question, 258))
	if g := s.goal(goals.KindAnswer); g != nil {
		t.Errorf("two others answered, and the goal to answer is %s", g.Status)
	}
}

// TestAnswerGoal_OneQueryReadsAllUnreadMessages: who turns to a question looks at what else waits, too; one that such a look did not
// show is looked for by its tick.
func TestAnswerGoal_OneQueryReadsAllUnreadMessages(t *testing.T) {
	look := func(s *solo, a Asked) *wire.MsgQuery {
		var found *wire.MsgQuery
		for i := range a.Prompt.Affordances {
			if f := &a.Prompt.Affordances[i]; f.GoalKind == goals.KindAnswer.String() && f.Name() == "msg_query" {
				if found != nil {
					t.Error("two looks are offered to answer one question")
				}
				found = f.Params.(*wire.MsgQuery)
			}
		}
		if found == nil {
			t.Fatal("no step to answer")
		}
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
		return found
	}
	s := newSolo(t, genomes[6])
	other := message(1, wire.MessageKindStatement, 256)
	other.Payload.(*wire.MessagePostedEvent).ChannelID = channelGeneral
	if q := look(s, s.ask(message(0, wire.MessageKindQuestion, 256), other)); q.TimeRange != nil || q.Channels == nil || len(*q.Channels) != 2 {
		t.Errorf("%+v, want a look at both channels", q)
	}
	s.a.Notebook.Message(wire.Hash{1, 0}).Signed = true // given up: no look at the channel reaches back to it
	if q := look(s, s.ask()); q.TimeRange == nil || q.TimeRange[0] != 256 || q.TimeRange[1] < 1<<50 {
		t.Errorf("%+v, want one from its tick on", q)
	}
}

// A question is left to others for up to as long as its asker waits, and longer by agents that keep to themselves. A
// question that names the agent, or that it has read, is not.
func TestDeferral_QuestionIsLeftToOthersAtFirst(t *testing.T) {
	waits := func(peers, ticks int, with func(m *memory.MessageNote)) (left int) {
		for n := range 40 {
			s := newSolo(t, genomes[6])
			s.ask()
			s.t.Act(answered(idle))
			s.t.Record(wire.Reply{})
			for i := range peers {
				s.a.Memory.Peers.Observe(wire.AgentID{0xAA, byte(i)}, 256)
			}
			m := memory.MessageNote{ID: sha256.Sum256([]byte{byte(n)}), Kind: wire.MessageKindQuestion, At: wire.Tick(300 + n)}
			with(&m)
			s.a.Notebook.SeeMessage(m)
			s.t.slotView.tick = m.At + wire.Tick(ticks)
			if s.t.deferral().defers(s.about(goals.KindAnswer, m.ID)) {
				left++
			}
		}
		return left
	}
	plain := func(*memory.MessageNote) {}
	none, few, many, half, late := waits(0, 8, plain), waits(2, 8, plain), waits(30, 8, plain), waits(2, 128, plain), waits(30, 600, plain)
	if none != 0 || few < 20 || many < 20 || half == 0 || half >= few || late != 0 {
		t.Errorf("of 40 questions %d are left to nobody, %d to 2 peers, %d to 30, %d after half a cycle, and %d in the end", none, few, many, half, late)
	}
	if n := waits(30, 8, func(m *memory.MessageNote) { m.Addressee = memory.AddresseeSelf }); n != 0 {
		t.Errorf("%d questions to the agent are left to others", n)
	}
	named := func(m *memory.MessageNote) { m.Addressee = memory.AddresseeOther }
	if soon, then := waits(0, 7, named), waits(0, 8, named); soon != 40 || then != 0 {
		t.Errorf("of 40 questions to another agent %d are left to it for two slots, and %d for longer", soon, then)
	}
	if n := waits(30, 8, func(m *memory.MessageNote) { m.Read = true }); n != 0 {
		t.Errorf("%d questions that were read are left to others", n)
	}
}

// Of the agents that could review a program about as many do as are needed.
func TestDeferral_ReviewIsLeftToOthersInLargeWorlds(t *testing.T) {
	leaves := func(active uint32, age int, with func(s *solo, r *wire.ReviewView)) (left int) {
		for n := range 40 {
			s := newSolo(t, genomes[6])
			s.ask()
			s.t.Act(answered(idle))
			s.t.Record(wire.Reply{})
			s.a.Notebook.Active = active
			r := wire.ReviewView{ID: sha256.Sum256([]byte{byte(n)}), Bounty: true, Author: peerA, Since: 300}
			s.t.slotView.tick = r.Since + wire.Tick(age)
			with(s, &r)
			s.t.slotView.reviews = []wire.ReviewView{r}
			if s.t.deferral().defers(s.about(goals.KindDoReview, r.ID)) {
				left++
			}
		}
		return left
	}
	plain := func(*solo, *wire.ReviewView) {}
	few, many, most, late := leaves(8, 252, plain), leaves(100, 252, plain), leaves(10_000, 512, plain), leaves(10_000, 9*256, plain)
	if few >= many || many < 30 || most < 20 || late != 0 {
		t.Errorf("of 40 reviews %d are left to 7 others, %d to 99, %d to 9,999 for two cycles, and %d in the end", few, many, most, late)
	}
	done := func(_ *solo, r *wire.ReviewView) { r.Verdicts = verdictsWanted }
	if n := leaves(8, 500, done); n != 40 {
		t.Errorf("%d of 40 reviews that have their verdicts are left alone", n)
	}
	begun := func(s *solo, r *wire.ReviewView) {
		s.a.Notebook.BeginWork(memory.WorkReview, r.ID, 300).Stage = memory.WorkTreeSeen
	}
	if n := leaves(100, 4, begun); n != 0 {
		t.Errorf("%d of 40 reviews are left when they are half done", n)
	}
	own := func(s *solo, r *wire.ReviewView) {
		s.t.slotView.claims = append(s.t.slotView.claims, wire.BountyView{ID: r.ID, Creator: s.a.ID})
	}
	if n := leaves(100, 4, own); n != 0 {
		t.Errorf("%d of 40 deliveries for an own bounty are left to others", n)
	}
}

// The world needs two verdicts on an entry; after three no further one is offered.
func TestNeed_OfVerdictFallsWithVerdictsOfOthers(t *testing.T) {
	entry := wire.Hash{0xE1}
	for verdicts, want := range []float64{1, 1, 0.5, 0} {
		s, o := offering(t, func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA, Read: true})
			for i := range verdicts {
				s.see(event(wire.KindEntryVerified, 256, wire.AgentID{byte(90 + i)}, &wire.EntryVerifiedEvent{
					EntryID: entry, Verifier: wire.AgentID{byte(90 + i)}, Verdict: wire.VerdictAccurate, Tick: 256,
				}))
			}
		})
		reader{o}.offerVerify(s.about(goals.KindMentor, entry))
		weigher{o}.weigh()
		switch {
		case want == 0 && len(o.list) > 0:
			t.Errorf("after %d verdicts another one is offered", verdicts)
		case want > 0 && (len(o.list) != 1 || o.list[0].Considered.Of(llm.FactorNeed) != want):
			t.Errorf("after %d verdicts: %+v, want need %v", verdicts, o.list, want)
		}
	}
}

// Each signal of another agent halves the need of one more.
func TestNeed_OfSignalHalvesWithEachOtherSignal(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.noteMessages(1, memory.MessageNote{Author: peerA, Read: true, Signals: 2, Opinion: memory.OpinionFor})
	})
	talker{o}.offerSignal(s.about(goals.KindMentor, wire.Hash{0xA1, 0}))
	weigher{o}.weigh()
	for i := range o.list {
		if a := &o.list[i]; a.Compose == llm.ComposeSignal && a.Considered.Of(llm.FactorNeed) != 0.25 {
			t.Errorf("two others signed: need %v, want 0.25", a.Considered.Of(llm.FactorNeed))
		}
	}
	if len(o.list) == 0 {
		t.Error("nothing offered")
	}
}
