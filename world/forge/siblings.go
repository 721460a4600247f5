package forge

import "kingdom/world"

// siblings are the other daemons as Forge sees them.
type siblings struct {
	roster  nexus
	ledger  mint
	code    world.Objects
	library world.Entries
}

// nexus is what Forge asks of Nexus.
type nexus interface {
	world.Roster
	world.Milestones
	world.Params
}

// mint is what Forge asks of Mint.
type mint interface {
	world.Accounts
	world.Purchases
}
