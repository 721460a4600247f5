package ooda

import "kingdom/wire"

// eventItem is a group of recent events of one kind about one thing, such as the verdicts on
// an entry.
type eventItem struct {
	Kind    wire.EventKind
	Subject wire.Hash     // the entry, message, bounty, proposal, review, channel or agent; zero: none
	Mine    bool          // about this agent or something of its own
	Events  []*wire.Event // newest first; each has its payload
}

// events groups the newest events: those about this agent first, then by the newest of each
// group. Own acts come back as events too; they are left out.
func (x items) events() []eventItem {
	var mine, rest []eventItem
	list := x.seen.events
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if e.Origin == x.agent.ID {
			continue
		}
		subject := eventSubject(e)
		out := &rest
		about := x.concernsMe(e, subject)
		if about {
			out = &mine
		}
		if g := groupOf(*out, e.Kind, subject); g != nil {
			g.Events = append(g.Events, e)
			continue
		}
		*out = append(*out, eventItem{Kind: e.Kind, Subject: subject, Mine: about, Events: []*wire.Event{e}})
	}
	return append(mine, rest...)
}

func groupOf(list []eventItem, kind wire.EventKind, subject wire.Hash) *eventItem {
	for i := range list {
		if g := &list[i]; g.Kind == kind && g.Subject == subject {
			return g
		}
	}
	return nil
}

// eventSubject is what an event is about. New messages are grouped by their channel.
func eventSubject(e *wire.Event) wire.Hash {
	switch p := e.Payload.(type) {
	case *wire.MessagePostedEvent:
		return p.ChannelID
	case *wire.ChannelCreatedEvent:
		return p.ChannelID
	case *wire.SignalSentEvent:
		return p.TargetID
	case *wire.EntryPublishedEvent:
		return p.EntryID
	case *wire.EntryUpdatedEvent:
		return p.EntryID
	case *wire.EntryVerifiedEvent:
		return p.EntryID
	case *wire.EntryUpdateRejectedEvent:
		return p.EntryID
	case *wire.CitationAddedEvent:
		return p.Target
	case *wire.StalenessDetectedEvent:
		return p.EntryID
	case *wire.DuplicateFlaggedEvent:
		return p.NewEntryID
	case *wire.GapDetectedEvent:
		return p.AgoraThreadID
	case *wire.PeerReviewApprovedEvent:
		return p.EntryID
	case *wire.PeerReviewCompleteEvent:
		return p.EntryID
	case *wire.ReviewRequestedEvent:
		return p.ReviewID
	case *wire.ReviewSubmittedEvent:
		return p.ReviewID
	case *wire.ProposalCreatedEvent:
		return p.ProposalID
	case *wire.ProposalVotedEvent:
		return p.ProposalID
	case *wire.ProposalResolvedEvent:
		return p.ProposalID
	case *wire.ReputationUpdatedEvent:
		return wire.Hash(p.AgentID)
	case *wire.AgentStatusChangeEvent:
		return wire.Hash(p.AgentID)
	case *wire.AgentSpawnEvent:
		return wire.Hash(p.AgentID)
	case *wire.AgentKillEvent:
		return wire.Hash(p.AgentID)
	default:
		return wire.BountyOf(e)
	}
}

// concernsMe reports whether an event is about the agent, an entry or message of its own, or
// a bounty that it holds or created.
func (x items) concernsMe(e *wire.Event, subject wire.Hash) bool {
	if wire.AgentID(subject) == x.agent.ID || x.seen.claim(subject) != nil {
		return true
	}
	if n := x.notes.Entry(subject); n != nil {
		return n.Own
	}
	if n := x.notes.Message(subject); n != nil {
		return n.Author == x.agent.ID
	}
	switch p := e.Payload.(type) {
	case *wire.BountyCompletedEvent:
		return p.Claimer == x.agent.ID
	case *wire.ReviewSubmittedEvent:
		return x.agent.Memory.Dealings.OwnReview(p.ReviewID)
	default:
		return false
	}
}
