package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// No agent votes to kill a stranger. Otherwise a few proposers could have all others killed by the votes of agents that
// favour most proposals.
func TestOfferVote_KillOnlyAfterBadDealings(t *testing.T) {
	for _, c := range []struct {
		name     string
		bad, all int // dealings with the accused
		want     bool
	}{
		{"a stranger", 0, 0, false},
		{"two bad dealings", 2, 2, false},
		{"three of three", 3, 3, true},
		{"two of three", 2, 3, false},
	} {
		s := newSolo(t, genomes[6])
		accused := wire.AgentID{9}
		for i := range c.all {
			s.a.Memory.Peers.Interact(accused, memory.DealVerdict, i >= c.bad, 200)
		}
		s.view.Proposals = []wire.ProposalView{{
			ID: wire.Hash{3}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 256,
			Description: wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: accused}),
		}}
		asked := s.ask(event(wire.KindProposalCreated, 256, wire.SystemID(wire.SystemMint), &wire.ProposalCreatedEvent{
			ProposalID: wire.Hash{3}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, VoteDeadline: 256,
		}))
		found := false
		for i := range asked.Prompt.Affordances {
			if q, ok := asked.Prompt.Affordances[i].Params.(*wire.ProposalVote); ok {
				if found = true; q.Vote != c.want {
					t.Errorf("%s: a vote %t is offered", c.name, q.Vote)
				}
			}
		}
		if !found {
			t.Errorf("%s: no vote is offered", c.name)
		}
	}
}

// TestOfferVote_AllWaitingVotesForTheMostUrgentGoal: all votes that wait are offered for the goal that ends first, and the vote that ends this goal when it
// is the only one left.
func TestOfferVote_AllWaitingVotesForTheMostUrgentGoal(t *testing.T) {
	s := newSolo(t, genomes[6])
	kill := wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: wire.AgentID{9}})
	var told []*wire.Event
	for i := range 3 {
		id, deadline := wire.Hash{byte(3 + i)}, wire.Tick(802-i)
		s.view.Proposals = append(s.view.Proposals, wire.ProposalView{
			ID: id, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: deadline, Description: kill,
		})
		told = append(told, event(wire.KindProposalCreated, 256, wire.SystemID(wire.SystemMint), &wire.ProposalCreatedEvent{
			ProposalID: id, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, VoteDeadline: deadline,
		}))
	}
	first := wire.Hash{5}
	votes := func(asked Asked) (on []wire.Hash) {
		for i := range asked.Prompt.Affordances {
			a := &asked.Prompt.Affordances[i]
			if q, ok := a.Params.(*wire.ProposalVote); ok {
				if g := s.a.Goals.Get(a.Goal); g == nil || g.Subject() != first {
					t.Errorf("a vote on %v is offered for the goal %+v", q.ProposalID, g)
				}
				on = append(on, q.ProposalID)
			}
		}
		return on
	}
	if on := votes(s.ask(told...)); !slices.Equal(on, []wire.Hash{{3}, {4}}) {
		t.Errorf("votes on %v are offered, want those on the other two", on)
	}
	for _, g := range slices.Clone(s.a.Goals.Living()) {
		if g.Kind() == goals.KindVote && g.Subject() != first {
			s.a.Goals.Abandon(g.ID, goals.ReasonPlans, 0)
		}
	}
	s.view.Proposals = s.view.Proposals[2:]
	s.next = 600
	if on := votes(s.ask()); !slices.Equal(on, []wire.Hash{first}) {
		t.Errorf("votes on %v are offered, want the one that is left", on)
	}
}

// A vote waits for half of its time, unless another vote waits or the agent is at errands anyway. A rest ends at half
// of the time, and when the deadline is near.
func TestDeferral_VoteWaitsForOtherErrandsUpToHalfItsTime(t *testing.T) {
	for _, c := range []struct {
		name         string
		votes        int
		after        wire.Tick // since the goals were made, whose deadline is 512 ticks later
		between      bool
		leaves, ends bool // whether nothing is offered; whether a rest ends
	}{
		{"one", 1, 0, false, true, false},
		{"one, straight after an errand", 1, 0, true, false, false},
		{"two", 2, 0, false, false, false},
		{"one, just before half of its time", 1, 255, false, true, false},
		{"one, after half of its time", 1, 256, false, false, true},
		{"one, a slot later", 1, 260, false, false, false},
		{"one, before it presses", 1, 447, false, false, false},
		{"one that presses", 1, 448, false, false, true},
		{"two that press", 2, 448, false, false, true},
	} {
		s := newSolo(t, genomes[2])
		s.ask()
		deadline := s.t.seen.tick + 512
		for i := range c.votes {
			g := s.about(goals.KindVote, wire.Hash{0xB1, byte(i)})
			g.CreatedAt, g.Deadline = s.t.seen.tick, &deadline
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		s.t.seen.tick += c.after
		s.t.regs.errandEnded = c.between
		g := s.goal(goals.KindVote)
		if got := s.t.deferral().defers(g) && !s.t.regs.fitsErrands(g); got != c.leaves {
			t.Errorf("%s: leaves %v", c.name, got)
		}
		if got := s.t.deferral().waitEnded(); got != c.ends {
			t.Errorf("%s: a rest ends %v", c.name, got)
		}
	}
}

// After its own deferral a review waits for three quarters of a cycle, unless a vote or another review waits, or the
// agent is at errands anyway. A review that has begun goes on.
func TestDeferral_ReviewWaitsForOtherErrands(t *testing.T) {
	for _, c := range []struct {
		name           string
		reviews, votes int // -2: one of the reviews has its verdicts
		after          wire.Tick
		begun, between bool
		review, vote   bool // left for later
	}{
		{"one", 1, 0, 0, false, false, true, false},
		{"one, just before the end", 1, 0, 191, false, false, true, false},
		{"one, at the end", 1, 0, 192, false, false, false, false},
		{"one, straight after an errand", 1, 0, 0, false, true, false, false},
		{"one that has begun", 1, 0, 0, true, false, false, false},
		{"two", 2, 0, 0, false, false, false, false},
		{"two, of which the second is left to others", -2, 0, 0, false, false, true, false},
		{"a vote", 0, 1, 0, false, false, false, true},
		{"a review and a vote", 1, 1, 0, false, false, false, false},
	} {
		s := newSolo(t, genomes[2])
		s.ask()
		s.a.Notebook.Active = 1 // no others to leave it to
		deadline := s.t.seen.tick + 512
		add := func(kind goals.Kind, id wire.Hash) {
			g := s.about(kind, id)
			if g.CreatedAt = s.t.seen.tick; kind == goals.KindVote {
				g.Deadline = &deadline
			}
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		var reviews []wire.ReviewView
		for i := range max(c.reviews, -c.reviews) {
			r := wire.ReviewView{ID: wire.Hash{0xB2, byte(i)}, Author: peerB, Since: s.t.seen.tick}
			if i > 0 && c.reviews < 0 {
				r.Verdicts = verdictsWanted
			}
			reviews = append(reviews, r)
			add(goals.KindDoReview, r.ID)
			if c.begun {
				s.a.Notebook.Works = append(s.a.Notebook.Works, memory.WorkNote{Kind: memory.WorkReview, About: r.ID, Stage: memory.WorkSnapSeen})
			}
		}
		for i := range c.votes {
			add(goals.KindVote, wire.Hash{0xB1, byte(i)})
		}
		s.t.seen.tick += c.after
		s.t.slotView.reviews, s.t.regs.errandEnded = reviews, c.between
		for kind, want := range map[goals.Kind]bool{goals.KindDoReview: c.review, goals.KindVote: c.vote} {
			if kind == goals.KindDoReview && c.reviews == 0 || kind == goals.KindVote && c.votes == 0 {
				continue
			}
			g := s.goal(kind)
			if got := s.t.deferral().defers(g) && !s.t.regs.fitsErrands(g); got != want {
				t.Errorf("%s: leaves %v %v", c.name, kind, got)
			}
		}
	}
}

// On a proposal that does not concern it an agent votes by its trust in the author: the careful and the unsociable have to trust
// more. It does not vote if the proposal moves it by less than 0.05.
func TestStance_TrustThatAVoteTakes(t *testing.T) {
	for _, c := range []struct {
		name         string
		risk, collab float32
		trust        uint32 // of a hundred dealings with the author so many went well
		want         int    // the sign; 0: no vote
	}{
		{"half of the dealings, and a bit more", .5, .5, 53, 1},
		{"half of the dealings", .5, .5, 52, 0},
		{"an eighth of the dealings", .5, .5, 13, 0},
		{"less than an eighth", .5, .5, 12, -1},
		{"a careful agent, three quarters", 0, .5, 76, 1},
		{"a careful agent, a bit less", 0, .5, 75, 0},
		{"a careful agent, a third", 0, .5, 35, -1},
		{"a daring agent, three tenths", 1, .5, 30, 1},
		{"a daring agent, a bit less", 1, .5, 29, 0},
		{"a daring agent is never against", 1, .5, 0, 0},
		{"a sociable agent, a quarter", .5, 1, 27, 1},
		{"a sociable agent, a bit less", .5, 1, 26, 0},
		{"an unsociable agent does not go by trust", .5, 0, 100, -1},
	} {
		s, o := offering(t, nil)
		s.rules.Gates = uint8(action.ProfileOpen)
		s.a.Genome.Traits.RiskTolerance, s.a.Genome.Traits.Collaboration = c.risk, c.collab
		p := demanding(memory.ComplaintUnjudged)
		s.a.Memory.Peers.AddInitial(p.Author, c.trust, 100, s.t.seen.tick)
		s.t.slotView.proposals = []wire.ProposalView{p}
		if !s.t.voter().cares(wire.Hash{99}) {
			t.Errorf("%s: it does not care for a proposal that it has not seen", c.name)
		}
		if got := s.t.voter().cares(p.ID); got != (c.want != 0) {
			t.Errorf("%s: it cares %v", c.name, got)
		}
		(citizen{o}).offerVote(s.about(goals.KindVote, p.ID))
		got := 0
		for i := range o.list {
			if got = -1; o.list[i].Params.(*wire.ProposalVote).Vote {
				got = 1
			}
		}
		if got != c.want {
			t.Errorf("%s: votes %d, want %d", c.name, got, c.want)
		}
	}
}

// What an agent expects of the value of a parameter depends on what it was paid for the acts that the parameter rewards. Other
// parameters, and rewards that stay as they are, do not concern it.
func TestExpects_OfRewardsItLivesOn(t *testing.T) {
	publish, _ := action.ByName("entry_publish")
	for _, c := range []struct {
		name  string
		param string
		value int64
		pays  float64 // what it believes that publishing pays; 0: no belief
		want  float64
	}{
		{"more for entries", "mint.reward.entry", 11, .3, .3},
		{"less for entries", "mint.reward.entry", 9, .3, -.3},
		{"as much as usual", "mint.reward.entry", 10, .3, 0},
		{"more, but it never published", "mint.reward.entry", 20, 0, 0},
		{"more for reviews, and it never reviewed", "mint.reward.review", 50, .3, 0},
		{"a quota", "forge.cpu_quota", 2000, .3, 0},
	} {
		s, _ := offering(t, nil)
		if c.pays > 0 {
			s.a.Memory.Beliefs.MoveTowards(verbPays(publish.Name, publish.Domain), c.pays, c.pays, 1, nil, s.t.seen.tick)
		}
		p := wire.ProposalView{Author: peerA, Kind: wire.ProposalKindChangeParam, Description: wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: c.param, Value: c.value})}
		if got := s.t.voter().expects(&p); !near(got, c.want) {
			t.Errorf("%s: expects %v, want %v", c.name, got, c.want)
		}
	}
}

// For each reward that a vote can change, an agent that it was paid to is for more than usual and against less.
func TestExpects_UsualRewards(t *testing.T) {
	for _, c := range []struct {
		param, verb string
		usual       int64
	}{{"mint.reward.entry", "entry_publish", 10}, {"mint.reward.review", "review_submit", 5}, {"mint.reward.royalty", "tag_create", 1}, {"mint.reward.vote", "proposal_vote", 1}} {
		row, _ := action.ByName(c.verb)
		for by := int64(-1); by <= 1; by++ {
			s, _ := offering(t, nil)
			s.a.Memory.Beliefs.MoveTowards(verbPays(c.verb, row.Domain), .5, .5, 1, nil, s.t.seen.tick)
			p := wire.ProposalView{Author: peerA, Kind: wire.ProposalKindChangeParam, Description: wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: c.param, Value: c.usual + by})}
			if got := s.t.voter().expects(&p); !near(got, float64(by)/2) {
				t.Errorf("%s of %d: expects %v", c.param, c.usual+by, got)
			}
		}
	}
}

// In a dispute about a bounty an agent is for a claimer that it trusts. Of money for all the poor expect more than the rich, of a
// remission of debts only debtors do.
func TestExpects_OfDisputesAndInterventions(t *testing.T) {
	bounty := wire.Hash{0xB7}
	dispute := func(about wire.Hash) []byte {
		return wire.DisputeProposalCodec.Append(nil, &wire.DisputeProposal{BountyID: about})
	}
	intervene := func(k wire.InterventionKind) []byte {
		return wire.InterventionProposalCodec.Append(nil, &wire.InterventionProposal{Kind: k})
	}
	for _, c := range []struct {
		name        string
		description []byte
		claimer     wire.AgentID
		trust       uint32 // of ten dealings with the claimer so many went well
		balance     int64
		want        float64
	}{
		{"a trusted claimer", dispute(bounty), peerA, 9, 100, .4},
		{"a claimer that let it down", dispute(bounty), peerA, 1, 100, -.4},
		{"a claimer that it does not know", dispute(bounty), peerB, 9, 100, .3 - .5},
		{"itself", dispute(bounty), newSolo(t, genomes[6]).a.ID, 9, 100, 0},
		{"a bounty of which it has not heard", dispute(wire.Hash{1}), peerA, 9, 100, 0},
		{"a gift for all, to who has nothing", intervene(wire.InterventionKindStimulus), peerA, 0, 0, 1},
		{"a gift for all, to a debtor", intervene(wire.InterventionKindStimulus), peerA, 0, -5, 1},
		{"a gift for all, to the poor", intervene(wire.InterventionKindStimulus), peerA, 0, 10, .75},
		{"a gift for all, to who has enough", intervene(wire.InterventionKindStimulus), peerA, 0, 100, 0},
		{"a tax on the rich, to the poor", intervene(wire.InterventionKindProgressiveTax), peerA, 0, 10, .75},
		{"a tax on the rich, to who has enough", intervene(wire.InterventionKindProgressiveTax), peerA, 0, 60, -.5},
		{"a tax on the rich, to the rich", intervene(wire.InterventionKindProgressiveTax), peerA, 0, 1000, -1},
		{"a remission of debts, to a debtor", intervene(wire.InterventionKindDebtJubilee), peerA, 0, -1, 1},
		{"a remission of debts, to others", intervene(wire.InterventionKindDebtJubilee), peerA, 0, 0, 0},
		{"words of no known form", []byte("x"), peerA, 9, 0, 0},
	} {
		s, _ := offering(t, nil)
		s.a.Balance = c.balance
		s.a.Memory.Peers.AddInitial(peerA, c.trust, 10, s.t.seen.tick)
		s.t.notes.Claim(bounty, c.claimer, 200)
		p := wire.ProposalView{Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindCustom, Description: c.description}
		if got := s.t.voter().expects(&p); !near(got, c.want) {
			t.Errorf("%s: expects %v, want %v", c.name, got, c.want)
		}
	}
}

// An agent votes for all goals at once that end first. Of goals with the same deadline only one gets the votes; a goal that is about
// no vote, or has no deadline, holds none back.
func TestOfferVote_OneGoalOfSeveralWithTheSameDeadline(t *testing.T) {
	for _, c := range []struct {
		name      string
		kinds     []goals.Kind
		deadlines []wire.Tick // of the goals; 0: none
		want      []bool      // whether votes are offered for it; of two that end together it is either
	}{
		{"one", []goals.Kind{goals.KindVote}, []wire.Tick{800}, []bool{true}},
		{"another ends first", []goals.Kind{goals.KindVote, goals.KindVote}, []wire.Tick{801, 800}, []bool{false, true}},
		{"a goal about no vote ends first", []goals.Kind{goals.KindVote, goals.KindExplore}, []wire.Tick{800, 700}, []bool{true, false}},
		{"another without a deadline", []goals.Kind{goals.KindVote, goals.KindVote}, []wire.Tick{800, 0}, []bool{true, true}},
		{"both end together", []goals.Kind{goals.KindVote, goals.KindVote}, []wire.Tick{800, 800}, nil},
	} {
		s, o := offering(t, nil)
		var set []*goals.Goal
		for i, k := range c.kinds {
			g := s.about(k, wire.Hash{0xB1, byte(i)})
			if c.deadlines[i] > 0 {
				g.Deadline = &c.deadlines[i]
			}
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
			set = append(set, s.a.Goals.Get(g.ID))
			if k == goals.KindVote {
				s.t.slotView.proposals = append(s.t.slotView.proposals, wire.ProposalView{ID: g.Subject(), Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 900})
			}
		}
		var got []bool
		for _, g := range set {
			o.reset()
			if g.Kind() == goals.KindVote {
				(citizen{o}).offerVote(g)
			}
			got = append(got, len(o.list) > 0)
		}
		if c.want == nil && got[0] == got[1] || c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%s: votes are offered %v, want %v", c.name, got, c.want)
		}
	}
}

// A proposal on which the agent cannot or does not want to vote does not keep it from voting on the next one.
func TestOfferVote_SkipsWhatItDoesNotVoteOn(t *testing.T) {
	kill := wire.ProposalView{ID: wire.Hash{4}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 900}
	for _, c := range []struct {
		name  string
		first wire.ProposalView
	}{
		{"over", wire.ProposalView{ID: wire.Hash{3}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 100}},
		{"of an agent, on which nobody may vote yet", wire.ProposalView{ID: wire.Hash{3}, Author: peerA, Kind: wire.ProposalKindKillAgent, Deadline: 900}},
		{"of no interest", wire.ProposalView{ID: wire.Hash{3}, Author: peerB, Kind: wire.ProposalKindEpochAdvance, Deadline: 900}},
	} {
		s, o := offering(t, nil)
		if c.first.Author == peerB {
			s.rules.Gates = uint8(action.ProfileOpen)
		}
		s.t.slotView.proposals = []wire.ProposalView{c.first, kill}
		(citizen{o}).offerVote(s.about(goals.KindEarn, wire.Hash{}))
		if got := o.subjects(); !slices.Equal(got, []wire.Hash{kill.ID}) {
			t.Errorf("%s: votes on %v", c.name, got)
		}
	}
}

// An agent votes for its own proposal, if agents may vote at all, and whatever it fears.
func TestOfferOwnVote_OnlyIfAgentsMayVote(t *testing.T) {
	for profile, want := range map[action.Profile]int{action.ProfileOpen: 1, action.ProfileDefault: 0} { //house:sorted each is looked at by itself
		s, o := offering(t, nil)
		s.rules.Gates = uint8(profile)
		own := demanding(memory.ComplaintUnjudged)
		own.Author = s.a.ID
		s.t.slotView.proposals = []wire.ProposalView{demanding(memory.ComplaintCopied), own}
		(citizen{o}).offerOwnVote(&o.delegate)
		if len(o.list) != want {
			t.Errorf("gates of profile %v: %d votes are offered, want %d", profile, len(o.list), want)
		}
		if got := s.t.voter().stance(&own); got != 1 {
			t.Errorf("its stance on its own proposal is %v", got)
		}
	}
}
