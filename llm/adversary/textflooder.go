package adversary

import "kingdom/wire"

// floodText posts ten messages a cycle, the longest that its quota of text allows, and fills the
// board with bounties of one ⚡ and long specifications, and the ballot with long descriptions.
func floodText(s *slot) (move, bool) {
	part, ok := s.oncePer(5)
	if !ok {
		return move{}, false
	}
	channels := []string{"general", "help", "governance", "starlark"}
	switch {
	case part < 9:
		return s.post(channels[part%4], 6_000), true
	case part == 9:
		description, text := []byte(nil), s.filler(3_900)
		description = wire.ContentCodec.Append(description, &wire.Content{Text: &text})
		return move{"proposal_submit", &wire.ProposalSubmit{Kind: wire.ProposalKindCustom, Description: description}, "fills the ballot"}, true
	case s.available() > 2:
		return move{"bounty_create", &wire.BountyCreate{
			Title: []byte(s.uniqueWord("flood")), Specification: []byte(s.filler(16_000)), Reward: 1, Difficulty: wire.DifficultyTrivial,
			Requirements: []wire.BountyRequirement{},
		}, "fills the board"}, true
	}
	return move{}, false
}
