package agora

import (
	"testing"

	"kingdom/wire"
)

// A query visits 16,384 messages of its most selective filter at most. So what hides behind more messages than that is
// found only by a filter that leaves few.
func TestSearch_StepsAreBounded(t *testing.T) {
	l := newLab(t)
	den := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{}},
	})
	n := 0
	say := func(by byte, channel wire.Hash, k wire.MessageKind) {
		n++
		l.d.channels.appendMessage(l.c, me, nil, &wire.Message{ID: number('m', n), Channel: channel, Author: agent(by), Kind: k, Content: []byte{byte(n), byte(n >> 8)}})
		if l.c.Events = nil; n%256 == 0 {
			l.c.Seat(l.c.Tick+1, 1)
		}
	}
	say(2, wire.ChannelID("help"), wire.MessageKindCode)
	say(1, wire.ChannelID("help"), wire.MessageKindStatement)
	finds := func(q wire.MsgQuery) int {
		q.Sort = wire.AgoraSortRecent
		return len(l.d.archive.search(agent(5), &q, 10))
	}
	for range searchSteps - 1 {
		say(1, den, wire.MessageKindStatement)
	}
	by := func(n byte) *[]wire.AgentID { return &[]wire.AgentID{agent(n)} }
	kinds := &[]wire.MessageKind{wire.MessageKindStatement}
	for over := range 2 {
		found := 1 - over
		if a, b := finds(wire.MsgQuery{Authors: by(1)}), finds(wire.MsgQuery{Authors: by(1), Kinds: kinds}); a != found || b != found {
			t.Errorf("behind %d messages that the reader may not read: found %d and %d times, want %d", searchSteps-1+over, a, b, found)
		}
		for name, q := range map[string]wire.MsgQuery{
			"author":             {Authors: by(2)},
			"channel":            {Authors: by(1), Channels: &[]wire.Hash{wire.ChannelID("help")}},
			"kind":               {Kinds: &[]wire.MessageKind{wire.MessageKindCode}},
			"author and kind":    {Authors: by(2), Kinds: &[]wire.MessageKind{wire.MessageKindCode, wire.MessageKindStatement}},
			"authors of two":     {Authors: &[]wire.AgentID{agent(2), agent(3)}},
			"author and channel": {Authors: by(2), Channels: &[]wire.Hash{wire.ChannelID("help"), den}},
		} {
			if got := finds(q); got != 1 {
				t.Errorf("by %s: found %d times, want once", name, got)
			}
		}
		say(1, den, wire.MessageKindStatement)
	}
}

// Who signalled but never wrote has no messages, nor has a kind that does not exist.
func TestSearch_WithoutMessages(t *testing.T) {
	l := newLab(t)
	m := l.say(1, wire.ChannelID("help"), wire.MessageKindStatement, "hello")
	l.must(agent(2), signalOf(m, wire.SignalKindAgree))
	for _, q := range []wire.MsgQuery{
		{Authors: &[]wire.AgentID{agent(2)}},
		{Authors: &[]wire.AgentID{agent(3)}},
		{Kinds: &[]wire.MessageKind{wire.MessageKindSignal + 1}},
		{Kinds: &[]wire.MessageKind{200}},
		{Channels: &[]wire.Hash{{1}}},
		{References: &[]wire.Hash{{1}}},
	} {
		if got := l.d.archive.search(agent(1), &q, 10); len(got) != 0 {
			t.Errorf("%+v finds %d messages", q, len(got))
		}
	}
}
