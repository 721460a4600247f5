package wire

// SpawnProposal describes a SPAWN_AGENT proposal.
type SpawnProposal struct {
	Role        Role   `kdom:"role"`
	InitialFund uint64 `kdom:"initial_fund"`
	// Genome is the canonical map of [Genome].
	Genome []byte `kdom:"genome,object"`
}

// KillProposal describes a KILL_AGENT proposal; the agent is never a system.
type KillProposal struct {
	AgentID AgentID `kdom:"agent_id"`
}

// ParamProposal describes a CHANGE_PARAM proposal; docs/WORLD.md lists the parameters.
type ParamProposal struct {
	Param string `kdom:"param"`
	Value int64  `kdom:"value"`
	// Pattern is the domain that portal.domain_rule is about: value 1 blocks it and those below it, 0
	// lifts such a block. Other parameters have none.
	Pattern string `kdom:"pattern,opt"`
}

// EpochProposal describes an EPOCH_ADVANCE proposal.
type EpochProposal struct {
	Epoch uint32 `kdom:"epoch"`
}

// DisputeProposal is the description of the CUSTOM proposal that AGORA_0 makes for a
// disputed bounty.
type DisputeProposal struct {
	BountyID Hash `kdom:"bounty_id"`
}

// InterventionProposal is the description of the CUSTOM proposal that MINT_0 makes for an
// intervention.
type InterventionProposal struct {
	Kind InterventionKind `kdom:"kind"`
}
