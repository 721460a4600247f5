package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// offering is a turn in the middle of decide, with no affordance listed yet.
func offering(t *testing.T, prepare func(s *solo)) (*solo, *offers) {
	t.Helper()
	s := newSolo(t, genomes[6])
	if prepare != nil {
		prepare(s)
	}
	s.ask()
	s.t.offers.reset()
	return s, &s.t.offers
}

// about is a goal of a kind about a subject, worth 1.
func (s *solo) about(k goals.Kind, subject wire.Hash) *goals.Goal {
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: k, Subject: &subject}, 256)
	g.Priority = 1
	return &g
}

func (s *solo) noteEntries(n byte, e memory.EntryNote) {
	for i := range n {
		e.ID = wire.Hash{0xE1, i}
		s.a.Notebook.SeeEntry(e)
	}
}

func (s *solo) noteMessages(n byte, m memory.MessageNote) {
	for i := range n {
		m.ID = wire.Hash{0xA1, i}
		s.a.Notebook.SeeMessage(m)
	}
}

// TestOffers_LimitsPerKind: how many affordances of a kind a slot lists at most.
func TestOffers_LimitsPerKind(t *testing.T) {
	system := wire.SystemID(wire.SystemMint)
	for _, c := range []struct {
		name    string
		kind    goals.Kind
		prepare func(s *solo)
		run     func(o *offers, g *goals.Goal)
		want    int
	}{
		{"entries to judge", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true}) }, (*offers).offerVerify, 4},
		{"entries judged", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true, Judged: true}) }, (*offers).offerVerify, 0},
		{"entries unread", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA}) }, (*offers).offerVerify, 0},
		{"entries to read", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA}) }, (*offers).offerRead, 2},
		{"entries read", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Author: peerA, Read: true}) }, (*offers).offerRead, 0},
		{"own entries", goals.KindMentor, func(s *solo) { s.noteEntries(6, memory.EntryNote{Own: true}) }, (*offers).offerRead, 0},
		{"messages to answer with a signal", goals.KindMentor, func(s *solo) { s.noteMessages(6, memory.MessageNote{Author: peerA, Read: true}) }, (*offers).offerSignal, 4},
		{"messages signed", goals.KindMentor, func(s *solo) { s.noteMessages(6, memory.MessageNote{Read: true, Signed: true}) }, (*offers).offerSignal, 0},
		{"messages unread", goals.KindMentor, func(s *solo) { s.noteMessages(6, memory.MessageNote{Author: peerA}) }, (*offers).offerSignal, 0},
		{"questions", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		}, (*offers).offerAnswer, 1},
		{"questions of an answer goal", goals.KindAnswer, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		}, (*offers).offerAnswer, 0},
		{"statements", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindStatement, Read: true})
		}, (*offers).offerAnswer, 0},
		{"questions answered", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true, Answered: true})
		}, (*offers).offerAnswer, 0},
		{"questions, no post left", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
			s.a.Notebook.Posts = 10
		}, (*offers).offerAnswer, 0},
		{"questions, a post left", goals.KindMentor, func(s *solo) {
			s.noteMessages(3, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
			s.a.Notebook.Posts = 9
		}, (*offers).offerAnswer, 1},
		{"an own question", goals.KindMentor, nil, (*offers).offerQuestion, 1},
		{"a second question", goals.KindMentor, func(s *solo) { s.a.Notebook.Asked = 1 }, (*offers).offerQuestion, 0},
		{"a question, no post left", goals.KindMentor, func(s *solo) { s.a.Notebook.Posts = 10 }, (*offers).offerQuestion, 0},
		{"a question, a post left", goals.KindMentor, func(s *solo) { s.a.Notebook.Posts = 9 }, (*offers).offerQuestion, 1},
		{"proposals of a system", goals.KindEarn, func(s *solo) { s.proposals(6, system, 256) }, (*offers).offerVote, 4},
		{"proposals past their deadline", goals.KindEarn, func(s *solo) { s.proposals(6, system, 255) }, (*offers).offerVote, 0},
		{"proposals of agents", goals.KindEarn, func(s *solo) { s.proposals(6, peerA, 300) }, (*offers).offerVote, 0},
		{"proposals for another vote goal", goals.KindVote, func(s *solo) { s.proposals(6, system, 300) }, (*offers).offerVote, 0},
		{"claims to give back", goals.KindEarn, func(s *solo) { s.held(4, wire.BountyStatusClaimed) }, (*offers).offerRelease, 2},
		{"claims under review", goals.KindEarn, func(s *solo) { s.held(4, wire.BountyStatusReviewing) }, (*offers).offerRelease, 0},
		{"experiments", goals.KindExplore, nil, (*offers).offerExperiment, 3},
		{"experiments of a newcomer's own accord", goals.KindTryNovel, func(s *solo) { s.a.Notebook.Novel = 0 }, (*offers).offerOwnPace, 3},
		{"a peer to look up", goals.KindMentor, func(s *solo) { s.meet(peerA); s.meet(peerB) }, (*offers).offerStanding, 1},
	} {
		s, o := offering(t, c.prepare)
		c.run(o, s.about(c.kind, wire.Hash{0xFF}))
		if len(o.list) != c.want {
			t.Errorf("%s: %d offered, want %d", c.name, len(o.list), c.want)
		}
	}
}

func (s *solo) proposals(n byte, author wire.AgentID, deadline wire.Tick) {
	for i := range n {
		s.view.Proposals = append(s.view.Proposals, wire.ProposalView{ID: wire.Hash{0xB1, i}, Author: author, Deadline: deadline})
	}
}

// held shows bounties that this agent holds and means to give back.
func (s *solo) held(n byte, status wire.BountyStatus) {
	me := s.a.ID
	for i := range n {
		id := wire.Hash{0xC1, i}
		s.view.Claims = append(s.view.Claims, wire.BountyView{ID: id, Claimer: &me, Status: status})
		s.a.Notebook.Release(id)
	}
}

func TestOffers_AVoteGoalVotesOnItsOwnProposalOnly(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.proposals(3, wire.SystemID(wire.SystemMint), 300) })
	g := s.about(goals.KindVote, wire.Hash{0xB1, 1})
	for range 2 { // the generator runs for each vote goal
		o.generate(genVote, g)
	}
	if len(o.list) != 2 || o.list[0].Subject != (wire.Hash{0xB1, 1}) {
		t.Errorf("%d offered, the first about %v", len(o.list), o.list[0].Subject)
	}
	_ = s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal)
	o.reset()
	for range 2 { // once for all others, which leave that proposal to the vote goal
		o.generate(genVote, s.about(goals.KindEarn, wire.Hash{}))
	}
	if len(o.list) != 2 || o.list[0].Subject == (wire.Hash{0xB1, 1}) || o.list[1].Subject == (wire.Hash{0xB1, 1}) {
		t.Errorf("others are offered %d votes", len(o.list))
	}
}

func TestGenerators_RunOncePerSlotOrPerGoal(t *testing.T) {
	for n := range generator(len(generators)) {
		g := &goals.Goal{Description: goals.Description{Kind: goals.KindEarn}}
		want := n == genReview || n == genLearn || n == genSubmission
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

func TestOffers_AtMost23BesideNop(t *testing.T) {
	s, o := offering(t, nil)
	for range 30 {
		o.offer(s.about(goals.KindEarn, wire.Hash{}), s.t.sight.action("entry_get"), &wire.EntryGet{}, 1)
	}
	if len(o.list) != 23 {
		t.Errorf("%d affordances, want 23", len(o.list))
	}
}

func TestFeasible(t *testing.T) {
	row := func(name string) *action.Row {
		r, _ := action.ByName(name)
		return r
	}
	for _, c := range []struct {
		name    string
		action  string
		payload any
		slots   uint64
		balance int64
		locked  uint64
		epoch   uint32
		want    bool
	}{
		{"two slots for two ticks", "entry_publish", &wire.EntryPublish{}, 2, 0, 0, 0, true},
		{"one slot for two ticks", "entry_publish", &wire.EntryPublish{}, 1, 0, 0, 0, false},
		{"free in debt", "entry_get", &wire.EntryGet{}, 1, -5, 0, 0, true},
		{"all the money", "channel_create", &wire.ChannelCreate{}, 9, 5, 0, 9, true},
		{"too little money", "channel_create", &wire.ChannelCreate{}, 9, 4, 0, 9, false},
		{"locked money", "channel_create", &wire.ChannelCreate{}, 9, 9, 5, 9, false},
		{"gate closed", "transfer", &wire.Transfer{Kind: wire.TransferKindDirect}, 9, 9, 0, 1, false},
		{"gate open", "transfer", &wire.Transfer{Kind: wire.TransferKindDirect}, 9, 9, 0, 2, true},
		{"votes are checked by their generator", "proposal_vote", &wire.ProposalVote{}, 9, 9, 0, 0, true},
	} {
		s := newSolo(t, genomes[6])
		s.t.sight.look(&wire.View{Balance: c.balance, Locked: c.locked, SlotsLeft: c.slots, Epoch: c.epoch})
		r := row(c.action)
		if r == nil {
			t.Fatalf("no action %s", c.action)
		}
		if got := s.t.sight.feasible(r, c.payload); got != c.want {
			t.Errorf("%s: %v (%d ticks, %d ⚡)", c.name, got, r.Ticks, r.FlatCost)
		}
	}
}

func TestFreshness(t *testing.T) {
	for _, c := range []struct {
		age  wire.Tick
		news bool
		want float64
	}{
		{8, true, 0.12},
		{9, true, 0.8},
		{100, true, 0.8},
		{16, false, 0.12},
		{17, false, 0.3},
		{64, false, 0.3},
		{65, false, 0.5},
	} {
		s := newSolo(t, genomes[6])
		s.t.sight.tick = 1000
		if got := s.t.offers.freshness(1000-c.age, c.news); got != c.want {
			t.Errorf("age %d, news %v: %v, want %v", c.age, c.news, got, c.want)
		}
	}
}

func TestOfferTicks(t *testing.T) {
	for _, c := range []struct {
		name    string
		bought  uint64
		max     uint64
		balance int64
		worth   float64
		want    bool
	}{
		{"can spare it", 0, 16, 104, 0.8, true},
		{"bought before", 1, 16, 104, 0.8, false},
		{"more than may be bought", 0, 15, 104, 0.8, false},
		{"too little money", 0, 16, 103, 0.8, false},
		{"no goal worth it", 0, 16, 104, 0.79, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.MaxBuyTicks, s.view.Balance = c.max, c.balance
			s.a.Notebook.Bought = c.bought
		})
		g := s.about(goals.KindEarn, wire.Hash{})
		g.Priority = c.worth
		o.offerTicks(g)
		if got := len(o.list) == 1; got != c.want || got && (o.list[0].Spark != 4 || o.list[0].Name() != "resource_buy") {
			t.Errorf("%s: offered %v", c.name, got)
		}
	}
}

func TestOfferStanding_WhenUnknownOrFourCyclesOld(t *testing.T) {
	for _, c := range []struct {
		name string
		age  wire.Tick // of what is known of peer A; 0: nothing
		want bool
	}{
		{"unknown", 0, true},
		{"four cycles", 1024, true},
		{"a tick less", 1023, false},
	} {
		s, o := offering(t, func(s *solo) {
			s.next = 2000
			s.meet(peerA)
			if c.age > 0 {
				s.a.Notebook.SeePeer(peerA, 0.5, 2000-c.age)
			}
		})
		o.offerStanding(s.about(goals.KindMentor, wire.Hash{}))
		if got := len(o.list) == 1; got != c.want || got && o.list[0].Subject != wire.Hash(peerA) {
			t.Errorf("%s: offered %v", c.name, got)
		}
	}
}

func TestOfferOwnPace_EverySixCycles(t *testing.T) {
	for novel, want := range map[wire.Cycle]bool{0: true, 4: true, 5: false, 10: false} {
		s, o := offering(t, func(s *solo) { s.next, s.a.Notebook.Novel = 2560, novel })
		o.offerOwnPace(s.about(goals.KindTryNovel, wire.Hash{}))
		if got := len(o.list) > 0; got != want {
			t.Errorf("last experiment in cycle %d, now 10: offered %v", novel, got)
		}
	}
}

func TestOfferExperiment_OnlyWhatTheAgentNeverDid(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.rules.Allowed = []string{"balance_query", "subscribe"} })
	g := s.about(goals.KindExplore, wire.Hash{})
	o.offerExperiment(g)
	if len(o.list) != 2 {
		t.Fatalf("%d experiments, want 2", len(o.list))
	}
	s.a.Learning.Act(tripleOf(s.t.sight.action("balance_query"), goals.SubjectAccount), goals.KindExplore, true)
	o.reset()
	o.offerExperiment(g)
	if len(o.list) != 1 || o.list[0].Name() != "subscribe" {
		t.Errorf("%d experiments left", len(o.list))
	}
}

// TestExperiments_NeedSomethingToTryThemOn: an agent that knows nobody and nothing has
// fewer experiments, and none with holes in it.
func TestExperiments_NeedSomethingToTryThemOn(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		want    int
	}{
		{"nothing known", func(*solo) {}, 4},
		{"a peer", func(s *solo) { s.meet(peerA) }, 8},
		{"an entry of a peer", func(s *solo) { s.noteEntries(1, memory.EntryNote{Author: peerA}) }, 6},
		{"an own entry", func(s *solo) { s.noteEntries(1, memory.EntryNote{Own: true}) }, 5},
		{"a message", func(s *solo) { s.noteMessages(1, memory.MessageNote{Author: peerA}) }, 5},
		{"all", func(s *solo) {
			s.meet(peerA)
			s.noteEntries(1, memory.EntryNote{Own: true})
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}, Author: peerA})
			s.noteMessages(1, memory.MessageNote{Author: peerA})
		}, len(experiments)},
	} {
		s := newSolo(t, genomes[6])
		c.prepare(s)
		n := 0
		for i := range experiments {
			e := &experiments[i]
			p := e.payload(&s.t.offers)
			if p == nil {
				continue
			}
			n++
			// Peers stand behind the account and agent experiments.
			if kind, _ := subjectOf(p); kind != e.subject {
				t.Errorf("%s: %s is about %v, not %v", c.name, e.action, kind, e.subject)
			}
		}
		if n != c.want {
			t.Errorf("%s: %d experiments, want %d", c.name, n, c.want)
		}
	}
}

func TestOfferReview(t *testing.T) {
	for _, c := range []struct {
		name   string
		review wire.ReviewView
		kind   goals.Kind
		want   string
	}{
		{"a submission", wire.ReviewView{ID: wire.Hash{4}, Bounty: true, Author: peerA}, goals.KindDoReview, "bounty_review"},
		{"of another goal", wire.ReviewView{ID: wire.Hash{4}, Bounty: true, Author: peerA}, goals.KindEarn, ""},
		{"not asked", wire.ReviewView{ID: wire.Hash{5}, Bounty: true, Author: peerA}, goals.KindDoReview, ""},
	} {
		s, o := offering(t, func(s *solo) { s.view.Reviews = []wire.ReviewView{c.review} })
		o.offerReview(s.about(c.kind, wire.Hash{4}))
		got := ""
		if len(o.list) > 0 {
			got = o.list[0].Name()
			if o.list[0].Author != peerA.Alias() {
				t.Errorf("%s: author %s", c.name, o.list[0].Author)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOfferSubmission: one more entry is written only at the last step of the plan, and
// only when those written cannot suffice.
func TestOfferSubmission(t *testing.T) {
	for _, c := range []struct {
		name            string
		step            uint32
		accurate, wrong int
		unjudged        int
		want            int
	}{
		{"none written", 4, 0, 0, 0, 1},
		{"one of two accurate", 4, 1, 0, 0, 1},
		{"one accurate, one open", 4, 1, 0, 1, 0},
		{"one accurate, one found wrong", 4, 1, 1, 0, 1},
		{"two accurate", 4, 2, 0, 0, 0},
		{"not at its last step", 3, 0, 0, 0, 0},
	} {
		s, o := offering(t, func(s *solo) { s.holding() })
		g := s.aboutBounty()
		p, _ := s.t.plans.of(g)
		if p == nil || len(p.Steps) != 5 {
			t.Fatalf("plan %+v", p)
		}
		p.Step = c.step
		id := byte(0)
		write := func(n, good, bad int) {
			for range n {
				id++
				s.ownEntry(id, wire.EntryKindPattern, 300, good, bad)
			}
		}
		write(c.accurate, 1, 0)
		write(c.wrong, 0, 2)
		write(c.unjudged, 0, 1)
		if o.offerSubmission(g); len(o.list) != c.want {
			t.Errorf("%s: %d offered, want %d", c.name, len(o.list), c.want)
		}
	}
}

// TestCollect_FiveGoalsOfTheBest24: blocked goals cost no place among those that offer
// something, but only so many are looked at.
func TestCollect_FiveGoalsOfTheBest24(t *testing.T) {
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
		s.t.sight.proposals = nil
		var ranked []*goals.Goal
		for i := range c.blocked {
			ranked = append(ranked, s.about(goals.KindDoReview, wire.Hash{byte(i + 1)}))
		}
		for i := range c.useful {
			id := wire.Hash{0xB1, byte(i)}
			s.t.sight.proposals = append(s.t.sight.proposals, wire.ProposalView{ID: id, Author: wire.SystemID(wire.SystemMint), Deadline: 999})
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

// TestCollect_AddsWhatCanAlwaysBeDoneBelowSix affordances.
func TestCollect_AddsWhatCanAlwaysBeDoneBelowSix(t *testing.T) {
	for votes, added := range map[int]bool{5: true, 6: false} {
		s, o := offering(t, nil)
		o.payloads.votes = make(stock[wire.ProposalVote], 0, 10)
		s.t.sight.proposals = nil
		for i := range votes {
			s.t.sight.proposals = append(s.t.sight.proposals, wire.ProposalView{ID: wire.Hash{0xB1, byte(i)}, Author: wire.SystemID(wire.SystemMint), Deadline: 999})
		}
		g := s.about(goals.KindEarn, wire.Hash{})
		s.t.goals.top = g
		s.rules.Allowed = []string{"proposal_vote", "entry_query", "msg_query"}
		s.t.sight.actions = s.rules.Actions(0)
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

func TestOfferCall_NeedsASleeperAndAPost(t *testing.T) {
	for _, c := range []struct {
		name     string
		sleepers int
		posts    uint32
		want     int
	}{{"nobody sleeps", 0, 0, 0}, {"a sleeper", 1, 9, 1}, {"two sleepers", 2, 9, 1}, {"no post left", 1, 10, 0}} {
		s, o := offering(t, func(s *solo) {
			s.a.Notebook.Posts = c.posts
			for i := range c.sleepers {
				s.a.Memory.Dealings.FellAsleep(wire.AgentID{0xAA, byte(i)})
			}
		})
		for range 2 {
			o.offerCall(s.about(goals.KindEarn, wire.Hash{}))
		}
		if len(o.list) != c.want || c.want > 0 && o.list[0].Compose != llm.ComposeCall {
			t.Errorf("%s: %d calls, want %d", c.name, len(o.list), c.want)
		}
	}
}

// TestNextChannel: first where something is unread, else the round.
func TestNextChannel(t *testing.T) {
	s := newSolo(t, genomes[6])
	o := &s.t.offers
	for turn := range uint32(12) {
		s.a.Notebook.Turns = turn
		if got, unread := o.nextChannel(); unread || got != channelRound[turn%9] {
			t.Errorf("turn %d: %v, unread %v", turn, got, unread)
		}
	}
	note := func(id byte, m memory.MessageNote) {
		m.ID, m.Channel = wire.Hash{id}, wire.Hash{0xC0, id}
		s.a.Notebook.SeeMessage(m)
	}
	note(1, memory.MessageNote{})
	note(2, memory.MessageNote{})
	note(3, memory.MessageNote{Read: true})
	note(4, memory.MessageNote{Signed: true}) // given up
	if got, unread := o.nextChannel(); !unread || got != (wire.Hash{0xC0, 2}) {
		t.Errorf("%v, unread %v", got, unread)
	}
}

// TestOfferStep_ShowsTheWordsOfItsSubject: an entry's, a message's, or a claimed bounty's title.
func TestOfferStep_ShowsTheWordsOfItsSubject(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    goals.Kind
		subject wire.Hash
		author  wire.AgentID
		text    string
	}{
		{"an entry", goals.KindEarn, wire.Hash{1}, peerA, "entry"},
		{"a message", goals.KindEarn, wire.Hash{2}, peerB, "message"},
		{"a claimed bounty", goals.KindClaimBounty, wire.Hash{3}, wire.SystemID(wire.SystemAgora), "Patterns"},
		{"anything else", goals.KindEarn, wire.Hash{3}, wire.AgentID{}, ""},
	} {
		s, o := offering(t, func(s *solo) { s.holding() })
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA, Text: []byte("entry")})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{2}, Author: peerB, Text: []byte("message")})
		step := &plannedStep{step: 3, subject: c.subject, payload: &wire.EntryGet{EntryID: c.subject}, act: &knownAct{stepAct: stepAct{Action: "entry_get"}}}
		o.offerStep(s.about(c.kind, mine), &memory.Plan{ID: 8}, step)
		a, ref := &o.list[0], o.refs[0]
		want := ""
		if !c.author.IsZero() {
			want = c.author.Alias()
		}
		if a.Author != want || string(a.Text) != c.text || !a.Plan || ref.plan != 8 || ref.step != 3 {
			t.Errorf("%s: %q by %q, ref %+v", c.name, a.Text, a.Author, ref)
		}
	}
}

func TestOfferExperiment_AnUpdateShowsTheEntry(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.rules.Allowed = []string{"entry_update", "citation_query"}
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: s.a.ID, Own: true, Title: []byte("Maps")})
	})
	o.offerExperiment(s.about(goals.KindExplore, wire.Hash{}))
	for _, a := range o.list {
		if update := a.Name() == "entry_update"; (string(a.Text) == "Maps") != update || (a.Author == s.a.ID.Alias()) != update {
			t.Errorf("%s shows %q by %q", a.Name(), a.Text, a.Author)
		}
	}
	if len(o.list) != 2 {
		t.Errorf("%d experiments, want 2", len(o.list))
	}
}

// TestOffers_AFullListTakesNoMore: every generator meets one now and then.
func TestOffers_AFullListTakesNoMore(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.rules.Systems = append(s.rules.Systems, wire.SystemVault)
		s.meet(peerA)
		s.a.Memory.Dealings.FellAsleep(peerA)
		s.noteEntries(2, memory.EntryNote{Author: peerA, Read: true})
		s.noteMessages(2, memory.MessageNote{Author: peerA, Kind: wire.MessageKindQuestion, Read: true})
		s.proposals(2, wire.SystemID(wire.SystemMint), 300)
		s.held(2, wire.BountyStatusClaimed)
		s.view.Reviews = []wire.ReviewView{{ID: wire.Hash{4}, Bounty: true, Author: peerA}}
		s.view.Balance = 500
	})
	for range maxOffers {
		o.offer(s.about(goals.KindEarn, wire.Hash{}), s.t.sight.action("entry_get"), &wire.EntryGet{}, 1)
	}
	full := len(o.list)
	for n := range generator(len(generators)) {
		for _, kind := range []goals.Kind{goals.KindEarn, goals.KindDoReview} {
			o.ran = 0
			o.generate(n, s.about(kind, wire.Hash{4}))
		}
	}
	if len(o.list) != full || full != maxOffers-1 {
		t.Errorf("%d affordances, %d before", len(o.list), full)
	}
}

// TestOffers_ShowWhoseThingTheyAreAbout, and how sure a release is.
func TestOffers_ShowWhoseThingTheyAreAbout(t *testing.T) {
	system := wire.SystemID(wire.SystemMint)
	s, o := offering(t, func(s *solo) {
		s.noteEntries(1, memory.EntryNote{Author: peerA, Read: true, Text: []byte("entry")})
		s.noteMessages(1, memory.MessageNote{Author: peerB, Kind: wire.MessageKindQuestion, Read: true, Text: []byte("question")})
		s.proposals(1, system, 300)
		s.held(1, wire.BountyStatusClaimed)
	})
	for _, n := range []generator{genVerify, genSignal, genAnswer, genVote, genRelease} {
		o.generate(n, s.about(goals.KindMentor, wire.Hash{}))
	}
	want := []struct {
		action, author, text string
		success              float64
	}{
		{"entry_verify", peerA.Alias(), "entry", 0.5},
		{"signal_send", peerB.Alias(), "question", 0.35},
		{"msg_post", peerB.Alias(), "question", 0.5},
		{"proposal_vote", system.Alias(), "", 0.5},
		{"bounty_review", "", "", 1},
	}
	for i, w := range want {
		if i >= len(o.list) || o.list[i].Name() != w.action || o.list[i].Author != w.author || string(o.list[i].Text) != w.text || o.list[i].Success != w.success {
			t.Errorf("affordance %d is %+v, want %+v", i, o.list[min(i, len(o.list)-1)], w)
		}
	}
}
