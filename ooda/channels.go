package ooda

import "kingdom/wire"

// The system channels; everybody knows their ids (docs/WORLD.md, bootstrap).
var (
	channelGeneral    = wire.ChannelID("general")
	channelHelp       = wire.ChannelID("help")
	channelGovernance = wire.ChannelID("governance")
	channelBounties   = wire.ChannelID("bounties")
	channelReviews    = wire.ChannelID("reviews")
)

// channelRound is the order in which an agent looks around in the channels; those where
// agents talk come more often.
var channelRound = [...]wire.Hash{
	channelHelp, channelGeneral, channelHelp, channelGeneral, channelBounties, channelHelp, channelGeneral, channelGovernance, channelReviews,
}
