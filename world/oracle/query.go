package oracle

import (
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
	reply := &wire.EntryGetReply{}
	h := &reply.Entry
	if e := d.entries.find(q.EntryID); e != nil {
		d.entries.fillHead(e, h, &listBuffers{})
		if e.replaced {
			reply.Status = new(wire.EntrySuperseded)
		}
	} else if gone := d.discarded.Get(q.EntryID); gone != nil { // so that agents that saw it in peer review learn what became of it
		*h, reply.Status = gone.Head, new(wire.EntryDiscarded)
	} else {
		return refuse(c, wire.CategoryNotFound, "entry", world.Field("entry_id"))
	}
	version := h.Version
	if q.Version != nil {
		version = *q.Version
	}
	record, v := d.versions.find(q.EntryID, version)
	if v == nil {
		return refuse(c, wire.CategoryNotFound, "version", world.Field("version"))
	}
	if version != h.Version {
		h.Version, h.UpdatedAt = version, v.tick.Tick()
	}
	var missing []wire.Missing
	d.versions.show(&missing, h, record)
	return c.Answer(wire.TypeEntryGet, reply).Without(missing)
}

func (d *Daemon) query(c *world.Context, q *wire.EntryQuery) wire.Reply {
	page := world.PageOf(q.Limit, q.Offset)
	found := d.entries.search(q, page.Reach())
	shown := world.Part(page, found)
	out, cut := make([]wire.OracleEntry, len(shown)), []wire.Hash{}
	records := make([]uint32, len(shown)) // of the bodies
	in := listBuffers{tags: make([][]byte, 0, 4*len(shown))}
	for i, x := range shown {
		d.entries.fillHead(x, &out[i], &in)
		record, v := d.versions.find(out[i].ID, x.version)
		if records[i] = record; !page.LeavesOut(int(v.length)) {
			out[i].Body = placeholder[:v.length:v.length]
		}
	}
	n := world.Fit(len(out), func(i int) int { return roughSize(&out[i]) }, func(i int) int {
		return len(headCodec.Append(nil, &out[i]))
	})
	out = out[:n]
	var missing []wire.Missing
	for i := range out {
		if out[i].Body == nil {
			cut = append(cut, out[i].ID)
		} else {
			d.versions.show(&missing, &out[i], records[i])
		}
	}
	return c.Answer(wire.TypeEntryQuery, &wire.EntryQueryReply{
		Entries: out, Cut: cut, Next: page.Next(n, len(found)),
	}).Without(missing)
}

// roughSize returns an upper bound of the encoded size of e.
func roughSize(e *wire.OracleEntry) int {
	return 768 + len(e.Body) + len(e.Title) + (action.MaxTag+5)*len(e.Tags) +
		34*(len(e.References)+len(e.Contributors)+len(e.VerifiedBy))
}

// queryTopics returns the numbers of a query's tags; tags that no entry has are left out.
func (s *entries) queryTopics(q *wire.EntryQuery) (topics []uint32) {
	if q.Tags == nil {
		return nil
	}
	for _, tag := range *q.Tags {
		if t := s.byTag[string(tag)]; t != nil {
			topics = append(topics, t.number)
		}
	}
	return topics
}

// matches applies the indexed filters; the values of one filter are alternatives. topics are the tags of the query.
func (s *entries) matches(x *packedEntry, q *wire.EntryQuery, topics []uint32) bool {
	return (q.Authors == nil || slices.Contains(*q.Authors, s.author(x))) &&
		(q.Kinds == nil || slices.Contains(*q.Kinds, x.kind)) &&
		(q.Tags == nil || s.sharedBy(x, topics) > 0)
}

// sharedBy returns the number of tags of an entry that are among topics.
func (s *entries) sharedBy(x *packedEntry, topics []uint32) int {
	var buf [8]uint32
	return shared(s.topicNumbers(buf[:0], x), topics)
}

// passes applies the other filters. About does not filter; it only affects the order of RELEVANT.
func (s *entries) passes(x *packedEntry, q *wire.EntryQuery) bool {
	switch {
	case q.MinAccuracy != nil && x.accuracy < *q.MinAccuracy,
		q.MinCompleteness != nil && x.completeness < *q.MinCompleteness,
		q.MinCitations != nil && x.citations < *q.MinCitations,
		q.VerifiedOnly && x.verified == 0,
		q.UpdatedAfter != nil && x.updated.Tick() <= *q.UpdatedAfter:
		return false
	}
	return q.RelatedTo == nil || slices.ContainsFunc(*q.RelatedTo, func(o wire.Hash) bool { return s.links.related(s.idOf(x), o) })
}
