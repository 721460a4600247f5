package ooda

import (
	"reflect"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// demanding is an open proposal of a peer.
func demanding(c memory.Complaint) wire.ProposalView {
	return wire.ProposalView{ID: wire.Hash{3}, Author: wire.AgentID{5}, Kind: wire.ProposalKindCustom, Deadline: 800, Description: textContent(c.ProposalText(nil))}
}

func TestStance_FollowsComplaintsTrustAndTraits(t *testing.T) {
	for _, c := range []struct {
		name             string
		suffered, caused int
		trust            bool // good dealings with the author
		risk, collab     float32
		want             int // the sign; 0: no vote
	}{
		{"not concerned, no trust, cautious: against", 0, 0, false, .2, .2, -1},
		{"not concerned, no trust, daring: no vote", 0, 0, false, .9, .1, 0},
		{"suffers: for", 4, 0, false, .5, .5, 1},
		{"caused it: against", 0, 4, false, .5, .5, -1},
		{"social and trusts the author: for", 0, 0, true, .6, .9, 1},
	} {
		s := newSolo(t, genomes[6])
		s.a.Genome.Traits.RiskTolerance, s.a.Genome.Traits.Collaboration = c.risk, c.collab
		for range c.suffered {
			s.a.Memory.Grievances.Suffer(memory.ComplaintUnjudged, nil)
		}
		for range c.caused {
			s.a.Memory.Grievances.Cause(memory.ComplaintUnjudged)
		}
		if c.trust {
			for range 9 {
				s.a.Memory.Peers.Interact(wire.AgentID{5}, memory.DealAnswer, true, 200)
			}
		}
		p := demanding(memory.ComplaintUnjudged)
		got := 0
		switch x := s.t.voter().stance(&p); {
		case x >= indifferent:
			got = 1
		case x <= -indifferent:
			got = -1
		}
		if got != c.want {
			t.Errorf("%s: stance %v, want %d", c.name, s.t.voter().stance(&p), c.want)
		}
	}
}

func TestOfferPropose_WhenComplaintsReachThreshold(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		want    bool
	}{
		{"often suffered", nil, true},
		{"suffered too seldom", func(s *solo) { s.a.Memory.Grievances[0].Suffered = 2 }, false},
		{"poor", func(s *solo) { s.view.Balance = 24 }, false},
		{"the bond leaves just what keeps it out of poverty", func(s *solo) { s.view.Balance = 25 }, true},
		{"it has not argued for its last proposal yet", func(s *solo) {
			s.a.Memory.Grievances = append(s.a.Memory.Grievances, memory.Grievance{Complaint: memory.ComplaintCopied, Own: wire.Hash{1}})
		}, false},
		{"most of its peers stand above it, but it is blind to reputation", func(s *solo) {
			standsLow(s)
			s.rules.Blind = llm.LayersOf([]string{"reputation"})
		}, true},
		{"half of its peers stand above it", func(s *solo) { s.t.notes.SeePeer(wire.AgentID{7}, .9, 1) }, true},
		{"most of its peers stand above it", standsLow, false},
		{"most peers have no reputation", func(s *solo) {
			for i := range byte(3) {
				s.t.notes.SeePeer(wire.AgentID{7, i}, 0, 1)
			}
			s.t.notes.SeePeer(wire.AgentID{8}, .1, 1)
		}, false},
		{"it knows nobody yet", func(s *solo) { s.t.notes.Peers = nil }, false},
		{"half of its peers have a reputation", func(s *solo) {
			s.t.notes.SeePeer(wire.AgentID{7}, 0, 1)
		}, true},
		{"somebody did", func(s *solo) { s.a.Memory.Grievances.NoteProposal(memory.ComplaintUnjudged, nil, 1) }, false},
		{"closed", func(s *solo) { s.rules.Gates = uint8(action.ProfileDefault) }, false},
		{"too few came to the votes", func(s *solo) { s.votes(false) }, false},
		{"enough came to the votes", func(s *solo) { s.votes(true) }, true},
	} {
		s := newSolo(t, genomes[6])
		s.rules.Gates, s.a.Reputation, s.view.Reputation = uint8(action.ProfileOpen), .5, .5
		for range 5 {
			s.a.Memory.Grievances.Suffer(memory.ComplaintUnjudged, nil)
		}
		s.t.notes.SeePeer(wire.AgentID{6}, .2, 1)
		s.a.Memory.Peers.Observe(wire.AgentID{6}, 1)
		if c.prepare != nil {
			c.prepare(s)
		}
		p, offered := s.lists("proposal_submit").(*wire.ProposalSubmit)
		if offered != c.want {
			t.Errorf("%s: offered %v", c.name, p)
			continue
		}
		if !offered {
			continue
		}
		if what, _, ok := demandOf(p.Kind, p.Description); !ok || what != memory.ComplaintUnjudged {
			t.Errorf("%s: proposes %+v", c.name, p)
		}
	}
}

// A grievance has to exceed 3 · (1.2 − risk tolerance) before the agent proposes something against it.
func TestOfferPropose_ThresholdByRiskTolerance(t *testing.T) {
	for _, c := range []struct {
		risk             float32
		suffered, caused uint32
		want             bool
	}{{0, 3, 0, false}, {0, 4, 0, true}, {.5, 2, 0, false}, {.5, 3, 0, true}, {1, 1, 0, true}, {.5, 5, 3, false}, {.5, 5, 2, true}, {1, 1, 1, false}} {
		s, o := offering(t, func(s *solo) {
			s.rules.Gates, s.a.Genome.Traits.RiskTolerance = uint8(action.ProfileOpen), c.risk
			grieved(s)
		})
		s.a.Memory.Grievances[0].Suffered, s.a.Memory.Grievances[0].Caused = c.suffered, c.caused
		(citizen{o}).offerPropose(&o.delegate)
		if got := len(o.list) == 1; got != c.want {
			t.Errorf("risk tolerance %v, suffered %d, caused %d: it proposes %v", c.risk, c.suffered, c.caused, got)
		}
	}
}

// votes lets an agent see the ends of some votes, with a quorum or without.
func (s *solo) votes(quorum bool) {
	for i := range byte(4) {
		s.t.events.notice(event(wire.KindProposalResolved, 256, peerA, &wire.ProposalResolvedEvent{ProposalID: wire.Hash{i}, QuorumMet: quorum}))
	}
}

// standsLow lets an agent know two others who stand above it.
func standsLow(s *solo) {
	s.t.notes.SeePeer(wire.AgentID{7}, .9, 1)
	s.t.notes.SeePeer(wire.AgentID{8}, .6, 1)
}

// grieved lets an agent suffer from something once, which is no reason to propose of its own accord, and makes it one
// who is listened to.
func grieved(s *solo) {
	s.a.Reputation, s.view.Reputation, s.t.slotView.available = .5, .5, 100
	s.t.notes.SeePeer(wire.AgentID{6}, .2, 1)
	s.a.Memory.Grievances.Suffer(memory.ComplaintUnjudged, nil)
}

// An agent that has never proposed anything makes a proposal about something that it suffers from and would vote for.
func TestOfferPropose_FirstProposalOutOfCuriosity(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		want    bool
	}{
		{"it suffers from something", func(*solo) {}, true},
		{"nothing is wrong", func(s *solo) { s.a.Memory.Grievances = nil }, false},
		{"it causes as much as it suffers", func(s *solo) { s.a.Memory.Grievances.Cause(memory.ComplaintUnjudged) }, false},
		{"it suffers little more than it causes", func(s *solo) {
			s.a.Memory.Grievances[0].Suffered, s.a.Memory.Grievances[0].Caused = 11, 10
		}, false},
		{"of low standing", standsLow, false},
		{"poor", func(s *solo) { s.t.slotView.available = 24 }, false},
	} {
		s := newSolo(t, genomes[6])
		grieved(s)
		c.prepare(s)
		p := (citizen{&s.t.offers}).trial()
		if (p != nil) != c.want {
			t.Errorf("%s: it proposes %+v", c.name, p)
		}
	}
}

// The author of a proposal votes for it: no event asks it to.
func TestOfferVote_AuthorVotesForOwnProposal(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.rules.Gates = uint8(action.ProfileOpen)
	own := demanding(memory.ComplaintUnjudged)
	own.Author = s.a.ID
	s.view.Proposals = []wire.ProposalView{own}
	if v, ok := s.lists("proposal_vote").(*wire.ProposalVote); !ok || !v.Vote || v.ProposalID != own.ID {
		t.Errorf("it is offered %+v", v)
	}
	s.view.Proposals[0].Deadline = 1
	if v := s.lists("proposal_vote"); v != nil {
		t.Errorf("after the deadline it is offered %+v", v)
	}
}

// The author of a proposal posts its reason once, and makes no other proposal meanwhile.
func TestOfferPropose_AuthorPostsReasonOnce(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.rules.Gates, s.a.Reputation, s.view.Reputation = uint8(action.ProfileOpen), .5, .5
	s.t.notes.SeePeer(wire.AgentID{6}, .2, 1)
	for range 5 {
		s.a.Memory.Grievances.Suffer(memory.ComplaintUnjudged, nil)
	}
	p := s.lists("proposal_submit").(*wire.ProposalSubmit)
	row, _ := action.ByName("proposal_submit")
	s.slot(`{"action":"proposal_submit","params":`+string(row.AppendJSON(nil, p))+`,"reasoning":"x"}`,
		wire.Reply{Type: wire.TypeAck, Body: &wire.ProposalSubmitAck{ProposalID: wire.Hash{0xB0}}})
	if s.lists("proposal_submit") != nil {
		t.Error("it proposes again")
	}
	argued := func() (found *wire.MsgPost) {
		s.ask()
		for i := range s.t.prompt.Affordances {
			if q, ok := s.t.prompt.Affordances[i].Params.(*wire.MsgPost); ok && q.Channel == channelGovernance && q.Kind == wire.MessageKindStatement {
				found = q
			}
		}
		s.t.Act(answered(nothing))
		s.t.Record(wire.Reply{})
		return found
	}
	post := argued()
	if post == nil || len(post.References) == 0 || post.References[0] != (wire.Hash{0xB0}) {
		t.Fatalf("it says %+v", post)
	}
	say, _ := action.ByName("msg_post")
	for _, refs := range [][]wire.Hash{{}, {{0xE1}}} { // words about something else
		other := wire.MsgPost{Channel: channelGovernance, Kind: wire.MessageKindStatement, Content: textContent("Good morning."), References: refs, Confidence: 0.5}
		s.slot(`{"action":"msg_post","params":`+string(say.AppendJSON(nil, &other))+`,"reasoning":"x"}`, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{8}}})
		if argued() == nil {
			t.Errorf("words that refer to %v are taken for its reason", refs)
		}
	}
	s.slot(`{"action":"msg_post","params":`+string(say.AppendJSON(nil, post))+`,"reasoning":"x"}`, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{9}}})
	if argued() != nil {
		t.Error("it says it again")
	}
	if s.lists("proposal_submit") != nil {
		t.Error("it proposes the same again at once")
	}
}

// What is proposed against a grievance: twice the quota that caused refusals, another agent where there is more to do than all can and
// the agent can spare twice its fund, else an agreement on how to behave.
func TestRemedy_ByCauseOfTheGrievance(t *testing.T) {
	busy := llm.Affordance{Compose: llm.ComposeAnswer, Ticks: 65} // more than the slots that are left
	for _, c := range []struct {
		name    string
		g       memory.Grievance
		closed  bool // parameters cannot be changed yet
		balance int64
		busy    bool
		want    any
	}{
		{"out of forge ticks", memory.Grievance{Complaint: memory.ComplaintRefused, Subject: []byte("cpu_quota")}, false, 100, false, wire.ParamProposal{Param: "forge.cpu_quota", Value: 2000}},
		{"out of storage", memory.Grievance{Complaint: memory.ComplaintRefused, Subject: []byte("storage")}, false, 100, false, wire.ParamProposal{Param: "vault.quota_bytes", Value: 2 << 20}},
		{"out of storage, and parameters cannot be changed yet", memory.Grievance{Complaint: memory.ComplaintRefused, Subject: []byte("storage")}, true, 100, false, nil},
		{"another refusal", memory.Grievance{Complaint: memory.ComplaintRefused, Subject: []byte("epoch_locked")}, false, 100, false, nil},
		{"no answers, and all have much to do", memory.Grievance{Complaint: memory.ComplaintUnanswered}, false, 120, true, wire.SpawnProposal{Role: wire.RoleGeneralist, InitialFund: 50}},
		{"no answers, but too little money", memory.Grievance{Complaint: memory.ComplaintUnanswered}, false, 119, true, nil},
		{"no answers, but time", memory.Grievance{Complaint: memory.ComplaintUnanswered}, false, 120, false, nil},
		{"no verdicts, and all have much to do", memory.Grievance{Complaint: memory.ComplaintUnjudged}, false, 120, true, nil},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Gates, s.view.Balance = uint8(action.ProfileOpen), c.balance
			grieved(s)
		})
		if c.closed {
			s.rules.Gates = uint8(action.ProfileDefault)
		}
		if c.busy {
			o.list, o.refs = append(o.list, busy), append(o.refs, offerRef{})
		}
		row, _ := action.ByName("proposal_submit")
		p := (citizen{o}).remedy(&c.g, row)
		if p == nil {
			t.Errorf("%s: proposes nothing", c.name)
			continue
		}
		var got any
		switch p.Kind {
		case wire.ProposalKindChangeParam:
			var q wire.ParamProposal
			if err := wire.ParamProposalCodec.Decode(p.Description, &q); err != nil {
				t.Fatal(err)
			}
			got = q
			if what, subject, ok := demandOf(p.Kind, p.Description); !ok || what != c.g.Complaint || string(subject) != string(c.g.Subject) {
				t.Errorf("%s: others take it for a demand about %v %q", c.name, what, subject)
			}
		case wire.ProposalKindSpawnAgent:
			var q wire.SpawnProposal
			if err := wire.SpawnProposalCodec.Decode(p.Description, &q); err != nil {
				t.Fatal(err)
			}
			got = wire.SpawnProposal{Role: q.Role, InitialFund: q.InitialFund}
		case wire.ProposalKindCustom:
			if what, _, ok := demandOf(p.Kind, p.Description); !ok || what != c.g.Complaint {
				t.Errorf("%s: asks for %s", c.name, p.Description)
			}
		default:
			t.Errorf("%s: proposes %s", c.name, p.Kind)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: proposes %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Another value of a parameter that is no quota is a demand about no complaint.
func TestDemandOf_OnlyQuotasAreAboutRefusals(t *testing.T) {
	for _, description := range [][]byte{wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: "mint.reward.entry", Value: 20}), []byte("x"), nil} {
		if what, _, ok := demandOf(wire.ProposalKindChangeParam, description); ok {
			t.Errorf("%q is a demand about %v", description, what)
		}
	}
}

// There is more to do than the agent can if what others wait for, what it does for its plans and what it makes take more slots than
// are left. To talk and to look around can be left out.
func TestOverloaded_ByActsThatOthersWaitFor(t *testing.T) {
	row := func(name string) *action.Row { r, _ := action.ByName(name); return r }
	for _, c := range []struct {
		name  string
		act   llm.Affordance
		slots uint64
		want  bool
	}{
		{"an answer", llm.Affordance{Compose: llm.ComposeAnswer}, 2, true},
		{"an answer, in time", llm.Affordance{Compose: llm.ComposeAnswer}, 3, false},
		{"a review", llm.Affordance{Compose: llm.ComposeReview}, 2, true},
		{"a verdict", llm.Affordance{Compose: llm.ComposeVerdict}, 2, true},
		{"a vote", llm.Affordance{Compose: llm.ComposeVote}, 2, true},
		{"a program", llm.Affordance{Compose: llm.ComposeProgram}, 2, true},
		{"a signal", llm.Affordance{Compose: llm.ComposeSignal}, 2, false},
		{"a question", llm.Affordance{Compose: llm.ComposeQuestion}, 2, false},
		{"a question by plan", llm.Affordance{Compose: llm.ComposeQuestion, Plan: true}, 2, true},
		{"a payment", llm.Affordance{Action: row("transfer")}, 2, true},
		{"an entry to read", llm.Affordance{Action: row("entry_get")}, 2, true},
		{"a look at the newest entries", llm.Affordance{Action: row("entry_query")}, 2, false},
	} {
		s, o := offering(t, nil)
		c.act.Ticks = 3
		o.list, o.refs = append(o.list, c.act), append(o.refs, offerRef{})
		s.t.slotView.slots = c.slots
		if got := (citizen{o}).overloaded(); got != c.want {
			t.Errorf("%s: overloaded %v", c.name, got)
		}
	}
}

// The author of a proposal refers to the proposal and to an entry that states what it has counted in support, if there is one.
func TestOfferArgue_RefersToEntryThatSupportsIt(t *testing.T) {
	genre, author := memory.MeasureGenre, memory.MeasureAuthor
	entry := wire.Hash{0xE7}
	for _, c := range []struct {
		name    string
		measure memory.Measure
		counted int
		stated  bool
		posts   uint32
		refs    int // 0: nothing is offered
	}{
		{"nothing counted", genre, 0, false, 0, 1},
		{"counted and stated", genre, 5, true, 0, 2},
		{"something else that supports it", author, 5, true, 0, 2},
		{"counted, not stated", genre, 5, false, 0, 1},
		{"read, not counted", genre, 0, true, 0, 1},
		{"about something else", memory.MeasureReward, 5, true, 0, 1},
		{"no post left", genre, 5, true, 10, 0},
	} {
		s, o := offering(t, func(s *solo) {
			s.rules.Gates = uint8(action.ProfileOpen)
			s.a.Memory.Grievances = memory.Grievances{{Complaint: memory.ComplaintUnjudged, Own: wire.Hash{0xB0}}}
			s.a.Notebook.Posts = c.posts
		})
		f := s.a.Memory.Findings.GetOrAdd(c.measure, []byte("x"))
		for range c.counted {
			s.a.Memory.Findings.Observe(c.measure, []byte("x"), 1, 1)
		}
		if c.stated {
			f.SetEntry(entry)
		}
		(citizen{o}).offerArgue(&o.delegate)
		if len(o.list) == 0 {
			if c.refs > 0 {
				t.Errorf("%s: nothing is offered", c.name)
			}
			continue
		}
		a := &o.list[0]
		q := a.Params.(*wire.MsgPost)
		if len(q.References) != c.refs || q.References[0] != (wire.Hash{0xB0}) || c.refs > 1 && q.References[1] != entry || (a.Finding != nil) != (c.refs > 1) {
			t.Errorf("%s: it refers to %v and states %+v", c.name, q.References, a.Finding)
		}
		if a.Compose != llm.ComposeArgument || string(a.Text) != memory.ComplaintUnjudged.ProposalText(nil) {
			t.Errorf("%s: it argues for %q", c.name, a.Text)
		}
	}
}

// An agent bets on a vote whose result it is sure of, by how proposals ended so far and by the votes until now: a part of what it can
// spare that grows with its daring, at most 5 ⚡, once per proposal, and in the first half of the time only.
func TestOfferStake_OnResultsThatItIsSureOf(t *testing.T) {
	type bet struct {
		pass       float64 // how much it believes that proposals pass; 0: no belief
		yes, no    int64   // votes so far
		risk       float32
		balance    int64
		system     bool
		staked     bool
		goal       goals.Kind
		other      bool // the goal is about another proposal
		age, until wire.Tick
	}
	sure := bet{pass: .9, risk: .5, balance: 100, goal: goals.KindVote, until: 400}
	with := func(change func(b *bet)) bet {
		b := sure
		change(&b)
		return b
	}
	const pro, against = wire.StakeDirectionFor, wire.StakeDirectionAgainst
	for _, c := range []struct {
		name   string
		bet    bet
		side   wire.StakeDirection
		amount uint64 // 0: no bet
	}{
		{"sure that it passes", sure, pro, 4},
		{"sure that it fails", with(func(b *bet) { b.pass = .1 }), against, 4},
		{"quite sure", with(func(b *bet) { b.pass = .82 }), pro, 4},
		{"not sure enough", with(func(b *bet) { b.pass = .78 }), 0, 0},
		{"not sure enough that it fails", with(func(b *bet) { b.pass = .22 }), 0, 0},
		{"quite sure that it fails", with(func(b *bet) { b.pass = .18 }), against, 4},
		{"the votes are against it", with(func(b *bet) { b.yes, b.no = 1, 3 }), 0, 0},
		{"the votes are for it", with(func(b *bet) { b.pass, b.yes, b.no = .7, 19, 1 }), pro, 4},
		{"the votes are for it, but not enough", with(func(b *bet) { b.pass, b.yes, b.no = .7, 17, 3 }), 0, 0},
		{"the votes are divided", with(func(b *bet) { b.pass, b.yes, b.no = .7, 2, 2 }), 0, 0},
		{"no belief", with(func(b *bet) { b.pass = 0 }), 0, 0},
		{"rich", with(func(b *bet) { b.balance = 1000 }), pro, 5},
		{"daring", with(func(b *bet) { b.risk, b.balance = 1, 62 }), pro, 4},
		{"it dares nothing", with(func(b *bet) { b.risk = 0 }), 0, 0},
		{"hardly anything to spare", with(func(b *bet) { b.balance = 38 }), 0, 0},
		{"of a system", with(func(b *bet) { b.system = true }), 0, 0},
		{"it has a bet already", with(func(b *bet) { b.staked = true }), 0, 0},
		{"another proposal than that of its goal", with(func(b *bet) { b.other = true }), 0, 0},
		{"another goal", with(func(b *bet) { b.goal, b.other = goals.KindTryNovel, true }), pro, 4},
		{"just before half of the time", with(func(b *bet) { b.age, b.until = 199, 201 }), pro, 4},
		{"half of the time is over", with(func(b *bet) { b.age, b.until = 200, 200 }), 0, 0},
		{"half of the time is over, for another goal", with(func(b *bet) { b.goal, b.age, b.until = goals.KindTryNovel, 200, 200 }), pro, 4},
	} {
		id := wire.Hash{0xB3}
		s, o := offering(t, func(s *solo) {
			s.rules.Gates, s.view.Balance, s.a.Genome.Traits.RiskTolerance = uint8(action.ProfileOpen), c.bet.balance, c.bet.risk
			s.next = 1000
		})
		p := wire.ProposalView{ID: id, Author: peerA, Kind: wire.ProposalKindCustom, Deadline: 1000 + c.bet.until, For: c.bet.yes, Against: c.bet.no}
		if c.bet.system {
			p.Author = wire.SystemID(wire.SystemMint)
		}
		s.t.slotView.proposals = []wire.ProposalView{p}
		if c.bet.pass > 0 {
			s.a.Memory.Beliefs.MoveTowards(beliefVotes, c.bet.pass, c.bet.pass, 1, nil, 1000)
		}
		if c.bet.staked {
			s.a.Memory.Dealings.Stake(id)
		}
		about := id
		if c.bet.other {
			about = wire.Hash{0xB4}
		}
		g := s.about(c.bet.goal, about)
		g.CreatedAt, g.Deadline = 1000-c.bet.age, &p.Deadline
		(citizen{o}).offerStake(g)
		var got wire.StakeCreate
		if len(o.list) > 0 {
			if got = *o.list[0].Params.(*wire.StakeCreate); string(o.list[0].Author) != peerA.Alias() {
				t.Errorf("%s: the proposal is by %q", c.name, o.list[0].Author)
			}
		}
		if got.Amount != c.amount || got.Direction != c.side || c.amount > 0 && got.Proposal != id {
			t.Errorf("%s: bets %d ⚡ %v, want %d ⚡ %v", c.name, got.Amount, got.Direction, c.amount, c.side)
		}
	}
}
