package agora

import (
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
	found := d.archive.search(c.Source, q, limit)
	out, bound := make([]wire.Message, len(found)), 64
	var missing []wire.Missing
	for i, e := range found {
		d.archive.show(&missing, &out[i], e)
		bound += 256 + int(e.length) + 34*len(e.msg.References)
	}
	return c.AnswerWithin(bound, wire.TypeMsgQuery, &wire.MsgQueryReply{Messages: out}).Without(missing)
}

// long says whether a filter lists more than a query may cost.
func long[T any](list *[]T) bool { return list != nil && len(*list) > maxFilter }

// search returns the limit best matches among the searchWindow newest messages that
// the indexed filters leave and reader may read: highest score first, the newest of
// equals first. It stops where nothing better can follow.
func (x *archive) search(reader wire.AgentID, q *wire.MsgQuery, limit int) []*entry {
	found := make([]*entry, 0, limit)
	w := x.walk(q)
	first := uint32(0)
	if !w.only && q.References != nil { // no indexed filter: what the window holds is known
		first = x.oldest(reader, searchWindow)
		w.narrow(gather(*q.References, func(h wire.Hash) []uint32 { return x.byRef[h] }))
	}
	if q.TextMatch != nil {
		first = max(first, uint32(max(0, len(x.all)-textWindow)))
	}
	for seen := 0; seen < searchWindow; {
		e := w.next()
		if e == nil || e.number < first || q.TimeRange != nil && e.msg.Tick < q.TimeRange[0] {
			break // the rest is older still
		}
		if !passes(&e.msg, q) || !e.talk.admits(reader) {
			continue
		}
		seen++
		if !x.matches(e, q) {
			continue
		}
		found = rank(found, e, q.Sort)
		if q.Sort == wire.AgoraSortRecent && len(found) == limit {
			break
		}
	}
	return found
}

// rank puts e, older than all of found, at its place and keeps no more than cap(found).
func rank(found []*entry, e *entry, by wire.AgoraSort) []*entry {
	if n := len(found); n == cap(found) {
		if found[n-1].score(by) >= e.score(by) {
			return found
		}
		found = found[:n-1]
	}
	i, _ := slices.BinarySearchFunc(found, e, func(x, e *entry) int {
		if x.score(by) >= e.score(by) {
			return -1
		}
		return 1
	})
	return slices.Insert(found, i, e)
}

// score is what a query sorts by, beside age.
func (e *entry) score(by wire.AgoraSort) int64 {
	switch by {
	case wire.AgoraSortSignals:
		return int64(e.positive)
	case wire.AgoraSortRelevant:
		return e.weight
	default: // RECENT: age alone
		return 0
	}
}

// passes applies the indexed filters.
func passes(m *wire.Message, q *wire.MsgQuery) bool {
	return (q.Authors == nil || slices.Contains(*q.Authors, m.Author)) &&
		(q.Channels == nil || slices.Contains(*q.Channels, m.Channel)) &&
		(q.Kinds == nil || slices.Contains(*q.Kinds, m.Kind))
}

// matches applies the filters that have no index.
func (x *archive) matches(e *entry, q *wire.MsgQuery) bool {
	m := &e.msg
	if r := q.TimeRange; r != nil && (m.Tick < r[0] || m.Tick > r[1]) {
		return false
	}
	if q.References != nil && !slices.ContainsFunc(*q.References, func(h wire.Hash) bool { return slices.Contains(m.References, h) }) {
		return false
	}
	if q.MinSignals != nil && e.positive < *q.MinSignals {
		return false
	}
	return q.TextMatch == nil || x.mentions(e, *q.TextMatch)
}
