package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Bounds of MSG_POST (docs/WORLD.md, messages).
const (
	maxPosts      = 10      // per cycle and agent
	maxPerChannel = 100_000 // messages per unit of the world's scale
)

// post carries out MSG_POST. The rules are checked in the order of docs/WORLD.md: channel, membership, rate, duplicate,
// topic, space in the channel.
func (x *channels) post(c *world.Context, q *wire.MsgPost) wire.Reply {
	if refusal := world.InvalidIf(!(q.Confidence >= 0 && q.Confidence <= 1), "confidence"); refusal != nil {
		return c.Relay(sys, refusal)
	}
	content, err := codec.CanonicalFreeMap(q.Content)
	if err != nil {
		return badBody(c, "content")
	}
	ch := x.Get(q.Channel)
	if ch == nil {
		return refuse(c, wire.CategoryNotFound, "not_found", world.Field("channel"))
	}
	if ch.Archived {
		return refuse(c, wire.CategoryConflict, "archived", world.Field("channel"))
	}
	if !ch.mayRead(c.Source) {
		return refuse(c, wire.CategoryUnauthorized, "not_member", world.Field("channel"))
	}
	if n := x.counters.Get(c.Source); n != nil && n.Posts >= maxPosts {
		return refuse(c, wire.CategoryQuotaExceeded, "rate", world.Limit(maxPosts), c.UntilCycle(c.Cycle+1))
	}
	if x.archive.posted(c.Source, q.Channel, content) {
		return refuse(c, wire.CategoryConflict, "duplicate", world.Field("content"))
	}
	if x.offTopic(ch, q) {
		return refuse(c, wire.CategoryInvalidRequest, "off_topic", world.Field("references"))
	}
	if uint64(len(x.archive.log(q.Channel).messages)) >= maxPerChannel*x.rules.Scale() {
		return refuse(c, wire.CategoryQuotaExceeded, "channel_full", world.Limit(maxPerChannel*x.rules.Scale()))
	}
	if refusal := x.counters.mayWrite(c, len(content)); refusal != nil {
		return c.Relay(sys, refusal)
	}
	x.counters.countPost(c.Source)
	x.counters.countText(c, len(content))
	x.appendMessage(c, c.Source, nil, &wire.Message{
		ID: c.Msg, Channel: q.Channel, Author: c.Source, Kind: q.Kind,
		Content: content, References: q.References, Confidence: q.Confidence,
	})
	return c.Ack(&wire.MsgPostAck{MessageID: c.Msg})
}

// offTopic reports whether a message in the channel of a repo is neither code nor refers to an object of the repo.
func (s *siblings) offTopic(ch *Channel, q *wire.MsgPost) bool {
	if ch.Kind != wire.ChannelKindProject || ch.LinkedRepo == nil || q.Kind == wire.MessageKindCode {
		return false
	}
	return s.code == nil || !slices.ContainsFunc(q.References, func(o wire.Hash) bool {
		return s.code.Contains(*ch.LinkedRepo, o)
	})
}

// appendMessage appends m to its channel and emits message_posted. origin is the agent whose request caused it.
func (x *channels) appendMessage(c *world.Context, origin wire.AgentID, parent *wire.EventID, m *wire.Message) {
	m.Tick = c.Tick
	if m.References == nil {
		m.References = []wire.Hash{}
	}
	x.archive.messages.Append(m)
	x.Edit(m.Channel).LastActivity = c.Cycle
	e := &wire.MessagePostedEvent{MessageID: m.ID, ChannelID: m.Channel, Author: m.Author, Kind: m.Kind, Tick: c.Tick}
	if len(m.References) > 0 {
		first := m.References[0]
		e.Reference = &first
	}
	c.Emit(sys, wire.KindMessagePosted, origin, e, parent)
}

// Message returns the message id without its content, or nil; read-only.
func (d *Daemon) Message(id wire.Hash) *wire.Message {
	if e := d.archive.find(id); e != nil {
		m := d.archive.message(e)
		return &m
	}
	return nil
}
