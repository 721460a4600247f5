package engine

import (
	"context"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// Store keeps one world. The engine writes once per cycle, in one transaction, and
// reads when a run is opened and for snapshots; within a cycle only the journal is written.
// sql/postgres and sql/sqlite satisfy it; sql/sqltest is the suite both pass.
type Store interface {
	// CommitCycle writes a whole cycle or nothing.
	CommitCycle(ctx context.Context, b *Batch) error
	// Load reads the last committed cycle; nil when the database holds no world.
	Load(ctx context.Context) (*Image, error)
	// LoadAgent reads what is stored of one agent.
	LoadAgent(ctx context.Context, id wire.AgentID) (agent.Rows, error)
	// ChainRows reads the records of an append-only table numbered below n, in order.
	ChainRows(ctx context.Context, system wire.System, table string, n uint64) ([]world.Row, error)
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
	Rows  []world.Row // tables that change, and the records of all append-only tables
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

// CycleRow is the fingerprint of a cycle end (docs/DETERMINISM.md). It is the row of
// world.cycles, the cycle's record in the journal and the head of a snapshot: the kdom tag
// names a field in the latter two and is also the name of its column, where no column tag
// says otherwise.
type CycleRow struct {
	Cycle      wire.Cycle   `kdom:"cycle"`
	Tick       wire.Tick    `kdom:"tick"` // last tick of the cycle
	Epoch      uint32       `kdom:"epoch"`
	WorldHash  wire.Hash    `kdom:"world_hash"`
	Components [7]wire.Hash `kdom:"components" column:"nexus,vault,agora,oracle,forge,mint,portal"`
	AgentsHash wire.Hash    `kdom:"agents_hash"`
	BusHash    wire.Hash    `kdom:"bus_hash,opt"` // of what waits to be delivered; zero in rows of before it was kept
	Envelopes  wire.Hash    `kdom:"envelopes"`    // envelope chain of the cycle
	Session    wire.Hash    `kdom:"session"`      // 32 zero bytes while there are no sessions
	Registry   wire.Hash    `kdom:"registry"`     // 32 zero bytes while there is no registry
	Active     uint32       `kdom:"active"`
	Dormant    uint32       `kdom:"dormant"`
	Dead       uint32       `kdom:"dead"`
	AgentTicks uint64       `kdom:"agent_ticks"`                    // slots used since the run began
	NOPs       uint64       `kdom:"nops"`                           // NOPs since the run began
	Warnings   uint64       `kdom:"warnings" column:"nop_warnings"` // NOP warnings since the run began
	Slept      uint64       `kdom:"slept" column:"fell_dormant"`    // times an agent fell DORMANT since the run began
	InputSeq   uint64       `kdom:"input_seq"`                      // outside inputs applied since the run began
	Thoughts   wire.Hash    `kdom:"thoughts" column:"-"`            // running hash of thoughts: only in the journal and in snapshots, to go on from
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
