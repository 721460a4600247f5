package agora

import "kingdom/wire"

// Parties are the creator, claimer and reviewers of the bounty, the author and reviewers of
// the review, the author of the message that e is about.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	switch p := e.Payload.(type) {
	case *wire.SignalSentEvent:
		d.author(p.TargetID, add)
	case *wire.GapDetectedEvent:
		d.author(p.AgoraThreadID, add)
	case *wire.ReviewSubmittedEvent:
		if q := d.reviews.Get(p.ReviewID); q != nil {
			add(q.Author)
			for _, a := range q.Reviewers {
				add(a)
			}
		}
	case *wire.BountyCreatedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyClaimedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountySubmittedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyCompletedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyRejectedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyDisputedEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyExpiredEvent:
		d.involved(p.BountyID, add)
	case *wire.BountyReopenedEvent:
		d.involved(p.BountyID, add)
	}
}

func (d *Daemon) author(message wire.Hash, add func(wire.AgentID)) {
	if m := d.Message(message); m != nil {
		add(m.Author)
	}
}

func (d *Daemon) involved(bounty wire.Hash, add func(wire.AgentID)) {
	b := d.board.bounties.Get(bounty)
	if b == nil {
		return
	}
	add(b.Creator)
	if b.Claimer != nil {
		add(*b.Claimer)
	}
	for _, a := range b.Reviewers {
		add(a)
	}
}

// Admits: what happens in an INVITE_ONLY channel is for those who may read it.
func (d *Daemon) Admits(e *wire.Event, a wire.AgentID) bool {
	var channel wire.Hash
	switch p := e.Payload.(type) {
	case *wire.MessagePostedEvent:
		channel = p.ChannelID
	case *wire.ChannelCreatedEvent:
		channel = p.ChannelID
	case *wire.ChannelArchivedEvent:
		channel = p.ChannelID
	case *wire.DiscussionPhaseChangedEvent:
		channel = p.ChannelID
	case *wire.KnowledgeCrystallizedEvent:
		channel = p.ChannelID
	case *wire.SignalSentEvent:
		m := d.Message(p.TargetID)
		if m == nil {
			return true
		}
		channel = m.Channel
	default:
		return true
	}
	return d.CanRead(channel, a)
}
