package agora

import (
	"bytes"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// bountyPrefix begins the names of channels that come with a bounty; agents may
// not take such names.
const bountyPrefix = "bounty:"

// channels holds all channels and their indexes, posts messages in them, and advances their discussions.
type channels struct {
	*siblings
	*world.Table[wire.Hash, Channel]
	rules    *world.Rules
	archive  *archive
	counters *counters

	names       map[string]wire.Hash
	autoClosing map[wire.Hash]struct{} // open channels that close when idle
	discussions map[wire.Hash]struct{} // open channels whose discussion has not ended
}

func newChannels(s *world.State, r *world.Rules, others *siblings) *channels {
	return &channels{
		siblings: others, rules: r,
		Table:       world.NewTable[wire.Hash, Channel](s, "channels", channelCodec),
		names:       map[string]wire.Hash{},
		autoClosing: map[wire.Hash]struct{}{},
		discussions: map[wire.Hash]struct{}{},
	}
}

// Channel returns the channel id or nil; read-only.
func (d *Daemon) Channel(id wire.Hash) *Channel { return d.channels.Get(id) }

// CanRead reports whether a may read and write in the channel; false for unknown channels.
func (d *Daemon) CanRead(channel wire.Hash, a wire.AgentID) bool {
	ch := d.channels.Get(channel)
	return ch != nil && ch.mayRead(a)
}

// mayRead reports whether a may read and write in the channel.
func (ch *Channel) mayRead(a wire.AgentID) bool {
	return ch.Access.InviteOnly == nil || a == ch.Creator || a == me || slices.Contains(*ch.Access.InviteOnly, a)
}

// create carries out CHANNEL_CREATE.
func (x *channels) create(c *world.Context, q *wire.ChannelCreate) wire.Reply {
	if _, ok := x.names[string(q.Name)]; ok || bytes.HasPrefix(q.Name, []byte(bountyPrefix)) {
		return refuse(c, wire.CategoryConflict, "name_taken", world.Field("name"))
	}
	// The id of a repo is that of its first snap, so the repo exists if it contains its own id.
	if r := q.LinkedRepo; r != nil && (x.code == nil || !x.code.Contains(*r, *r)) {
		return refuse(c, wire.CategoryNotFound, "repo", world.Field("linked_repo"))
	}
	if refusal := x.ledger.Fee(c, c.Source, x.amount("agora.channel_fee", x.rules.ChannelFee)); refusal != nil {
		return c.Relay(sys, refusal)
	}
	x.open(c, c.Source, nil, &Channel{
		ID: c.Msg, Kind: q.Kind, Name: q.Name, Creator: c.Source, Access: q.Access,
		LinkedRepo: q.LinkedRepo, AutoClose: q.AutoClose,
	})
	return c.Ack(&wire.ChannelCreateAck{ChannelID: c.Msg})
}

// open adds ch and reports it.
func (x *channels) open(c *world.Context, origin wire.AgentID, parent *wire.EventID, ch *Channel) {
	ch.CreatedCycle, ch.LastActivity, ch.PhaseCycle = c.Cycle, c.Cycle, c.Cycle
	if ch.Kind == wire.ChannelKindRFC || ch.Kind == wire.ChannelKindGovernance && ch.ID != wire.ChannelID("governance") {
		p := wire.DiscussionPhaseProposal
		ch.Phase = &p
	}
	x.Put(ch.ID, ch)
	x.index(ch)
	x.archive.log(ch.ID).setChannel(x.archive, ch)
	c.Emit(sys, wire.KindChannelCreated, origin, &wire.ChannelCreatedEvent{
		ChannelID: ch.ID, Kind: ch.Kind, Name: ch.Name, Creator: ch.Creator, Tick: c.Tick,
	}, parent)
}

func (x *channels) index(ch *Channel) {
	if ch.Archived { // its name is free again
		return
	}
	x.names[string(ch.Name)] = ch.ID
	if ch.AutoClose != nil {
		x.autoClosing[ch.ID] = struct{}{}
	}
	if ch.Phase != nil && *ch.Phase < wire.DiscussionPhaseDecision {
		x.discussions[ch.ID] = struct{}{}
	}
}

// close archives ch at cycle end.
func (x *channels) close(c *world.Context, id wire.Hash, reason string) {
	x.Edit(id).Archived = true
	delete(x.names, string(x.Get(id).Name))
	delete(x.autoClosing, id)
	delete(x.discussions, id)
	c.Emit(sys, wire.KindChannelArchived, me, &wire.ChannelArchivedEvent{
		ChannelID: id, Reason: []byte(reason), Tick: c.Tick,
	}, nil)
}

// closeIdle archives the channels without a message for their AutoClose cycles.
func (x *channels) closeIdle(c *world.Context) {
	for _, id := range sorted(x.autoClosing) {
		ch := x.Get(id)
		if uint64(c.Cycle-ch.LastActivity) >= *ch.AutoClose {
			x.close(c, id, "idle")
		}
	}
}

func sorted(set map[wire.Hash]struct{}) []wire.Hash {
	return det.SortedKeysFunc(set, wire.Hash.Compare)
}
