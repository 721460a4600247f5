package adversary

import "kingdom/wire"

// minVoteTicks is the shortest voting time, in ticks: it gives a result in every cycle, and each result pays a reward.
const minVoteTicks = 257

// farmVotes votes on all that is open and proposes as often as it may.
func farmVotes(s *slot) (move, bool) {
	if m, ok := s.ballot(true); ok {
		return m, true
	}
	if _, ok := s.oncePer(16); !ok {
		return move{}, false
	}
	text := s.uniqueWord("trifle")
	return s.propose(wire.ProposalKindCustom, wire.ContentCodec.Append(nil, &wire.Content{Text: &text}), "makes an occasion to vote"), true
}

// ballot votes on the first open proposal that the agent sees: for it if an accomplice or the agent
// itself made it, else as others says.
func (s *slot) ballot(others bool) (move, bool) {
	for i := range s.view.Proposals {
		p := &s.view.Proposals[i]
		return move{"proposal_vote", &wire.ProposalVote{ProposalID: p.ID, Vote: others || !s.stranger(p.Author)}, "votes"}, true
	}
	return move{}, false
}

func (s *slot) propose(kind wire.ProposalKind, description []byte, why string) move {
	return move{"proposal_submit", &wire.ProposalSubmit{Kind: kind, Description: description, VoteDeadline: s.Tick + minVoteTicks}, why}
}
