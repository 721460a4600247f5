package wire

// AgentSpawnEvent: agent_spawn. Grant is 0 when none was due or none could be funded.
type AgentSpawnEvent struct {
	AgentID   AgentID `kdom:"agent_id"`
	Role      Role    `kdom:"role"`
	ParentID  AgentID `kdom:"parent_id"`
	SpawnTick Tick    `kdom:"spawn_tick"`
	Grant     uint64  `kdom:"grant"`
}

// AgentStatusChangeEvent: agent_status_change. Reason is one of warmup, nop_limit, poverty, blocked,
// no_demand, inactive, operator, budget, governance, bankruptcy; of a wake its cause: operator, goal, mention,
// timer, message.
type AgentStatusChangeEvent struct {
	AgentID   AgentID     `kdom:"agent_id"`
	OldStatus AgentStatus `kdom:"old_status"`
	NewStatus AgentStatus `kdom:"new_status"`
	Tick      Tick        `kdom:"tick"`
	Reason    string      `kdom:"reason"`
}

// AgentKillEvent: agent_kill.
type AgentKillEvent struct {
	AgentID AgentID    `kdom:"agent_id"`
	Reason  KillReason `kdom:"reason"`
	Tick    Tick       `kdom:"tick"`
}

// TickEvent: tick, once for every stepped tick.
type TickEvent struct {
	Tick  Tick  `kdom:"tick"`
	Cycle Cycle `kdom:"cycle"`
}

// CycleEndEvent: cycle_end.
type CycleEndEvent struct {
	Cycle        Cycle  `kdom:"cycle"`
	Epoch        uint32 `kdom:"epoch"`
	WorldHash    Hash   `kdom:"world_hash"`
	ActiveAgents uint32 `kdom:"active_agents"`
	TotalTicks   uint64 `kdom:"total_ticks"`
}

// EpochChangeEvent: epoch_change.
type EpochChangeEvent struct {
	OldEpoch uint32 `kdom:"old_epoch"`
	NewEpoch uint32 `kdom:"new_epoch"`
	Trigger  []byte `kdom:"trigger"`
	Unlocks  []byte `kdom:"unlocks"`
	Tick     Tick   `kdom:"tick"`
}

// ProposalCreatedEvent: proposal_created.
type ProposalCreatedEvent struct {
	ProposalID   Hash         `kdom:"proposal_id"`
	Author       AgentID      `kdom:"author"`
	Kind         ProposalKind `kdom:"kind"`
	VoteDeadline Tick         `kdom:"vote_deadline"`
}

// ProposalVotedEvent: proposal_voted.
type ProposalVotedEvent struct {
	ProposalID Hash    `kdom:"proposal_id"`
	Voter      AgentID `kdom:"voter"`
	Vote       bool    `kdom:"vote"`
	Weight     float32 `kdom:"weight"`
}

// ProposalResolvedEvent: proposal_resolved, the same fields as [ProposalResult].
type ProposalResolvedEvent = ProposalResult

// ReputationUpdatedEvent: reputation_updated, only on a change.
type ReputationUpdatedEvent struct {
	AgentID       AgentID `kdom:"agent_id"`
	OldReputation float32 `kdom:"old_reputation"`
	NewReputation float32 `kdom:"new_reputation"`
}

// AgentNopWarningEvent: agent_nop_warning.
type AgentNopWarningEvent struct {
	AgentID AgentID `kdom:"agent_id"`
	Streak  uint32  `kdom:"streak"`
	Tick    Tick    `kdom:"tick"`
}
