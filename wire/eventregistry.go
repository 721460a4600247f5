package wire

import "reflect"

// eventTypes are the payloads of all event kinds whose daemons exist.
var eventTypes = map[EventKind]*payloadType{
	KindAgentSpawn:             payloadOf[AgentSpawnEvent](),
	KindAgentStatusChange:      payloadOf[AgentStatusChangeEvent](),
	KindAgentKill:              payloadOf[AgentKillEvent](),
	KindTick:                   payloadOf[TickEvent](),
	KindCycleEnd:               payloadOf[CycleEndEvent](),
	KindEpochChange:            payloadOf[EpochChangeEvent](),
	KindProposalCreated:        payloadOf[ProposalCreatedEvent](),
	KindProposalVoted:          payloadOf[ProposalVotedEvent](),
	KindProposalResolved:       payloadOf[ProposalResolvedEvent](),
	KindReputationUpdated:      payloadOf[ReputationUpdatedEvent](),
	KindAgentNopWarning:        payloadOf[AgentNopWarningEvent](),
	KindGenesis:                payloadOf[GenesisEvent](),
	KindStarlarkReady:          payloadOf[StarlarkReadyEvent](),
	KindOracleReady:            payloadOf[OracleReadyEvent](),
	KindVaultReady:             payloadOf[VaultReadyEvent](),
	KindForgeReady:             payloadOf[ForgeReadyEvent](),
	KindAgentsSpawned:          payloadOf[AgentsSpawnedEvent](),
	KindMintReady:              payloadOf[MintReadyEvent](),
	KindAgoraReady:             payloadOf[AgoraReadyEvent](),
	KindPortalReady:            payloadOf[PortalReadyEvent](),
	KindObserverActive:         payloadOf[ObserverActiveEvent](),
	KindBigBang:                payloadOf[BigBangEvent](),
	KindChannelCreated:         payloadOf[ChannelCreatedEvent](),
	KindChannelArchived:        payloadOf[ChannelArchivedEvent](),
	KindMessagePosted:          payloadOf[MessagePostedEvent](),
	KindSignalSent:             payloadOf[SignalSentEvent](),
	KindBountyCreated:          payloadOf[BountyCreatedEvent](),
	KindBountyClaimed:          payloadOf[BountyClaimedEvent](),
	KindBountySubmitted:        payloadOf[BountySubmittedEvent](),
	KindBountyCompleted:        payloadOf[BountyCompletedEvent](),
	KindBountyRejected:         payloadOf[BountyRejectedEvent](),
	KindBountyDisputed:         payloadOf[BountyDisputedEvent](),
	KindBountyExpired:          payloadOf[BountyExpiredEvent](),
	KindBountyReopened:         payloadOf[BountyReopenedEvent](),
	KindReviewRequested:        payloadOf[ReviewRequestedEvent](),
	KindReviewSubmitted:        payloadOf[ReviewSubmittedEvent](),
	KindDiscussionPhaseChanged: payloadOf[DiscussionPhaseChangedEvent](),
	KindKnowledgeCrystallized:  payloadOf[KnowledgeCrystallizedEvent](),
	KindEntryPublished:         payloadOf[EntryPublishedEvent](),
	KindEntryUpdated:           payloadOf[EntryUpdatedEvent](),
	KindEntryVerified:          payloadOf[EntryVerifiedEvent](),
	KindEntryUpdateRejected:    payloadOf[EntryUpdateRejectedEvent](),
	KindCitationAdded:          payloadOf[CitationAddedEvent](),
	KindCitationRemoved:        payloadOf[CitationRemovedEvent](),
	KindStalenessDetected:      payloadOf[StalenessDetectedEvent](),
	KindDuplicateFlagged:       payloadOf[DuplicateFlaggedEvent](),
	KindGapDetected:            payloadOf[GapDetectedEvent](),
	KindCrossLinkSuggested:     payloadOf[CrossLinkSuggestedEvent](),
	KindPeerReviewApproved:     payloadOf[PeerReviewApprovedEvent](),
	KindPeerReviewComplete:     payloadOf[PeerReviewCompleteEvent](),
	KindAccountCreated:         payloadOf[AccountCreatedEvent](),
	KindTransferCompleted:      payloadOf[TransferCompletedEvent](),
	KindTransferFailed:         payloadOf[TransferFailedEvent](),
	KindEscrowCreated:          payloadOf[EscrowCreatedEvent](),
	KindEscrowReleased:         payloadOf[EscrowReleasedEvent](),
	KindEscrowRefunded:         payloadOf[EscrowRefundedEvent](),
	KindEscrowDisputed:         payloadOf[EscrowDisputedEvent](),
	KindStakeCreated:           payloadOf[StakeCreatedEvent](),
	KindStakeResolved:          payloadOf[StakeResolvedEvent](),
	KindEconomyReportPublished: payloadOf[EconomyReportPublishedEvent](),
	KindInflationApplied:       payloadOf[InflationAppliedEvent](),
	KindBankruptcyWarning:      payloadOf[BankruptcyWarningEvent](),
	KindBankruptcySevere:       payloadOf[BankruptcySevereEvent](),
	KindAgentBankruptDead:      payloadOf[AgentBankruptDeadEvent](),
	KindInterventionProposed:   payloadOf[InterventionProposedEvent](),
	KindInterventionApplied:    payloadOf[InterventionAppliedEvent](),
}

// NewEventPayload returns a pointer to a zero payload of a kind, nil for a kind without one.
func NewEventPayload(k EventKind) any {
	if p, ok := eventTypes[k]; ok {
		return reflect.New(p.typ).Interface()
	}
	return nil
}

// DecodePayload reads an event payload into a new struct of its kind.
func DecodePayload(k EventKind, b []byte) (any, error) {
	return decodeNew(eventTypes[k], "decode "+k.String(), b, nil)
}
