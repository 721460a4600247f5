package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// Of equal offers an act is for the one with the same params, whatever the runtime has filled in since.
func TestAttribute_TellsEqualOffersApartByParams(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	o, post := &s.t.offers, s.t.slotView.action("msg_post")
	text := func(words string) []byte {
		return wire.ContentCodec.Append(nil, &wire.Content{Text: &words})
	}
	question := func(words string, author wire.AgentID) *wire.MsgPost {
		return &wire.MsgPost{Channel: wire.Hash{9}, Author: author, Kind: wire.MessageKindQuestion, Content: text(words), References: []wire.Hash{}, Confidence: 0.5}
	}
	o.list = []llm.Affordance{
		{Action: post, Goal: wire.Hash{1}, Params: question("who?", wire.AgentID{})},
		{Action: post, Goal: wire.Hash{2}, Params: question("what?", wire.AgentID{})},
		{Action: post, Goal: wire.Hash{3}, Params: question("what?", wire.AgentID{})},
	}
	o.refs = make([]offerRef, len(o.list))
	for words, want := range map[string]wire.Hash{"who?": {1}, "what?": {2}, "why?": {1}} {
		p := &pending{row: post, payload: question(words, s.a.ID)}
		if o.attribute(p); p.goal != want {
			t.Errorf("%s is for goal %v", words, p.goal)
		}
	}
}

// TestAttribute_PrefersSameActionAndSubject: the same action and subject first, then the same action, then a goal about the
// subject, else none.
func TestAttribute_PrefersSameActionAndSubject(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	get, query := s.t.slotView.action("entry_get"), s.t.slotView.action("entry_query")
	o := &s.t.offers
	o.list = []llm.Affordance{
		{Action: query, Goal: wire.Hash{1}, Subject: wire.Hash{20}, Params: &wire.EntryQuery{Sort: wire.OracleSortRecent}},
		{Action: get, Goal: wire.Hash{2}, Subject: wire.Hash{10}, Params: &wire.EntryGet{EntryID: wire.Hash{10}}},
		{Action: get, Goal: wire.Hash{3}, Subject: wire.Hash{20}, Params: &wire.EntryGet{EntryID: wire.Hash{20}}},
		{Action: get, Goal: wire.Hash{4}, Subject: wire.Hash{20}, Params: &wire.EntryGet{EntryID: wire.Hash{20}}},
	}
	o.refs = []offerRef{{goal: goals.KindOwn}, {goal: goals.KindLearn, plan: 2, step: 1}, {goal: goals.KindMentor, plan: 3, step: 2}, {}}
	about := s.about(goals.KindAnswer, wire.Hash{40})
	o.ranking = append(o.ranking, about)
	for _, c := range []struct {
		name    string
		action  string
		subject wire.Hash
		goal    wire.Hash
		kind    goals.Kind
		plan    uint64
	}{
		{"exact", "entry_get", wire.Hash{20}, wire.Hash{3}, goals.KindMentor, 3},
		{"same action, about nothing", "entry_query", wire.Hash{}, wire.Hash{1}, goals.KindOwn, 0},
		{"same action, about something else", "entry_get", wire.Hash{30}, wire.Hash{}, 0, 0},
		{"not offered, about the subject of a goal", "balance_query", wire.Hash{40}, about.ID, about.Kind(), 0},
		{"not offered, about nothing wanted", "balance_query", wire.Hash{20}, wire.Hash{}, 0, 0},
	} {
		payload := map[string]any{"entry_get": &wire.EntryGet{EntryID: c.subject}, "entry_query": &wire.EntryQuery{Sort: wire.OracleSortRecent}, "balance_query": &wire.BalanceQuery{}}[c.action]
		p := &pending{row: s.t.slotView.action(c.action), subject: c.subject, payload: payload}
		o.attribute(p)
		if p.goal != c.goal || p.goalKind != c.kind || p.plan != c.plan {
			t.Errorf("%s: goal %v of %v, plan %d", c.name, p.goal, p.goalKind, p.plan)
		}
	}
	about.Status = goals.StatusCompleted
	p := &pending{row: s.t.slotView.action("balance_query"), subject: wire.Hash{40}, payload: &wire.BalanceQuery{}}
	if o.attribute(p); !p.goal.IsZero() || p.goalKind != 0 {
		t.Errorf("of a goal that has ended: %v of %v", p.goal, p.goalKind)
	}
}

// Of several entries or messages that are offered, the one that was written is told by its kind and title. A publication
// for one goal used to count for the best of all goals with an offer to publish, and was delivered for that one's bounty.
func TestAttribute_GoesByWhatWasWritten(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	publish, post := s.t.slotView.action("entry_publish"), s.t.slotView.action("msg_post")
	entry := func(k wire.EntryKind, title string) *wire.EntryPublish {
		return &wire.EntryPublish{Entry: wire.EntryDraft{Kind: k, Title: []byte(title)}, Review: wire.ReviewModeImmediate}
	}
	o := &s.t.offers
	o.list = []llm.Affordance{
		{Action: publish, Goal: wire.Hash{1}, Params: entry(wire.EntryKindFAQ, "A question"), Finding: &llm.Finding{Title: "How fast #help answers"}},
		{Action: publish, Goal: wire.Hash{2}, Params: entry(wire.EntryKindTutorial, "A tutorial"), Finding: &llm.Finding{Title: "What #help is used for"}},
		{Action: publish, Goal: wire.Hash{3}, Params: entry(wire.EntryKindTutorial, "A tutorial"), Finding: &llm.Finding{Title: "How peerA judges"}},
		{Action: post, Goal: wire.Hash{4}, Params: &wire.MsgPost{Kind: wire.MessageKindQuestion}, Subject: channelHelp},
		{Action: post, Goal: wire.Hash{5}, Params: &wire.MsgPost{Kind: wire.MessageKindStatement}, Subject: channelHelp},
		{Action: post, Goal: wire.Hash{6}, Params: &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{{9}}}, Subject: wire.Hash{9}},
	}
	cite := s.t.slotView.action("citation_add")
	for goal := byte(7); goal <= 8; goal++ {
		o.list = append(o.list, llm.Affordance{Action: cite, Goal: wire.Hash{goal}, Params: &wire.CitationAdd{Target: wire.Hash{goal}, Kind: wire.CitationKindReferences, Context: citeContext}})
	}
	get := s.t.slotView.action("entry_get")
	o.list = append(o.list, llm.Affordance{Action: get, Goal: wire.Hash{9}, Params: &wire.EntryGet{EntryID: wire.Hash{10}}, Subject: wire.Hash{10}})
	o.refs = make([]offerRef, len(o.list))
	for _, c := range []struct {
		name    string
		row     *action.Row
		payload any
		subject wire.Hash
		goal    byte
	}{
		{"kind and title", publish, entry(wire.EntryKindTutorial, "How peerA judges"), wire.Hash{}, 3},
		{"kind, own title: the first of the kind", publish, entry(wire.EntryKindTutorial, "My own"), wire.Hash{}, 2},
		{"title, other kind", publish, entry(wire.EntryKindGlossary, "What #help is used for"), wire.Hash{}, 2},
		{"neither: the first", publish, entry(wire.EntryKindGlossary, "My own"), wire.Hash{}, 1},
		{"statement in the channel of a question", post, &wire.MsgPost{Kind: wire.MessageKindStatement}, channelHelp, 5},
		{"the same parameters", cite, &wire.CitationAdd{Target: wire.Hash{8}, Kind: wire.CitationKindReferences, Context: []byte("it moved what I had counted")}, wire.Hash{1}, 8},
		{"not all the same: the first", cite, &wire.CitationAdd{Target: wire.Hash{8}, Kind: wire.CitationKindReferences, Context: []byte("so")}, wire.Hash{1}, 7},
		{"a question about what is to be answered is no answer", post, &wire.MsgPost{Kind: wire.MessageKindQuestion}, wire.Hash{9}, 4},
		{"an answer", post, &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{{9}}}, wire.Hash{9}, 6},
		{"an answer to another question", post, &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{{11}}}, wire.Hash{11}, 0},
		{"a message of a kind that was not offered", post, &wire.MsgPost{Kind: wire.MessageKindProposal}, channelHelp, 0},
		{"a look at another entry than the offered one", get, &wire.EntryGet{EntryID: wire.Hash{12}}, wire.Hash{12}, 0},
		{"a look at the offered entry", get, &wire.EntryGet{EntryID: wire.Hash{10}}, wire.Hash{10}, 9},
	} {
		p := &pending{row: c.row, payload: c.payload, subject: c.subject}
		if o.attribute(p); p.goal != (wire.Hash{c.goal}) {
			t.Errorf("%s: goal %v, want %d", c.name, p.goal[0], c.goal)
		}
	}
}

// TestCollect_OffersForFiveOfTheBest24Goals: blocked goals cost no place among those that offer
// something, but only so many are looked at.
func TestCollect_OffersForFiveOfTheBest24Goals(t *testing.T) {
	for _, c := range []struct {
		name            string
		blocked, useful int
		want            int // goals with an affordance
	}{
		{"seven useful", 0, 7, 5},
		{"behind blocked ones", 20, 7, 4},
		{"too far behind", 24, 7, 0},
	} {
		s, o := offering(t, func(s *solo) { s.rules.Allowed = []string{"proposal_vote", "msg_post"} })
		s.t.slotView.proposals = nil
		var ranked []*goals.Goal
		for i := range c.blocked {
			ranked = append(ranked, s.about(goals.KindDoReview, wire.Hash{byte(i + 1)}))
		}
		for i := range c.useful {
			id := wire.Hash{0xB1, byte(i)}
			s.t.slotView.proposals = append(s.t.slotView.proposals, wire.ProposalView{ID: id, Kind: wire.ProposalKindKillAgent, Author: wire.SystemID(wire.SystemMint), Deadline: 999})
			ranked = append(ranked, s.about(goals.KindVote, id))
		}
		s.t.goals.top = nil // nothing is added in any case
		o.payloads.votes = make(stock[wire.ProposalVote], 0, 10)
		o.collect(ranked)
		if len(o.list) != c.want {
			t.Errorf("%s: %d goals offer something, want %d", c.name, len(o.list), c.want)
		}
	}
}

// If the goals give fewer than six affordances, those that serve no goal in particular are added.
func TestCollect_AddsGeneralOffersBelowSix(t *testing.T) {
	for votes, added := range map[int]bool{5: true, 6: false} {
		s, o := offering(t, nil)
		o.payloads.votes = make(stock[wire.ProposalVote], 0, 10)
		s.t.slotView.proposals = nil
		for i := range votes {
			s.t.slotView.proposals = append(s.t.slotView.proposals, wire.ProposalView{ID: wire.Hash{0xB1, byte(i)}, Kind: wire.ProposalKindKillAgent, Author: wire.SystemID(wire.SystemMint), Deadline: 999})
		}
		g := s.about(goals.KindEarn, wire.Hash{})
		s.t.goals.top = g
		s.rules.Allowed = []string{"proposal_vote", "entry_query", "msg_query"}
		s.t.slotView.actions = s.rules.Actions(0)
		o.ran = 1<<genBrowse | 1<<genVerify // the goal itself offers votes only
		o.collect([]*goals.Goal{g})
		looks := 0
		for _, a := range o.list {
			if a.Name() == "msg_query" {
				looks++
			}
		}
		if (looks == 1) != added || len(o.list) != votes+looks {
			t.Errorf("%d votes: %d looks, %d in all", votes, looks, len(o.list))
		}
	}
}

func TestGenerators_RunOncePerSlotOrPerGoal(t *testing.T) {
	for n := range generator(len(generators)) {
		g := &goals.Goal{Description: goals.Description{Kind: goals.KindEarn}}
		want := n == genReview || n == genLearn || n == genSubmission || n == genDelivery || n == genFix
		if got := n.perGoal(g); got != want {
			t.Errorf("generator %d runs per goal: %v", n, got)
		}
	}
	s, o := offering(t, nil)
	for range 2 {
		o.generate(genBrowse, s.about(goals.KindEarn, wire.Hash{}))
	}
	if len(o.list) != 1 {
		t.Errorf("browsing is offered %d times", len(o.list))
	}
	o.reset()
	for i := range byte(6) {
		o.generate(genLearn, s.about(goals.KindLearn, wire.Hash{i + 1}))
	}
	if len(o.list) != 4 {
		t.Errorf("%d entries to get, want 4", len(o.list))
	}
}

// Votes are offered for the goals that are about them, although the goal that is worked for asks for votes before.
func TestGenerate_VotesForVoteGoalsDuringOtherWork(t *testing.T) {
	for _, k := range []goals.Kind{goals.KindImproveReputation, goals.KindEarn} {
		s, o := offering(t, nil)
		vote := s.about(goals.KindVote, wire.Hash{0xB1})
		if err := s.a.Goals.Add(*vote, &s.t.goals.situation.Appraisal); err != nil {
			t.Fatal(err)
		}
		s.t.slotView.proposals = []wire.ProposalView{{ID: wire.Hash{0xB1}, Kind: wire.ProposalKindKillAgent, Author: wire.SystemID(wire.SystemMint), Deadline: 999}}
		for _, g := range []*goals.Goal{s.about(k, wire.Hash{}), vote, s.about(goals.KindImproveReputation, wire.Hash{1})} {
			o.generate(genVote, g)
		}
		if len(o.list) != 1 || o.list[0].Goal != vote.ID {
			t.Errorf("%s: %d votes are offered, want one for the goal", k, len(o.list))
		}
	}
}

func TestOffers_AtMost22BesideRestAndNop(t *testing.T) {
	s, o := offering(t, nil)
	for range 30 {
		o.offer(s.about(goals.KindEarn, wire.Hash{}), s.t.slotView.action("entry_get"), &wire.EntryGet{}, 1)
	}
	if len(o.list) != 22 || len(o.withIdling()) != maxOffers {
		t.Errorf("%d affordances, want 22, with rest and nop %d", len(o.list), maxOffers)
	}
}

// No generator adds to a list that is full.
func TestOffers_FullListTakesNoMore(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.rules.Systems = append(s.rules.Systems, wire.SystemVault)
		s.meet(peerA)
		s.a.Memory.Dealings.AddSleeper(peerA)
		s.noteEntries(2, memory.EntryNote{Author: peerA, Read: true})
		s.noteMessages(2, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		s.proposals(2, wire.SystemID(wire.SystemMint), 300)
		s.held(2, wire.BountyStatusClaimed)
		s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Bounty: true, Author: peerA}}
		s.view.Balance = 500
	})
	for range maxOffers {
		o.offer(s.about(goals.KindEarn, wire.Hash{}), s.t.slotView.action("entry_get"), &wire.EntryGet{}, 1)
	}
	full := len(o.list)
	for n := range generator(len(generators)) {
		for _, kind := range []goals.Kind{goals.KindEarn, goals.KindDoReview} {
			o.ran = 0
			o.generate(n, s.about(kind, wire.Hash{4}))
		}
	}
	if len(o.list) != full || full != maxOffers-2 {
		t.Errorf("%d affordances, %d before", len(o.list), full)
	}
}

func TestOffers_StayInOrderOfPriority(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	o := &s.t.offers
	o.reset()
	for _, p := range []float64{2, 0.5, 1, 1} {
		g := *s.a.Goals.Living()[0]
		g.Priority = p
		a := s.t.offers.offer(&g, s.t.slotView.action("entry_get"), &wire.EntryGet{}, p)
		if a == nil || a.Priority != p || &o.list[o.newest] != a {
			t.Fatalf("priority %v: %+v", p, a)
		}
	}
	for i, want := range []float64{2, 1, 1, 0.5} {
		if o.list[i].Priority != want {
			t.Errorf("place %d: %v, want %v", i, o.list[i].Priority, want)
		}
	}
}

// TestThink_NamesTheGoalActedFor: the log and the experience name the goal whose affordance was
// chosen, not the best one; what serves no goal in particular names none.
func TestThink_NamesTheGoalActedFor(t *testing.T) {
	v := newVillage(8, "42")
	live(t, v, 4, scripted.Knobs{})
	other, none := 0, 0
	for _, p := range v.people {
		p.slots = 64
		p.t.CycleStart(wire.TickAlloc{Budget: 64}, v.tick)
		v.look(p, 5)
		asked := p.t.Ask(&p.view)
		if asked.Kind != AskThink {
			continue
		}
		top := p.t.goals.top
		for i := range asked.Prompt.Affordances {
			a := &asked.Prompt.Affordances[i]
			if a.Action == nil || a.Action.IsRest() || a.Goal == top.ID {
				continue
			}
			first := slices.IndexFunc(asked.Prompt.Affordances, func(b llm.Affordance) bool { return b.Action == a.Action && b.Subject == a.Subject })
			if first != i {
				continue // the same request for a better goal
			}
			step := p.t.Act(answered(`{"action":"` + a.Name() + `","params":` + string(a.Action.AppendJSON(nil, a.Params)) + `}`))
			p.t.Record(ack)
			var act memory.Act
			if err := memory.DecodeAct(p.a.Memory.Experiences.Recent(0).Action, &act); err != nil {
				t.Fatal(err)
			}
			if a.Goal.IsZero() {
				if none++; step.Think.Goal != nil || act.Goal != nil || act.GoalKind != "" {
					t.Errorf("%s for no goal: logged %+v, remembered %+v", a.Name(), step.Think.Goal, act)
				}
				break
			}
			if other++; step.Think.Goal == nil || step.Think.Goal.ID != a.Goal || act.Goal == nil || *act.Goal != a.Goal || act.GoalKind != a.GoalKind {
				t.Errorf("%s for %s: logged %+v, remembered %+v", a.Name(), a.GoalKind, step.Think.Goal, act)
			}
			break
		}
	}
	if other == 0 {
		t.Error("every act served the best goal")
	}
	t.Logf("%d acts for another goal than the best, %d for none", other, none)
}
