package ooda

import (
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world/agora"
)

// The channels that turns know are those that Agora opens in the bootstrap, without that of a project.
func TestChannels_AreThoseOfAgora(t *testing.T) {
	known := []wire.Hash{channelGeneral, channelHelp, channelGovernance, channelBounties, channelReviews}
	var open []wire.Hash
	for _, name := range agora.SystemChannels() {
		if name != "starlark" {
			open = append(open, wire.ChannelID(name))
		}
	}
	if !slices.Equal(known, open) {
		t.Errorf("turns know %v, Agora has %v", known, open)
	}
	for _, id := range channelRound {
		if !slices.Contains(open, id) {
			t.Errorf("agents look around in %v, which Agora does not open", id)
		}
	}
}
