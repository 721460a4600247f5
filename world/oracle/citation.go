package oracle

import (
	"bytes"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of citations.
const (
	MaxContext = 4096      // bytes
	edgesPerS  = 1_000_000 // per unit of scale
)

func (d *Daemon) citationAdd(c *world.Context, q *wire.CitationAdd) wire.Reply {
	switch {
	case q.Source == q.Target:
		return d.refuse(c, wire.CategoryInvalidRequest, "self")
	case len(q.Context) > MaxContext:
		return d.refuse(c, wire.CategoryInvalidRequest, "context")
	case d.citations.cited(q.Source, q.Target, q.Kind):
		return d.refuse(c, wire.CategoryConflict, "exists")
	case d.citations.Count() >= edgesPerS*d.rules.Scale():
		return d.refuse(c, wire.CategoryQuotaExceeded, "too_many_citations")
	}
	d.cite(c, &Citation{
		Source: q.Source, Target: q.Target, Kind: q.Kind, Context: bytes.Clone(q.Context), Author: c.Source,
	})
	return c.Ack(nil)
}

// cite adds an edge and counts it for the entry it points at.
func (d *Daemon) cite(c *world.Context, e *Citation) {
	e.Tick, e.MsgID = c.Tick, c.Msg
	d.citations.Append(e)
	if t := d.entries.Edit(e.Target); t != nil {
		t.Head.Citations = d.citations.citedBy(e.Target, t.Head.Author)
	}
	d.emit(c, wire.KindCitationAdded, e.Author, &wire.CitationAddedEvent{
		Source: e.Source, Target: e.Target, Kind: e.Kind, Tick: c.Tick,
	})
}

// citationQuery answers with the newest edges first.
func (d *Daemon) citationQuery(c *world.Context, q *wire.CitationQuery) wire.Reply {
	if q.Limit > MaxLimit {
		return d.refuse(c, wire.CategoryInvalidRequest, "limit")
	}
	limit := int(q.Limit)
	if limit == 0 {
		limit = DefaultLimit
	}
	list := d.citations.all
	switch {
	case q.Source != nil:
		list = d.citations.bySource[*q.Source]
	case q.Target != nil:
		list = d.citations.byTarget[*q.Target]
	}
	var found []*link
	for i, seen := len(list)-1, 0; i >= 0 && seen < Window && len(found) < limit; i-- {
		e := list[i]
		if q.Target != nil && e.target != *q.Target {
			continue
		}
		seen++
		if q.Kind == nil || e.kind == *q.Kind {
			found = append(found, e)
		}
	}
	out, bound := make([]wire.CitationEdge, len(found)), listSize
	var missing []wire.Missing
	for i, e := range found {
		d.citations.show(&missing, &out[i], e)
		bound += 256 + int(e.length)
	}
	return c.AnswerWithin(bound, wire.TypeCitationQuery, &wire.CitationQueryReply{Edges: out}).Without(missing)
}
