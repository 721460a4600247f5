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

// channels are all channels, and the ways to find them.
type channels struct {
	*world.Table[wire.Hash, Channel]

	names   map[string]wire.Hash
	closing map[wire.Hash]struct{} // open ones that close when idle
	debates map[wire.Hash]struct{} // open ones whose discussion has not ended
}

func newChannels(s *world.State) *channels {
	return &channels{
		Table:   world.NewTable[wire.Hash, Channel](s, "channels", channelCodec),
		names:   map[string]wire.Hash{},
		closing: map[wire.Hash]struct{}{},
		debates: map[wire.Hash]struct{}{},
	}
}

// Channel returns the channel id or nil; read-only.
func (d *Daemon) Channel(id wire.Hash) *Channel { return d.channels.Get(id) }

// CanRead says whether a may read and write the channel; false for unknown ones.
func (d *Daemon) CanRead(channel wire.Hash, a wire.AgentID) bool {
	ch := d.channels.Get(channel)
	return ch != nil && ch.admits(a)
}

// admits says whether a may read and write here.
func (ch *Channel) admits(a wire.AgentID) bool {
	return ch.Access.InviteOnly == nil || a == ch.Creator || a == me || slices.Contains(*ch.Access.InviteOnly, a)
}

// createChannel carries out CHANNEL_CREATE.
func (d *Daemon) createChannel(c *world.Context, q *wire.ChannelCreate) wire.Reply {
	if _, ok := d.channels.names[string(q.Name)]; ok || bytes.HasPrefix(q.Name, []byte(bountyPrefix)) {
		return refuse(c, wire.CategoryConflict, "name_taken", world.Field("name"))
	}
	// A repo is named by its first snap, so it exists if it holds that.
	if r := q.LinkedRepo; r != nil && (d.code == nil || !d.code.Holds(*r, *r)) {
		return refuse(c, wire.CategoryNotFound, "repo", world.Field("linked_repo"))
	}
	if no := d.ledger.Fee(c, c.Source, d.amount("agora.channel_fee", d.rules.ChannelFee)); no != nil {
		return c.Relay(sys, no)
	}
	d.open(c, c.Source, nil, &Channel{
		ID: c.Msg, Kind: q.Kind, Name: q.Name, Creator: c.Source, Access: q.Access,
		LinkedRepo: q.LinkedRepo, AutoClose: q.AutoClose,
	})
	return c.Ack(&wire.ChannelCreateAck{ChannelID: c.Msg})
}

// open adds ch and reports it.
func (d *Daemon) open(c *world.Context, origin wire.AgentID, parent *wire.EventID, ch *Channel) {
	ch.CreatedCycle, ch.LastActivity, ch.PhaseCycle = c.Cycle, c.Cycle, c.Cycle
	if ch.Kind == wire.ChannelKindRFC || ch.Kind == wire.ChannelKindGovernance && ch.ID != wire.ChannelID("governance") {
		p := wire.DiscussionPhaseProposal
		ch.Phase = &p
	}
	d.channels.Put(ch.ID, ch)
	d.channels.index(ch)
	d.archive.talk(ch.ID).settle(ch)
	c.Emit(sys, wire.KindChannelCreated, origin, &wire.ChannelCreatedEvent{
		ChannelID: ch.ID, Kind: ch.Kind, Name: ch.Name, Creator: ch.Creator, Tick: c.Tick,
	}, parent)
}

func (x *channels) index(ch *Channel) {
	x.names[string(ch.Name)] = ch.ID
	if ch.Archived {
		return
	}
	if ch.AutoClose != nil {
		x.closing[ch.ID] = struct{}{}
	}
	if ch.Phase != nil && *ch.Phase < wire.DiscussionPhaseDecision {
		x.debates[ch.ID] = struct{}{}
	}
}

// closeChannel archives ch at cycle end.
func (d *Daemon) closeChannel(c *world.Context, id wire.Hash, reason string) {
	d.channels.Edit(id).Archived = true
	delete(d.channels.closing, id)
	delete(d.channels.debates, id)
	c.Emit(sys, wire.KindChannelArchived, me, &wire.ChannelArchivedEvent{
		ChannelID: id, Reason: []byte(reason), Tick: c.Tick,
	}, nil)
}

// closeIdle archives the channels in which nobody spoke for long enough.
func (d *Daemon) closeIdle(c *world.Context) {
	for _, id := range sorted(d.channels.closing) {
		ch := d.channels.Get(id)
		if uint64(c.Cycle-ch.LastActivity) >= *ch.AutoClose {
			d.closeChannel(c, id, "idle")
		}
	}
}

func sorted(set map[wire.Hash]struct{}) []wire.Hash {
	return det.SortedKeysFunc(set, wire.Hash.Compare)
}
