package nexus

import "kingdom/world"

// siblings are the other daemons as Nexus sees them.
type siblings struct {
	mint   mint
	forum  world.Agora
	forge  world.Forge // nil: this world has no Forge
	portal world.Portal
}

// mint is what Nexus asks of Mint.
type mint interface {
	world.Accounts
	world.Rewards
	world.AccountLifecycle
	world.MonetaryPolicy
	world.Standing
}
