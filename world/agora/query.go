package agora

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Bounds of what MSG_QUERY looks at (docs/WORLD.md, bounds).
const (
	searchWindow = 4_096  // newest messages that the indexed filters leave
	searchSteps  = 16_384 // messages that the most selective filter leaves, or that the reader may not read
)

// query carries out MSG_QUERY. It applies the other filters to the newest messages that match the indexed filters
// (channel, author, kind), sorts the result, and returns as many as fit.
func (d *Daemon) query(c *world.Context, q *wire.MsgQuery) wire.Reply {
	if q.TimeRange != nil && q.TimeRange[0] > q.TimeRange[1] {
		return c.Relay(sys, world.InvalidIf(true, "time_range"))
	}
	page := world.PageOf(q.Limit, q.Offset)
	found := d.archive.search(c.Source, q, page.Reach())
	shown := world.Part(page, found)
	out, cut := make([]wire.Message, len(shown)), []wire.Hash{}
	for i, e := range shown {
		out[i] = d.archive.message(e)
		if !page.LeavesOut(int(e.length)) {
			out[i].Content = placeholder[:e.length:e.length]
		}
	}
	n := world.Fit(len(out), func(i int) int { return roughSize(&out[i]) }, func(i int) int {
		return len(messageCodec.Append(nil, &out[i]))
	})
	out = out[:n]
	var missing []wire.Missing
	for i, e := range shown[:n] {
		if page.LeavesOut(int(e.length)) {
			cut = append(cut, e.id)
		} else {
			d.archive.showContent(&missing, &out[i], e)
		}
	}
	return c.Answer(wire.TypeMsgQuery, &wire.MsgQueryReply{
		Messages: out, Cut: cut, Next: page.Next(n, len(found)),
	}).Without(missing)
}

// roughSize returns an upper bound of the encoded size of a message.
func roughSize(m *wire.Message) int { return 256 + len(m.Content) + 34*len(m.References) }

// search returns the k best matches among the searchWindow newest messages that
// the indexed filters leave and reader may read: highest score first, the newest of
// equals first. It stops where nothing better can follow.
func (x *archive) search(reader wire.AgentID, q *wire.MsgQuery, k int) []*entry {
	best := ranking{x: x, k: k, by: q.Sort}
	w := x.walk(q)
	first := uint32(0)
	if !w.restricted && q.References != nil { // no indexed filter: what the window holds is known
		first = x.oldestVisible(reader, searchWindow)
		w.narrow(gather(*q.References, func(h wire.Hash) ([]uint32, int) { return withLength(x.referring(h, first)) }))
	}
	if q.TextMatch != nil {
		first = max(first, uint32(max(0, x.all.Len()-textWindow)))
	}
	for seen, steps := 0, 0; seen < searchWindow && steps < searchSteps; steps++ {
		e := w.next()
		if e == nil || e.number < first || q.TimeRange != nil && e.tick.Tick() < q.TimeRange[0] {
			break // the rest is older still
		}
		if !x.passes(e, q) || !x.logOf(e).mayRead(reader) {
			continue
		}
		seen++
		if !x.matches(e, q) {
			continue
		}
		best.add(e)
		if q.Sort == wire.AgoraSortRecent && len(best.found) == k {
			break
		}
	}
	return best.cut()
}

// ranking keeps the k best of the messages added to it, from the newest to the oldest.
type ranking struct {
	x     *archive
	k     int
	by    wire.AgoraSort
	found []*entry
	least *entry // the k-th best so far, once there are as many
}

func (r *ranking) add(e *entry) {
	if r.least != nil && r.x.score(e, r.by) <= r.x.score(r.least, r.by) {
		return // equal scores: the newer one is kept
	}
	if r.found = append(r.found, e); r.by != wire.AgoraSortRecent && len(r.found) >= 2*r.k {
		r.least = r.cut()[r.k-1]
	}
}

// cut drops all but the k best and returns them, the best first.
func (r *ranking) cut() []*entry {
	if r.by != wire.AgoraSortRecent {
		slices.SortFunc(r.found, func(a, b *entry) int {
			return cmp.Or(cmp.Compare(r.x.score(b, r.by), r.x.score(a, r.by)), cmp.Compare(b.number, a.number))
		})
	}
	r.found = r.found[:min(r.k, len(r.found))]
	return r.found
}

// score returns the number that a query sorts by; equal ones are sorted by age.
func (x *archive) score(e *entry, by wire.AgoraSort) int64 {
	switch by {
	case wire.AgoraSortSignals:
		return int64(x.reactions.get(e).positive)
	case wire.AgoraSortRelevant:
		return x.reactions.get(e).weight
	default: // RECENT: age alone
		return 0
	}
}

// passes applies the indexed filters.
func (x *archive) passes(e *entry, q *wire.MsgQuery) bool {
	return (q.Authors == nil || slices.Contains(*q.Authors, x.author(e))) &&
		(q.Channels == nil || slices.Contains(*q.Channels, x.logOf(e).id)) &&
		(q.Kinds == nil || slices.Contains(*q.Kinds, e.kind))
}

// matches applies the filters that have no index.
func (x *archive) matches(e *entry, q *wire.MsgQuery) bool {
	if r := q.TimeRange; r != nil && (e.tick.Tick() < r[0] || e.tick.Tick() > r[1]) {
		return false
	}
	if q.References != nil && !x.refersTo(e, *q.References) {
		return false
	}
	if q.MinSignals != nil && x.reactions.get(e).positive < *q.MinSignals {
		return false
	}
	return q.TextMatch == nil || x.mentions(e, *q.TextMatch)
}
