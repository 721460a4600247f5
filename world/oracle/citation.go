package oracle

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
)

// edgesPerS bounds the citations of the world, per unit of scale.
const edgesPerS = 1_000_000

func (d *Daemon) citationAdd(c *world.Context, q *wire.CitationAdd) wire.Reply {
	switch {
	case q.Source == q.Target:
		return refuse(c, wire.CategoryInvalidRequest, "self", world.Field("target"))
	case d.citations.cited(q.Source, q.Target, q.Kind):
		return refuse(c, wire.CategoryConflict, "exists")
	case d.citations.Count() >= d.citations.limit:
		return refuse(c, wire.CategoryQuotaExceeded, "too_many", world.Limit(d.citations.limit))
	}
	if refusal := d.counters.mayAdd(c, len(q.Context)); refusal != nil {
		return c.Relay(wire.SystemOracle, refusal)
	}
	d.counters.countText(c, len(q.Context))
	d.entries.cite(c, &Citation{
		Source: q.Source, Target: q.Target, Kind: q.Kind, Context: bytes.Clone(q.Context), Author: c.Source,
	})
	return c.Ack(nil)
}

// cite adds a citation and updates the citation count of its target.
func (s *entries) cite(c *world.Context, e *Citation) {
	e.Tick, e.MsgID = c.Tick, c.Msg
	s.links.Append(e)
	if t := s.find(e.Target); t != nil {
		s.markChanged(t)
		t.citations = s.links.citedBy(e.Target, s.author(t))
	}
	emit(c, wire.KindCitationAdded, e.Author, &wire.CitationAddedEvent{
		Source: e.Source, Target: e.Target, Kind: e.Kind, Tick: c.Tick,
	})
}

// citationQuery answers with the newest edges first.
func (d *Daemon) citationQuery(c *world.Context, q *wire.CitationQuery) wire.Reply {
	page := world.PageOf(q.Limit, q.Offset)
	found := d.citations.search(q, page.Reach())
	shown := world.Part(page, found)
	out := make([]wire.CitationEdge, len(shown)) // a whole page always fits: an edge has at most 256 bytes and its context
	var missing []wire.Missing
	for i, e := range shown {
		d.citations.show(&missing, &out[i], e)
	}
	return c.Answer(wire.TypeCitationQuery, &wire.CitationQueryReply{Edges: out, Next: page.Next(len(out), len(found))}).Without(missing)
}

// search returns the k newest citations that match the query, of the newest Window that match its source and target.
func (x *citations) search(q *wire.CitationQuery, k int) (found []*link) {
	var source, target uint32
	var known bool
	at, before := uint32(x.all.Len()), func(e *link) uint32 { return e.number }
	shortest := at
	if q.Source != nil {
		if source, known = x.ids.find(*q.Source); !known {
			return nil
		}
		t := x.nodes.At(source).outgoing
		at, shortest, before = t.newest, t.count, func(e *link) uint32 { return e.previous[0] }
	}
	if q.Target != nil {
		if target, known = x.ids.find(*q.Target); !known {
			return nil
		}
		if t := x.nodes.At(target).incoming; q.Source == nil || t.count < shortest {
			at, before = t.newest, func(e *link) uint32 { return e.previous[1] }
		}
	}
	for looked, seen := 0, 0; at > 0 && looked < Steps && seen < Window && len(found) < k; looked++ {
		e := x.all.At(at - 1)
		at = before(e)
		if q.Source != nil && e.source != source || q.Target != nil && e.target != target {
			continue
		}
		seen++
		if q.Kind == nil || e.kind == *q.Kind {
			found = append(found, e)
		}
	}
	return found
}
