package table

import (
	"encoding/binary"
	"fmt"

	"kingdom/engine"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world/agora"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
)

// source is what a row for queries is made of: a record of world state that changed, its
// key, and the batch it came with.
type source[T any] struct {
	rec   T
	key   []byte
	batch *engine.Batch
}

// query makes a table that repeats, for queries, the records of a daemon's table in columns.
// A new column is a line here and a migration. Nothing is restored from such a table;
// records that were deleted keep their last row.
func query[T any](schema, name string, system wire.System, of string, cols ...column[source[T]]) *Table {
	codec := codec.New[T]()
	return define(schema, name, 1, func(b *engine.Batch) []source[T] {
		var out []source[T]
		for i := range b.Rows {
			r := &b.Rows[i]
			if r.System != system || r.Table != of || r.Body == nil {
				continue
			}
			s := source[T]{key: r.Key, batch: b}
			if err := codec.Decode(r.Body, &s.rec); err != nil {
				panic(fmt.Sprintf("table: %v record %s %x, which its daemon has just written: %v", system, of, r.Key, err))
			}
			out = append(out, s)
		}
		return out
	}, cols...)
}

// unit turns a sum of 2^-20 units into a number; exact.
func unit(n int64) float64 { return float64(n) / (1 << 20) }

// Agents is nexus.agents: all agents ever.
var Agents = query("nexus", "agents", wire.SystemNexus, "agents",
	id32("id", func(r *source[nexus.Agent]) *wire.AgentID { return &r.rec.ID }),
	blob("public_key", func(r *source[nexus.Agent]) []byte { return r.rec.PublicKey }),
	num("spawn_index", func(r *source[nexus.Agent]) uint64 { return r.rec.SpawnIndex }),
	num("spawn_tick", func(r *source[nexus.Agent]) wire.Tick { return r.rec.SpawnTick }),
	num("spawn_epoch", func(r *source[nexus.Agent]) uint32 { return r.rec.SpawnEpoch }),
	ordinal("role", func(r *source[nexus.Agent]) wire.Role { return r.rec.Role }),
	single("reputation", func(r *source[nexus.Agent]) float32 { return r.rec.Reputation }),
	ordinal("status", func(r *source[nexus.Agent]) wire.AgentStatus { return r.rec.Status }),
	id32("parent_id", func(r *source[nexus.Agent]) *wire.AgentID { return &r.rec.Parent }),
	blob("genome", func(r *source[nexus.Agent]) []byte { return wire.GenomeCodec.Append(nil, &r.rec.Genome) }),
	num("last_active_cycle", func(r *source[nexus.Agent]) wire.Cycle { return r.rec.LastActiveCycle }),
	num("inactive_cycles", func(r *source[nexus.Agent]) uint32 { return r.rec.InactiveCycles }),
	optNum("dormant_since", func(r *source[nexus.Agent]) *wire.Tick { return r.rec.DormantSince }),
	text("name", func(r *source[nexus.Agent]) string { return r.batch.NameOf(r.rec.SpawnIndex) }),
)

// Proposals is nexus.proposals: governance.
var Proposals = query("nexus", "proposals", wire.SystemNexus, "proposals",
	id32("id", func(r *source[nexus.Proposal]) *wire.Hash { return &r.rec.ID }),
	id32("author", func(r *source[nexus.Proposal]) *wire.AgentID { return &r.rec.Author }),
	ordinal("kind", func(r *source[nexus.Proposal]) wire.ProposalKind { return r.rec.Kind }),
	ordinal("status", func(r *source[nexus.Proposal]) wire.ProposalStatus { return r.rec.Status }),
	num("created", func(r *source[nexus.Proposal]) wire.Tick { return r.rec.CreatedAt }),
	num("deadline", func(r *source[nexus.Proposal]) wire.Tick { return r.rec.VoteDeadline }),
	double("votes_for", func(r *source[nexus.Proposal]) float64 { return unit(r.rec.For) }),
	double("votes_against", func(r *source[nexus.Proposal]) float64 { return unit(r.rec.Against) }),
	num("voters", func(r *source[nexus.Proposal]) uint32 { return r.rec.Voters }),
)

// Messages is agora.messages: all messages.
var Messages = query("agora", "messages", wire.SystemAgora, "messages",
	id32("id", func(r *source[wire.Message]) *wire.Hash { return &r.rec.ID }),
	id32("channel", func(r *source[wire.Message]) *wire.Hash { return &r.rec.Channel }),
	id32("author", func(r *source[wire.Message]) *wire.AgentID { return &r.rec.Author }),
	num("tick", func(r *source[wire.Message]) wire.Tick { return r.rec.Tick }),
	ordinal("kind", func(r *source[wire.Message]) wire.MessageKind { return r.rec.Kind }),
	blob("content", func(r *source[wire.Message]) []byte { return r.rec.Content }),
	text("text", func(r *source[wire.Message]) string { return wire.TextOf(r.rec.Content) }),
	blob("refs", func(r *source[wire.Message]) []byte { return hashes(r.rec.References) }),
	single("confidence", func(r *source[wire.Message]) float32 { return r.rec.Confidence }),
)

// Bounties is agora.bounties: all bounties.
var Bounties = query("agora", "bounties", wire.SystemAgora, "bounties",
	id32("id", func(r *source[agora.Bounty]) *wire.Hash { return &r.rec.ID }),
	id32("creator", func(r *source[agora.Bounty]) *wire.AgentID { return &r.rec.Creator }),
	text("title", func(r *source[agora.Bounty]) string { return string(r.rec.Title) }),
	num("reward", func(r *source[agora.Bounty]) uint64 { return r.rec.Reward }),
	num("deadline", func(r *source[agora.Bounty]) wire.Tick { return r.rec.Deadline }),
	ordinal("difficulty", func(r *source[agora.Bounty]) wire.Difficulty { return r.rec.Difficulty }),
	optID("claimer", func(r *source[agora.Bounty]) *wire.AgentID { return r.rec.Claimer }),
	num("claimed_at", func(r *source[agora.Bounty]) wire.Tick { return r.rec.ClaimedAt }),
	num("tries", func(r *source[agora.Bounty]) uint32 { return r.rec.Tries }),
	ordinal("status", func(r *source[agora.Bounty]) wire.BountyStatus { return r.rec.Status }),
)

// Transactions is mint.transactions: every payment.
var Transactions = query("mint", "transactions", wire.SystemMint, "transactions",
	num("number", func(r *source[mint.Transaction]) uint64 { return binary.BigEndian.Uint64(r.key) }),
	id32("id", func(r *source[mint.Transaction]) *wire.Hash { return &r.rec.ID }),
	id32("from_id", func(r *source[mint.Transaction]) *wire.AgentID { return &r.rec.From }),
	id32("to_id", func(r *source[mint.Transaction]) *wire.AgentID { return &r.rec.To }),
	num("amount", func(r *source[mint.Transaction]) uint64 { return r.rec.Amount }),
	num("tax", func(r *source[mint.Transaction]) uint64 { return r.rec.Tax }),
	ordinal("kind", func(r *source[mint.Transaction]) wire.TransferKind { return r.rec.Kind }),
	num("tick", func(r *source[mint.Transaction]) wire.Tick { return r.rec.Tick }),
	text("reason", func(r *source[mint.Transaction]) string { return string(r.rec.Reason) }),
).appended()

// Accounts is mint.accounts: money by owner.
var Accounts = query("mint", "accounts", wire.SystemMint, "accounts",
	id32("owner", func(r *source[mint.Account]) *wire.AgentID { return &r.rec.Owner }),
	num("amount", func(r *source[mint.Account]) int64 { return r.rec.Balance }),
	num("locked", func(r *source[mint.Account]) uint64 { return r.rec.Locked }),
	num("earned", func(r *source[mint.Account]) uint64 { return r.rec.TotalEarned }),
	num("spent", func(r *source[mint.Account]) uint64 { return r.rec.TotalSpent }),
)

// Entries is oracle.entries: shared knowledge.
var Entries = query("oracle", "entries", wire.SystemOracle, "entries",
	id32("id", func(r *source[oracle.Entry]) *wire.Hash { return &r.rec.Head.ID }),
	ordinal("kind", func(r *source[oracle.Entry]) wire.EntryKind { return r.rec.Head.Kind }),
	text("title", func(r *source[oracle.Entry]) string { return string(r.rec.Head.Title) }),
	num("version", func(r *source[oracle.Entry]) uint32 { return r.rec.Head.Version }),
	id32("author", func(r *source[oracle.Entry]) *wire.AgentID { return &r.rec.Head.Author }),
	num("created_at", func(r *source[oracle.Entry]) wire.Tick { return r.rec.Head.CreatedAt }),
	num("updated_at", func(r *source[oracle.Entry]) wire.Tick { return r.rec.Head.UpdatedAt }),
	blob("body", func(r *source[oracle.Entry]) []byte { return r.batch.Bodies[r.rec.Head.ID] }),
	flag("published", func(r *source[oracle.Entry]) bool { return r.rec.Place > 0 }),
	double("accuracy", func(r *source[oracle.Entry]) float64 { return float64(r.rec.Head.Accuracy) }),
	double("completeness", func(r *source[oracle.Entry]) float64 { return float64(r.rec.Head.Completeness) }),
	double("freshness", func(r *source[oracle.Entry]) float64 { return float64(r.rec.Head.Freshness) }),
	num("citations", func(r *source[oracle.Entry]) uint32 { return r.rec.Head.Citations }),
	num("verified_by", func(r *source[oracle.Entry]) int64 { return int64(len(r.rec.Head.VerifiedBy)) }),
)

// Events is observer.events: the event log.
var Events = define("observer", "events", 2,
	func(b *engine.Batch) []source[*wire.Event] {
		out := make([]source[*wire.Event], len(b.Events))
		for i, ev := range b.Events {
			out[i] = source[*wire.Event]{rec: ev, batch: b}
		}
		return out
	},
	num("lamport", func(r *source[*wire.Event]) uint64 { return r.rec.ID.Lamport }),
	id32("agent", func(r *source[*wire.Event]) *wire.AgentID { return &r.rec.ID.Agent }),
	num("tick", func(r *source[*wire.Event]) wire.Tick { return r.rec.Timestamp }),
	num("cycle", func(r *source[*wire.Event]) wire.Cycle { return r.batch.Cycle.Cycle }),
	id32("origin", func(r *source[*wire.Event]) *wire.AgentID { return &r.rec.Origin }),
	ordinal("system", func(r *source[*wire.Event]) wire.System { return r.rec.System }),
	num("kind", func(r *source[*wire.Event]) wire.EventKind { return r.rec.Kind }),
	blob("payload", func(r *source[*wire.Event]) []byte { return wire.AppendPayload(nil, r.rec.Payload) }),
	optNum("parent_lamport", func(r *source[*wire.Event]) *uint64 {
		if r.rec.Parent == nil {
			return nil
		}
		return &r.rec.Parent.Lamport
	}),
	optID("parent_agent", func(r *source[*wire.Event]) *wire.AgentID {
		if r.rec.Parent == nil {
			return nil
		}
		return &r.rec.Parent.Agent
	}),
).appended()

// Metrics is observer.metrics: a row per cycle.
var Metrics = derive("observer", "metrics", 1,
	func(b *engine.Batch) []engine.MetricsRow { return []engine.MetricsRow{b.Metrics} }).appended()
