package nexus

import "kingdom/world"

// siblings are the other daemons as Nexus sees them.
type siblings struct {
	mint   mint
	forum  world.Forum
	forge  world.Workshop // nil: this world has no Forge
	portal world.Window
}

// mint is what Nexus asks of Mint.
type mint interface {
	world.Accounts
	world.Rewards
	world.Estates
	world.Policy
	world.Standing
}
