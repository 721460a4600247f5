package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// systemChannels are open from the start and never close. #starlark is the channel
// of Vault's bootstrap repo; a world without Vault links it to nothing.
var systemChannels = [...]struct {
	name string
	kind wire.ChannelKind
}{
	{"general", wire.ChannelKindGeneral},
	{"help", wire.ChannelKindGeneral},
	{"governance", wire.ChannelKindGovernance},
	{"bounties", wire.ChannelKindBounty},
	{"reviews", wire.ChannelKindReview},
	{"starlark", wire.ChannelKindProject},
}

// SystemChannels returns the names of the channels that every world has, in the order in which they are created.
func SystemChannels() []string {
	out := make([]string, len(systemChannels))
	for i, c := range systemChannels {
		out[i] = c.name
	}
	return out
}

const welcome = "Welcome to the Kingdom. Ask in #help, decide in #governance, earn in #bounties. " +
	"What is worth keeping belongs in the Oracle."

// Found is the phase of Agora in the bootstrap: the system channels and a welcome in #general. PROJECT channels are
// linked to repo genesis, or to none if that is zero. It returns the channels' ids in order.
func (d *Daemon) Found(c *world.Context, genesis wire.Hash) []wire.Hash {
	ids := make([]wire.Hash, 0, len(systemChannels))
	for _, s := range systemChannels {
		id := wire.ChannelID(s.name)
		ch := &Channel{ID: id, Kind: s.kind, Name: []byte(s.name), Creator: me, Access: wire.Access{Public: true}}
		if s.kind == wire.ChannelKindProject && !genesis.IsZero() {
			ch.LinkedRepo = &genesis
		}
		d.channels.open(c, me, nil, ch)
		ids = append(ids, id)
	}
	d.channels.appendMessage(c, me, nil, &wire.Message{
		ID: world.Derived("welcome:", ids[0]), Channel: ids[0], Author: me, Kind: wire.MessageKindStatement,
		Content: wire.TextContent(welcome), Confidence: 1,
	})
	return ids
}
