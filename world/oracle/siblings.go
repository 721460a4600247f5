package oracle

import "kingdom/world"

// siblings are the other daemons as Oracle sees them.
type siblings struct {
	roster  nexus
	ledger  mint
	forum   world.Agora
	code    world.Vault   // nil: this world has no Vault
	objects world.Objects // nil if code is nil
	proofs  world.Proofs  // nil: nothing is proved
}

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
