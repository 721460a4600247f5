package oracle

import (
	"bytes"
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// Bounds of what a query looks at (docs/WORLD.md, bounds).
const (
	Window = 4_096  // newest items that the indexed filters leave
	Steps  = 16_384 // items that the narrowest of them leaves
)

func (d *Daemon) get(c *world.Context, q *wire.EntryGet) wire.Reply {
	e, status := d.entries.Get(q.EntryID), (*string)(nil)
	if _, replaced := d.entries.replaced[q.EntryID]; replaced {
		status = new(wire.EntrySuperseded)
	}
	if e == nil { // who heard of it in its peer review may ask what became of it
		e, status = d.discarded.Get(q.EntryID), new(wire.EntryDiscarded)
	}
	if e == nil {
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	}
	version := e.Head.Version
	if q.Version != nil {
		version = *q.Version
	}
	v := d.versions.find(q.EntryID, version)
	if v == nil {
		return refuse(c, wire.CategoryNotFound, "version", world.Field("version"))
	}
	reply := &wire.EntryGetReply{Entry: e.Head, Status: status}
	h := &reply.Entry
	if version != h.Version {
		h.Version, h.UpdatedAt = version, v.tick
	}
	var missing []wire.Missing
	d.versions.show(&missing, h, v)
	return c.Answer(wire.TypeEntryGet, reply).Without(missing)
}

func (d *Daemon) query(c *world.Context, q *wire.EntryQuery) wire.Reply {
	page := world.PageOf(q.Limit, q.Offset)
	found := d.entries.search(q, page.Reach())
	shown := world.Part(page, found)
	out, cut := make([]wire.OracleEntry, len(shown)), []wire.Hash{}
	bodies := make([]*version, len(shown)) // nil: left out
	for i, x := range shown {
		out[i] = x.Head
		if v := d.versions.find(x.Head.ID, x.Head.Version); !page.LeavesOut(int(v.length)) {
			bodies[i], out[i].Body = v, nothing[:v.length:v.length]
		}
	}
	n := world.Fit(len(out), func(i int) int { return roughSize(&out[i]) }, func(i int) int {
		return len(headCodec.Append(nil, &out[i]))
	})
	out = out[:n]
	var missing []wire.Missing
	for i, v := range bodies[:n] {
		if v == nil {
			cut = append(cut, out[i].ID)
		} else {
			d.versions.show(&missing, &out[i], v)
		}
	}
	return c.Answer(wire.TypeEntryQuery, &wire.EntryQueryReply{
		Entries: out, Cut: cut, Next: page.Next(n, len(found)),
	}).Without(missing)
}

// roughSize is at least the encoded size of e.
func roughSize(e *wire.OracleEntry) int {
	return 768 + len(e.Body) + len(e.Title) + (action.MaxTag+5)*len(e.Tags) +
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
