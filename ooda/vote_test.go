package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// TestOffer_NobodyIsForTheDeathOfAStranger: without that a few who propose it get all others
// killed by the votes of those who favour most things.
func TestOffer_NobodyIsForTheDeathOfAStranger(t *testing.T) {
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
			ID: wire.Hash{3}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 800,
			Description: wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: accused}),
		}}
		asked := s.ask(event(wire.KindProposalCreated, 256, wire.SystemID(wire.SystemMint), &wire.ProposalCreatedEvent{
			ProposalID: wire.Hash{3}, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, VoteDeadline: 800,
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

// TestOfferVote_AllThatWait: who goes to vote gives all votes that wait, the one that it went for last.
func TestOfferVote_AllThatWait(t *testing.T) {
	s := newSolo(t, genomes[6])
	kill := wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: wire.AgentID{9}})
	var told []*wire.Event
	for i := range 3 {
		id := wire.Hash{byte(3 + i)}
		s.view.Proposals = append(s.view.Proposals, wire.ProposalView{
			ID: id, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, Deadline: 800, Description: kill,
		})
		told = append(told, event(wire.KindProposalCreated, 256, wire.SystemID(wire.SystemMint), &wire.ProposalCreatedEvent{
			ProposalID: id, Author: wire.SystemID(wire.SystemMint), Kind: wire.ProposalKindKillAgent, VoteDeadline: 800,
		}))
	}
	asked := s.ask(told...)
	fits, goal := map[wire.Hash]float64{}, wire.Hash{} // by proposal: how well it fits the first goal that offers votes
	for i := range asked.Prompt.Affordances {
		a := &asked.Prompt.Affordances[i]
		q, ok := a.Params.(*wire.ProposalVote)
		if ok && (len(fits) == 0 || a.Goal == goal) {
			goal, fits[q.ProposalID] = a.Goal, a.Success
		}
	}
	if len(fits) != 3 {
		t.Fatalf("%d votes are offered for one goal, want 3", len(fits))
	}
	own := s.a.Goals.Get(goal).Subject()
	for id, fit := range fits {
		if id != own && fit <= fits[own] {
			t.Errorf("the vote on %v fits %v, that of the goal itself %v", id, fit, fits[own])
		}
	}
}
