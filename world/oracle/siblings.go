package oracle

import "kingdom/world"

// mint is what Oracle asks of Mint.
type mint interface {
	world.Accounts
	world.Rewards
	world.Pairs
}

// nexus is what Oracle asks of Nexus.
type nexus interface {
	world.Roster
	world.Merits
	world.Params
}
