package wire

// AgentSpawnReq asks Nexus for a new agent. Only operators may send it; it takes effect, and is
// answered by AGENT_SPAWN_ACK, at a boundary.
type AgentSpawnReq struct {
	Role Role `kdom:"role"`
	// InitialFund is at least 50 ⚡; Parent pays it: an agent, or NEXUS_0 for the treasury.
	InitialFund uint64  `kdom:"initial_fund"`
	Parent      AgentID `kdom:"parent"`
	// Genome is the canonical map of [Genome].
	Genome []byte `kdom:"genome"`
}

// AgentSpawnAck tells the new agent and its sponsor.
type AgentSpawnAck struct {
	AgentID   AgentID     `kdom:"agent_id"`
	Status    AgentStatus `kdom:"status"`
	PublicKey []byte      `kdom:"public_key"`
}

// AgentStatusMsg is the body of AGENT_STATUS: with only AgentID set it is a query, the one
// form a mind can send; the other fields are reports of the runtime.
type AgentStatusMsg struct {
	AgentID   AgentID      `kdom:"agent_id"`
	Status    *AgentStatus `kdom:"status,runtime"`
	NopStreak *uint32      `kdom:"nop_streak,runtime"`
	Reason    *string      `kdom:"reason,runtime"`
}

// AgentStatusReply answers AGENT_STATUS.
type AgentStatusReply struct {
	AgentID    AgentID     `kdom:"agent_id"`
	Status     AgentStatus `kdom:"status"`
	Reputation float32     `kdom:"reputation"`
}

// TickAlloc gives an agent its budget for a cycle.
type TickAlloc struct {
	AgentID AgentID `kdom:"agent_id"`
	Budget  uint64  `kdom:"budget"`
	Cycle   Cycle   `kdom:"cycle"`
}

// WorldState is broadcast at each cycle end.
type WorldState struct {
	Cycle        Cycle  `kdom:"cycle"`
	WorldHash    Hash   `kdom:"world_hash"`
	Epoch        uint32 `kdom:"epoch"`
	NexusHash    Hash   `kdom:"nexus_hash"`
	VaultHash    Hash   `kdom:"vault_hash"`
	AgoraHash    Hash   `kdom:"agora_hash"`
	OracleHash   Hash   `kdom:"oracle_hash"`
	ForgeHash    Hash   `kdom:"forge_hash"`
	MintHash     Hash   `kdom:"mint_hash"`
	PortalHash   Hash   `kdom:"portal_hash"`
	ActiveAgents uint32 `kdom:"active_agents"`
	TotalTicks   uint64 `kdom:"total_ticks"`
}

// ProposalSubmit opens a vote. VoteDeadline 0 means 512 ticks from now.
type ProposalSubmit struct {
	Author AgentID      `kdom:"author,runtime"`
	Kind   ProposalKind `kdom:"kind"`
	// Description is a canonical map whose form depends on Kind: [SpawnProposal],
	// [KillProposal], [ParamProposal], [EpochProposal] or a free map.
	Description  []byte `kdom:"description,object"`
	VoteDeadline Tick   `kdom:"vote_deadline,default"`
}

// ProposalSubmitAck names the proposal.
type ProposalSubmitAck struct {
	ProposalID Hash `kdom:"proposal_id"`
}

// ProposalVote casts the sender's one vote.
type ProposalVote struct {
	ProposalID Hash    `kdom:"proposal_id"`
	Vote       bool    `kdom:"vote"`
	Weight     float32 `kdom:"weight,runtime"`
}

// ProposalResult reports a tally.
type ProposalResult struct {
	ProposalID   Hash    `kdom:"proposal_id"`
	Passed       bool    `kdom:"passed"`
	VotesFor     float32 `kdom:"votes_for"`
	VotesAgainst float32 `kdom:"votes_against"`
	TotalVoters  uint32  `kdom:"total_voters"`
	QuorumMet    bool    `kdom:"quorum_met"`
}
