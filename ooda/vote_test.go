package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
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
