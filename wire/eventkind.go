package wire

import (
	"fmt"

	"kingdom/det"
)

// EventKind is the code of an event. Each daemon has a range of 0x1000 codes; docs/WIRE.md (events) has the table.
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
	KindCitationRemoved     EventKind = 0x3011 // reserved, never emitted
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
	KindOperatorGrant          EventKind = 0x5060

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
	if e, ok := eventKinds[k]; ok {
		return e.name
	}
	return fmt.Sprintf("event_0x%04X", uint16(k))
}

// EventKinds lists all kinds, by code.
func EventKinds() []EventKind { return det.SortedKeys(eventKinds) }
