package realm

import "kingdom/wire"

// concern calls add for every agent that gets e whatever its filters: those it
// names, and those whose own thing it is about. add ignores ids that are no agents.
func (b *bus) concern(e *wire.Event, add func(wire.AgentID)) {
	add(e.Origin)
	switch p := e.Payload.(type) {
	case *wire.AgentSpawnEvent:
		add(p.AgentID)
		add(p.ParentID)
	case *wire.AgentStatusChangeEvent:
		add(p.AgentID)
	case *wire.AgentKillEvent:
		add(p.AgentID)
	case *wire.ReputationUpdatedEvent:
		add(p.AgentID)
	case *wire.AgentNopWarningEvent:
		add(p.AgentID)
	case *wire.AgentsSpawnedEvent:
		for _, a := range p.AgentIDs {
			add(a)
		}
	case *wire.ProposalCreatedEvent:
		add(p.Author)
	case *wire.ProposalVotedEvent:
		add(p.Voter)
	default:
		b.concernForum(e, add)
	}
}

// concernForum is concern for the events of Agora.
func (b *bus) concernForum(e *wire.Event, add func(wire.AgentID)) {
	switch p := e.Payload.(type) {
	case *wire.ChannelCreatedEvent:
		add(p.Creator)
	case *wire.MessagePostedEvent:
		add(p.Author)
	case *wire.SignalSentEvent:
		add(p.Author)
		b.writer(p.TargetID, add)
	case *wire.ReviewRequestedEvent:
		add(p.Author)
		for _, a := range p.Reviewers {
			add(a)
		}
	case *wire.ReviewSubmittedEvent:
		add(p.Reviewer)
		if q := b.realm.agora.Review(p.ReviewID); q != nil {
			add(q.Author)
			for _, a := range q.Reviewers {
				add(a)
			}
		}
	case *wire.BountyCreatedEvent:
		add(p.Creator)
		b.parties(p.BountyID, add)
	case *wire.BountyClaimedEvent:
		add(p.Claimer)
		b.parties(p.BountyID, add)
	case *wire.BountySubmittedEvent:
		add(p.Claimer)
		b.parties(p.BountyID, add)
	case *wire.BountyCompletedEvent:
		add(p.Claimer)
		b.parties(p.BountyID, add)
	case *wire.BountyRejectedEvent:
		b.parties(p.BountyID, add)
	case *wire.BountyDisputedEvent:
		b.parties(p.BountyID, add)
	case *wire.BountyExpiredEvent:
		b.parties(p.BountyID, add)
	case *wire.BountyReopenedEvent:
		b.parties(p.BountyID, add)
	default:
		b.concernLibrary(e, add)
	}
}

// concernLibrary is concern for the events of Oracle.
func (b *bus) concernLibrary(e *wire.Event, add func(wire.AgentID)) {
	switch p := e.Payload.(type) {
	case *wire.EntryPublishedEvent:
		add(p.Author)
	case *wire.EntryUpdatedEvent:
		add(p.Author)
		b.author(p.EntryID, add)
	case *wire.EntryVerifiedEvent:
		add(p.Verifier)
		b.author(p.EntryID, add)
	case *wire.EntryUpdateRejectedEvent:
		add(p.RejectedBy)
		b.author(p.EntryID, add)
	case *wire.PeerReviewApprovedEvent:
		add(p.Reviewer)
		b.author(p.EntryID, add)
	case *wire.PeerReviewCompleteEvent:
		b.author(p.EntryID, add)
	case *wire.CitationAddedEvent:
		b.author(p.Source, add)
		b.author(p.Target, add)
	case *wire.CitationRemovedEvent:
		b.author(p.Source, add)
		b.author(p.Target, add)
	case *wire.StalenessDetectedEvent:
		b.author(p.EntryID, add)
	case *wire.DuplicateFlaggedEvent:
		b.author(p.NewEntryID, add)
		b.author(p.ExistingEntryID, add)
	case *wire.CrossLinkSuggestedEvent:
		b.author(p.Source, add)
		b.author(p.Target, add)
	case *wire.GapDetectedEvent:
		b.writer(p.AgoraThreadID, add)
	default:
		b.concernLedger(e, add)
	}
}

// concernLedger is concern for the events of Mint. The top list of a report names
// nobody in this sense: everybody gets the report.
func (b *bus) concernLedger(e *wire.Event, add func(wire.AgentID)) {
	switch p := e.Payload.(type) {
	case *wire.AccountCreatedEvent:
		add(p.Owner)
	case *wire.TransferCompletedEvent:
		add(p.From)
		add(p.To)
	case *wire.TransferFailedEvent:
		add(p.From)
		add(p.To)
	case *wire.EscrowCreatedEvent:
		add(p.Owner)
		if p.Beneficiary != nil {
			add(*p.Beneficiary)
		}
	case *wire.EscrowReleasedEvent:
		add(p.Beneficiary)
		b.payer(p.EscrowID, add)
	case *wire.EscrowRefundedEvent:
		add(p.Owner)
	case *wire.EscrowDisputedEvent:
		add(p.Disputer)
		b.payer(p.EscrowID, add)
	case *wire.StakeCreatedEvent:
		add(p.Agent)
	case *wire.StakeResolvedEvent:
		add(p.Agent)
	case *wire.BankruptcyWarningEvent:
		add(p.Agent)
	case *wire.BankruptcySevereEvent:
		add(p.Agent)
	case *wire.AgentBankruptDeadEvent:
		add(p.Agent)
	}
}

// parties are the creator, claimer and listed reviewers of a bounty.
func (b *bus) parties(id wire.Hash, add func(wire.AgentID)) {
	x := b.realm.agora.Bounty(id)
	if x == nil {
		return
	}
	add(x.Creator)
	if x.Claimer != nil {
		add(*x.Claimer)
	}
	if a, ok := b.claimers[id]; ok {
		add(a)
	}
	for _, a := range x.Reviewers {
		add(a)
	}
}

func (b *bus) writer(message wire.Hash, add func(wire.AgentID)) {
	if m := b.realm.agora.Message(message); m != nil {
		add(m.Author)
	}
}

func (b *bus) author(entry wire.Hash, add func(wire.AgentID)) {
	if x, ok := b.realm.oracle.Entry(entry); ok {
		add(x.Author)
	}
}

func (b *bus) payer(escrow wire.Hash, add func(wire.AgentID)) {
	if x, ok := b.realm.mint.Escrow(escrow); ok {
		add(x.Owner)
	}
}
