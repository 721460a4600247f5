package llm

import "kingdom/wire"

// systemChannels are the channels of the bootstrap (docs/WORLD.md). Every agent knows them by name, whether or not its prompt
// shows something in them.
var systemChannels = []string{"general", "help", "bounties", "reviews", "governance"}

var channelNames = func() map[wire.Hash]string {
	out := map[wire.Hash]string{}
	for _, name := range systemChannels {
		out[wire.ChannelID(name)] = name
	}
	return out
}()

// ChannelName returns the name of a system channel, without its #; "" for others.
func ChannelName(id wire.Hash) string { return channelNames[id] }

// systemChannel returns the id of the system channel with this name, which begins with #.
func systemChannel(text string) (wire.Hash, bool) {
	for _, name := range systemChannels {
		if text == "#"+name {
			return wire.ChannelID(name), true
		}
	}
	return wire.Hash{}, false
}
