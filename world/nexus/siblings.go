package nexus

import "kingdom/world"

// mint is what Nexus asks of Mint.
type mint interface {
	world.Accounts
	world.Rewards
	world.Estates
	world.Policy
	world.Standing
}
