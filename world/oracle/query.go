package oracle

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of a query.
const (
	DefaultLimit = 20
	MaxLimit     = 100
	Window       = 4096 // newest items looked at
)

func (d *Daemon) get(c *world.Context, q *wire.EntryGet) wire.Reply {
	e := d.entries.Get(q.EntryID)
	if e == nil {
		return d.refuse(c, wire.CategoryNotFound, "entry")
	}
	version := e.Head.Version
	if q.Version != nil {
		version = *q.Version
	}
	v := d.versions.find(q.EntryID, version)
	if v == nil {
		return d.refuse(c, wire.CategoryNotFound, "version")
	}
	reply := &wire.EntryGetReply{Entry: e.Head}
	h := &reply.Entry
	if version != h.Version {
		h.Version, h.UpdatedAt = version, v.tick
	}
	var missing []wire.Missing
	d.versions.show(&missing, h, v)
	return c.AnswerWithin(listSize+sizeOf(h), wire.TypeEntryGet, reply).Without(missing)
}

func (d *Daemon) query(c *world.Context, q *wire.EntryQuery) wire.Reply {
	if q.Limit > MaxLimit {
		return d.refuse(c, wire.CategoryInvalidRequest, "limit")
	}
	limit := int(q.Limit)
	if limit == 0 {
		limit = DefaultLimit
	}
	hits := d.entries.search(q, int(q.Offset)+limit)
	hits = hits[min(int(q.Offset), len(hits)):]
	out, bound := make([]wire.OracleEntry, len(hits)), listSize
	var missing []wire.Missing
	for i, h := range hits {
		d.Show(&missing, h.Head.ID, &out[i])
		bound += sizeOf(&out[i])
	}
	return c.AnswerWithin(bound, wire.TypeEntryQuery, &wire.EntryQueryReply{Entries: out}).Without(missing)
}

// listSize is the most that a reply has beside its items, in bytes.
const listSize = 64

// sizeOf is at least the encoded size of e.
func sizeOf(e *wire.OracleEntry) int {
	return 768 + len(e.Body) + len(e.Title) + (MaxTag+5)*len(e.Tags) +
		34*(len(e.References)+len(e.Contributors)+len(e.VerifiedBy))
}

// matches applies the indexed filters; the values of one filter are alternatives.
func matches(h *wire.OracleEntry, q *wire.EntryQuery) bool {
	return (q.Authors == nil || slices.Contains(*q.Authors, h.Author)) &&
		(q.Kinds == nil || slices.Contains(*q.Kinds, h.Kind)) &&
		(q.Tags == nil || shared(h.Tags, *q.Tags) > 0)
}

// passes applies the other filters. What an entry is about orders it (RELEVANT), it does
// not exclude it.
func (s *entries) passes(h *wire.OracleEntry, q *wire.EntryQuery) bool {
	switch {
	case q.MinAccuracy != nil && h.Accuracy < *q.MinAccuracy,
		q.MinCompleteness != nil && h.Completeness < *q.MinCompleteness,
		q.MinCitations != nil && h.Citations < *q.MinCitations,
		q.VerifiedOnly && len(h.VerifiedBy) == 0,
		q.UpdatedAfter != nil && h.UpdatedAt <= *q.UpdatedAfter:
		return false
	}
	return q.RelatedTo == nil || slices.ContainsFunc(*q.RelatedTo, func(o wire.Hash) bool { return s.links.related(h.ID, o) })
}

// shared counts the distinct tags that two lists have in common; the first has no doubles.
func shared(a, b [][]byte) int {
	n := 0
	for _, t := range a {
		if slices.ContainsFunc(b, func(o []byte) bool { return bytes.Equal(o, t) }) {
			n++
		}
	}
	return n
}
