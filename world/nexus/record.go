package nexus

import "kingdom/wire"

// Clock is the one record of nexus.clock.
type Clock struct {
	Tick      wire.Tick  `kdom:"tick"`
	Cycle     wire.Cycle `kdom:"cycle"`
	Epoch     uint32     `kdom:"epoch"`
	Changed   wire.Cycle `kdom:"epoch_cycle"` // cycle of the last epoch change
	NextSpawn uint64     `kdom:"next_spawn"`
	Ticks     uint64     `kdom:"total_ticks"` // agent ticks consumed since genesis
}

// Agent is the roster's record of one agent.
type Agent struct {
	ID              wire.AgentID     `kdom:"id"`
	PublicKey       []byte           `kdom:"public_key"`
	SpawnIndex      uint64           `kdom:"spawn_index"`
	SpawnTick       wire.Tick        `kdom:"spawn_tick"`
	SpawnEpoch      uint32           `kdom:"spawn_epoch"`
	Role            wire.Role        `kdom:"role"`
	Reputation      float32          `kdom:"reputation"` // k/2^20 in [0,1], exact
	Status          wire.AgentStatus `kdom:"status"`
	Parent          wire.AgentID     `kdom:"parent_id"`
	House           wire.AgentID     `kdom:"house"` // first of its line that no agent sponsored
	Genome          wire.Genome      `kdom:"genome"`
	LastActiveCycle wire.Cycle       `kdom:"last_active_cycle"`
	InactiveCycles  uint32           `kdom:"inactive_cycles"`
	DormantSince    *wire.Tick       `kdom:"dormant_since"`
	NewcomerCycle   *wire.Cycle      `kdom:"newcomer_cycle"` // when an agent that it sponsored was last born
	Merit           Merit            `kdom:"merit"`
	HeldUntil       *wire.Cycle      `kdom:"held_until,opt"` // of a sleeper that an operator keeps asleep: the cycle in which it is awake again
}

// Merit has the running sums from which reputation is computed, so that a cycle end costs the same however long an
// agent has lived. Scores are in units of 2^-20.
type Merit struct {
	ReviewScore  int64  `kdom:"review_score"`  // Σ score × weight over reviews of own code
	ReviewWeight int64  `kdom:"review_weight"` // Σ weight
	Bugs         uint64 `kdom:"bugs"`          // confirmed bugs in snaps this agent approved
	Quarters     uint64 `kdom:"quarters"`      // contribution value in quarters
	Votes        uint64 `kdom:"votes"`         // votes that counted at a tally with a quorum
	Ballots      uint64 `kdom:"ballots"`       // proposals tallied with a quorum while ACTIVE
}

// nextNewcomer is the first cycle in which the agent may ask for a newcomer.
func (a *Agent) nextNewcomer() wire.Cycle {
	if a.NewcomerCycle == nil {
		return 0
	}
	return *a.NewcomerCycle + cooldown
}

// Proposal is one governance proposal. Vote sums are integers in units of 2^-20. While it is open they contain all
// votes, afterwards those that counted.
type Proposal struct {
	ID           wire.Hash           `kdom:"id"`
	Author       wire.AgentID        `kdom:"author"`
	Kind         wire.ProposalKind   `kdom:"kind"`
	Description  []byte              `kdom:"description"`
	CreatedAt    wire.Tick           `kdom:"created_at"`
	VoteDeadline wire.Tick           `kdom:"vote_deadline"`
	Status       wire.ProposalStatus `kdom:"status"`
	For          int64               `kdom:"votes_for"`
	Against      int64               `kdom:"votes_against"`
	Voters       uint32              `kdom:"total_voters"`
	Bond         uint64              `kdom:"bond"`    // ⚡ locked of the author until the tally
	Fund         uint64              `kdom:"fund"`    // ⚡ locked of a sponsor for its newcomer
	Parties      []wire.AgentID      `kdom:"parties"` // who is judged and has no vote
	Created      wire.EventID        `kdom:"created"` // its proposal_created
}

// Vote is one cast vote, in commit order.
type Vote struct {
	Proposal wire.Hash    `kdom:"proposal_id"`
	Voter    wire.AgentID `kdom:"voter"`
	Vote     bool         `kdom:"vote"`
	Weight   float32      `kdom:"weight"`
	Tick     wire.Tick    `kdom:"tick"`
}

// Milestone is a milestone that was reached; it opens an epoch.
type Milestone struct {
	Name string    `kdom:"name"`
	Tick wire.Tick `kdom:"tick"`
}

// Budget is an agent's last allocation.
type Budget struct {
	Agent wire.AgentID `kdom:"agent"`
	Ticks uint64       `kdom:"ticks"`
	Extra uint64       `kdom:"extra"` // bought ticks in it
}

// Param is a value set by a passed CHANGE_PARAM.
type Param struct {
	Name    string     `kdom:"name"`
	Value   int64      `kdom:"value"`
	Changed wire.Cycle `kdom:"changed"`
}

// Subscription is an explicit event filter of an agent.
type Subscription struct {
	Agent   wire.AgentID     `kdom:"agent"`
	ID      uint64           `kdom:"subscriber_id"`
	Systems []wire.System    `kdom:"systems"`
	Kinds   []wire.EventKind `kdom:"kinds"`
	Origins []wire.AgentID   `kdom:"origins"`
}
