package table

import (
	"kingdom/engine"
	"kingdom/wire"
)

// Agents is nexus.agents: all agents ever.
var Agents = define("nexus", "agents", 1,
	func(b *engine.Batch) []engine.AgentRow { return b.Agents },
	id32("id", func(r *engine.AgentRow) *wire.AgentID { return &r.ID }),
	blob("public_key", func(r *engine.AgentRow) []byte { return r.PublicKey }),
	num("spawn_index", func(r *engine.AgentRow) uint64 { return r.SpawnIndex }),
	num("spawn_tick", func(r *engine.AgentRow) wire.Tick { return r.SpawnTick }),
	num("spawn_epoch", func(r *engine.AgentRow) uint32 { return r.SpawnEpoch }),
	ordinal("role", func(r *engine.AgentRow) wire.Role { return r.Role }),
	single("reputation", func(r *engine.AgentRow) float32 { return r.Reputation }),
	ordinal("status", func(r *engine.AgentRow) wire.AgentStatus { return r.Status }),
	id32("parent_id", func(r *engine.AgentRow) *wire.AgentID { return &r.ParentID }),
	blob("genome", func(r *engine.AgentRow) []byte { return r.Genome }),
	num("last_active_cycle", func(r *engine.AgentRow) wire.Cycle { return r.LastActiveCycle }),
	num("inactive_cycles", func(r *engine.AgentRow) uint64 { return r.InactiveCycles }),
	optNum("dormant_since", func(r *engine.AgentRow) *wire.Tick { return r.DormantSince }),
)

// Proposals is nexus.proposals: governance.
var Proposals = define("nexus", "proposals", 1,
	func(b *engine.Batch) []engine.ProposalRow { return b.Proposals },
	id32("id", func(r *engine.ProposalRow) *wire.Hash { return &r.ID }),
	id32("author", func(r *engine.ProposalRow) *wire.AgentID { return &r.Author }),
	ordinal("kind", func(r *engine.ProposalRow) wire.ProposalKind { return r.Kind }),
	ordinal("status", func(r *engine.ProposalRow) wire.ProposalStatus { return r.Status }),
	num("created", func(r *engine.ProposalRow) wire.Tick { return r.Created }),
	num("deadline", func(r *engine.ProposalRow) wire.Tick { return r.Deadline }),
	double("votes_for", func(r *engine.ProposalRow) float64 { return r.For }),
	double("votes_against", func(r *engine.ProposalRow) float64 { return r.Against }),
	num("voters", func(r *engine.ProposalRow) uint32 { return r.Voters }),
)

// Messages is agora.messages: all messages.
var Messages = define("agora", "messages", 1,
	func(b *engine.Batch) []engine.MessageRow { return b.Messages },
	id32("id", func(r *engine.MessageRow) *wire.Hash { return &r.ID }),
	id32("channel", func(r *engine.MessageRow) *wire.Hash { return &r.Channel }),
	id32("author", func(r *engine.MessageRow) *wire.AgentID { return &r.Author }),
	num("tick", func(r *engine.MessageRow) wire.Tick { return r.Tick }),
	ordinal("kind", func(r *engine.MessageRow) wire.MessageKind { return r.Kind }),
	blob("content", func(r *engine.MessageRow) []byte { return r.Content }),
	text("text", func(r *engine.MessageRow) string { return r.Text }),
	blob("refs", func(r *engine.MessageRow) []byte { return hashes(r.References) }),
	single("confidence", func(r *engine.MessageRow) float32 { return r.Confidence }),
)

// Bounties is agora.bounties: all bounties.
var Bounties = define("agora", "bounties", 1,
	func(b *engine.Batch) []engine.BountyRow { return b.Bounties },
	id32("id", func(r *engine.BountyRow) *wire.Hash { return &r.ID }),
	id32("creator", func(r *engine.BountyRow) *wire.AgentID { return &r.Creator }),
	text("title", func(r *engine.BountyRow) string { return r.Title }),
	num("reward", func(r *engine.BountyRow) uint64 { return r.Reward }),
	num("deadline", func(r *engine.BountyRow) wire.Tick { return r.Deadline }),
	ordinal("difficulty", func(r *engine.BountyRow) wire.Difficulty { return r.Difficulty }),
	optID("claimer", func(r *engine.BountyRow) *wire.AgentID { return r.Claimer }),
	num("claimed_at", func(r *engine.BountyRow) wire.Tick { return r.ClaimedAt }),
	num("tries", func(r *engine.BountyRow) uint32 { return r.Tries }),
	ordinal("status", func(r *engine.BountyRow) wire.BountyStatus { return r.Status }),
)

// Transactions is mint.transactions: every movement of money.
var Transactions = define("mint", "transactions", 1,
	func(b *engine.Batch) []engine.TransferRow { return b.Transfers },
	num("number", func(r *engine.TransferRow) uint64 { return r.Number }),
	id32("id", func(r *engine.TransferRow) *wire.Hash { return &r.ID }),
	id32("from_id", func(r *engine.TransferRow) *wire.AgentID { return &r.From }),
	id32("to_id", func(r *engine.TransferRow) *wire.AgentID { return &r.To }),
	num("amount", func(r *engine.TransferRow) uint64 { return r.Amount }),
	num("tax", func(r *engine.TransferRow) uint64 { return r.Tax }),
	ordinal("kind", func(r *engine.TransferRow) wire.TransferKind { return r.Kind }),
	num("tick", func(r *engine.TransferRow) wire.Tick { return r.Tick }),
).appended()

// Accounts is mint.accounts: what everybody owns.
var Accounts = define("mint", "accounts", 1,
	func(b *engine.Batch) []engine.AccountRow { return b.Accounts },
	id32("owner", func(r *engine.AccountRow) *wire.AgentID { return &r.Owner }),
	num("amount", func(r *engine.AccountRow) int64 { return r.Amount }),
	num("locked", func(r *engine.AccountRow) uint64 { return r.Locked }),
	num("earned", func(r *engine.AccountRow) uint64 { return r.Earned }),
	num("spent", func(r *engine.AccountRow) uint64 { return r.Spent }),
)

// Entries is oracle.entries: shared knowledge.
var Entries = define("oracle", "entries", 1,
	func(b *engine.Batch) []engine.EntryRow { return b.Entries },
	id32("id", func(r *engine.EntryRow) *wire.Hash { return &r.ID }),
	ordinal("kind", func(r *engine.EntryRow) wire.EntryKind { return r.Kind }),
	text("title", func(r *engine.EntryRow) string { return r.Title }),
	num("version", func(r *engine.EntryRow) uint32 { return r.Version }),
	id32("author", func(r *engine.EntryRow) *wire.AgentID { return &r.Author }),
	num("created_at", func(r *engine.EntryRow) wire.Tick { return r.CreatedAt }),
	num("updated_at", func(r *engine.EntryRow) wire.Tick { return r.UpdatedAt }),
	blob("body", func(r *engine.EntryRow) []byte { return r.Body }),
	flag("published", func(r *engine.EntryRow) bool { return r.Published }),
	double("accuracy", func(r *engine.EntryRow) float64 { return r.Accuracy }),
	double("completeness", func(r *engine.EntryRow) float64 { return r.Completeness }),
	double("freshness", func(r *engine.EntryRow) float64 { return r.Freshness }),
	num("citations", func(r *engine.EntryRow) uint32 { return r.Citations }),
	num("verified_by", func(r *engine.EntryRow) uint32 { return r.VerifiedBy }),
)

// Events is observer.events: the event log.
var Events = define("observer", "events", 2,
	func(b *engine.Batch) []engine.EventRow { return b.Events },
	num("lamport", func(r *engine.EventRow) uint64 { return r.Lamport }),
	id32("agent", func(r *engine.EventRow) *wire.AgentID { return &r.Agent }),
	num("tick", func(r *engine.EventRow) wire.Tick { return r.Tick }),
	num("cycle", func(r *engine.EventRow) wire.Cycle { return r.Cycle }),
	id32("origin", func(r *engine.EventRow) *wire.AgentID { return &r.Origin }),
	ordinal("system", func(r *engine.EventRow) wire.System { return r.System }),
	num("kind", func(r *engine.EventRow) wire.EventKind { return r.Kind }),
	blob("payload", func(r *engine.EventRow) []byte { return r.Payload }),
	optNum("parent_lamport", func(r *engine.EventRow) *uint64 { return r.ParentLam }),
	optID("parent_agent", func(r *engine.EventRow) *wire.AgentID { return r.ParentAgt }),
).appended()

// Metrics is observer.metrics: a row per cycle.
var Metrics = define("observer", "metrics", 1,
	func(b *engine.Batch) []engine.MetricsRow { return []engine.MetricsRow{b.Metrics} },
	num("cycle", func(r *engine.MetricsRow) wire.Cycle { return r.Cycle }),
	num("epoch", func(r *engine.MetricsRow) uint32 { return r.Epoch }),
	num("agent_count", func(r *engine.MetricsRow) uint32 { return r.Agents }),
	num("vault_repos", func(r *engine.MetricsRow) uint64 { return r.VaultRepos }),
	num("oracle_entries", func(r *engine.MetricsRow) uint64 { return r.OracleEntries }),
	num("circulating_supply", func(r *engine.MetricsRow) uint64 { return r.CirculatingSupply }),
	num("treasury", func(r *engine.MetricsRow) int64 { return r.Treasury }),
	double("gini_coefficient", func(r *engine.MetricsRow) float64 { return r.Gini }),
	double("velocity", func(r *engine.MetricsRow) float64 { return r.Velocity }),
	num("open_bounties", func(r *engine.MetricsRow) uint32 { return r.OpenBounties }),
	num("completed_bounties", func(r *engine.MetricsRow) uint32 { return r.CompletedBounties }),
	num("total_transactions", func(r *engine.MetricsRow) uint64 { return r.Transactions }),
	num("messages", func(r *engine.MetricsRow) uint64 { return r.Messages }),
	num("nops", func(r *engine.MetricsRow) uint64 { return r.NOPs }),
	num("agent_ticks", func(r *engine.MetricsRow) uint64 { return r.AgentTicks }),
).appended()
