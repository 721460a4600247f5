package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// pays is the belief what a verb for goals of a domain pays; -1 if there is none.
func (s *solo) pays(verb string, d action.Domain) float64 {
	b := s.a.Memory.Beliefs.Get(verbPays(verb, d))
	if b == nil {
		return -1
	}
	return float64(b.Confidence)
}

// did follows an act as Record does.
func (s *solo) did(verb string, d action.Domain, goal, object wire.Hash) {
	row, ok := action.ByName(verb)
	if !ok {
		row, _ = action.ByName("msg_post")
	}
	p := &pending{row: row, verb: verb, domain: d, goal: goal}
	s.t.acted(p)
	s.a.Memory.Effects.Add(memory.Effect{Verb: verb, Domain: uint8(d), Goal: goalMark(goal), Object: object})
}

// The reward of a goal is credited to the acts for it, most to the last one, nothing to signals and nothing to acts for
// other goals.
func TestCredit_BountyRewardIsSharedByActsForItsGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	goal := s.aboutBounty()
	if err := s.a.Goals.Add(*goal, &s.t.goals.situation.Appraisal); err != nil {
		t.Fatal(err)
	}
	lang := action.DomainLanguage
	for _, verb := range []string{"bounty_claim", "signal_send", "entry_publish", "bounty_submit"} {
		s.did(verb, lang, goal.ID, wire.Hash{})
		s.did("entry_query", lang, wire.Hash{99}, wire.Hash{})
	}
	before := map[string]float64{}
	verbs := []string{"bounty_submit", "entry_publish", "bounty_claim", "signal_send", "entry_query"}
	for _, v := range verbs {
		before[v] = s.pays(v, lang)
	}
	s.t.goals.tell(&goals.Fact{Kind: goals.FactBountyCompleted, Subject: mine, Agent: s.a.ID, Reward: 200})
	gain := map[string]float64{}
	for _, v := range verbs {
		gain[v] = s.pays(v, lang) - before[v]
	}
	if gain["bounty_submit"] <= gain["entry_publish"] || gain["entry_publish"] <= gain["bounty_claim"] || gain["bounty_claim"] <= 0 {
		t.Errorf("the last act should gain most: %v", gain)
	}
	if gain["signal_send"] != 0 || gain["entry_query"] != 0 {
		t.Errorf("a signal, or an act for another goal, gains: %v", gain)
	}
	if b := s.a.Memory.Beliefs.Get(verbPays("bounty_submit", lang)); b.EvidenceCount() != 2 || s.a.Memory.Beliefs.Evidence(b)[1] != goal.ID {
		t.Errorf("evidence %v; want the act and the goal", s.a.Memory.Beliefs.Evidence(b))
	}
}

// TestCredit_EventsThatCreditAnAct: verdicts on own work, verdicts that agree with the own, approval of an answer, an answer
// to an own question; and nothing for a disputed entry.
func TestCredit_EventsThatCreditAnAct(t *testing.T) {
	entry, doc := wire.Hash{0xE1}, action.DomainDocumentation
	verdict := func(v wire.Verdict) *wire.Event {
		return event(wire.KindEntryVerified, 256, peerA, &wire.EntryVerifiedEvent{EntryID: entry, Verifier: peerA, Verdict: v, Tick: 256})
	}
	for _, c := range []struct {
		name    string
		verb    string
		prepare func(s *solo)
		event   *wire.Event
		returns bool
	}{
		{"an accurate entry", "entry_publish", func(s *solo) { s.a.Learning.Publish(entry, wire.EntryKindPattern, 250) }, verdict(wire.VerdictAccurate), true},
		{"a disputed entry", "entry_publish", func(s *solo) { s.a.Learning.Publish(entry, wire.EntryKindPattern, 250) }, verdict(wire.VerdictInaccurate), false},
		{"a verdict that another confirms", "entry_verify", func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: wire.AgentID{5}, Verdict: uint8(wire.VerdictAccurate)})
		}, verdict(wire.VerdictAccurate), true},
		{"a verdict that another denies", "entry_verify", func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: wire.AgentID{5}, Verdict: uint8(wire.VerdictAccurate)})
		}, verdict(wire.VerdictInaccurate), false},
		{"an approved answer", "answer", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: entry, Author: s.a.ID, Kind: wire.MessageKindAnswer})
		}, event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: entry, Author: peerA, Kind: wire.SignalKindHelpful, Weight: 0.5}), true},
		{"an approved statement", "msg_post", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: entry, Author: s.a.ID, Kind: wire.MessageKindStatement})
		}, event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: entry, Author: peerA, Kind: wire.SignalKindAgree, Weight: 0.5}), false},
	} {
		s := newSolo(t, genomes[6])
		c.prepare(s)
		for range 20 { // such acts brought nothing so far
			s.did(c.verb, doc, wire.Hash{1}, entry)
		}
		before := s.pays(c.verb, doc)
		s.see(c.event)
		if got := s.pays(c.verb, doc) > before; got != c.returns {
			t.Errorf("%s: the belief went from %v to %v", c.name, before, s.pays(c.verb, doc))
		}
	}
}

// The worth of an act is what such acts returned, compared with the average of all: one half without evidence, and
// again once the evidence is old.
func TestWorth_ReturnComparedWithAverage(t *testing.T) {
	s, o := offering(t, nil)
	send, _ := action.ByName("signal_send")
	a, ref := &llm.Affordance{Action: send}, &offerRef{domain: action.DomainSocial}
	at := func() float64 { return 0.5 * weigher{o}.worth(a, ref) }
	if got := at(); got != 0.5 {
		t.Errorf("nothing is known: %v", got)
	}
	for range 40 {
		s.did("signal_send", action.DomainSocial, wire.Hash{1}, wire.Hash{})
		s.did("bounty_submit", action.DomainLanguage, wire.Hash{2}, wire.Hash{})
		s.t.goals.believer().returned(len(s.a.Memory.Effects)-1, 100, nil, 256)
	}
	low := at()
	a.Action, _ = action.ByName("bounty_submit")
	ref.domain = action.DomainLanguage
	if high := at(); low > 0.3 || high < 0.5 {
		t.Errorf("what never returns is worth %v, what pays %v", low, high)
	}
	a.Action, ref.domain = send, action.DomainSocial
	s.t.slotView.tick += wire.Tick(30 * s.rules.Calendar.TicksPerCycle)
	if later := at(); later < 0.45 {
		t.Errorf("thirty cycles later it is worth %v: nobody would try it again", later)
	}
	s.rules.Blind = llm.LayersOf([]string{"beliefs"})
	s.t.slotView.tick = 256
	o.list, o.refs = []llm.Affordance{*a}, []offerRef{*ref}
	if (weigher{o}).weigh(); o.list[0].Considered.Of(llm.FactorWorth) != 0.5 {
		t.Errorf("blind to beliefs, worth is %v", o.list[0].Considered.Of(llm.FactorWorth))
	}
}

// An act that returns much less than average is cut if the agent cares little for others, except acts that others wait
// for.
func TestWorth_LowReturnIsCutForUnsocialAgents(t *testing.T) {
	entry := wire.Hash{0xE1}
	for _, c := range []struct {
		name    string
		collab  float32
		compose llm.Compose
		agree   uint8 // verdicts of others
		ref     offerRef
		cut     bool
	}{
		{"nobody waits for it", 0.2, llm.ComposeNone, 0, offerRef{}, true},
		{"nobody waits for it, social agent", 1, llm.ComposeNone, 0, offerRef{}, false},
		{"an answer", 0.2, llm.ComposeAnswer, 0, offerRef{}, false},
		{"a vote", 0.2, llm.ComposeVote, 0, offerRef{}, false},
		{"it presses", 0.2, llm.ComposeNone, 0, offerRef{presses: true}, false},
		{"the first verdict", 0.2, llm.ComposeVerdict, 0, offerRef{}, false},
		{"the second verdict", 0.2, llm.ComposeVerdict, 1, offerRef{}, true},
	} {
		s, o := offering(t, func(s *solo) {
			s.a.Genome.Traits.Collaboration = c.collab
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: peerA, Verdicts: c.agree})
		})
		row, _ := action.ByName("citation_add")
		c.ref.domain = action.DomainLibrary
		a := &llm.Affordance{Action: row, Compose: c.compose, Subject: entry}
		s.a.Memory.Beliefs.MoveTowards(allActs, 0.3, 0.3, 1, nil, s.t.seen.tick)
		s.a.Memory.Beliefs.MoveTowards(verbPays(a.Verb(), action.DomainLibrary), 0.1, 0.1, 1, nil, s.t.seen.tick)
		if got := (weigher{o}).worth(a, &c.ref); (got == notWorth) != c.cut || got > 1 {
			t.Errorf("%s: worth %v", c.name, got)
		}
	}
}

// What the agent is blind to has not come back for its acts: neither ⚡ nor reputation.
func TestCredit_BlindAgentCountsNoReturnOfThatLayer(t *testing.T) {
	for _, c := range []struct {
		blind          string
		bounty, esteem bool
	}{{"", true, true}, {"money", false, true}, {"reputation", true, false}} {
		s := newSolo(t, genomes[6])
		if c.blind != "" {
			s.rules.Blind = llm.LayersOf([]string{c.blind})
			s.t = NewTurn(s.a, &s.rules)
		}
		s.ask()
		gains := func(verb string, goal wire.Hash, end *goals.Satisfaction) bool {
			for range 20 {
				s.did(verb, action.DomainLanguage, goal, wire.Hash{})
			}
			before := s.pays(verb, action.DomainLanguage)
			s.t.goals.goalReturned(end)
			return s.pays(verb, action.DomainLanguage) > before
		}
		s.did("entry_verify", action.DomainReview, wire.Hash{3}, wire.Hash{})
		s.t.notes.NoteEarning(memory.EarningNote{Goal: wire.Hash{3}, Kind: uint8(goals.KindDoReview), Verb: "entry_verify"})
		before := s.pays("entry_verify", action.DomainReview)
		s.t.shareIncome(s.t.notes.Earned + 50)
		if got := s.pays("entry_verify", action.DomainReview) > before; got != c.bounty {
			t.Errorf("blind to %q: income returned something: %v", c.blind, got)
		}
		if got := gains("bounty_submit", wire.Hash{1}, &goals.Satisfaction{Goal: wire.Hash{1}, Kind: goals.KindClaimBounty, Completed: true, RewardActual: 50}); got != c.bounty {
			t.Errorf("blind to %q: a paid bounty returned something: %v", c.blind, got)
		}
		if got := gains("entry_publish", wire.Hash{2}, &goals.Satisfaction{Goal: wire.Hash{2}, Kind: goals.KindVote, ReputationDelta: 0.3}); got != c.esteem {
			t.Errorf("blind to %q: a gain of reputation returned something: %v", c.blind, got)
		}
	}
}

// An aspiration of the role is given up at a cycle end, four cycles after it was taken up, if the agent believes that work
// for the other one brings clearly more.
func TestReconsider_GivesUpTheAspirationThatBringsLess(t *testing.T) {
	for _, c := range []struct {
		name         string
		cycles       uint64
		blind        string
		design, help float64 // what work for the two aspirations brings
		want         bool    // to design a system is given up
	}{
		{"it brings less", 4, "", 0.1, 0.4, true},
		{"it brings more", 4, "", 0.4, 0.1, false},
		{"it is young", 3, "", 0.1, 0.4, false},
		{"no beliefs", 4, "beliefs", 0.1, 0.4, false},
	} {
		s := newSolo(t, genome(wire.RoleArchitect, 0.5, 0.5, 0.5, 0.5))
		if c.blind != "" {
			s.rules.Blind = llm.LayersOf([]string{c.blind})
			s.t = NewTurn(s.a, &s.rules)
		}
		s.a.Memory.Peers.Observe(peerA, 1)
		s.ask()
		g := s.goal(goals.KindDesignSystem)
		if g == nil || s.goal(goals.KindMentor) == nil {
			t.Fatalf("%s: an architect aspires to %v", c.name, s.a.Goals.Living())
		}
		end := g.CreatedAt + wire.Tick(c.cycles*s.rules.Calendar.TicksPerCycle)
		for d, pays := range map[action.Domain]float64{action.DomainDesign: c.design, action.DomainSocial: c.help} {
			s.a.Memory.Beliefs.MoveTowards(workPays(d), pays, pays, 1, nil, end)
		}
		s.a.Memory.Beliefs.MoveTowards(allActs, 0.25, 0.25, 1, nil, end)
		s.t.CycleEnd(end)
		if got := s.goal(goals.KindDesignSystem) == nil; got != c.want {
			t.Errorf("%s: given up: %v", c.name, got)
		}
		if c.want && g.Ended != goals.ReasonOutpaid {
			t.Errorf("%s: the reason is %q", c.name, g.Ended)
		}
	}
}
