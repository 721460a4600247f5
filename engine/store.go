package engine

import (
	"context"

	"kingdom/agent"
	"kingdom/wire"
	"kingdom/world"
)

// Store keeps one world. The engine writes once per cycle, in one transaction; within a cycle only the journal is
// written. It reads when a run is opened, for snapshots, and for past texts that are no longer in memory. These reads
// come from several goroutines, also during a write. sql/postgres and sql/sqlite implement it; sql/sqltest is the
// test suite that both pass.
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

// Batch is everything that a cycle changed. Slices are sorted by their key, so that equal cycles write equal bytes.
// Rows of tables whose records can change have their value at the end of the cycle.
type Batch struct {
	Run   RunRow
	Cycle CycleRow

	Rows  []world.Row  // canonical world state: what the world is restored from
	Heads []world.Head // heads of all append-only tables

	Minds     []agent.Rows  // per agent that changed, ascending by id; read its rows by Batch.Memory, State and so on, as some may be spilled
	spilled   []spilledRows // of Minds: positions of the rows that were spilled
	spillFile *spillFile    // nil: no rows were spilled
	buf       []byte        // of the rows that were read from spillFile last

	// For the tables that nothing is restored from.
	Names   []string             // of agents, in spawn order, "" for those without one; may be shorter than the population
	Events  []*wire.Event        // of the cycle, in the order in which they were emitted
	Bodies  map[wire.Hash][]byte // current bodies of the Oracle's entries among Rows
	Metrics MetricsRow
	Calls   []CallRow // to models, in commit order
}

// NameOf returns the name of an agent by its spawn index, from 1; "" if it has none.
func (b *Batch) NameOf(spawnIndex uint64) string {
	if spawnIndex == 0 || spawnIndex > uint64(len(b.Names)) {
		return ""
	}
	return b.Names[spawnIndex-1]
}

// Image is a world at the end of a cycle, as a store or a snapshot has it. A run is resumed or inspected from it.
type Image struct {
	Run   RunRow
	Cycle CycleRow
	Rows  []world.Row // tables that change; ChainRows reads the others
	Heads []world.Head
	Minds []agent.Rows // every agent, ascending by id; experiences and finished plans: those that [agent.Restore] needs
}

// RunRow identifies the world in a database. A second world in the same database is refused.
type RunRow struct {
	Scenario string    // name
	Digest   wire.Hash // SHA-256 of the resolved scenario
	Seed     string
	Physics  uint32
}

// CycleRow has the hashes and counters of a cycle end (docs/DETERMINISM.md). It is the row of world.cycles, the
// cycle's record in the journal and the head of a snapshot. The kdom tag names a field in the journal and the
// snapshot, and also its column unless a column tag gives another name.
type CycleRow struct {
	Cycle      wire.Cycle   `kdom:"cycle"`
	Tick       wire.Tick    `kdom:"tick"` // last tick of the cycle
	Epoch      uint32       `kdom:"epoch"`
	WorldHash  wire.Hash    `kdom:"world_hash"`
	Components [7]wire.Hash `kdom:"components" column:"nexus,vault,agora,oracle,forge,mint,portal"`
	AgentsHash wire.Hash    `kdom:"agents_hash"`
	BusHash    wire.Hash    `kdom:"bus_hash,opt"` // of undelivered messages and events; zero in rows of early versions
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
	Thoughts   wire.Hash    `kdom:"thoughts" column:"-"`            // running hash of thoughts, to continue it; only in the journal and in snapshots
}

// MetricsRow is a row of observer.metrics: the metrics of one cycle. No hash depends on it. The column tags name its
// columns.
type MetricsRow struct {
	Cycle             wire.Cycle `column:"cycle"`
	Epoch             uint32     `column:"epoch"`
	Agents            uint32     `column:"agent_count"`
	VaultRepos        uint64     `column:"vault_repos"`
	OracleEntries     uint64     `column:"oracle_entries"`
	CirculatingSupply uint64     `column:"circulating_supply"`
	Treasury          int64      `column:"treasury"`
	Gini              float64    `column:"gini_coefficient"`
	Velocity          float64    `column:"velocity"`
	OpenBounties      uint32     `column:"open_bounties"`
	CompletedBounties uint32     `column:"completed_bounties"`
	Transactions      uint64     `column:"total_transactions"`
	Messages          uint64     `column:"messages"`
	NOPs              uint64     `column:"nops"`        // in this cycle
	AgentTicks        uint64     `column:"agent_ticks"` // in this cycle
	Calls             uint64     `column:"calls"`       // to models, in this cycle, as the rest
	FailedCalls       uint64     `column:"failed_calls"`
	PromptTokens      uint64     `column:"prompt_tokens"`
	OutputTokens      uint64     `column:"output_tokens"`
	CostMicroUSD      uint64     `column:"cost_micro_usd"`
}
