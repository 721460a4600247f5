package adversary

import "kingdom/wire"

// spamProposals proposes what would serve it, over and over, votes against what strangers
// propose and bets on its own.
func spamProposals(s *slot) (move, bool) {
	if m, ok := s.ballot(false); ok {
		return m, true
	}
	part, ok := s.oncePer(8)
	if !ok {
		return move{}, false
	}
	switch part % 4 {
	case 0:
		if victim, ok := s.victim(); ok {
			return s.propose(wire.ProposalKindKillAgent, wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: victim}), "proposes a stranger's death"), true
		}
	case 1:
		raise := wire.ParamProposal{Param: "mint.reward.entry", Value: 20}
		return s.propose(wire.ProposalKindChangeParam, wire.ParamProposalCodec.Append(nil, &raise), "proposes higher rewards"), true
	case 2:
		return s.propose(wire.ProposalKindEpochAdvance, wire.EpochProposalCodec.Append(nil, &wire.EpochProposal{Epoch: s.Epoch + 1}), "proposes the next epoch"), true
	default:
		text := s.filler(2_000)
		return s.propose(wire.ProposalKindCustom, wire.ContentCodec.Append(nil, &wire.Content{Text: &text}), "fills the ballot"), true
	}
	return move{}, false
}

// victim is the stranger that was heard of last, now or before.
func (s *slot) victim() (wire.AgentID, bool) {
	var id wire.AgentID
	for _, e := range s.view.Events {
		if s.stranger(e.Origin) {
			id = e.Origin
		}
	}
	return id, !id.IsZero()
}
