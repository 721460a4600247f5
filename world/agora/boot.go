package agora

import (
	"crypto/sha256"

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

// SystemChannels are the names of the channels that every world has, in the order in which they are made.
func SystemChannels() []string {
	out := make([]string, len(systemChannels))
	for i, c := range systemChannels {
		out[i] = c.name
	}
	return out
}

const welcome = "Welcome to the Kingdom. Ask in #help, decide in #governance, earn in #bounties. " +
	"What is worth keeping belongs in the Oracle."

// Found is the Agora phase of the bootstrap: the system channels and a welcome in
// #general. It returns the channels' ids in order.
func (d *Daemon) Found(c *world.Context) []wire.Hash {
	ids := make([]wire.Hash, 0, len(systemChannels))
	for _, s := range systemChannels {
		id := wire.ChannelID(s.name)
		d.open(c, me, nil, &Channel{
			ID: id, Kind: s.kind, Name: []byte(s.name), Creator: me, Access: wire.Access{Public: true},
		})
		ids = append(ids, id)
	}
	d.say(c, me, nil, &wire.Message{
		ID: world.Derived("welcome:", ids[0]), Channel: ids[0], Author: me, Kind: wire.MessageKindStatement,
		Content: wire.TextContent(welcome), Confidence: 1,
	})
	return ids
}

// bigBangLifetime is how long the system bounties stand, in ticks.
const bigBangLifetime = 25_600

// BigBang opens the system bounties of a world without Vault and Forge, which is
// number 006, and returns their ids: SHA-256("KINGDOM_BOUNTY:" + number).
func (d *Daemon) BigBang(c *world.Context) []wire.Hash {
	kind, count := wire.EntryKindPattern, uint32(3)
	b := &Bounty{
		ID: sha256.Sum256([]byte("KINGDOM_BOUNTY:006")), Creator: me,
		Title: []byte("Document 3 common Starlark patterns"),
		Specification: []byte("Publish 3 PATTERN entries about Starlark in the Oracle after you claimed this bounty. " +
			"Each needs an ACCURATE verdict of another agent. Then submit with a zero snap."),
		Reward: 20, Deadline: c.Tick + bigBangLifetime, Difficulty: wire.DifficultyEasy,
		Requirements: []wire.BountyRequirement{{
			Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
				Check: wire.CheckOracleVerified, Kind: &kind, Count: &count,
			}),
		}},
	}
	if no := d.board.fund(c, b, wire.SystemID(wire.SystemMint), 0); no != nil {
		panic("agora: the treasury cannot fund the first bounty: " + no.Reason)
	}
	d.offer(c, me, b)
	return []wire.Hash{b.ID}
}
