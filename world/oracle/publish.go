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

// ReviewFee is the price of PEER_REVIEW for the author, in ⚡: one for each of two reviewers.
const ReviewFee = 2

// EntryID returns the id of the entry that author publishes at tick at.
func EntryID(kind wire.EntryKind, title []byte, author wire.AgentID, at wire.Tick) wire.Hash {
	b := make([]byte, 0, 1+len(title)+32+8)
	b = append(b, byte(kind-1))
	b = append(b, title...)
	b = append(b, author[:]...)
	return sha256.Sum256(binary.BigEndian.AppendUint64(b, uint64(at)))
}

// writer carries out publications and updates of entries.
type writer struct {
	*siblings
	rules     *world.Rules
	entries   *entries
	versions  *versions
	cooldowns *cooldowns
	counters  *counters
	ages      *ages
}

func (x *writer) publish(c *world.Context, q *wire.EntryPublish) wire.Reply {
	list, r := x.checkDraft(c, &q.Entry)
	if r != nil {
		return c.Relay(wire.SystemOracle, r)
	}
	x.clearUnproved(c, list, q.Entry.ProofHash)
	body := Body(list)
	if r := x.counters.mayWrite(c, len(body)); r != nil {
		return c.Relay(wire.SystemOracle, r)
	}
	if q.Review == wire.ReviewModePeerReview {
		if r := x.ledger.Lock(c, c.Source, ReviewFee); r != nil {
			return c.Relay(wire.SystemOracle, r)
		}
	}
	x.counters.countWrite(c, len(body))
	e := x.record(c, c.Source, &q.Entry, list)
	id := x.entries.idOf(e)
	announce(c, x.entries, e, q.Review)
	if q.Review == wire.ReviewModeImmediate {
		x.makeLive(c, e)
	} else {
		x.entries.hide(e, x.rules.Calendar)
	}
	return c.Ack(&wire.EntryPublishAck{EntryID: id})
}

// checkDraft decodes the body of a draft, or returns why the draft is refused.
func (x *writer) checkDraft(c *world.Context, q *wire.EntryDraft) ([]wire.ContentBlock, *world.Refusal) {
	list, err := decodeBody(q.Body)
	if err != nil {
		return nil, world.InvalidIf(true, "entry.body")
	}
	if x.entries.find(EntryID(q.Kind, q.Title, c.Source, c.Tick)) != nil {
		return nil, &world.Refusal{Category: wire.CategoryConflict, Reason: "exists"}
	}
	if q.Supersedes != nil {
		if old := x.entries.find(*q.Supersedes); old == nil || !old.live() {
			return nil, &world.Refusal{Category: wire.CategoryNotFound, Reason: "supersedes", Details: []world.Detail{world.Field("entry.supersedes")}}
		}
	}
	if uint64(x.entries.Len()) >= entriesPerS*x.rules.Scale() {
		return nil, &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "too_many", Details: []world.Detail{world.Limit(entriesPerS * x.rules.Scale())}}
	}
	return list, nil
}

// record adds a draft as a hidden entry. It copies everything that it keeps.
func (x *writer) record(c *world.Context, author wire.AgentID, q *wire.EntryDraft, list []wire.ContentBlock) *packedEntry {
	id := EntryID(q.Kind, q.Title, author, c.Tick)
	x.entries.Put(id, &Entry{Versions: 1, Head: wire.OracleEntry{
		ID: id, Kind: q.Kind, Title: q.Title, Version: 1, Author: author,
		CreatedAt: c.Tick, UpdatedAt: c.Tick,
		Tags: distinct(q.Tags), References: q.References, Supersedes: q.Supersedes, ProofHash: q.ProofHash,
		Completeness: completeness(list), Freshness: 1, MsgID: c.Msg,
	}})
	x.versions.Append(&Version{EntryID: id, Version: 1, Author: author, Body: Body(list), Tick: c.Tick, MsgID: c.Msg})
	return x.entries.find(id)
}

func announce(c *world.Context, s *entries, e *packedEntry, mode wire.ReviewMode) {
	author := s.author(e)
	emit(c, wire.KindEntryPublished, author, &wire.EntryPublishedEvent{
		EntryID: s.idOf(e), Kind: e.kind, Title: s.title(e), Author: author, ReviewMode: mode, Tick: c.Tick,
	})
}

// makeLive publishes a recorded entry: queries find it, and its citation of the entry that it supersedes counts. Its
// freshness is computed anew, because cycle ends skip entries under review.
func (x *writer) makeLive(c *world.Context, e *packedEntry) {
	id, author := x.entries.idOf(e), x.entries.author(e)
	x.entries.markChanged(e)
	e.place, e.published = uint32(len(x.entries.order))+1, world.StampOf(c.Tick)
	e.citations = x.entries.links.citedBy(id, author)
	e.freshness = x.ages.freshness(e, c.Cycle)
	x.entries.indexPublished(e, x.rules.Calendar)
	if x.ages.byTag != nil {
		x.ages.indexTags(e)
	}
	if old := x.entries.textOf(e).Supersedes; old != nil {
		x.entries.cite(c, &Citation{Source: id, Target: *old, Kind: wire.CitationKindSupersedes, Author: author})
	}
}

// distinct returns tags without duplicates.
func distinct(tags [][]byte) [][]byte {
	out := [][]byte{}
	for _, t := range tags {
		if !contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func contains(tags [][]byte, t []byte) bool {
	return slices.ContainsFunc(tags, func(o []byte) bool { return bytes.Equal(o, t) })
}
