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

// after is the belief after a return of an amount: it has gone a fifth of the way towards the amount; 0: nothing came back.
func after(before, amount float64) float64 {
	if amount == 0 {
		return before
	}
	return before + 0.2*(amount/(amount+30)-before)
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

// What comes back for an act also counts for the seven acts before it for the same goal: each gets seven tenths of what the next one
// gets. Signals get nothing and take no place, and neither do acts for other goals. An act for no goal has none before it.
func TestReturned_SharedWithSevenEarlierActs(t *testing.T) {
	verbs := []string{"entry_get", "entry_query", "entry_publish", "entry_verify", "citation_add", "msg_query", "bounty_claim", "bounty_submit", "agent_status", "balance_query"}
	for _, c := range []struct {
		name   string
		goal   wire.Hash
		shared int // acts that get a share
	}{{"for a goal", wire.Hash{1}, 8}, {"for no goal", wire.Hash{}, 1}} {
		s := newSolo(t, genomes[6])
		before := map[string]float64{}
		for _, v := range verbs {
			s.did(v, action.DomainLibrary, c.goal, wire.Hash{})
			s.did("signal_send", action.DomainLibrary, c.goal, wire.Hash{})
			s.did("rest", action.DomainSocial, wire.Hash{2}, wire.Hash{})
		}
		last := len(s.a.Memory.Effects) - 3
		for _, v := range append(verbs, "signal_send") {
			before[v] = s.pays(v, action.DomainLibrary)
		}
		s.t.goals.believer().returned(last, 60, nil, 256)
		amount := 60.0
		for i := len(verbs) - 1; i >= 0; i-- {
			want := before[verbs[i]]
			if len(verbs)-i <= c.shared {
				want = after(want, amount)
			}
			if got := s.pays(verbs[i], action.DomainLibrary); !near(got, want) {
				t.Errorf("%s: act %d before the last has %v, want %v", c.name, len(verbs)-1-i, got, want)
			}
			amount *= 0.7
		}
		if got := s.pays("signal_send", action.DomainLibrary); got != before["signal_send"] {
			t.Errorf("%s: a signal got something", c.name)
		}
	}
}

// What the end of a goal returns: the reward of a bounty, 100 times a gain of reputation, and 10 if the goal was reached and that
// depended on others. A ⚡ counts twice for an agent that can spare nothing. That the agent's own act was accepted returns nothing, and neither does the end of a goal that failed.
func TestGoalReturned_ByKindAndSuccess(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    goals.Satisfaction
		amount float64
	}{
		{"coverage was raised", goals.Satisfaction{Kind: goals.KindRaiseCoverage, Completed: true}, 10},
		{"and reputation with it", goals.Satisfaction{Kind: goals.KindRaiseCoverage, Completed: true, ReputationDelta: .25}, 35},
		{"coverage was not raised", goals.Satisfaction{Kind: goals.KindRaiseCoverage}, 0},
		{"but reputation was", goals.Satisfaction{Kind: goals.KindRaiseCoverage, ReputationDelta: .25}, 25},
		{"a bounty was paid", goals.Satisfaction{Kind: goals.KindClaimBounty, Completed: true, RewardActual: 50}, 100},
		{"an answer was posted", goals.Satisfaction{Kind: goals.KindAnswer, Completed: true}, 0},
		{"a vote was given", goals.Satisfaction{Kind: goals.KindVote, Completed: true, RewardActual: 3}, 0},
		{"an entry was read", goals.Satisfaction{Kind: goals.KindLearn, Completed: true}, 0},
		{"a review was given, and the reputation fell", goals.Satisfaction{Kind: goals.KindDoReview, Completed: true, ReputationDelta: -.25}, 0},
	} {
		s := newSolo(t, genomes[6])
		c.end.Goal = wire.Hash{1}
		s.did("entry_publish", action.DomainDocumentation, c.end.Goal, wire.Hash{})
		before := s.pays("entry_publish", action.DomainDocumentation)
		s.t.goals.goalReturned(&c.end)
		if got, want := s.pays("entry_publish", action.DomainDocumentation), after(before, c.amount); !near(got, want) {
			t.Errorf("%s: the belief went from %v to %v, want %v", c.name, before, got, want)
		}
	}
}

// What work in a domain pays is an average of all acts for goals of that domain and of their returns, each of which weighs one
// twentieth.
func TestPaid_WorkInDomainIsAnAverageOfAllActs(t *testing.T) {
	s := newSolo(t, genomes[6])
	work := func(d action.Domain) float64 {
		if b := s.a.Memory.Beliefs.Get(workPays(d)); b != nil {
			return float64(b.Confidence)
		}
		return -1
	}
	s.did("entry_publish", action.DomainDocumentation, wire.Hash{1}, wire.Hash{})
	if got := work(action.DomainDocumentation); !near(got, 0.5*0.95) {
		t.Errorf("after an act that has brought nothing yet: %v", got)
	}
	s.t.believer().paid("entry_get", action.DomainDocumentation, 30, nil, 256)
	if got := work(action.DomainDocumentation); !near(got, 0.475+0.05*(0.5-0.475)) {
		t.Errorf("after 30 ⚡ came back for another one: %v", got)
	}
	if got := work(action.DomainSocial); got != -1 {
		t.Errorf("in another domain: %v", got)
	}
}

// What an agent learned of an act that it has not tried since fades by a tenth per cycle.
func TestRelativePay_FadesByATenthPerCycle(t *testing.T) {
	for _, c := range []struct {
		cycles wire.Tick
		want   float64 // of 1.5 at first: acts bring 0.2 on average, this one 0.6
	}{{0, 1.5}, {1, 1.45}, {2, 1.405}, {10, 1 + .5*.34867844}} {
		s, _ := offering(t, nil)
		claim := verbPays("entry_publish", action.DomainDocumentation)
		s.a.Memory.Beliefs.MoveTowards(allActs, 0.2, 0.2, 1, nil, s.t.seen.tick)
		s.a.Memory.Beliefs.MoveTowards(claim, 0.6, 0.6, 1, nil, s.t.seen.tick)
		s.t.slotView.tick += c.cycles * 256
		if got := s.t.believer().relativePay(s.t.believer().belief(claim)); !near(got, c.want) {
			t.Errorf("%d cycles later it is worth %v times the average, want %v", c.cycles, got, c.want)
		}
	}
}

// Each verb has a belief of its own in each domain.
func TestVerbPays_NamesVerbAndDomain(t *testing.T) {
	for i, name := range action.Domain(0).EnumNames() {
		for _, verb := range []string{"entry_publish", "answer"} {
			if got := string(verbPays(verb, action.Domain(i+1)).Subject); got != verb+" in "+name {
				t.Errorf("%s in %s is %q", verb, name, got)
			}
		}
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
		amount  float64 // that comes back for the act
	}{
		{"an accurate entry", "entry_publish", func(s *solo) { s.a.Learning.Publish(entry, wire.EntryKindPattern, 250) }, verdict(wire.VerdictAccurate), 5},
		{"a disputed entry", "entry_publish", func(s *solo) { s.a.Learning.Publish(entry, wire.EntryKindPattern, 250) }, verdict(wire.VerdictInaccurate), 0},
		{"a verdict that another confirms", "entry_verify", func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: wire.AgentID{5}, Verdict: uint8(wire.VerdictAccurate)})
		}, verdict(wire.VerdictAccurate), 5},
		{"a verdict that another denies", "entry_verify", func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: wire.AgentID{5}, Verdict: uint8(wire.VerdictAccurate)})
		}, verdict(wire.VerdictInaccurate), 0},
		{"an approved answer", "answer", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: entry, Author: s.a.ID, Kind: wire.MessageKindAnswer})
		}, event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: entry, Author: peerA, Kind: wire.SignalKindHelpful, Weight: 0.5}), 5},
		{"an approved statement", "msg_post", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: entry, Author: s.a.ID, Kind: wire.MessageKindStatement})
		}, event(wire.KindSignalSent, 256, peerA, &wire.SignalSentEvent{TargetID: entry, Author: peerA, Kind: wire.SignalKindAgree, Weight: 0.5}), 0},
		{"an answer to an own question", "question", func(s *solo) {
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: entry, Author: s.a.ID, Kind: wire.MessageKindQuestion})
		}, answerTo(7, entry, 256), 0}, // it has not been read yet
	} {
		s := newSolo(t, genomes[6])
		c.prepare(s)
		for i := range byte(20) { // such acts brought nothing so far
			s.did(c.verb, doc, wire.Hash{i}, entry)
		}
		before := s.pays(c.verb, doc)
		s.see(c.event)
		if got, want := s.pays(c.verb, doc), after(before, c.amount); !near(got, want) {
			t.Errorf("%s: the belief went from %v to %v, want %v", c.name, before, got, want)
		}
	}
}

// An answer that the agent reads to its question comes back for having asked.
func TestCredit_AnswerThatIsRead(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	question, social := wire.Hash{0xC1}, action.DomainSocial
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: question, Author: s.a.ID, Kind: wire.MessageKindQuestion, Text: []byte("How do I sort?")})
	s.a.Memory.Market.Want(memory.Want{Subject: question, Author: s.a.ID, Since: 256})
	s.did("question", social, wire.Hash{1}, question)
	before := s.pays("question", social)
	messageReader{&s.t.replies}.noteMessage(&wire.Message{ID: wire.Hash{0xC2}, Channel: channelHelp, Author: peerA, Tick: 260, Kind: wire.MessageKindAnswer, Content: textContent("So."), References: []wire.Hash{question}})
	if got, want := s.pays("question", social), after(before, 10); !near(got, want) {
		t.Errorf("the belief went from %v to %v, want %v", before, got, want)
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
		{"an errand", 0.2, llm.ComposeNone, 0, offerRef{errand: true}, false},
		{"others are asked to do it", 0.2, llm.ComposeNone, 0, offerRef{demand: true}, false},
		{"a review", 0.2, llm.ComposeReview, 0, offerRef{}, false},
		{"a signal", 0.2, llm.ComposeSignal, 0, offerRef{}, true},
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
		a.Said = &llm.Finding{Distance: 0.9}
		if got := (weigher{o}).worth(a, &c.ref); c.compose == llm.ComposeVerdict && got == notWorth {
			t.Errorf("%s, to contradict others: worth %v", c.name, got)
		}
	}
}

// A ⚡ that was paid counts twice for an agent that has only what keeps it out of poverty, and the less the more it can spare.
func TestValueOfPay_FallsWithMoney(t *testing.T) {
	for _, c := range []struct {
		balance int64
		want    float64
	}{{0, 2}, {20, 2}, {40, 1}, {80, .5}, {200, .2}} {
		_, o := offering(t, func(s *solo) { s.view.Balance = c.balance })
		if got := o.purse().valueOfPay(); !near(got, c.want) {
			t.Errorf("%d ⚡: %v, want %v", c.balance, got, c.want)
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
		s.t.shareIncome(s.t.notes.Earned + 500)
		if got := s.pays("entry_verify", action.DomainReview) > before; got != c.bounty {
			t.Errorf("blind to %q: income returned something: %v", c.blind, got)
		}
		if got := gains("bounty_submit", wire.Hash{1}, &goals.Satisfaction{Goal: wire.Hash{1}, Kind: goals.KindClaimBounty, Completed: true, RewardActual: 500}); got != c.bounty {
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
