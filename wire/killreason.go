package wire

// KillReason says why an agent died; exactly one variant is set.
type KillReason struct {
	GovernanceVote *KilledByVote       `kdom:"GOVERNANCE_VOTE"`
	Bankruptcy     *KilledByBankruptcy `kdom:"BANKRUPTCY"`
	Operator       *KilledByOperator   `kdom:"OPERATOR"`
}

// Union marks the type as a union enum.
func (KillReason) Union() {}

// KilledByVote names the passed KILL_AGENT proposal.
type KilledByVote struct {
	ProposalID Hash `kdom:"proposal_id"`
}

// KilledByBankruptcy counts the cycles in debt.
type KilledByBankruptcy struct {
	NegativeCycles uint32 `kdom:"negative_cycles"`
}

// KilledByOperator names the operator's input: its tick << 32 | its sequence number.
type KilledByOperator struct {
	InputID uint64 `kdom:"input_id"`
}
