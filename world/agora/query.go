package agora

import (
	"bytes"
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of MSG_QUERY (docs/WORLD.md, messages).
const (
	searchWindow = 4096 // newest messages looked at
	defaultLimit = 20
	maxLimit     = 100
	maxFilter    = 64 // items of one filter list: our own, as in event filters
)

// query carries out MSG_QUERY: of the newest messages that the indexed filters
// (channel, author, kind) leave, those the other filters leave, sorted and cut.
func (d *Daemon) query(c *world.Context, q *wire.MsgQuery) wire.Reply {
	if long(q.Channels) || long(q.Authors) || long(q.Kinds) || long(q.References) {
		return refuse(c, wire.CategoryInvalidRequest, "too_many")
	}
	if q.TimeRange != nil && q.TimeRange[0] > q.TimeRange[1] {
		return refuse(c, wire.CategoryInvalidRequest, "bad_time_range")
	}
	if q.Limit > maxLimit {
		return refuse(c, wire.CategoryInvalidRequest, "limit")
	}
	limit := int(q.Limit)
	if limit == 0 {
		limit = defaultLimit
	}
	found := slices.DeleteFunc(d.window(c.Source, q), func(e *entry) bool { return !matches(e, q) })
	switch q.Sort { // found is newest first; the sort is stable, so that stays the tie-break
	case wire.AgoraSortSignals:
		slices.SortStableFunc(found, func(a, b *entry) int { return cmp.Compare(b.positive, a.positive) })
	case wire.AgoraSortRelevant:
		slices.SortStableFunc(found, func(a, b *entry) int { return cmp.Compare(b.weight, a.weight) })
	case wire.AgoraSortRecent:
	}
	found = found[:min(limit, len(found))]
	reply := &wire.MsgQueryReply{Messages: make([]wire.Message, len(found))}
	for i, e := range found {
		reply.Messages[i] = *e.msg
	}
	return c.Answer(wire.TypeMsgQuery, reply)
}

// long says whether a filter lists more than a query may cost.
func long[T any](list *[]T) bool { return list != nil && len(*list) > maxFilter }

// window returns the newest messages that the indexed filters leave and reader may
// read, newest first. It walks the lists of the narrowest filter given.
func (d *Daemon) window(reader wire.AgentID, q *wire.MsgQuery) []*entry {
	keep := d.indexedFilter(reader, q)
	var found []*entry
	for _, list := range d.lists(q) {
		for i, n := len(list)-1, 0; i >= 0 && n < searchWindow; i-- {
			if e := d.archive.all[list[i]]; keep(e.msg) {
				found = append(found, e)
				n++
			}
		}
	}
	if q.Authors == nil && q.Channels == nil && q.Kinds == nil {
		for i := len(d.archive.all) - 1; i >= 0 && len(found) < searchWindow; i-- {
			if e := d.archive.all[i]; keep(e.msg) {
				found = append(found, e)
			}
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return cmp.Compare(b.number, a.number) })
	found = slices.Compact(found) // a filter may name a thing twice
	return found[:min(searchWindow, len(found))]
}

// lists are the ascending message numbers under each item of the narrowest filter.
func (d *Daemon) lists(q *wire.MsgQuery) [][]uint32 {
	var out [][]uint32
	switch x := &d.archive; {
	case q.Authors != nil:
		for _, a := range *q.Authors {
			out = append(out, x.byAuthor[a])
		}
	case q.Channels != nil:
		for _, id := range *q.Channels {
			if t := x.talks[id]; t != nil {
				out = append(out, t.numbers)
			}
		}
	case q.Kinds != nil:
		for _, k := range *q.Kinds {
			out = append(out, x.byKind[k])
		}
	}
	return out
}

// indexedFilter says which messages count towards the window.
func (d *Daemon) indexedFilter(reader wire.AgentID, q *wire.MsgQuery) func(*wire.Message) bool {
	readable := map[wire.Hash]bool{}
	return func(m *wire.Message) bool {
		if q.Authors != nil && !slices.Contains(*q.Authors, m.Author) ||
			q.Channels != nil && !slices.Contains(*q.Channels, m.Channel) ||
			q.Kinds != nil && !slices.Contains(*q.Kinds, m.Kind) {
			return false
		}
		ok, known := readable[m.Channel]
		if !known {
			ok = d.CanRead(m.Channel, reader)
			readable[m.Channel] = ok
		}
		return ok
	}
}

// matches applies the filters that have no index.
func matches(e *entry, q *wire.MsgQuery) bool {
	m := e.msg
	if r := q.TimeRange; r != nil && (m.Tick < r[0] || m.Tick > r[1]) {
		return false
	}
	if q.References != nil && !slices.ContainsFunc(*q.References, func(h wire.Hash) bool { return slices.Contains(m.References, h) }) {
		return false
	}
	if q.MinSignals != nil && e.positive < *q.MinSignals {
		return false
	}
	return q.TextMatch == nil || bytes.Contains(m.Content, *q.TextMatch)
}
