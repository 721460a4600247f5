package sqltest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
)

// World is the identity of the world that batches of this package belong to.
var World = engine.RunRow{Scenario: "sqltest", Digest: hash("scenario"), Seed: "42", Physics: 1}

func hash(parts ...any) wire.Hash { return sha256.Sum256([]byte(fmt.Sprint(parts...))) }

// ID is the n-th agent of the batches, n from 0.
func ID(n int) wire.AgentID { return wire.AgentID(hash("agent", n)) }

// Batch is a cycle in which n agents changed everything: every table gets rows, with nil and extreme values among them.
// Slices are sorted as the engine sorts them.
func Batch(cycle wire.Cycle, n int) *engine.Batch {
	b := &engine.Batch{Run: World, Cycle: Cycle(cycle), Names: []string{"anna", "", "team-1"}}
	b.Rows, b.Heads = worldRows(cycle)
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	slices.SortFunc(ids, func(x, y int) int { return ID(x).Compare(ID(y)) })
	for _, i := range ids {
		agent := Agent(cycle, i)
		b.Rows = append(b.Rows, Record(wire.SystemNexus, "agents", agent.ID[:], agents, &agent))
		b.Minds = append(b.Minds, Mind(cycle, i))
	}
	queried(b)
	b.Metrics.Agents = uint32(n)
	slices.SortFunc(b.Rows, func(x, y world.Row) int {
		return cmp.Or(cmp.Compare(x.System, y.System), strings.Compare(x.Table, y.Table), bytes.Compare(x.Key, y.Key))
	})
	return b
}

// Cycle is a cycle row in which every field differs from every other.
func Cycle(c wire.Cycle) engine.CycleRow {
	r := engine.CycleRow{
		Cycle: c, Tick: wire.Tick(c)*256 + 255, Epoch: 1, WorldHash: hash("world", c), AgentsHash: hash("agents", c), BusHash: hash("bus", c), Envelopes: hash("env", c),
		Active: 2, Dormant: 3, Dead: 4, AgentTicks: 5 + uint64(c), NOPs: 6, Warnings: 8, Slept: 9, InputSeq: 7,
	}
	for i := range r.Components {
		r.Components[i] = hash("component", i, c)
	}
	return r
}

// Codecs of the records that have a table for queries.
var (
	agents       = codec.New[nexus.Agent]()
	proposals    = codec.New[nexus.Proposal]()
	messages     = codec.New[wire.Message]()
	bounties     = codec.New[agora.Bounty]()
	transactions = codec.New[mint.Transaction]()
	accounts     = codec.New[mint.Account]()
	entries      = codec.New[oracle.Entry]()
)

// Record is the row of a record of world state.
func Record[R any](s wire.System, table string, key []byte, codec *codec.Codec[R], r *R) world.Row {
	return world.Row{System: s, Table: table, Key: key, Body: codec.Append(nil, r)}
}

// worldRows are rows of tables that nobody queries.
func worldRows(c wire.Cycle) ([]world.Row, []world.Head) {
	number := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	two := 2 * uint64(c)
	rows := []world.Row{
		{System: wire.SystemNexus, Table: "marks", Key: []byte{1}, Body: fmt.Append(nil, "one ", c)},
		{System: wire.SystemNexus, Table: "marks", Key: []byte{1, 0}, Body: []byte("short keys first")},
		{System: wire.SystemNexus, Table: "marks", Key: []byte{0xFF}, Body: []byte{}},
		{System: wire.SystemAgora, Table: "notes", Key: number(two), Body: []byte("m"), Chain: true},
		{System: wire.SystemAgora, Table: "notes", Key: number(two + 1), Body: []byte{}, Chain: true},
		{System: wire.SystemMint, Table: "names", Key: []byte("name"), Body: []byte("x")},
		{System: wire.SystemMint, Table: "slips", Key: number(uint64(c)), Body: fmt.Append(nil, "tx ", c), Chain: true},
	}
	heads := []world.Head{
		{System: wire.SystemAgora, Table: "notes", Digest: hash("messages", c), Count: two + 2},
		{System: wire.SystemMint, Table: "slips", Digest: hash("slips", c), Count: uint64(c) + 1},
	}
	return rows, heads
}

// Agent is the record of the n-th agent.
func Agent(c wire.Cycle, n int) nexus.Agent {
	r := nexus.Agent{
		ID: ID(n), PublicKey: []byte{1, byte(n)}, SpawnIndex: uint64(n) + 1, SpawnTick: 60, SpawnEpoch: 0,
		Role: wire.Role(1 + n%5), Reputation: 0.3, Status: wire.StatusActive, Parent: wire.SystemID(wire.SystemNexus),
		Genome: wire.Genome{Role: wire.Role(1 + n%5)}, LastActiveCycle: c, InactiveCycles: 0,
	}
	if n%2 == 1 {
		since := wire.Tick(c)*256 + 7
		r.Status, r.DormantSince = wire.StatusDormant, &since
	}
	return r
}

// Mind is what the n-th agent flushes: a row or two per table. Its bodies begin as maps of MessagePack do, by which a
// store knows what is not packed.
func Mind(c wire.Cycle, n int) agent.Rows {
	id, at := ID(n), wire.Tick(c)*256+200
	row := uint64(n+1)<<32 | uint64(c)*8
	deadline := at + 100
	goals := []agent.GoalRow{
		{ID: hash("goal", n, c), AgentID: id, Layer: 1, Source: 2, Description: []byte("d"), Priority: 1.0 / 3, Status: 0, CreatedAt: at, Deadline: &deadline},
		{ID: hash("goal'", n, c), AgentID: id, Layer: 2, Source: 4, Description: []byte{}, Priority: 0, Status: 1, CreatedAt: at},
	}
	slices.SortFunc(goals, func(a, b agent.GoalRow) int { return a.ID.Compare(b.ID) })
	return agent.Rows{
		Memory:  &agent.MemoryRow{AgentID: id, Working: fmt.Append(nil, "w", c), Knowledge: []byte{0x82}, PeerModel: []byte{}, UpdatedAt: at},
		Changes: []agent.ChangesRow{{AgentID: id, Since: at, Body: fmt.Append([]byte{0x80}, "c", c), UpdatedAt: at}},
		State:   &agent.StateRow{AgentID: id, Body: fmt.Append([]byte{0x80}, "s", c), UpdatedAt: at},
		Experiences: []agent.ExperienceRow{
			{ID: row, AgentID: id, Tick: at, Action: []byte("a"), Outcome: 0, Lesson: []byte("l")},
			{ID: row + 1, AgentID: id, Tick: at, Action: []byte{}, Outcome: 3, Lesson: []byte{}},
		},
		Beliefs: []agent.BeliefRow{{ID: row + 2, AgentID: id, Claim: []byte("c"), Confidence: 0.1, Evidence: []byte{0x90}, FormedAt: at, LastTested: at}},
		Plans: []agent.PlanRow{{
			ID: row + 3, AgentID: id, GoalID: goals[0].ID, Steps: []byte{0x90}, Dependencies: []byte{0x90},
			EstimatedTicks: 4, EstimatedCost: math.MaxUint64, RiskAssessment: 0.7, Status: 1,
		}},
		Goals: goals,
	}
}

// queried adds the events and records of all tables that nothing is restored from.
func queried(b *engine.Batch) {
	c := b.Cycle.Cycle
	at := b.Cycle.Tick
	one, two := ID(0), ID(1)
	lamport := uint64(at)<<32 | 5
	b.Events = []*wire.Event{
		{
			ID: wire.EventID{Lamport: lamport, Agent: one}, Timestamp: at, Origin: two, System: wire.SystemMint, Kind: wire.KindTransferCompleted,
			Payload: &wire.TransferCompletedEvent{Kind: wire.TransferKindDirect},
		},
		{
			ID: wire.EventID{Lamport: lamport, Agent: two}, Timestamp: at, Origin: one, System: wire.SystemNexus, Kind: wire.KindTick,
			Payload: &wire.TickEvent{Tick: at}, Parent: &wire.EventID{Lamport: lamport, Agent: one},
		},
	}
	text := codec.AppendString(append([]byte{0x81}, "\xA4text"...), "how?")
	message := wire.Message{
		ID: hash("message", c), Channel: hash("channel"), Author: one, Tick: at, Kind: wire.MessageKindQuestion, Content: text,
		References: []wire.Hash{hash("a"), hash("b")}, Confidence: 0.9,
	}
	open := agora.Bounty{
		ID: hash("bounty", c), Creator: one, Title: []byte("fix \x00 it \xFF"), Reward: 25, Deadline: at + 512,
		Difficulty: wire.DifficultyHard, Status: wire.BountyStatusOpen,
	}
	done := agora.Bounty{
		ID: hash("bounty"), Creator: one, Title: []byte("write it"), Reward: 10, Deadline: at, Difficulty: wire.DifficultyEasy,
		Claimer: &two, ClaimedAt: at - 9, Tries: uint32(c), Status: wire.BountyStatusCompleted,
	}
	transfer := mint.Transaction{
		ID: hash("tx", c), From: one, To: two, Amount: 10 + uint64(c), Tax: 1, Kind: wire.TransferKindBountyReward, Tick: at, Reason: []byte("stake"),
	}
	entry := oracle.Entry{Place: 1, Head: wire.OracleEntry{
		ID: hash("entry"), Kind: wire.EntryKindPattern, Title: []byte("Tabs"), Version: uint32(c) + 1, Author: two, CreatedAt: 100, UpdatedAt: at,
		Accuracy: 0.5, Completeness: 1.0 / 3, Freshness: 1, Citations: 2, VerifiedBy: []wire.AgentID{one},
	}}
	proposal := nexus.Proposal{
		ID: hash("proposal"), Author: two, Kind: 1, Status: wire.ProposalStatus(1), CreatedAt: 9, VoteDeadline: at + 1,
		For: 5 << 18, Against: 1 << 19, Voters: 3,
	}
	poor := mint.Account{Owner: one, Balance: -7, Locked: 3, TotalEarned: 100, TotalSpent: 107}
	rich := mint.Account{Owner: two, Balance: 1 << 40, Locked: 0, TotalEarned: 1, TotalSpent: 2}

	number := binary.BigEndian.AppendUint64(nil, uint64(c))
	chained := func(r world.Row) world.Row { r.Chain = true; return r }
	b.Bodies = map[wire.Hash][]byte{entry.Head.ID: []byte("…")}
	b.Rows = append(b.Rows,
		Record(wire.SystemNexus, "proposals", proposal.ID[:], proposals, &proposal),
		chained(Record(wire.SystemAgora, "messages", number, messages, &message)),
		Record(wire.SystemAgora, "bounties", open.ID[:], bounties, &open),
		Record(wire.SystemAgora, "bounties", done.ID[:], bounties, &done),
		chained(Record(wire.SystemMint, "transactions", number, transactions, &transfer)),
		Record(wire.SystemMint, "accounts", one[:], accounts, &poor),
		Record(wire.SystemMint, "accounts", two[:], accounts, &rich),
		Record(wire.SystemOracle, "entries", entry.Head.ID[:], entries, &entry),
	)
	b.Metrics = engine.MetricsRow{
		Cycle: c, Epoch: 1, OracleEntries: 1, CirculatingSupply: 10000, Treasury: -5, Gini: 0.25, Velocity: 0.125,
		OpenBounties: 1, CompletedBounties: 1, Transactions: uint64(c) + 1, Messages: uint64(c) + 1, NOPs: 2, AgentTicks: 64, Calls: 2, FailedCalls: 1, PromptTokens: 20, OutputTokens: 8, CostMicroUSD: 9 + uint64(c),
	}
	b.Calls = []engine.CallRow{
		{Agent: two, Tick: at, Purpose: llm.PurposeAct, Cycle: c, Tier: llm.Tier1, Call: llm.Call{Model: "m", Failure: "overloaded"}},
		{Agent: two, Tick: at, Purpose: llm.PurposeAct, Try: 1, Number: 2, Cycle: c, Tier: llm.Tier3, Call: llm.Call{Model: "m", Spent: llm.Spent{
			LatencyMS: 7, PromptTokens: 20, CachedTokens: 5, OutputTokens: 8, ReasoningTokens: 3, CostMicroUSD: 9 + uint64(c), Estimated: true,
		}}},
	}
}
