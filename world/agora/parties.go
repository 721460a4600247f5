package agora

import "kingdom/wire"

// Parties are the creator, claimer and reviewers of the bounty, the author and reviewers of the review, or the author
// of the message that e is about.
func (d *Daemon) Parties(e *wire.Event, add func(wire.AgentID)) {
	switch p := e.Payload.(type) {
	case *wire.SignalSentEvent:
		d.archive.parties(p.TargetID, add)
	case *wire.GapDetectedEvent:
		d.archive.parties(p.AgoraThreadID, add)
	case *wire.ReviewSubmittedEvent:
		if q := d.reviews.Get(p.ReviewID); q != nil {
			add(q.Author)
			for _, a := range q.Reviewers {
				add(a)
			}
		}
	case *wire.BountyCreatedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyClaimedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountySubmittedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyCompletedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyRejectedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyDisputedEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyExpiredEvent:
		d.board.parties(p.BountyID, add)
	case *wire.BountyReopenedEvent:
		d.board.parties(p.BountyID, add)
	}
}

// parties is the author of a message.
func (x *archive) parties(message wire.Hash, add func(wire.AgentID)) {
	if e := x.find(message); e != nil {
		add(x.author(e))
	}
}

// parties are the creator, the claimer and the reviewers of a bounty.
func (x *board) parties(bounty wire.Hash, add func(wire.AgentID)) {
	b := x.bounties.Get(bounty)
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

// MaySee reports whether a may see e: events of an INVITE_ONLY channel are for those who may read it.
func (d *Daemon) MaySee(e *wire.Event, a wire.AgentID) bool {
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
