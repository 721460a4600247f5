package wire

// AccountCreatedEvent: account_created.
type AccountCreatedEvent struct {
	Owner          AgentID `kdom:"owner"`
	InitialBalance int64   `kdom:"initial_balance"`
}

// TransferCompletedEvent: transfer_completed.
type TransferCompletedEvent struct {
	TxID   Hash         `kdom:"tx_id"`
	From   AgentID      `kdom:"from"`
	To     AgentID      `kdom:"to"`
	Amount uint64       `kdom:"amount"`
	Tax    uint64       `kdom:"tax"`
	Kind   TransferKind `kdom:"kind"`
	Reason *[]byte      `kdom:"reason"` // what Mint moved it for where the kind does not say: royalty, review, spawn
	Memo   *[]byte      `kdom:"memo"`   // the text of an agent's memo to another one; nil: none
}

// TransferFailedEvent: transfer_failed; Reason reward_cap means a forfeited reward.
type TransferFailedEvent struct {
	TxID   Hash    `kdom:"tx_id"`
	From   AgentID `kdom:"from"`
	To     AgentID `kdom:"to"`
	Amount uint64  `kdom:"amount"`
	Reason []byte  `kdom:"reason"`
}

// EscrowCreatedEvent: escrow_created. The beneficiary can take the money when all Conditions hold. Of a CUSTOM condition
// whose params are longer than MaxEventText bytes, they are left out: an empty map.
type EscrowCreatedEvent struct {
	EscrowID    Hash              `kdom:"escrow_id"`
	Owner       AgentID           `kdom:"owner"`
	Amount      uint64            `kdom:"amount"`
	Beneficiary *AgentID          `kdom:"beneficiary"`
	Conditions  []EscrowCondition `kdom:"conditions"`
	Deadline    Tick              `kdom:"deadline"`
}

// EscrowReleasedEvent: escrow_released.
type EscrowReleasedEvent struct {
	EscrowID    Hash    `kdom:"escrow_id"`
	Beneficiary AgentID `kdom:"beneficiary"`
	Amount      uint64  `kdom:"amount"`
}

// EscrowRefundedEvent: escrow_refunded.
type EscrowRefundedEvent struct {
	EscrowID Hash    `kdom:"escrow_id"`
	Owner    AgentID `kdom:"owner"`
	Amount   uint64  `kdom:"amount"`
}

// EscrowDisputedEvent: escrow_disputed.
type EscrowDisputedEvent struct {
	EscrowID Hash    `kdom:"escrow_id"`
	Disputer AgentID `kdom:"disputer"`
}

// StakeCreatedEvent: stake_created.
type StakeCreatedEvent struct {
	StakeID   Hash           `kdom:"stake_id"`
	Agent     AgentID        `kdom:"agent"`
	Proposal  Hash           `kdom:"proposal"`
	Amount    uint64         `kdom:"amount"`
	Direction StakeDirection `kdom:"direction"`
}

// StakeResolvedEvent: stake_resolved.
type StakeResolvedEvent struct {
	StakeID Hash    `kdom:"stake_id"`
	Agent   AgentID `kdom:"agent"`
	Payout  int64   `kdom:"payout"`
}

// EconomyReportPublishedEvent: economy_report_published, the fields of [EconomicReport].
type EconomyReportPublishedEvent = EconomicReport

// InflationAppliedEvent: inflation_applied.
type InflationAppliedEvent struct {
	Epoch              uint32 `kdom:"epoch"`
	AmountMinted       uint64 `kdom:"amount_minted"`
	NewTreasuryBalance int64  `kdom:"new_treasury_balance"`
}

// BankruptcyWarningEvent: bankruptcy_warning.
type BankruptcyWarningEvent struct {
	Agent   AgentID `kdom:"agent"`
	Cycle   Cycle   `kdom:"cycle"`
	Balance int64   `kdom:"balance"`
}

// BankruptcySevereEvent: bankruptcy_severe; the budget is reduced by BudgetReductionPct.
type BankruptcySevereEvent struct {
	Agent              AgentID `kdom:"agent"`
	Cycle              Cycle   `kdom:"cycle"`
	BudgetReductionPct uint32  `kdom:"budget_reduction_pct"`
}

// AgentBankruptDeadEvent: agent_bankrupt_dead.
type AgentBankruptDeadEvent struct {
	Agent            AgentID `kdom:"agent"`
	AssetsToTreasury uint64  `kdom:"assets_to_treasury"`
}

// InterventionProposedEvent: intervention_proposed.
type InterventionProposedEvent struct {
	Kind               InterventionKind `kdom:"kind"`
	Reason             []byte           `kdom:"reason"`
	RequiresGovernance bool             `kdom:"requires_governance"`
}

// InterventionAppliedEvent: intervention_applied.
type InterventionAppliedEvent struct {
	Kind   InterventionKind `kdom:"kind"`
	Amount uint64           `kdom:"amount"`
}

// OperatorGrantEvent: operator_grant. An operator moved money between the treasury and an agent.
type OperatorGrantEvent struct {
	Agent   AgentID `kdom:"agent"`
	Amount  int64   `kdom:"amount"` // ⚡ to the agent; negative: taken from it
	InputID uint64  `kdom:"input_id"`
}
