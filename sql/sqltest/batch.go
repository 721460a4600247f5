package sqltest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
	"kingdom/world"
)

// World is the identity of the world that batches of this package belong to.
var World = engine.RunRow{Scenario: "sqltest", Digest: hash("scenario"), Seed: "42", Physics: 1}

func hash(parts ...any) wire.Hash { return sha256.Sum256([]byte(fmt.Sprint(parts...))) }

// ID is the n-th agent of the batches, n from 0.
func ID(n int) wire.AgentID { return wire.AgentID(hash("agent", n)) }

// Batch is a cycle in which everything happened to n agents: every table gets
// rows, with nil and extreme values among them. Slices are sorted as the engine
// sorts them.
func Batch(cycle wire.Cycle, n int) *engine.Batch {
	b := &engine.Batch{Run: World, Cycle: Cycle(cycle)}
	b.Rows, b.Heads = worldRows(cycle)
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	slices.SortFunc(ids, func(x, y int) int { return ID(x).Compare(ID(y)) })
	for _, i := range ids {
		b.Agents = append(b.Agents, Agent(cycle, i))
		b.Minds = append(b.Minds, Mind(cycle, i))
	}
	plain(b)
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

func worldRows(c wire.Cycle) ([]world.Row, []world.Head) {
	number := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	two := 2 * uint64(c)
	rows := []world.Row{
		{System: wire.SystemNexus, Table: "agents", Key: []byte{1}, Body: fmt.Append(nil, "one ", c)},
		{System: wire.SystemNexus, Table: "agents", Key: []byte{1, 0}, Body: []byte("short keys first")},
		{System: wire.SystemNexus, Table: "agents", Key: []byte{0xFF}, Body: []byte{}},
		{System: wire.SystemAgora, Table: "messages", Key: number(two), Body: []byte("m"), Chain: true},
		{System: wire.SystemAgora, Table: "messages", Key: number(two + 1), Body: []byte{}, Chain: true},
		{System: wire.SystemMint, Table: "accounts", Key: []byte("name"), Body: []byte("x")},
		{System: wire.SystemMint, Table: "transactions", Key: number(uint64(c)), Body: fmt.Append(nil, "tx ", c), Chain: true},
	}
	heads := []world.Head{
		{System: wire.SystemAgora, Table: "messages", Digest: hash("messages", c), Count: two + 2},
		{System: wire.SystemMint, Table: "transactions", Digest: hash("transactions", c), Count: uint64(c) + 1},
	}
	return rows, heads
}

// Agent is the row of the n-th agent.
func Agent(c wire.Cycle, n int) engine.AgentRow {
	r := engine.AgentRow{
		ID: ID(n), PublicKey: []byte{1, byte(n)}, SpawnIndex: uint64(n) + 1, SpawnTick: 60, SpawnEpoch: 0,
		Role: wire.Role(1 + n%5), Reputation: 0.3, Status: wire.StatusActive, ParentID: wire.SystemID(wire.SystemNexus),
		Genome: []byte{0x80}, LastActiveCycle: c, InactiveCycles: 0,
	}
	if n%2 == 1 {
		since := wire.Tick(c)*256 + 7
		r.Status, r.DormantSince = wire.StatusDormant, &since
	}
	return r
}

// Mind is what the n-th agent flushes: a row or two per table.
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
		Memory: &agent.MemoryRow{AgentID: id, Working: fmt.Append(nil, "w", c), Knowledge: []byte{0x82}, PeerModel: []byte{}, UpdatedAt: at},
		State:  &agent.StateRow{AgentID: id, Body: fmt.Append(nil, "s", c), UpdatedAt: at},
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

// plain fills the tables that nothing is restored from.
func plain(b *engine.Batch) {
	c := b.Cycle.Cycle
	at := b.Cycle.Tick
	one, two := ID(0), ID(1)
	lamport := uint64(at)<<32 | 5
	b.Events = []engine.EventRow{
		{Lamport: lamport, Agent: one, Tick: at, Cycle: c, Origin: two, System: wire.SystemMint, Kind: 0x2020, Payload: []byte{0x80}},
		{Lamport: lamport, Agent: two, Tick: at, Cycle: c, Origin: one, System: wire.SystemNexus, Kind: 2, Payload: []byte{}, ParentLam: &lamport, ParentAgt: &one},
	}
	b.Messages = []engine.MessageRow{{
		ID: hash("message", c), Channel: hash("channel"), Author: one, Tick: at, Kind: wire.MessageKindQuestion, Content: []byte{0x80},
		Text: "how? \x00 \xFF", References: []wire.Hash{hash("a"), hash("b")}, Confidence: 0.9,
	}}
	b.Bounties = []engine.BountyRow{
		{ID: hash("bounty", c), Creator: one, Title: "fix it", Reward: 25, Deadline: at + 512, Difficulty: wire.DifficultyHard, Status: wire.BountyStatusOpen},
		{
			ID: hash("bounty"), Creator: one, Title: "write it", Reward: 10, Deadline: at, Difficulty: wire.DifficultyEasy,
			Claimer: &two, ClaimedAt: at - 9, Tries: uint32(c), Status: wire.BountyStatusCompleted,
		},
	}
	b.Transfers = []engine.TransferRow{{
		Number: uint64(c), ID: hash("tx", c), From: one, To: two, Amount: 10 + uint64(c), Tax: 1, Kind: wire.TransferKindBountyReward, Tick: at,
	}}
	b.Entries = []engine.EntryRow{{
		ID: hash("entry"), Kind: wire.EntryKindPattern, Title: "Tabs", Version: uint32(c) + 1, Author: two, CreatedAt: 100, UpdatedAt: at, Body: []byte("…"),
		Published: true, Accuracy: 0.5, Completeness: 1.0 / 3, Freshness: 1, Citations: 2, VerifiedBy: 1,
	}}
	b.Proposals = []engine.ProposalRow{{
		ID: hash("proposal"), Author: two, Kind: 1, Status: wire.ProposalStatus(1), Created: 9, Deadline: at + 1, For: 1.25, Against: 0.5, Voters: 3,
	}}
	b.Accounts = []engine.AccountRow{
		{Owner: one, Amount: -7, Locked: 3, Earned: 100, Spent: 107},
		{Owner: two, Amount: 1 << 40, Locked: 0, Earned: 1, Spent: 2},
	}
	b.Metrics = engine.MetricsRow{
		Cycle: c, Epoch: 1, Agents: uint32(len(b.Agents)), OracleEntries: 1, CirculatingSupply: 10000, Treasury: -5, Gini: 0.25, Velocity: 0.125,
		OpenBounties: 1, CompletedBounties: 1, Transactions: uint64(c) + 1, Messages: uint64(c) + 1, NOPs: 2, AgentTicks: 64,
	}
}
