package realm

import (
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/nexus"
)

// Wake asks for the waking of a DORMANT agent at cycle end.
type Wake = nexus.Wake

// BootResult is what Bootstrap made.
type BootResult struct {
	Agents []wire.AgentID // in spawn order
	End    CycleEnd       // of cycle 0
}

// Sent is one request as it travels inside the process: its sealed envelope and
// the typed payload that the envelope's body encodes (a pointer to the payload
// struct). Payload nil: nothing was sent.
type Sent struct {
	Envelope wire.Envelope
	Payload  any
}

// Seat is an agent's place in the commit of a tick.
type Seat struct {
	Agent   wire.AgentID
	Runtime []Sent // SUBSCRIBE and UNSUBSCRIBE of the agent's runtime, usually nil
	Sent    Sent   // the action, or the runtime's AGENT_STATUS after a NOP
}

// CycleEnd is the outcome of a cycle.
type CycleEnd struct {
	Cycle      wire.Cycle
	Tick       wire.Tick // the cycle's last
	Epoch      uint32
	WorldHash  wire.Hash
	Components [7]wire.Hash // nexus, vault, agora, oracle, forge, mint, portal
	Envelopes  wire.Hash    // envelope chain of the cycle
	Embryo     uint32
	Active     uint32
	Dormant    uint32
	Dead       uint32
	TotalTicks uint64 // agent ticks consumed since genesis

	Woken   []nexus.Change // status changes of this cycle end
	Slept   []nexus.Change
	Died    []nexus.Change
	Spawned []wire.AgentID // newcomers of this cycle end, in spawn order

	Report  wire.EconomicReport
	Metrics Metrics
}

// Metrics is the row of numbers that is kept per cycle (docs/STORE.md).
type Metrics struct {
	Cycle             wire.Cycle
	Epoch             uint32
	Agents            uint32 // EMBRYO, ACTIVE and DORMANT
	VaultRepos        uint64
	OracleEntries     uint64
	CirculatingSupply int64
	Treasury          int64
	Gini              float32
	Velocity          float32
	OpenBounties      uint32
	CompletedBounties uint32
	TotalTransactions uint64
}

// Bootstrap runs cycle 0: the phases of the daemons that exist, the Big Bang, and
// the cycle's end (docs/WORLD.md, bootstrap).
func (r *Realm) Bootstrap(genomes []wire.Genome) BootResult { panic("not yet") }

// SetPeers names the best-known peers of an agent (at most 24: most interactions,
// then id), for the default subscriptions that StartCycle renews.
func (r *Realm) SetPeers(a wire.AgentID, best []wire.AgentID) { panic("not yet") }

// StartCycle allocates the budgets of cycle c to its ACTIVE agents, ascending by
// id, and renews the default subscriptions.
func (r *Realm) StartCycle(c wire.Cycle) []wire.TickAlloc { panic("not yet") }

// OpenTick begins the boundary of a stepped tick.
func (r *Realm) OpenTick(t wire.Tick) { panic("not yet") }

// SetStatus carries out an operator input: ACTIVE to DORMANT (reason "operator" or
// "budget"), or any living status to DEAD. input is the input's id: tick << 32 |
// input_seq. Waking is not done here but at cycle end.
func (r *Realm) SetStatus(t wire.Tick, a wire.AgentID, s wire.AgentStatus, reason string, input uint64) *world.Refusal {
	panic("not yet")
}

// Spawn carries out an operator's request for a new agent; it starts as EMBRYO.
func (r *Realm) Spawn(t wire.Tick, g wire.Genome) (wire.AgentID, *world.Refusal) { panic("not yet") }

// Order sorts live, the agents with a slot at t, into commit order.
func (r *Realm) Order(t wire.Tick, live []wire.AgentID) { panic("not yet") }

// Commit applies the requests of tick t. seats are in commit order, one for every
// agent with a live slot; reply i answers seats[i].Sent and is zero if that is empty.
func (r *Realm) Commit(t wire.Tick, seats []Seat) []wire.Reply { panic("not yet") }

// View fills v, reusing its slices, with what agent a sees: the state before the
// tick. It drains a's queues. SlotsLeft is the engine's to fill.
func (r *Realm) View(a wire.AgentID, v *wire.View) { panic("not yet") }

// EndCycle runs the cycle end of the cycle that is open (docs/WORLD.md, cycle end).
func (r *Realm) EndCycle(wakes []Wake) CycleEnd { panic("not yet") }

// TakeEvents returns all events since the last call, in id order.
func (r *Realm) TakeEvents() []*wire.Event { panic("not yet") }

// Chain is the envelope chain of the cycle so far.
func (r *Realm) Chain() wire.Hash { panic("not yet") }

// TakeRows returns what changed since the last call, as of the last EndCycle.
func (r *Realm) TakeRows() []world.Row { panic("not yet") }

// All returns every row but those of append-only tables, for a snapshot.
func (r *Realm) All() []world.Row { panic("not yet") }

// Heads returns the heads of all append-only tables.
func (r *Realm) Heads() []world.Head { panic("not yet") }

// Needs says whether Restore wants the rows of an append-only table.
func (r *Realm) Needs(s wire.System, table string) bool { panic("not yet") }

// Restore puts a world back as it was after an EndCycle: all rows of changing
// tables in any order, the rows of the append-only tables that Needs names in
// order of their keys, and all heads. r must be new.
func (r *Realm) Restore(rows []world.Row, heads []world.Head) error { panic("not yet") }

// Agent is the roster's record of a, nil if unknown; read-only.
func (r *Realm) Agent(a wire.AgentID) *nexus.Agent { panic("not yet") }

// Agents returns all agents ever, ascending by id; read-only.
func (r *Realm) Agents() []wire.AgentID { panic("not yet") }

// Active returns the agents that are ACTIVE now, ascending by id; read-only.
func (r *Realm) Active() []wire.AgentID { panic("not yet") }

// Balance is a's balance and how much of it is locked, in ⚡.
func (r *Realm) Balance(a wire.AgentID) (balance int64, locked uint64) { panic("not yet") }

// Epoch is the current epoch.
func (r *Realm) Epoch() uint32 { panic("not yet") }

// Dropped counts the events that full queues have lost.
func (r *Realm) Dropped() uint64 { panic("not yet") }
