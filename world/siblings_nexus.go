package world

import "kingdom/wire"

// Roster is the part of Nexus that knows the agents. Its slices are read-only.
type Roster interface {
	// Status is the live status; ok is false for unknown agents.
	Status(a wire.AgentID) (s wire.AgentStatus, ok bool)
	// Reputation in [0,1], as of the last cycle end; 0 for unknown agents and systems.
	Reputation(a wire.AgentID) float64
	// Kin says whether two agents are of one house: descended by sponsorship from the same
	// agent that no agent sponsored. Everybody is its own kin; unknown ids have none.
	Kin(a, b wire.AgentID) bool
	// Living returns those that are not DEAD, ascending; Active those ACTIVE now.
	Living() []wire.AgentID
	Active() []wire.AgentID
	// AwakeInCycle are, ascending, those that were ACTIVE at any time of the open cycle and are not
	// DEAD: the ACTIVE and those that fell asleep in it.
	AwakeInCycle() []wire.AgentID
	// SpawnedBefore returns those ever who came before tick t, in the order in which they came.
	SpawnedBefore(t wire.Tick) []wire.AgentID
	// ActiveCount is how many are ACTIVE now; unlike Active it may be called by many goroutines
	// at once, as views are.
	ActiveCount() uint32
}

// Keys is the part of Nexus that knows the keys of agents.
type Keys interface {
	// PublicKey is the Ed25519 key of an agent; nil for unknown ones.
	PublicKey(a wire.AgentID) []byte
}

// Votes is the part of Nexus's governance that other daemons use.
type Votes interface {
	// Propose opens a proposal of a daemon (AGORA_0: dispute, MINT_0: intervention):
	// no gate, no bond, no limit. id is the proposal's id; the parties have no vote on it.
	Propose(c *Context, id wire.Hash, author wire.AgentID, kind wire.ProposalKind, description []byte, deadline wire.Tick, parties ...wire.AgentID)
	// ProposalStatus of id; ok is false for unknown ones.
	ProposalStatus(id wire.Hash) (s wire.ProposalStatus, ok bool)
	// StakesUntil is the last tick of stakes on a proposal, the middle of its vote; 0 for
	// unknown ones.
	StakesUntil(id wire.Hash) wire.Tick
}

// Merits is the part of Nexus that records what agents did for others. Reputation is computed from it.
type Merits interface {
	// Reviewed adds a review verdict (0, 0.5, 1) on author's code, weighted by the reviewer.
	Reviewed(c *Context, author, reviewer wire.AgentID, score float64)
	// BugConfirmed costs an approver of the snap quality.
	BugConfirmed(c *Context, approver wire.AgentID)
	// AddContribution adds quarters of a contribution: 4 for a work others use, 1 for a verification given.
	AddContribution(c *Context, a wire.AgentID, quarters uint64)
}

// Milestones is the part of Nexus that records the milestones which open epochs.
type Milestones interface {
	// RecordMilestone latches an epoch trigger; once more does nothing.
	RecordMilestone(c *Context, name string)
}

// The milestones that open epochs 1, 2, 3 and 5 (docs/WORLD.md, epochs).
const (
	MilestoneSpark       = "spark"
	MilestoneFoundation  = "foundation"
	MilestoneCommerce    = "commerce"
	MilestoneSovereignty = "sovereignty"
)

// Params is the part of Nexus that knows the parameters which votes have changed.
type Params interface {
	// Param is the value that a passed CHANGE_PARAM gave name, else fallback.
	Param(name string, fallback int64) int64
}

// Epochs is the part of Nexus that knows the epoch.
type Epochs interface {
	// Epoch is the current epoch; it changes at the end of a cycle only.
	Epoch() uint32
}

// MinFund is the least money that a newcomer may be given, in ⚡ (docs/WORLD.md, governance).
const MinFund = 50
