package wire

import "fmt"

// EventKind is the code of an event; ranges of 0x1000 belong to one daemon each, the table
// is docs/WIRE.md, event kinds.
type EventKind uint16

// Codes of all event kinds, by daemon.
const (
	KindAgentSpawn        EventKind = 0x0001
	KindAgentStatusChange EventKind = 0x0002
	KindAgentKill         EventKind = 0x0003
	KindTick              EventKind = 0x0010
	KindCycleEnd          EventKind = 0x0011
	KindEpochChange       EventKind = 0x0012
	KindProposalCreated   EventKind = 0x0020
	KindProposalVoted     EventKind = 0x0021
	KindProposalResolved  EventKind = 0x0022
	KindReputationUpdated EventKind = 0x0030
	KindAgentNopWarning   EventKind = 0x0040

	KindGenesis        EventKind = 0x0F00
	KindStarlarkReady  EventKind = 0x0F01
	KindOracleReady    EventKind = 0x0F02
	KindVaultReady     EventKind = 0x0F03
	KindForgeReady     EventKind = 0x0F04
	KindAgentsSpawned  EventKind = 0x0F05
	KindMintReady      EventKind = 0x0F06
	KindAgoraReady     EventKind = 0x0F07
	KindPortalReady    EventKind = 0x0F08
	KindObserverActive EventKind = 0x0F09
	KindBigBang        EventKind = 0x0F0A

	KindRepoCreated       EventKind = 0x1001
	KindSnapCreated       EventKind = 0x1002
	KindChainCreated      EventKind = 0x1003
	KindChainAdvanced     EventKind = 0x1004
	KindChainDeleted      EventKind = 0x1005
	KindTagCreated        EventKind = 0x1006
	KindMergeCompleted    EventKind = 0x1007
	KindRepoForked        EventKind = 0x1008
	KindDependencyAdded   EventKind = 0x1009
	KindDependencyUpdated EventKind = 0x100A
	KindRegistryPublished EventKind = 0x100B
	KindObjectStored      EventKind = 0x100C
	KindClaimCreated      EventKind = 0x100D

	KindChannelCreated         EventKind = 0x2001
	KindChannelArchived        EventKind = 0x2002
	KindMessagePosted          EventKind = 0x2010
	KindSignalSent             EventKind = 0x2011
	KindBountyCreated          EventKind = 0x2020
	KindBountyClaimed          EventKind = 0x2021
	KindBountySubmitted        EventKind = 0x2022
	KindBountyCompleted        EventKind = 0x2023
	KindBountyRejected         EventKind = 0x2024
	KindBountyDisputed         EventKind = 0x2025
	KindBountyExpired          EventKind = 0x2026
	KindBountyReopened         EventKind = 0x2027
	KindReviewRequested        EventKind = 0x2030
	KindReviewSubmitted        EventKind = 0x2031
	KindDiscussionPhaseChanged EventKind = 0x2040
	KindKnowledgeCrystallized  EventKind = 0x2041

	KindEntryPublished      EventKind = 0x3001
	KindEntryUpdated        EventKind = 0x3002
	KindEntryVerified       EventKind = 0x3003
	KindEntryUpdateRejected EventKind = 0x3004
	KindCitationAdded       EventKind = 0x3010
	KindCitationRemoved     EventKind = 0x3011
	KindStalenessDetected   EventKind = 0x3020
	KindDuplicateFlagged    EventKind = 0x3021
	KindGapDetected         EventKind = 0x3022
	KindCrossLinkSuggested  EventKind = 0x3023
	KindPeerReviewApproved  EventKind = 0x3030
	KindPeerReviewComplete  EventKind = 0x3031

	KindSandboxCreated   EventKind = 0x4000
	KindSandboxStarted   EventKind = 0x4001
	KindSandboxHalted    EventKind = 0x4002
	KindSandboxFaulted   EventKind = 0x4003
	KindSandboxKilled    EventKind = 0x4004
	KindSandboxBlocked   EventKind = 0x4005
	KindServiceCreated   EventKind = 0x4010
	KindServiceCalled    EventKind = 0x4011
	KindServiceCompleted EventKind = 0x4012
	KindProofGenerated   EventKind = 0x4020
	KindLinkCompleted    EventKind = 0x4030

	KindAccountCreated         EventKind = 0x5000
	KindTransferCompleted      EventKind = 0x5001
	KindTransferFailed         EventKind = 0x5002
	KindEscrowCreated          EventKind = 0x5010
	KindEscrowReleased         EventKind = 0x5011
	KindEscrowRefunded         EventKind = 0x5012
	KindEscrowDisputed         EventKind = 0x5013
	KindStakeCreated           EventKind = 0x5020
	KindStakeResolved          EventKind = 0x5021
	KindEconomyReportPublished EventKind = 0x5030
	KindInflationApplied       EventKind = 0x5031
	KindBankruptcyWarning      EventKind = 0x5040
	KindBankruptcySevere       EventKind = 0x5041
	KindAgentBankruptDead      EventKind = 0x5042
	KindInterventionProposed   EventKind = 0x5050
	KindInterventionApplied    EventKind = 0x5051

	KindWebRequestSubmitted   EventKind = 0x6000
	KindWebRequestCompleted   EventKind = 0x6001
	KindWebRequestBlocked     EventKind = 0x6002
	KindWebRequestFailed      EventKind = 0x6003
	KindContentFiltered       EventKind = 0x6010
	KindCacheHit              EventKind = 0x6020
	KindCacheStored           EventKind = 0x6021
	KindCacheEvicted          EventKind = 0x6022
	KindDomainRuleUpdated     EventKind = 0x6030
	KindQuotaExhausted        EventKind = 0x6040
	KindPortalReportPublished EventKind = 0x6050

	KindTranslationCompleted EventKind = 0x8000
	KindGlossaryUpdated      EventKind = 0x8001
	KindBudgetWarning        EventKind = 0x8002
	KindLanguageDetected     EventKind = 0x8003
)

// String returns the lower-snake name, or the code in hex for an unknown kind.
func (k EventKind) String() string {
	switch k {
	case KindAgentSpawn:
		return "agent_spawn"
	case KindAgentStatusChange:
		return "agent_status_change"
	case KindAgentKill:
		return "agent_kill"
	case KindTick:
		return "tick"
	case KindCycleEnd:
		return "cycle_end"
	case KindEpochChange:
		return "epoch_change"
	case KindProposalCreated:
		return "proposal_created"
	case KindProposalVoted:
		return "proposal_voted"
	case KindProposalResolved:
		return "proposal_resolved"
	case KindReputationUpdated:
		return "reputation_updated"
	case KindAgentNopWarning:
		return "agent_nop_warning"
	case KindGenesis:
		return "genesis"
	case KindStarlarkReady:
		return "starlark_ready"
	case KindOracleReady:
		return "oracle_ready"
	case KindVaultReady:
		return "vault_ready"
	case KindForgeReady:
		return "forge_ready"
	case KindAgentsSpawned:
		return "agents_spawned"
	case KindMintReady:
		return "mint_ready"
	case KindAgoraReady:
		return "agora_ready"
	case KindPortalReady:
		return "portal_ready"
	case KindObserverActive:
		return "observer_active"
	case KindBigBang:
		return "big_bang"
	case KindRepoCreated:
		return "repo_created"
	case KindSnapCreated:
		return "snap_created"
	case KindChainCreated:
		return "chain_created"
	case KindChainAdvanced:
		return "chain_advanced"
	case KindChainDeleted:
		return "chain_deleted"
	case KindTagCreated:
		return "tag_created"
	case KindMergeCompleted:
		return "merge_completed"
	case KindRepoForked:
		return "repo_forked"
	case KindDependencyAdded:
		return "dependency_added"
	case KindDependencyUpdated:
		return "dependency_updated"
	case KindRegistryPublished:
		return "registry_published"
	case KindObjectStored:
		return "object_stored"
	case KindClaimCreated:
		return "claim_created"
	case KindChannelCreated:
		return "channel_created"
	case KindChannelArchived:
		return "channel_archived"
	case KindMessagePosted:
		return "message_posted"
	case KindSignalSent:
		return "signal_sent"
	case KindBountyCreated:
		return "bounty_created"
	case KindBountyClaimed:
		return "bounty_claimed"
	case KindBountySubmitted:
		return "bounty_submitted"
	case KindBountyCompleted:
		return "bounty_completed"
	case KindBountyRejected:
		return "bounty_rejected"
	case KindBountyDisputed:
		return "bounty_disputed"
	case KindBountyExpired:
		return "bounty_expired"
	case KindBountyReopened:
		return "bounty_reopened"
	case KindReviewRequested:
		return "review_requested"
	case KindReviewSubmitted:
		return "review_submitted"
	case KindDiscussionPhaseChanged:
		return "discussion_phase_changed"
	case KindKnowledgeCrystallized:
		return "knowledge_crystallized"
	case KindEntryPublished:
		return "entry_published"
	case KindEntryUpdated:
		return "entry_updated"
	case KindEntryVerified:
		return "entry_verified"
	case KindEntryUpdateRejected:
		return "entry_update_rejected"
	case KindCitationAdded:
		return "citation_added"
	case KindCitationRemoved:
		return "citation_removed"
	case KindStalenessDetected:
		return "staleness_detected"
	case KindDuplicateFlagged:
		return "duplicate_flagged"
	case KindGapDetected:
		return "gap_detected"
	case KindCrossLinkSuggested:
		return "cross_link_suggested"
	case KindPeerReviewApproved:
		return "peer_review_approved"
	case KindPeerReviewComplete:
		return "peer_review_complete"
	case KindSandboxCreated:
		return "sandbox_created"
	case KindSandboxStarted:
		return "sandbox_started"
	case KindSandboxHalted:
		return "sandbox_halted"
	case KindSandboxFaulted:
		return "sandbox_faulted"
	case KindSandboxKilled:
		return "sandbox_killed"
	case KindSandboxBlocked:
		return "sandbox_blocked"
	case KindServiceCreated:
		return "service_created"
	case KindServiceCalled:
		return "service_called"
	case KindServiceCompleted:
		return "service_completed"
	case KindProofGenerated:
		return "proof_generated"
	case KindLinkCompleted:
		return "link_completed"
	case KindAccountCreated:
		return "account_created"
	case KindTransferCompleted:
		return "transfer_completed"
	case KindTransferFailed:
		return "transfer_failed"
	case KindEscrowCreated:
		return "escrow_created"
	case KindEscrowReleased:
		return "escrow_released"
	case KindEscrowRefunded:
		return "escrow_refunded"
	case KindEscrowDisputed:
		return "escrow_disputed"
	case KindStakeCreated:
		return "stake_created"
	case KindStakeResolved:
		return "stake_resolved"
	case KindEconomyReportPublished:
		return "economy_report_published"
	case KindInflationApplied:
		return "inflation_applied"
	case KindBankruptcyWarning:
		return "bankruptcy_warning"
	case KindBankruptcySevere:
		return "bankruptcy_severe"
	case KindAgentBankruptDead:
		return "agent_bankrupt_dead"
	case KindInterventionProposed:
		return "intervention_proposed"
	case KindInterventionApplied:
		return "intervention_applied"
	case KindWebRequestSubmitted:
		return "web_request_submitted"
	case KindWebRequestCompleted:
		return "web_request_completed"
	case KindWebRequestBlocked:
		return "web_request_blocked"
	case KindWebRequestFailed:
		return "web_request_failed"
	case KindContentFiltered:
		return "content_filtered"
	case KindCacheHit:
		return "cache_hit"
	case KindCacheStored:
		return "cache_stored"
	case KindCacheEvicted:
		return "cache_evicted"
	case KindDomainRuleUpdated:
		return "domain_rule_updated"
	case KindQuotaExhausted:
		return "quota_exhausted"
	case KindPortalReportPublished:
		return "portal_report_published"
	case KindTranslationCompleted:
		return "translation_completed"
	case KindGlossaryUpdated:
		return "glossary_updated"
	case KindBudgetWarning:
		return "budget_warning"
	case KindLanguageDetected:
		return "language_detected"
	}
	return fmt.Sprintf("event_0x%04X", uint16(k))
}
