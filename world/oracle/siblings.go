package oracle

import "kingdom/world"

// siblings are the other daemons as Oracle sees them.
type siblings struct {
	roster  nexus
	ledger  mint
	forum   world.Agora
	objects world.Objects // nil: this world has no Vault
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
