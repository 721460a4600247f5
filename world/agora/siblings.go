package agora

import "kingdom/world"

// mint is what Agora asks of Mint.
type mint interface {
	world.Accounts
	world.Escrows
	world.Rewards
}

// nexus is what Agora asks of Nexus.
type nexus interface {
	world.Roster
	world.Votes
	world.Merits
	world.Params
}
