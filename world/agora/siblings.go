package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// mint is what Agora asks of Mint.
type mint interface {
	world.Accounts
	world.Escrows
	world.Rewards
	world.Pairs
}

// nexus is what Agora asks of Nexus.
type nexus interface {
	world.Roster
	world.Votes
	world.Merits
	world.Params
}

// siblings are the other daemons as Agora sees them.
type siblings struct {
	ledger  mint
	roster  nexus
	library world.Oracle
	code    world.Vault // nil: this world has no Vault
	forge   world.Forge // nil: this world has no Forge
}

// amount returns an amount of ⚡ that governance can change: a parameter, or its fallback.
func (s *siblings) amount(param string, fallback uint64) uint64 {
	return uint64(max(0, s.roster.Param(param, int64(fallback))))
}

// validReviewers reports whether the agents in list are distinct and living. Otherwise a review could never end.
func (s *siblings) validReviewers(list []wire.AgentID) bool {
	for i, a := range list {
		if status, ok := s.roster.Status(a); !ok || status == wire.StatusDead || slices.Contains(list[:i], a) {
			return false
		}
	}
	return true
}
