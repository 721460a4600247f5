package oracle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// entriesPerS bounds the entries of the world, per unit of scale.
const entriesPerS = 100_000

// ReviewFee is what PEER_REVIEW costs the author, in ⚡, one for each of two reviewers.
const ReviewFee = 2

// EntryID is the id of the entry that author publishes at tick at.
func EntryID(kind wire.EntryKind, title []byte, author wire.AgentID, at wire.Tick) wire.Hash {
	b := make([]byte, 0, 1+len(title)+32+8)
	b = append(b, byte(kind-1))
	b = append(b, title...)
	b = append(b, author[:]...)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(at)))
}

// texts write what entries say: drafts, updates and what becomes of them. Bodies lie in versions,
// and rests keep those whose update was rejected from making another.
type texts struct {
	*siblings
	rules    *world.Rules
	entries  *entries
	versions *versions
	rests    *rests
	counters *counters
	ages     *ages
}

func (x *texts) publish(c *world.Context, q *wire.EntryPublish) wire.Reply {
	list, r := x.judge(c, &q.Entry)
	if r != nil {
		return c.Relay(wire.SystemOracle, r)
	}
	x.confirm(c, list, q.Entry.ProofHash)
	body := Body(list)
	if r := x.counters.mayWrite(c, len(body)); r != nil {
		return c.Relay(wire.SystemOracle, r)
	}
	if q.Review == wire.ReviewModePeerReview {
		if r := x.ledger.Lock(c, c.Source, ReviewFee); r != nil {
			return c.Relay(wire.SystemOracle, r)
		}
	}
	x.counters.wrote(c, len(body))
	e := x.record(c, c.Source, &q.Entry, list)
	announce(c, &e.Head, q.Review)
	if q.Review == wire.ReviewModeImmediate {
		x.release(c, e)
	}
	return c.Ack(&wire.EntryPublishAck{EntryID: e.Head.ID})
}

// judge reads a draft and says what is wrong with it.
func (x *texts) judge(c *world.Context, q *wire.EntryDraft) ([]wire.ContentBlock, *world.Refusal) {
	list, err := parse(q.Body)
	if err != nil {
		return nil, world.Bad(true, "entry.body")
	}
	if x.entries.Get(EntryID(q.Kind, q.Title, c.Source, c.Tick)) != nil {
		return nil, &world.Refusal{Category: wire.CategoryConflict, Reason: "exists"}
	}
	if q.Supersedes != nil {
		if old := x.entries.Get(*q.Supersedes); old == nil || !old.live() {
			return nil, &world.Refusal{Category: wire.CategoryNotFound, Reason: "supersedes", Details: []world.Detail{world.Field("entry.supersedes")}}
		}
	}
	if uint64(x.entries.Len()) >= entriesPerS*x.rules.Scale() {
		return nil, &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "too_many", Details: []world.Detail{world.Limit(entriesPerS * x.rules.Scale())}}
	}
	return list, nil
}

// record adds a draft as a hidden entry, with copies of all that it keeps.
func (x *texts) record(c *world.Context, author wire.AgentID, q *wire.EntryDraft, list []wire.ContentBlock) *Entry {
	id := EntryID(q.Kind, q.Title, author, c.Tick)
	e := &Entry{Versions: 1, Head: wire.OracleEntry{
		ID: id, Kind: q.Kind, Title: bytes.Clone(q.Title), Version: 1, Author: author,
		Contributors: []wire.AgentID{}, CreatedAt: c.Tick, UpdatedAt: c.Tick,
		Tags: distinct(q.Tags), References: slices.Clone(q.References),
		Supersedes: clone(q.Supersedes), ProofHash: clone(q.ProofHash),
		Completeness: completeness(list), Freshness: 1, VerifiedBy: []wire.AgentID{}, MsgID: c.Msg,
	}}
	x.entries.Put(id, e)
	x.versions.Append(&Version{EntryID: id, Version: 1, Author: author, Body: Body(list), Tick: c.Tick, MsgID: c.Msg})
	return e
}

func announce(c *world.Context, h *wire.OracleEntry, mode wire.ReviewMode) {
	emit(c, wire.KindEntryPublished, h.Author, &wire.EntryPublishedEvent{
		EntryID: h.ID, Kind: h.Kind, Title: h.Title, Author: h.Author, ReviewMode: mode, Tick: c.Tick,
	})
}

// release makes a recorded entry live: queries find it and its own citation counts. It
// may have aged under review, where no cycle end looked at it.
func (x *texts) release(c *world.Context, e *Entry) {
	e = x.entries.Edit(e.Head.ID)
	e.Place, e.PublishedAt = uint64(len(x.entries.order))+1, c.Tick
	e.Head.Citations = x.entries.links.citedBy(e.Head.ID, e.Head.Author)
	e.Head.Freshness = x.ages.freshness(e, c.Cycle)
	x.entries.place(e, x.rules.Calendar)
	if x.ages.aboutTag != nil {
		x.ages.refer(e)
	}
	if s := e.Head.Supersedes; s != nil {
		x.entries.cite(c, &Citation{Source: e.Head.ID, Target: *s, Kind: wire.CitationKindSupersedes, Author: e.Head.Author})
	}
}

// distinct copies tags, each once.
func distinct(tags [][]byte) [][]byte {
	out := [][]byte{}
	for _, t := range tags {
		if !contains(out, t) {
			out = append(out, bytes.Clone(t))
		}
	}
	return out
}

func contains(tags [][]byte, t []byte) bool {
	return slices.ContainsFunc(tags, func(o []byte) bool { return bytes.Equal(o, t) })
}

func clone(h *wire.Hash) *wire.Hash {
	if h == nil {
		return nil
	}
	n := *h
	return &n
}
