package ooda

import (
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
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
		if got := lost(why); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
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
		if s.a.Notebook.StopRest(why); s.drawn().History.Rest.Why == "" {
			t.Errorf("no words for %s", why)
		}
	}
}
