package agora

import (
	"fmt"
	"testing"

	"kingdom/wire"
)

// Each event of a bounty is about its creator, claimer and reviewers; that of a review about the author of the code and
// all whom it asked.
func TestParties_OfEachEvent(t *testing.T) {
	l, review := withReview(t, agent(5), agent(6))
	id := l.must(creator, judgedOffer())
	l.must(claimer, claimOf(id))
	for _, tc := range []struct {
		payload any
		want    string
	}{
		{&wire.BountyCreatedEvent{BountyID: id}, "124"},
		{&wire.BountyClaimedEvent{BountyID: id}, "124"},
		{&wire.BountySubmittedEvent{BountyID: id}, "124"},
		{&wire.BountyCompletedEvent{BountyID: id}, "124"},
		{&wire.BountyRejectedEvent{BountyID: id}, "124"},
		{&wire.BountyDisputedEvent{BountyID: id}, "124"},
		{&wire.BountyExpiredEvent{BountyID: id}, "124"},
		{&wire.BountyReopenedEvent{BountyID: id}, "124"},
		{&wire.ReviewSubmittedEvent{ReviewID: review}, "156"},
		{&wire.MessagePostedEvent{}, ""},
	} {
		got := ""
		l.d.Parties(&wire.Event{Payload: tc.payload}, func(a wire.AgentID) { got += fmt.Sprint(a[0]) })
		if got != tc.want {
			t.Errorf("%T: agents %q, want %q", tc.payload, got, tc.want)
		}
	}
}

// Events of a channel for invited agents are for those who may read it, all others for everybody.
func TestMaySee_EachEvent(t *testing.T) {
	l := newLab(t)
	den := l.must(creator, &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{claimer}},
	})
	p := post("", wire.MessageKindStatement, "secret")
	p.Channel = den
	secret := l.must(creator, p)
	open := wire.ChannelID("general")
	said := l.must(creator, post("general", wire.MessageKindStatement, "hello"))
	for _, tc := range []struct {
		payload func(channel, message wire.Hash) any
	}{
		{func(ch, m wire.Hash) any { return &wire.MessagePostedEvent{ChannelID: ch, MessageID: m} }},
		{func(ch, _ wire.Hash) any { return &wire.ChannelCreatedEvent{ChannelID: ch} }},
		{func(ch, _ wire.Hash) any { return &wire.ChannelArchivedEvent{ChannelID: ch} }},
		{func(ch, _ wire.Hash) any { return &wire.DiscussionPhaseChangedEvent{ChannelID: ch} }},
		{func(ch, _ wire.Hash) any { return &wire.KnowledgeCrystallizedEvent{ChannelID: ch} }},
		{func(_, m wire.Hash) any { return &wire.SignalSentEvent{TargetID: m} }},
	} {
		private, public := &wire.Event{Payload: tc.payload(den, secret)}, &wire.Event{Payload: tc.payload(open, said)}
		if !l.d.MaySee(private, creator) || !l.d.MaySee(private, claimer) || l.d.MaySee(private, other) {
			t.Errorf("%T of a channel for invited agents: creator %t, member %t, other %t", private.Payload,
				l.d.MaySee(private, creator), l.d.MaySee(private, claimer), l.d.MaySee(private, other))
		}
		if !l.d.MaySee(public, other) {
			t.Errorf("%T of an open channel is hidden", public.Payload)
		}
	}
	for _, payload := range []any{&wire.BountyCreatedEvent{}, &wire.SignalSentEvent{TargetID: wire.Hash{1}}} {
		if !l.d.MaySee(&wire.Event{Payload: payload}, other) {
			t.Errorf("%T about no message of Agora is hidden", payload)
		}
	}
}

// Nobody reads a channel that is not there.
func TestCanRead_UnknownChannel(t *testing.T) {
	l := newLab(t)
	if l.d.CanRead(wire.Hash{1}, creator) || !l.d.CanRead(wire.ChannelID("help"), creator) {
		t.Error("only channels that are there are read")
	}
}
