package ooda

import (
	"testing"

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
		switch x := (voter{&s.t.self}).stance(&p); {
		case x >= indifferent:
			got = 1
		case x <= -indifferent:
			got = -1
		}
		if got != c.want {
			t.Errorf("%s: stance %v, want %d", c.name, voter{&s.t.self}.stance(&p), c.want)
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
		(citizen{o}).offerPropose(&o.demand)
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
	s.slot(`{"action":"msg_post","params":`+string(say.AppendJSON(nil, post))+`,"reasoning":"x"}`, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{9}}})
	if argued() != nil {
		t.Error("it says it again")
	}
}
