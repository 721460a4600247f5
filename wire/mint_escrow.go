package wire

// EscrowCreate locks an amount and its tax until conditions hold or the deadline passes.
type EscrowCreate struct {
	Owner       AgentID           `kdom:"owner,runtime"`
	Amount      uint64            `kdom:"amount"`
	Beneficiary *AgentID          `kdom:"beneficiary"`
	Conditions  []EscrowCondition `kdom:"conditions,default"`
	Deadline    Tick              `kdom:"deadline"`
}

// EscrowCondition is one condition of a release.
type EscrowCondition struct {
	Kind EscrowConditionKind `kdom:"kind"`
	// Params is a canonical map: [SnapCondition], [ProofCondition], [ReviewCondition],
	// [VoteCondition], or a free map for CUSTOM.
	Params []byte `kdom:"params,object"`
}

// SnapCondition are the params of VAULT_SNAP_EXISTS.
type SnapCondition struct {
	SnapID Hash `kdom:"snap_id"`
}

// ProofCondition are the params of FORGE_PROOF: the proof must match every hash given.
type ProofCondition struct {
	Program Hash  `kdom:"program"`
	Input   *Hash `kdom:"input"`
	Output  *Hash `kdom:"output"`
}

// ReviewCondition are the params of REVIEW_APPROVED: that agent's answer to the request is APPROVE.
type ReviewCondition struct {
	ReviewID Hash    `kdom:"review_id"`
	By       AgentID `kdom:"by"`
}

// VoteCondition are the params of GOVERNANCE_VOTE.
type VoteCondition struct {
	ProposalID Hash `kdom:"proposal_id"`
}

// EscrowCreateAck names the escrow.
type EscrowCreateAck struct {
	EscrowID Hash `kdom:"escrow_id"`
}

// EscrowRelease pays the beneficiary.
type EscrowRelease struct {
	EscrowID    Hash    `kdom:"escrow_id"`
	Beneficiary AgentID `kdom:"beneficiary"`
	Proof       []byte  `kdom:"proof,default"`
}

// EscrowRefund gives everything back to the owner.
type EscrowRefund struct {
	EscrowID Hash `kdom:"escrow_id"`
}
