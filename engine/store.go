package engine

import (
	"context"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// Store keeps one world. The engine writes once per cycle, in one transaction, and reads when
// a run is opened, for snapshots, and texts of the past that the world no longer holds, these
// from several goroutines and beside a write; within a cycle only the journal is written.
// sql/postgres and sql/sqlite satisfy it; sql/sqltest is the suite both pass.
type Store interface {
	// CommitCycle writes a whole cycle or nothing.
	CommitCycle(ctx context.Context, b *Batch) error
	// Load reads the last committed cycle; nil when the database holds no world.
	Load(ctx context.Context) (*Image, error)
	// LoadAgent reads what is stored of one agent.
	LoadAgent(ctx context.Context, id wire.AgentID) (agent.Rows, error)
	// ChainRows hands the records from ≤ number < to of an append-only table to each, in
	// order and without holding them; it ends with the first error of each.
	ChainRows(ctx context.Context, system wire.System, table string, from, to uint64, each func(world.Row) error) error
	// Cycles reads the cycle rows from..to, both inclusive.
	Cycles(ctx context.Context, from, to wire.Cycle) ([]CycleRow, error)
	// Close ends the use of the store.
	Close() error
}

// Batch is all that a cycle changed. Slices are sorted by their key, so that
// equal cycles write equal bytes; rows of tables that change carry their value
// at cycle end.
type Batch struct {
	Run   RunRow
	Cycle CycleRow

	Rows  []world.Row  // canonical world state: what the world is restored from
	Heads []world.Head // heads of all append-only tables

	Minds []agent.Rows // per agent that changed, ascending by id

	// Plain tables for queries; nothing is restored from them.
	Agents    []AgentRow
	Events    []EventRow
	Messages  []MessageRow
	Bounties  []BountyRow
	Transfers []TransferRow
	Entries   []EntryRow
	Proposals []ProposalRow
	Accounts  []AccountRow
	Metrics   MetricsRow
}

// Image is a world at a cycle end: what a run is resumed or inspected from.
type Image struct {
	Run   RunRow
	Cycle CycleRow
	Rows  []world.Row // tables that change; ChainRows reads the others
	Heads []world.Head
	Minds []agent.Rows // every agent, ascending by id; experiences: the newest 512
}

// RunRow identifies the world a database holds; a second world in the same
// database is refused.
type RunRow struct {
	Scenario string    // name
	Digest   wire.Hash // SHA-256 of the resolved scenario
	Seed     string
	Physics  uint32
}

// CycleRow is the fingerprint of a cycle end (docs/DETERMINISM.md).
type CycleRow struct {
	Cycle      wire.Cycle
	Tick       wire.Tick // last tick of the cycle
	Epoch      uint32
	WorldHash  wire.Hash
	Components [7]wire.Hash // nexus, vault, agora, oracle, forge, mint, portal
	AgentsHash wire.Hash
	Envelopes  wire.Hash // envelope chain of the cycle
	Session    wire.Hash // 32 zero bytes while there are no sessions
	Registry   wire.Hash // 32 zero bytes while there is no registry
	Active     uint32
	Dormant    uint32
	Dead       uint32
	AgentTicks uint64 // slots used since the run began
	NOPs       uint64 // NOPs since the run began
	Warnings   uint64 // NOP warnings since the run began
	Slept      uint64 // times an agent fell DORMANT since the run began
	InputSeq   uint64 // outside inputs applied since the run began
}

// AgentRow is a row of nexus.agents.
type AgentRow struct {
	ID              wire.AgentID
	PublicKey       []byte
	SpawnIndex      uint64
	SpawnTick       wire.Tick
	SpawnEpoch      uint32
	Role            wire.Role
	Reputation      float32
	Status          wire.AgentStatus
	ParentID        wire.AgentID
	Genome          []byte // canonical map
	LastActiveCycle wire.Cycle
	InactiveCycles  uint64
	DormantSince    *wire.Tick
}

// EventRow is a row of the event log.
type EventRow struct {
	Lamport   uint64
	Agent     wire.AgentID // emitting daemon
	Tick      wire.Tick
	Cycle     wire.Cycle
	Origin    wire.AgentID
	System    wire.System
	Kind      wire.EventKind
	Payload   []byte // canonical map
	ParentLam *uint64
	ParentAgt *wire.AgentID
}

// MessageRow is a row of agora.messages.
type MessageRow struct {
	ID         wire.Hash
	Channel    wire.Hash
	Author     wire.AgentID
	Tick       wire.Tick
	Kind       wire.MessageKind
	Content    []byte // canonical map
	Text       string // its text, for reading
	References []wire.Hash
	Confidence float32
}

// BountyRow is a row of agora.bounties.
type BountyRow struct {
	ID         wire.Hash
	Creator    wire.AgentID
	Title      string
	Reward     uint64
	Deadline   wire.Tick
	Difficulty wire.Difficulty
	Claimer    *wire.AgentID
	ClaimedAt  wire.Tick
	Tries      uint32
	Status     wire.BountyStatus
}

// TransferRow is a row of mint.transactions.
type TransferRow struct {
	Number uint64 // position in the append-only table, from 0
	ID     wire.Hash
	From   wire.AgentID
	To     wire.AgentID
	Amount uint64
	Tax    uint64
	Kind   wire.TransferKind
	Tick   wire.Tick
}

// EntryRow is a row of oracle.entries.
type EntryRow struct {
	ID           wire.Hash
	Kind         wire.EntryKind
	Title        string
	Version      uint32
	Author       wire.AgentID
	CreatedAt    wire.Tick
	UpdatedAt    wire.Tick
	Body         []byte
	Published    bool
	Accuracy     float64
	Completeness float64
	Freshness    float64
	Citations    uint32
	VerifiedBy   uint32
}

// ProposalRow is a row of nexus.proposals.
type ProposalRow struct {
	ID       wire.Hash
	Author   wire.AgentID
	Kind     wire.ProposalKind
	Status   wire.ProposalStatus
	Created  wire.Tick
	Deadline wire.Tick
	For      float64
	Against  float64
	Voters   uint32
}

// AccountRow is a row of mint.accounts.
type AccountRow struct {
	Owner  wire.AgentID
	Amount int64
	Locked uint64
	Earned uint64
	Spent  uint64
}

// MetricsRow is the observer's row of a cycle; no hash depends on it.
type MetricsRow struct {
	Cycle             wire.Cycle
	Epoch             uint32
	Agents            uint32
	VaultRepos        uint64
	OracleEntries     uint64
	CirculatingSupply uint64
	Treasury          int64
	Gini              float64
	Velocity          float64
	OpenBounties      uint32
	CompletedBounties uint32
	Transactions      uint64
	Messages          uint64
	NOPs              uint64 // in this cycle
	AgentTicks        uint64 // in this cycle
}
