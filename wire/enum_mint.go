package wire

import "kingdom/wire/codec"

// TransferKind is why money moves (docs/WORLD.md, Mint).
type TransferKind uint8

// Values of [TransferKind], in wire order.
const (
	TransferKindDirect TransferKind = iota + 1
	TransferKindBountyReward
	TransferKindBountyEscrow // reserved
	TransferKindServiceFee
	TransferKindResourceBuy
	TransferKindGrant
	TransferKindTaxRefund // reserved
	TransferKindUpkeep
)

var transferKindNames = []string{"DIRECT", "BOUNTY_REWARD", "BOUNTY_ESCROW", "SERVICE_FEE", "RESOURCE_BUY", "GRANT", "TAX_REFUND", "UPKEEP"}

func (TransferKind) EnumNames() []string { return transferKindNames }
func (v TransferKind) String() string    { return codec.EnumString(transferKindNames, v) }

// EscrowStatus is the state of an escrow.
type EscrowStatus uint8

// Values of [EscrowStatus], in wire order.
const (
	EscrowStatusLocked EscrowStatus = iota + 1
	EscrowStatusReleased
	EscrowStatusRefunded
	EscrowStatusDisputed
)

var escrowStatusNames = []string{"LOCKED", "RELEASED", "REFUNDED", "DISPUTED"}

func (EscrowStatus) EnumNames() []string { return escrowStatusNames }
func (v EscrowStatus) String() string    { return codec.EnumString(escrowStatusNames, v) }

// StakeDirection is the side a stake bets on.
type StakeDirection uint8

// Values of [StakeDirection], in wire order.
const (
	StakeDirectionFor StakeDirection = iota + 1
	StakeDirectionAgainst
)

var stakeDirectionNames = []string{"FOR", "AGAINST"}

func (StakeDirection) EnumNames() []string { return stakeDirectionNames }
func (v StakeDirection) String() string    { return codec.EnumString(stakeDirectionNames, v) }

// EscrowConditionKind is one condition under which a beneficiary may release an escrow.
type EscrowConditionKind uint8

// Values of [EscrowConditionKind], in wire order.
const (
	EscrowConditionKindVaultSnapExists EscrowConditionKind = iota + 1
	EscrowConditionKindForgeProof
	EscrowConditionKindReviewApproved
	EscrowConditionKindGovernanceVote
	EscrowConditionKindCustom
)

var escrowConditionKindNames = []string{"VAULT_SNAP_EXISTS", "FORGE_PROOF", "REVIEW_APPROVED", "GOVERNANCE_VOTE", "CUSTOM"}

func (EscrowConditionKind) EnumNames() []string { return escrowConditionKindNames }
func (v EscrowConditionKind) String() string    { return codec.EnumString(escrowConditionKindNames, v) }

// InterventionKind is one of Mint's emergency measures.
type InterventionKind uint8

// Values of [InterventionKind], in wire order.
const (
	InterventionKindProgressiveTax InterventionKind = iota + 1
	InterventionKindStimulus
	InterventionKindDebtJubilee
	InterventionKindEmergencyMint
)

var interventionKindNames = []string{"PROGRESSIVE_TAX", "STIMULUS", "DEBT_JUBILEE", "EMERGENCY_MINT"}

func (InterventionKind) EnumNames() []string { return interventionKindNames }
func (v InterventionKind) String() string    { return codec.EnumString(interventionKindNames, v) }

// Resource is what a RESOURCE_BUY transfer pays for.
type Resource uint8

// Values of [Resource], in wire order.
const (
	ResourceTicks Resource = iota + 1
	ResourceStorage
	ResourceForgeTicks
)

var resourceNames = []string{"TICKS", "STORAGE", "FORGE_TICKS"}

func (Resource) EnumNames() []string { return resourceNames }
func (v Resource) String() string    { return codec.EnumString(resourceNames, v) }
