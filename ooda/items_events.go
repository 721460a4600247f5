package ooda

import (
	"slices"

	"kingdom/wire"
)

// eventItem is a group of recent events of one kind about one thing, such as the verdicts on
// an entry.
type eventItem struct {
	Kind    wire.EventKind
	Subject wire.Hash     // the entry, message, bounty, proposal, review, channel or agent; zero: none
	Mine    bool          // about this agent or something of its own
	Events  []*wire.Event // newest first; each has its payload
	n       int           // how many they are
}

// events groups the recent events: those about this agent first, then by the newest of each group.
func (x items) events() []eventItem {
	list := x.seen.recent.list
	groups := make([]eventItem, 0, 32)
	of := make([]int, len(list)) // the group of each event
	for i, e := range slices.Backward(list) {
		groups, of[i] = groupOf(groups, eventItem{Kind: e.Kind, Subject: eventSubject(e.Event), Mine: e.mine})
		groups[of[i]].n++
	}
	room := make([]*wire.Event, len(list)) // of all groups
	for i := range groups {
		g := &groups[i]
		g.Events, room = room[:0:g.n], room[g.n:]
	}
	for i, e := range slices.Backward(list) {
		g := &groups[of[i]]
		g.Events = append(g.Events, e.Event)
	}
	slices.SortStableFunc(groups, func(a, b eventItem) int {
		switch {
		case a.Mine == b.Mine:
			return 0
		case a.Mine:
			return -1
		}
		return 1
	})
	return groups
}

// ownAct reports whether an event is an act of this agent, which comes back as an event too. The origin of a payment is who gets
// it, so that it is the payer who acted. That of a lapsed claim is the claimer, who did nothing.
func (x items) ownAct(e *wire.Event) bool {
	if lapsed(e) {
		return false
	}
	switch p := e.Payload.(type) {
	case *wire.TransferCompletedEvent:
		return p.From == x.agent.ID
	case *wire.TransferFailedEvent:
		return p.From == x.agent.ID
	}
	return e.Origin == x.agent.ID
}

// lapsed reports whether an event says that its origin did not deliver a bounty in time.
func lapsed(e *wire.Event) bool {
	p, ok := e.Payload.(*wire.BountyReopenedEvent)
	return ok && (string(p.Reason) == "lease" || string(p.Reason) == "deadline")
}

// groupOf is the place of a group in a list, to which a new one is added.
func groupOf(list []eventItem, it eventItem) ([]eventItem, int) {
	for i := range list {
		if g := &list[i]; g.Kind == it.Kind && g.Mine == it.Mine && g.Subject == it.Subject {
			return list, i
		}
	}
	return append(list, it), len(list)
}

// dull are events that tell nothing to act on. A review that is asked of the agent is listed with the other work.
var dull = map[wire.EventKind]bool{
	wire.KindTick: true, wire.KindCycleEnd: true, wire.KindGenesis: true, wire.KindAgentsSpawned: true, wire.KindBigBang: true, wire.KindAccountCreated: true,
	wire.KindStarlarkReady: true, wire.KindOracleReady: true, wire.KindMintReady: true, wire.KindAgoraReady: true, wire.KindPortalReady: true,
	wire.KindReviewRequested: true,
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
	case *wire.TransferCompletedEvent:
		if p.Memo != nil {
			return p.TxID
		}
		return wire.Hash{}
	case *wire.EscrowCreatedEvent:
		if p.Beneficiary != nil { // that of a bounty is no news beside the bounty
			return p.EscrowID
		}
		return wire.Hash{}
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

// concernsMe reports whether an event is about the agent, an entry, message or proposal of its own, or
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
	if p := x.agent.Memory.Dealings.Proposal(subject); p != nil {
		return p.Author == x.agent.ID
	}
	switch p := e.Payload.(type) {
	case *wire.BountyReopenedEvent:
		return lapsed(e) && e.Origin == x.agent.ID
	case *wire.BountyCompletedEvent:
		return p.Claimer == x.agent.ID
	case *wire.TransferCompletedEvent:
		return p.To == x.agent.ID && (p.Memo != nil || p.Kind == wire.TransferKindGrant)
	case *wire.TransferFailedEvent:
		return p.To == x.agent.ID && string(p.Reason) == rewardCap
	case *wire.EscrowCreatedEvent:
		return p.Beneficiary != nil && *p.Beneficiary == x.agent.ID
	case *wire.ReviewSubmittedEvent:
		return x.agent.Memory.Dealings.OwnReview(p.ReviewID)
	default:
		return false
	}
}
