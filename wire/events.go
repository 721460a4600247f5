package wire

import "kingdom/wire/codec"

// eventKinds is the table of all kinds, docs/WIRE.md, event kinds. A kind of a daemon that does
// not exist yet has only its name.
var eventKinds = map[EventKind]struct {
	name    string
	payload *codec.Plan
}{
	KindAgentSpawn:        {name: "agent_spawn", payload: payloadOf[AgentSpawnEvent]()},
	KindAgentStatusChange: {name: "agent_status_change", payload: payloadOf[AgentStatusChangeEvent]()},
	KindAgentKill:         {name: "agent_kill", payload: payloadOf[AgentKillEvent]()},
	KindTick:              {name: "tick", payload: payloadOf[TickEvent]()},
	KindCycleEnd:          {name: "cycle_end", payload: payloadOf[CycleEndEvent]()},
	KindEpochChange:       {name: "epoch_change", payload: payloadOf[EpochChangeEvent]()},
	KindProposalCreated:   {name: "proposal_created", payload: payloadOf[ProposalCreatedEvent]()},
	KindProposalVoted:     {name: "proposal_voted", payload: payloadOf[ProposalVotedEvent]()},
	KindProposalResolved:  {name: "proposal_resolved", payload: payloadOf[ProposalResolvedEvent]()},
	KindReputationUpdated: {name: "reputation_updated", payload: payloadOf[ReputationUpdatedEvent]()},
	KindAgentNopWarning:   {name: "agent_nop_warning", payload: payloadOf[AgentNopWarningEvent]()},

	KindGenesis:        {name: "genesis", payload: payloadOf[GenesisEvent]()},
	KindStarlarkReady:  {name: "starlark_ready", payload: payloadOf[StarlarkReadyEvent]()},
	KindOracleReady:    {name: "oracle_ready", payload: payloadOf[OracleReadyEvent]()},
	KindVaultReady:     {name: "vault_ready", payload: payloadOf[VaultReadyEvent]()},
	KindForgeReady:     {name: "forge_ready", payload: payloadOf[ForgeReadyEvent]()},
	KindAgentsSpawned:  {name: "agents_spawned", payload: payloadOf[AgentsSpawnedEvent]()},
	KindMintReady:      {name: "mint_ready", payload: payloadOf[MintReadyEvent]()},
	KindAgoraReady:     {name: "agora_ready", payload: payloadOf[AgoraReadyEvent]()},
	KindPortalReady:    {name: "portal_ready", payload: payloadOf[PortalReadyEvent]()},
	KindObserverActive: {name: "observer_active", payload: payloadOf[ObserverActiveEvent]()},
	KindBigBang:        {name: "big_bang", payload: payloadOf[BigBangEvent]()},

	KindRepoCreated:       {name: "repo_created", payload: payloadOf[RepoCreatedEvent]()},
	KindSnapCreated:       {name: "snap_created", payload: payloadOf[SnapCreatedEvent]()},
	KindChainCreated:      {name: "chain_created", payload: payloadOf[ChainCreatedEvent]()},
	KindChainAdvanced:     {name: "chain_advanced", payload: payloadOf[ChainAdvancedEvent]()},
	KindChainDeleted:      {name: "chain_deleted", payload: payloadOf[ChainDeletedEvent]()},
	KindTagCreated:        {name: "tag_created", payload: payloadOf[TagCreatedEvent]()},
	KindMergeCompleted:    {name: "merge_completed", payload: payloadOf[MergeCompletedEvent]()},
	KindRepoForked:        {name: "repo_forked", payload: payloadOf[RepoForkedEvent]()},
	KindDependencyAdded:   {name: "dependency_added", payload: payloadOf[DependencyAddedEvent]()},
	KindDependencyUpdated: {name: "dependency_updated", payload: payloadOf[DependencyUpdatedEvent]()},
	KindRegistryPublished: {name: "registry_published", payload: payloadOf[RegistryPublishedEvent]()},
	KindObjectStored:      {name: "object_stored", payload: payloadOf[ObjectStoredEvent]()},
	KindClaimCreated:      {name: "claim_created", payload: payloadOf[ClaimCreatedEvent]()},

	KindChannelCreated:         {name: "channel_created", payload: payloadOf[ChannelCreatedEvent]()},
	KindChannelArchived:        {name: "channel_archived", payload: payloadOf[ChannelArchivedEvent]()},
	KindMessagePosted:          {name: "message_posted", payload: payloadOf[MessagePostedEvent]()},
	KindSignalSent:             {name: "signal_sent", payload: payloadOf[SignalSentEvent]()},
	KindBountyCreated:          {name: "bounty_created", payload: payloadOf[BountyCreatedEvent]()},
	KindBountyClaimed:          {name: "bounty_claimed", payload: payloadOf[BountyClaimedEvent]()},
	KindBountySubmitted:        {name: "bounty_submitted", payload: payloadOf[BountySubmittedEvent]()},
	KindBountyCompleted:        {name: "bounty_completed", payload: payloadOf[BountyCompletedEvent]()},
	KindBountyRejected:         {name: "bounty_rejected", payload: payloadOf[BountyRejectedEvent]()},
	KindBountyDisputed:         {name: "bounty_disputed", payload: payloadOf[BountyDisputedEvent]()},
	KindBountyExpired:          {name: "bounty_expired", payload: payloadOf[BountyExpiredEvent]()},
	KindBountyReopened:         {name: "bounty_reopened", payload: payloadOf[BountyReopenedEvent]()},
	KindReviewRequested:        {name: "review_requested", payload: payloadOf[ReviewRequestedEvent]()},
	KindReviewSubmitted:        {name: "review_submitted", payload: payloadOf[ReviewSubmittedEvent]()},
	KindDiscussionPhaseChanged: {name: "discussion_phase_changed", payload: payloadOf[DiscussionPhaseChangedEvent]()},
	KindKnowledgeCrystallized:  {name: "knowledge_crystallized", payload: payloadOf[KnowledgeCrystallizedEvent]()},

	KindEntryPublished:      {name: "entry_published", payload: payloadOf[EntryPublishedEvent]()},
	KindEntryUpdated:        {name: "entry_updated", payload: payloadOf[EntryUpdatedEvent]()},
	KindEntryVerified:       {name: "entry_verified", payload: payloadOf[EntryVerifiedEvent]()},
	KindEntryUpdateRejected: {name: "entry_update_rejected", payload: payloadOf[EntryUpdateRejectedEvent]()},
	KindCitationAdded:       {name: "citation_added", payload: payloadOf[CitationAddedEvent]()},
	KindCitationRemoved:     {name: "citation_removed", payload: payloadOf[CitationRemovedEvent]()},
	KindStalenessDetected:   {name: "staleness_detected", payload: payloadOf[StalenessDetectedEvent]()},
	KindDuplicateFlagged:    {name: "duplicate_flagged", payload: payloadOf[DuplicateFlaggedEvent]()},
	KindGapDetected:         {name: "gap_detected", payload: payloadOf[GapDetectedEvent]()},
	KindCrossLinkSuggested:  {name: "cross_link_suggested", payload: payloadOf[CrossLinkSuggestedEvent]()},
	KindPeerReviewApproved:  {name: "peer_review_approved", payload: payloadOf[PeerReviewApprovedEvent]()},
	KindPeerReviewComplete:  {name: "peer_review_complete", payload: payloadOf[PeerReviewCompleteEvent]()},

	KindSandboxCreated:   {name: "sandbox_created", payload: payloadOf[SandboxCreatedEvent]()},
	KindSandboxStarted:   {name: "sandbox_started", payload: payloadOf[SandboxStartedEvent]()},
	KindSandboxHalted:    {name: "sandbox_halted", payload: payloadOf[SandboxHaltedEvent]()},
	KindSandboxFaulted:   {name: "sandbox_faulted", payload: payloadOf[SandboxFaultedEvent]()},
	KindSandboxKilled:    {name: "sandbox_killed", payload: payloadOf[SandboxKilledEvent]()},
	KindSandboxBlocked:   {name: "sandbox_blocked"},
	KindServiceCreated:   {name: "service_created", payload: payloadOf[ServiceCreatedEvent]()},
	KindServiceCalled:    {name: "service_called", payload: payloadOf[ServiceCalledEvent]()},
	KindServiceCompleted: {name: "service_completed", payload: payloadOf[ServiceCompletedEvent]()},
	KindProofGenerated:   {name: "proof_generated", payload: payloadOf[ProofGeneratedEvent]()},
	KindLinkCompleted:    {name: "link_completed", payload: payloadOf[LinkCompletedEvent]()},

	KindAccountCreated:         {name: "account_created", payload: payloadOf[AccountCreatedEvent]()},
	KindTransferCompleted:      {name: "transfer_completed", payload: payloadOf[TransferCompletedEvent]()},
	KindTransferFailed:         {name: "transfer_failed", payload: payloadOf[TransferFailedEvent]()},
	KindEscrowCreated:          {name: "escrow_created", payload: payloadOf[EscrowCreatedEvent]()},
	KindEscrowReleased:         {name: "escrow_released", payload: payloadOf[EscrowReleasedEvent]()},
	KindEscrowRefunded:         {name: "escrow_refunded", payload: payloadOf[EscrowRefundedEvent]()},
	KindEscrowDisputed:         {name: "escrow_disputed", payload: payloadOf[EscrowDisputedEvent]()},
	KindStakeCreated:           {name: "stake_created", payload: payloadOf[StakeCreatedEvent]()},
	KindStakeResolved:          {name: "stake_resolved", payload: payloadOf[StakeResolvedEvent]()},
	KindEconomyReportPublished: {name: "economy_report_published", payload: payloadOf[EconomyReportPublishedEvent]()},
	KindInflationApplied:       {name: "inflation_applied", payload: payloadOf[InflationAppliedEvent]()},
	KindBankruptcyWarning:      {name: "bankruptcy_warning", payload: payloadOf[BankruptcyWarningEvent]()},
	KindBankruptcySevere:       {name: "bankruptcy_severe", payload: payloadOf[BankruptcySevereEvent]()},
	KindAgentBankruptDead:      {name: "agent_bankrupt_dead", payload: payloadOf[AgentBankruptDeadEvent]()},
	KindInterventionProposed:   {name: "intervention_proposed", payload: payloadOf[InterventionProposedEvent]()},
	KindInterventionApplied:    {name: "intervention_applied", payload: payloadOf[InterventionAppliedEvent]()},
	KindOperatorGrant:          {name: "operator_grant", payload: payloadOf[OperatorGrantEvent]()},

	KindWebRequestSubmitted:   {name: "web_request_submitted", payload: payloadOf[WebRequestSubmittedEvent]()},
	KindWebRequestCompleted:   {name: "web_request_completed", payload: payloadOf[WebRequestCompletedEvent]()},
	KindWebRequestBlocked:     {name: "web_request_blocked", payload: payloadOf[WebRequestBlockedEvent]()},
	KindWebRequestFailed:      {name: "web_request_failed", payload: payloadOf[WebRequestFailedEvent]()},
	KindContentFiltered:       {name: "content_filtered", payload: payloadOf[ContentFilteredEvent]()},
	KindCacheHit:              {name: "cache_hit", payload: payloadOf[CacheHitEvent]()},
	KindCacheStored:           {name: "cache_stored", payload: payloadOf[CacheStoredEvent]()},
	KindCacheEvicted:          {name: "cache_evicted", payload: payloadOf[CacheEvictedEvent]()},
	KindDomainRuleUpdated:     {name: "domain_rule_updated", payload: payloadOf[DomainRuleUpdatedEvent]()},
	KindQuotaExhausted:        {name: "quota_exhausted", payload: payloadOf[QuotaExhaustedEvent]()},
	KindPortalReportPublished: {name: "portal_report_published", payload: payloadOf[PortalReportPublishedEvent]()},

	KindTranslationCompleted: {name: "translation_completed"},
	KindGlossaryUpdated:      {name: "glossary_updated"},
	KindBudgetWarning:        {name: "budget_warning"},
	KindLanguageDetected:     {name: "language_detected"},
}

// DecodePayload reads an event payload into a new struct of its kind.
func DecodePayload(k EventKind, b []byte) (any, error) {
	p := eventKinds[k].payload
	if p == nil {
		return nil, &codec.DecodeError{Kind: codec.DecodeKindUnknownType, Op: "decode " + k.String()}
	}
	v := p.New()
	if err := p.Decode(b, v); err != nil {
		return nil, codec.WithOp(err, "decode "+k.String())
	}
	return v, nil
}

// NewEventPayload returns a pointer to a zero payload of a kind, nil for a kind without one.
func NewEventPayload(k EventKind) any {
	if p := eventKinds[k].payload; p != nil {
		return p.New()
	}
	return nil
}

// BountyOf returns the bounty that an event is about, zero if it is about none.
func BountyOf(e *Event) Hash {
	switch p := e.Payload.(type) {
	case *BountyCreatedEvent:
		return p.BountyID
	case *BountyClaimedEvent:
		return p.BountyID
	case *BountySubmittedEvent:
		return p.BountyID
	case *BountyCompletedEvent:
		return p.BountyID
	case *BountyRejectedEvent:
		return p.BountyID
	case *BountyDisputedEvent:
		return p.BountyID
	case *BountyExpiredEvent:
		return p.BountyID
	case *BountyReopenedEvent:
		return p.BountyID
	}
	return Hash{}
}
