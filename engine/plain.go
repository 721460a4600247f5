package engine

import (
	"encoding/binary"
	"fmt"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
)

// Codecs of the records that have a plain table.
var (
	genomeCodec      = wire.NewCodec[wire.Genome]()
	agentCodec       = wire.NewCodec[nexus.Agent]()
	proposalCodec    = wire.NewCodec[nexus.Proposal]()
	messageCodec     = wire.NewCodec[wire.Message]()
	bountyCodec      = wire.NewCodec[agora.Bounty]()
	transactionCodec = wire.NewCodec[mint.Transaction]()
	accountCodec     = wire.NewCodec[mint.Account]()
	entryCodec       = wire.NewCodec[oracle.Entry]()
)

// place names a table of world state.
type place struct {
	system wire.System
	table  string
}

// plainTables add the readable form of one record of world state to a batch.
var plainTables = map[place]func(b *Batch, r *world.Row) error{
	{wire.SystemNexus, "agents"}:      (*Batch).addAgent,
	{wire.SystemNexus, "proposals"}:   (*Batch).addProposal,
	{wire.SystemAgora, "messages"}:    (*Batch).addMessage,
	{wire.SystemAgora, "bounties"}:    (*Batch).addBounty,
	{wire.SystemMint, "transactions"}: (*Batch).addTransfer,
	{wire.SystemMint, "accounts"}:     (*Batch).addAccount,
	{wire.SystemOracle, "entries"}:    (*Batch).addEntry,
}

// plain fills in the tables for queries from the changed records and the events of
// the cycle. Records that were deleted keep their last plain row.
func plain(b *Batch, events []*wire.Event, entries []wire.OracleEntry) error {
	for i := range b.Rows {
		r := &b.Rows[i]
		add := plainTables[place{r.System, r.Table}]
		if add == nil || r.Body == nil {
			continue
		}
		if err := add(b, r); err != nil {
			return fmt.Errorf("read %v record %s %x: %w", r.System, r.Table, r.Key, err)
		}
	}
	for i := range b.Entries {
		b.Entries[i].Body = entries[i].Body
	}
	b.Events = make([]EventRow, len(events))
	for i, ev := range events {
		b.Events[i] = eventRow(ev, b.Cycle.Cycle)
	}
	return nil
}

func eventRow(ev *wire.Event, c wire.Cycle) EventRow {
	r := EventRow{
		Lamport: ev.ID.Lamport, Agent: ev.ID.Agent, Tick: ev.Timestamp, Cycle: c, Origin: ev.Origin,
		System: ev.System, Kind: ev.Kind, Payload: wire.AppendPayload(nil, ev.Payload),
	}
	if ev.Parent != nil {
		parent := *ev.Parent
		r.ParentLam, r.ParentAgt = &parent.Lamport, &parent.Agent
	}
	return r
}

func (b *Batch) addAgent(r *world.Row) error {
	var a nexus.Agent
	if err := agentCodec.Decode(r.Body, &a); err != nil {
		return err
	}
	b.Agents = append(b.Agents, AgentRow{
		ID: a.ID, PublicKey: a.PublicKey, SpawnIndex: a.SpawnIndex, SpawnTick: a.SpawnTick, SpawnEpoch: a.SpawnEpoch,
		Role: a.Role, Reputation: a.Reputation, Status: a.Status, ParentID: a.Parent, Genome: genomeCodec.Append(nil, &a.Genome),
		LastActiveCycle: a.LastActiveCycle, InactiveCycles: uint64(a.InactiveCycles), DormantSince: a.DormantSince,
	})
	return nil
}

// unit turns a sum of 2^-20 units into a number; exact.
func unit(n int64) float64 { return float64(n) / (1 << 20) }

func (b *Batch) addProposal(r *world.Row) error {
	var p nexus.Proposal
	if err := proposalCodec.Decode(r.Body, &p); err != nil {
		return err
	}
	b.Proposals = append(b.Proposals, ProposalRow{
		ID: p.ID, Author: p.Author, Kind: p.Kind, Status: p.Status, Created: p.CreatedAt, Deadline: p.VoteDeadline,
		For: unit(p.For), Against: unit(p.Against), Voters: p.Voters,
	})
	return nil
}

func (b *Batch) addMessage(r *world.Row) error {
	var m wire.Message
	if err := messageCodec.Decode(r.Body, &m); err != nil {
		return err
	}
	b.Messages = append(b.Messages, MessageRow{
		ID: m.ID, Channel: m.Channel, Author: m.Author, Tick: m.Tick, Kind: m.Kind,
		Content: m.Content, Text: contentText(m.Content), References: m.References, Confidence: m.Confidence,
	})
	return nil
}

// contentText is the text of a message's content; empty if it has none.
func contentText(content []byte) string {
	c, err := wire.ReadContent(content)
	if err != nil || c.Text == nil {
		return ""
	}
	return *c.Text
}

func (b *Batch) addBounty(r *world.Row) error {
	var y agora.Bounty
	if err := bountyCodec.Decode(r.Body, &y); err != nil {
		return err
	}
	b.Bounties = append(b.Bounties, BountyRow{
		ID: y.ID, Creator: y.Creator, Title: string(y.Title), Reward: y.Reward, Deadline: y.Deadline,
		Difficulty: y.Difficulty, Claimer: y.Claimer, ClaimedAt: y.ClaimedAt, Tries: y.Tries, Status: y.Status,
	})
	return nil
}

func (b *Batch) addTransfer(r *world.Row) error {
	var t mint.Transaction
	if err := transactionCodec.Decode(r.Body, &t); err != nil {
		return err
	}
	b.Transfers = append(b.Transfers, TransferRow{
		Number: binary.BigEndian.Uint64(r.Key), ID: t.ID, From: t.From, To: t.To,
		Amount: t.Amount, Tax: t.Tax, Kind: t.Kind, Tick: t.Tick,
	})
	return nil
}

func (b *Batch) addAccount(r *world.Row) error {
	var a mint.Account
	if err := accountCodec.Decode(r.Body, &a); err != nil {
		return err
	}
	b.Accounts = append(b.Accounts, AccountRow{Owner: a.Owner, Amount: a.Balance, Locked: a.Locked, Earned: a.TotalEarned, Spent: a.TotalSpent})
	return nil
}

// addEntry leaves the body to plain.
func (b *Batch) addEntry(r *world.Row) error {
	var y oracle.Entry
	if err := entryCodec.Decode(r.Body, &y); err != nil {
		return err
	}
	h := &y.Head
	b.Entries = append(b.Entries, EntryRow{
		ID: h.ID, Kind: h.Kind, Title: string(h.Title), Version: h.Version, Author: h.Author,
		CreatedAt: h.CreatedAt, UpdatedAt: h.UpdatedAt, Published: y.Place > 0,
		Accuracy: float64(h.Accuracy), Completeness: float64(h.Completeness), Freshness: float64(h.Freshness),
		Citations: h.Citations, VerifiedBy: uint32(len(h.VerifiedBy)),
	})
	return nil
}

// shownEntries are entries as they stand at a cycle's end.
type shownEntries struct {
	entries []wire.OracleEntry
	missing []wire.Missing // bodies that the flush has to read
}

// changedEntries are the entries among the changed records, in their order; it reads the
// world and so belongs to the cycle end, before the flush.
func (e *Engine) changedEntries(rows []world.Row) *shownEntries {
	n := 0
	for i := range rows {
		if isEntry(&rows[i]) {
			n++
		}
	}
	out := &shownEntries{entries: make([]wire.OracleEntry, n)}
	n = 0
	for i := range rows {
		if isEntry(&rows[i]) {
			e.realm.Oracle().Show(&out.missing, wire.Hash(rows[i].Key), &out.entries[n])
			n++
		}
	}
	return out
}

func isEntry(r *world.Row) bool {
	return r.System == wire.SystemOracle && r.Table == "entries" && r.Body != nil
}
