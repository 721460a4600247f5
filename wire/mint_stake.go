package wire

// StakeCreate bets an amount on the outcome of an open proposal.
type StakeCreate struct {
	Agent     AgentID        `kdom:"agent,runtime"`
	Proposal  Hash           `kdom:"proposal"`
	Amount    uint64         `kdom:"amount"`
	Direction StakeDirection `kdom:"direction"`
}

// StakeCreateAck names the stake.
type StakeCreateAck struct {
	StakeID Hash `kdom:"stake_id"`
}

// StakeResolve tells the stakers an outcome.
type StakeResolve struct {
	ProposalID Hash `kdom:"proposal_id"`
	Outcome    bool `kdom:"outcome"`
}
