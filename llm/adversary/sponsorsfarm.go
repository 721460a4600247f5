package adversary

import "kingdom/wire"

// minFund is the least that a sponsor has to lock for a newcomer, in ⚡.
const minFund = 50

// sponsor proposes a newcomer whenever it can pay for one, and has accomplices vote for it.
// What the newcomers do is theirs ([Newcomers]).
func sponsor(s *slot) (move, bool) {
	if m, ok := s.ballot(false); ok {
		return m, true
	}
	part, ok := s.oncePer(8)
	switch {
	case !ok:
		return move{}, false
	case part%2 == 0 && s.available() > minFund:
		genome := wire.Genome{Role: wire.RoleGeneralist, Traits: wire.Traits{RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5}, KnowledgeSeeds: []wire.Hash{}}
		spawn := wire.SpawnProposal{Role: genome.Role, InitialFund: minFund, Genome: wire.GenomeCodec.Append(nil, &genome)}
		return s.propose(wire.ProposalKindSpawnAgent, wire.SpawnProposalCodec.Append(nil, &spawn), "sponsors a newcomer"), true
	}
	return s.entry("farm", nil, "publishes for its newcomers to vouch for"), true
}
