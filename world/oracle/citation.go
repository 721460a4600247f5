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
	case d.cited(q.Source, q.Target, q.Kind):
		return d.refuse(c, wire.CategoryConflict, "exists")
	case d.citations.Count() >= edgesPerS*d.rules.Scale():
		return d.refuse(c, wire.CategoryQuotaExceeded, "too_many_citations")
	}
	d.cite(c, &Citation{
		Source: q.Source, Target: q.Target, Kind: q.Kind, Context: bytes.Clone(q.Context), Author: c.Source,
	})
	return c.Ack(nil)
}

func (d *Daemon) cited(source, target wire.Hash, kind wire.CitationKind) bool {
	_, ok := d.has[edge{source, target, kind}]
	return ok
}

// cite adds an edge and counts it for the entry it points at.
func (d *Daemon) cite(c *world.Context, e *Citation) {
	e.Tick, e.MsgID = c.Tick, c.Msg
	d.citations.Append(e)
	if t := d.entries.Edit(e.Target); t != nil {
		t.Head.Citations = uint32(len(d.byTarget[e.Target]))
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
	list := d.edges
	switch {
	case q.Source != nil:
		list = d.bySource[*q.Source]
	case q.Target != nil:
		list = d.byTarget[*q.Target]
	}
	out, seen, bound := []wire.CitationEdge{}, 0, listSize
	for i := len(list) - 1; i >= 0 && seen < Window && len(out) < limit; i-- {
		e := list[i]
		if q.Target != nil && e.Target != *q.Target {
			continue
		}
		seen++
		if q.Kind == nil || e.Kind == *q.Kind {
			out = append(out, wire.CitationEdge{
				Source: e.Source, Target: e.Target, Kind: e.Kind, Context: e.Context, Author: e.Author, Tick: e.Tick,
			})
			bound += 256 + len(e.Context)
		}
	}
	return c.AnswerWithin(bound, wire.TypeCitationQuery, &wire.CitationQueryReply{Edges: out})
}
