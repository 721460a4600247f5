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
