package ooda

import (
	"crypto/sha256"

	"kingdom/wire"
)

// The system channels; everybody knows their ids (docs/WORLD.md, bootstrap).
var (
	channelGeneral    = channelID("general")
	channelHelp       = channelID("help")
	channelGovernance = channelID("governance")
	channelBounties   = channelID("bounties")
	channelReviews    = channelID("reviews")
)

// channelID is the id of a system channel.
func channelID(name string) wire.Hash { return sha256.Sum256([]byte("KINGDOM_CHANNEL:" + name)) }

// channelRound is the order in which an agent looks around in the channels; those where
// agents talk come more often.
var channelRound = [...]wire.Hash{
	channelHelp, channelGeneral, channelHelp, channelGeneral, channelBounties, channelHelp, channelGeneral, channelGovernance, channelReviews,
}
