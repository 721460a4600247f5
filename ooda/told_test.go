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

// ends gives the agent a goal that ends for a reason, as onEnded sees it.
func (s *solo) ends(g goals.Satisfaction) {
	g.Domain = g.Kind.Domain()
	s.t.goals.satisfied = append(s.t.goals.satisfied[:0], g)
	s.t.goals.onEnded(0)
}

// Goals that ended since the last thought are told once, the newest three, without errands that an act completed.
func TestPrompt_GoalsThatEnded(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	question := wire.Hash{0x51}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: peerA, Kind: wire.MessageKindQuestion, Text: []byte("How do I join the parts of a list into one text in Starlark?")})
	s.ends(goals.Satisfaction{Kind: goals.KindEarn, Completed: true}) // the oldest of four
	s.ends(goals.Satisfaction{Kind: goals.KindBuildLibrary, Completed: true, Text: "not told"})
	s.ends(goals.Satisfaction{Kind: goals.KindVote, Completed: true, Subject: wire.Hash{0x52}})
	s.ends(goals.Satisfaction{Kind: goals.KindAnswer, Subject: question, Reason: goals.Closed("answered")})
	s.ends(goals.Satisfaction{Kind: goals.KindOwn, Text: "Thank them", Reason: goals.ReasonDeadline})
	want := `ended: build_library reached; answer m1 "How do I join the parts of a list into one te…" lost, others answered it; own "Thank them" lost, its deadline passed`
	s.ask()
	s.wantLines(want)
	s.t.Act(llm.Thought{Outcome: llm.TimedOut}) // nobody was told
	s.t.Record(wire.Reply{})
	s.ask()
	s.wantLines(want)
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.ask()
	if text := string(s.t.prompt.Render(nil)); strings.Contains(text, "\nended: ") || s.a.Notebook.Ended != nil {
		t.Errorf("it is told again:\n%s", text)
	}
	for why, want := range map[goals.Reason]string{ //house:sorted each stands alone
		goals.Closed("COMPLETED"): "lost, completed", goals.ReasonOutOfSight: "lost, you are not shown it any more", "": "lost",
	} {
		if got := lost(goals.KindDoReview, why); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
	}
	if got := lost(goals.KindAnswer, goals.ReasonOutOfSight); got != "given up: too many questions at once, or others know more of it" {
		t.Errorf("a question: %q", got)
	}
	n := &memory.EndedNote{Kind: uint8(goals.KindClaimBounty), Subject: wire.Hash{0x53}, Reason: string(goals.Closed("COMPLETED")), By: peerA}
	if f := (&life{s.t.items()}).ended(n, new(llm.Handles)); f.How != "lost, completed by a1000000" {
		t.Errorf("how a bounty was lost: %+v", f)
	}
}

// What a thing's own line says is not told twice, and what the agent did itself is not told for ever.
func TestPrompt_OverIsToldWhereItIsNews(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	s.ends(goals.Satisfaction{Kind: goals.KindClaimBounty, Subject: wire.Hash{1}, Reason: goals.Closed("claimed")})
	made := wire.Hash{4}
	s.a.Notebook.Objects = []memory.ObjectNote{{Goal: wire.Hash{9}, Object: made}}
	s.view.Subjects = []wire.SubjectView{
		{ID: wire.Hash{1}, Kind: "bounty", Status: "CLAIMED", By: peerA},
		{ID: wire.Hash{2}, Kind: "proposal", Status: "VOTED"},
		{ID: wire.Hash{3}, Kind: "entry", Status: "JUDGED"},
		{ID: made, Kind: "bounty", Status: "COMPLETED"},
	}
	s.ask()
	f := s.drawn().State
	if len(f.Over) != 1 || f.Over[0].Status != "CLAIMED" || len(f.Ended) != 0 {
		t.Errorf("over %+v, ended %+v", f.Over, f.Ended)
	}
}

// A rest stands above the act before it, with its thought and with what ended it.
func TestPrompt_RestThatTheThoughtWasAbout(t *testing.T) {
	asked := func(me wire.AgentID) *wire.Event {
		ref := wire.Hash(me)
		return event(wire.KindMessagePosted, 257, peerA, &wire.MessagePostedEvent{Author: peerA, Reference: &ref})
	}
	s := newSolo(t, genomes[6])
	s.slot(getEntry, ack)
	s.slot(restFor(3), wire.Reply{})
	s.pass()
	s.ask(asked(s.a.ID))
	text := string(s.t.prompt.Render(nil))
	want := "## RECENT ACTIONS\nlast: tick 260 rest, 1 of 3 slots passed; something came for you\nyour last thought: \"nothing is worth its cost\"\nbefore: tick 256 entry_get"
	if !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text[strings.Index(text, "## RECENT"):])
	}
	s.t.Act(answered(getEntry))
	s.t.Record(ack)
	if s.ask(); s.drawn().History.Rest != nil {
		t.Error("the rest is told after another act")
	}
	s = newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{})
	s.slot(restFor(1), wire.Reply{})
	s.pass()
	s.ask()
	if r := s.drawn().History.Rest; r == nil || *r != (llm.RestFact{Tick: 260, Slots: 1, Passed: 1}) {
		t.Errorf("a rest that nothing ended: %+v", r)
	}
	for why := range restWords { //house:sorted each stands alone
		s.a.Notebook.BeginRest(260, 2)
		if s.a.Notebook.StopRest(why); s.drawn().History.Rest.Why == "" {
			t.Errorf("no words for %s", why)
		}
	}
}

// A mind cannot set or drop the notes that the runtime keeps, and reads them in words.
func TestRegisters_BelongToTheRuntime(t *testing.T) {
	s := newSolo(t, genomes[6])
	entry := wire.Hash{0xAB}
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA, Title: []byte("Maps")})
	question := wire.Hash{0xCD}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: s.a.ID, Kind: wire.MessageKindQuestion, Text: []byte("What is a map?")})
	s.slot(withField(idle, `,"memory_update":{"note":{"set":{"mine":"1"}}}`), wire.Reply{})
	s.t.regs.avoid("entry_verify", entry.String()[:8], "stale")
	s.t.regs.avoid("exec_start", "LANGUAGE", "")
	s.t.regs.asked(question, channelHelp)
	before := len(s.a.Memory.Working.Notes())
	avoid := noteAvoid + "entry_verify " + entry.String()[:8]
	s.slot(withField(idle, `,"memory_update":{"note":{"set":{"doing":"what I like","avoid:msg_post":"for ever"},"drop":["mine","`+avoid+`"]}}`), wire.Reply{})
	w := s.a.Memory.Working
	if _, kept := w.Get(avoid); !kept || len(w.Notes()) != before-1 {
		t.Errorf("notes %+v", w.Notes())
	}
	if doing, _ := w.Get(noteDoing); string(doing) == "what I like" {
		t.Error("the mind set what the agent is doing")
	}
	s.ask()
	text := string(s.t.prompt.Render(nil))
	for _, want := range []string{"\nyou avoid entry_verify e1 \"Maps\" for 504 ticks: \"stale\"\n", "\nyou avoid exec_start for 504 ticks\n", "\nyou asked m1 \"What is a map?\" and wait for answers, 248 ticks\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text[strings.Index(text, "## YOUR MEMORY"):])
		}
	}
	if strings.Contains(text, "note \"") {
		t.Error("a register is shown as a note")
	}
}

// What says nothing of the agent's choices is not shown, and what things pay stands in Spark.
func TestPrompt_BeliefsAndPeersThatTellLittle(t *testing.T) {
	s := newSolo(t, genomes[6])
	for _, b := range []struct {
		subject, predicate string
		c                  float64
	}{{"entry_query", worksPredicate, 0.7}, {"msg_post", worksPredicate, 0.7}, {"acts", memory.AmountPredicate, 0.9}, {"work in DESIGN", memory.AmountPredicate, 0.25}} {
		s.a.Memory.Beliefs.Set(memory.Claim{Subject: []byte(b.subject), Predicate: b.predicate}, b.c, nil, 256)
	}
	s.meet(peerA)
	s.a.Memory.Peers.Observe(peerB, 256)
	s.ask()
	text := string(s.t.prompt.Render(nil))
	if n := strings.Count(text, "\nbelief: "); n != 2 {
		t.Errorf("%d beliefs", n)
	}
	s.wantLines(`belief: "msg_post" works (0.70)`, `belief: "work in DESIGN" pays about 10`)
	if strings.Contains(text, "peer "+peerB.Alias()) {
		t.Error("a peer of whom nothing is known is shown")
	}
	for c, want := range map[float64]float64{0: 0.1, 0.5: 30, 1: 2970} { //house:sorted each stands alone
		if got := amountOf(c); got < want-0.1 || got > want+0.1 {
			t.Errorf("%.2f stands for %.2f, want %.2f", c, got, want)
		}
	}
}

// A delivery that the world did not take says why, and completes no goal that counts deliveries.
func TestPartial_SaysWhyAndCompletesNothing(t *testing.T) {
	s := newSolo(t, genomes[6])
	b := s.holding()
	submit := `{"action":"bounty_submit","params":{"bounty_id":"` + b.ID.String() + `","submission_snap":"` + wire.Hash{}.String() + `"}}`
	s.slot(withField(idle, `,"memory_update":{"goals":[{"layer":"TASK","text":"Deliver","until":"bounty_submit>=1"}]}`), wire.Reply{})
	ack := func(status wire.BountyStatus, failed *wire.FailedCheck) wire.Reply {
		return wire.Reply{Type: wire.TypeAck, Body: &wire.BountySubmitAck{Status: status, Failed: failed}}
	}
	s.slot(submit, ack(wire.BountyStatusClaimed, &wire.FailedCheck{Why: []byte("others have verified 0 of the 3 PATTERN entries")}))
	s.ask()
	if f := s.drawn().History.Last; f.Outcome != "PARTIAL" || f.Effect != `not accepted: "others have verified 0 of the 3 PATTERN entries"` {
		t.Errorf("the act: %+v", f)
	}
	if !s.a.Goals.HasKind(goals.KindOwn) {
		t.Error("the goal is reached by a delivery that was not accepted")
	}
	s.t.Act(answered(idle))
	s.t.Record(wire.Reply{})
	s.slot(submit, ack(wire.BountyStatusReviewing, nil))
	if s.a.Goals.HasKind(goals.KindOwn) {
		t.Error("the goal lives on after a delivery")
	}
}

// The creator of a bounty reads what is asked of others; one entry is one.
func TestPrompt_RequirementOfTheCreator(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	for n, want := range map[uint32]string{1: "1 new FAQ entry of ", 2: "2 new FAQ entries of "} { //house:sorted each stands alone
		kind := wire.EntryKindFAQ
		b := wire.BountyView{Creator: s.a.ID, Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &n})}}}
		l := &life{s.t.items()}
		if got := l.requirement(&b, 0, nil); got != want+"whoever claims it, found accurate" {
			t.Errorf("to the creator: %s", got)
		}
		b.Creator = peerA
		if got := l.requirement(&b, 0, nil); got != want+"yours, found accurate" {
			t.Errorf("to others: %s", got)
		}
	}
}

// The newest own entries whose fate is open are listed, the others not.
func TestPrompt_OwnEntriesThatAreOpen(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	publish := func(n byte, at wire.Tick, verdicts uint32, pending uint32) {
		id := wire.Hash{0xE0, n}
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: s.a.ID, Own: true, Title: []byte{'T', '0' + n}, Pending: pending})
		s.a.Learning.Works = append(s.a.Learning.Works, goals.Work{Entry: id, At: at, Kind: wire.EntryKindFAQ, Verdicts: verdicts, Accurate: verdicts})
	}
	s.t.slotView.tick = 2000
	publish(1, 100, 0, 0) // old
	publish(2, 100, 2, 3)
	publish(3, 1900, 2, 0) // decided
	publish(4, 1233, 1, 0)
	s.a.Learning.Works = append(s.a.Learning.Works, goals.Work{Entry: wire.Hash{0xE9}, At: 1950}) // forgotten
	want := []llm.WorkFact{{Title: "T4", Kind: "FAQ", Verdicts: 1, Accurate: 1}, {Title: "T2", Kind: "FAQ", Verdicts: 2, Accurate: 2, Update: 3}}
	got := s.drawn().State.Works
	for i := range got {
		got[i].Ref = llm.Ref{}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	s.t.slotView.tick = 2001
	if got := s.drawn().State.Works; len(got) != 1 {
		t.Errorf("three cycles later %+v", got)
	}
	for n := range byte(4) {
		publish(5+n, 1990, 0, 0)
	}
	if got := s.drawn().State.Works; len(got) != 3 || got[0].Title != "T8" {
		t.Errorf("of five %+v", got)
	}
}

// Bounties are numbered as they are listed, whatever goals and acts named before; what a test shows is not asked for twice, and what
// the agent may not claim asks nothing of it.
func TestPrompt_OpenBounties(t *testing.T) {
	s := newSolo(t, genomes[6])
	needs := []wire.BountyRequirement{
		{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{})},
		{Kind: wire.RequirementKindMustPassTests, Params: wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: wire.Hash{0x7E}})},
	}
	for i := range byte(2) {
		s.view.Bounties = append(s.view.Bounties, wire.BountyView{
			ID: wire.Hash{1, i}, Creator: peerA, Title: []byte{'T', '0' + i}, Deadline: 900, Status: wire.BountyStatusOpen, Requirements: needs, Barred: i == 0,
		})
	}
	s.ask()
	g := s.about(goals.KindClaimBounty, wire.Hash{1, 1})
	s.t.offers.ranking = []*goals.Goal{g}
	s.wantLines(
		`open bounties that you may not claim: 1`,
		`open bounty b1 a1000000 wrote "T1": 0 Spark, INVALID(0), 644 ticks left; requires a program that passes test x1`,
	)
}

// The slots that a rest without a choice lets pass, because there is nothing to do, are not those of the rest that the mind chose.
func TestRest_CountsItsOwnSlots(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(restFor(2), wire.Reply{})
	s.pass()
	s.pass()
	s.a.Notebook.Rest = 9 // as when nothing is feasible
	for range 3 {
		s.pass()
	}
	s.a.Notebook.StopRest(restCalled)
	if r := s.a.Notebook.Rested; r.Passed != 2 || r.Slots != 2 || r.Why != "" {
		t.Errorf("the rest is noted as %+v", r)
	}
}

// A success ends the note to avoid an act about the same thing, and no other.
func TestRegisters_SuccessEndsAvoiding(t *testing.T) {
	s := newSolo(t, genomes[6])
	id, other := wire.Hash{0xAB, 0xAB, 0xAB, 0xAB}, wire.Hash{7}
	s.t.seen.tick = 256
	row, _ := action.ByName("entry_get")
	about := func(h wire.Hash) string { return h.String()[:8] }
	for _, key := range []string{about(id), about(other)} {
		s.t.regs.avoid("entry_get", key, "not_found")
	}
	s.t.regs.avoid("entry_verify", about(id), "")
	s.t.regs.forgive(&pending{row: row, subject: id})
	for _, c := range []struct {
		verb    string
		subject wire.Hash
		want    bool
	}{{"entry_get", id, false}, {"entry_get", other, true}, {"entry_verify", id, true}, {"entry_get", wire.Hash{9}, false}} {
		if got := s.t.regs.avoids(c.verb, row.Domain.String(), &c.subject); got != c.want {
			t.Errorf("%s of %s is avoided: %v", c.verb, about(c.subject), got)
		}
	}
}

// An act that was dearer than the slots left was not sent, so it can be tried again.
func TestReplies_WhatWasNotSentWasNotTried(t *testing.T) {
	entry := wire.Hash{3}
	for _, c := range []struct {
		code uint32
		want bool
	}{{wire.CodeNoTicks, false}, {0x0001_0001, true}} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA})
		s.reply(&wire.EntryVerify{EntryID: entry, Verdict: wire.VerdictAccurate}, wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Code: c.code}})
		if got := s.a.Notebook.Entry(entry).Judged; got != c.want {
			t.Errorf("after 0x%04X it counts as judged: %v", c.code, got)
		}
	}
}

// What the end of a cycle takes is no price of an act after which the agent rested.
func TestEffects_NoPriceAfterARest(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(getEntry, ack)
	s.slot(restFor(2), wire.Reply{})
	e := s.a.Memory.Effects.Last()
	e.Spark = 0
	s.a.Notebook.CycleStart()
	s.view.Balance = s.a.Balance - 10
	if s.slot(idle, wire.Reply{}); e.Spark != 0 {
		t.Errorf("it cost %d", e.Spark)
	}
}

// Nothing is left to argue for a proposal that has ended.
func TestPropose_NothingToArgueForAfterTheVote(t *testing.T) {
	s := newSolo(t, genomes[6])
	id := wire.Hash{8}
	s.a.Memory.Grievances = append(s.a.Memory.Grievances, memory.Grievance{Complaint: memory.ComplaintUnanswered, Own: id}, memory.Grievance{Complaint: memory.ComplaintUnanswered, Subject: []byte("x"), Own: wire.Hash{9}})
	s.see(event(wire.KindProposalResolved, 256, peerA, &wire.ProposalResolvedEvent{ProposalID: id}))
	if g := s.a.Memory.Grievances; !g[0].Own.IsZero() || g[1].Own.IsZero() {
		t.Errorf("%+v", g)
	}
}

// Only one question that was not read is told as a goal: of the others there is nothing more to say.
func TestPrompt_TellsOneUnreadQuestion(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.slot(idle, wire.Reply{}, message(0, wire.MessageKindQuestion, 256), message(1, wire.MessageKindQuestion, 256), message(2, wire.MessageKindQuestion, 256))
	s.ask()
	count := func() int {
		_, memory, _ := strings.Cut(string(s.t.prompt.Render(nil)), "## YOUR MEMORY")
		return strings.Count(memory, "answer: ")
	}
	if n := count(); n != 1 {
		t.Errorf("%d unread questions are told", n)
	}
	for i := range byte(3) {
		q := s.a.Notebook.Message(wire.Hash{1, i})
		q.Read, q.Text = true, []byte("How?")
	}
	s.t.prompt.Forget()
	if n := count(); n != 3 {
		t.Errorf("%d questions that were read are told", n)
	}
}
