package oracle

import (
	"cmp"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// search returns the k best published entries for a query, best first, of the newest
// Window that the indexed filters (author, kind, tag) leave.
func (s *entries) search(q *wire.EntryQuery, k int) []*packedEntry {
	if q.Authors == nil && q.Kinds == nil && q.Tags == nil {
		switch q.Sort {
		case wire.OracleSortRecent:
			return s.searchByUpdate(q, k)
		case wire.OracleSortQuality:
			return s.searchByQuality(q, k)
		default: // no index is in this order
		}
	}
	best := ranking{ids: s.ids, k: k}
	topics := s.queryTopics(q)
	score := s.scorer(q, topics)
	list := s.candidates(q)
	last := max(0, len(list)-Steps)
	for i, n := len(list)-1, 0; i >= last && n < Window; i-- {
		x := s.at(list[i])
		if !s.matches(x, q, topics) {
			continue
		}
		n++
		if s.passes(x, q) {
			best.add(hit{x, s.gradeOf(x, score(x))})
		}
	}
	return best.sorted()
}

// searchByUpdate is search by RECENT without indexed filters. It uses byUpdate, which is in this order.
func (s *entries) searchByUpdate(q *wire.EntryQuery, k int) (out []*packedEntry) {
	last := max(0, len(s.byUpdate)-Steps)
	for i, n := len(s.byUpdate)-1, 0; i >= last && n < Window && len(out) < k; i-- {
		x := s.at(s.byUpdate[i])
		if int(x.place)+Window <= len(s.order) {
			continue // published too long ago
		}
		n++
		if s.passes(x, q) {
			out = append(out, x)
		}
	}
	return out
}

// searchByQuality is search by QUALITY without indexed filters. The stored grades tell which entries can be skipped.
func (s *entries) searchByQuality(q *wire.EntryQuery, k int) []*packedEntry {
	best := ranking{ids: s.ids, k: k}
	for i := len(s.order) - 1; i >= max(0, len(s.order)-Window); i-- {
		g := s.grades[uint(i+1)%Window]
		if best.last.packedEntry != nil && best.last.grade.compare(g) < 0 {
			continue
		}
		if x := s.at(s.order[i]); s.passes(x, q) {
			best.add(hit{x, g})
		}
	}
	return best.sorted()
}

// candidates returns the shortest list that contains all entries that the indexed filters leave.
func (s *entries) candidates(q *wire.EntryQuery) []uint32 {
	list := s.order
	shorter := func(l []uint32) {
		if len(l) < len(list) {
			list = l
		}
	}
	if q.Authors != nil && len(*q.Authors) == 1 {
		shorter(s.publishedBy((*q.Authors)[0]))
	}
	if q.Kinds != nil && len(*q.Kinds) == 1 {
		shorter(s.byKind[(*q.Kinds)[0]])
	}
	if q.Tags != nil && len(*q.Tags) == 1 {
		shorter(s.taggedWith((*q.Tags)[0]))
	}
	if q.Authors != nil && len(*q.Authors) > 1 && len(list) == len(s.order) {
		if few, ok := s.ofAuthors(*q.Authors); ok {
			return few
		}
	}
	return list
}

// ofAuthors returns those of the newest Steps entries that one of the authors published, grouped by author. ok is
// false if they published more than Window, because then the result would depend on the order.
func (s *entries) ofAuthors(authors []wire.AgentID) (list []uint32, ok bool) {
	n := 0
	for _, a := range authors {
		n += len(s.publishedBy(a))
	}
	if n > Window {
		return nil, false
	}
	list = make([]uint32, 0, n)
	for i, a := range authors {
		if slices.Contains(authors[:i], a) {
			continue
		}
		for _, x := range s.publishedBy(a) {
			if int(s.at(x).place)+Steps > len(s.order) {
				list = append(list, x)
			}
		}
	}
	return list, true
}

// quality returns the number that QUALITY sorts by.
func quality(x *packedEntry) int64 {
	return det.QuantiseInt((float64(x.accuracy) + float64(x.completeness) + float64(x.freshness)) / 3)
}

// scorer returns the function whose result a query sorts by, highest first; topics are the query's tags.
func (s *entries) scorer(q *wire.EntryQuery, topics []uint32) func(*packedEntry) int64 {
	switch q.Sort {
	case wire.OracleSortRecent:
		return func(x *packedEntry) int64 { return int64(x.updated) }
	case wire.OracleSortQuality:
		return quality
	case wire.OracleSortCitations:
		return func(x *packedEntry) int64 { return int64(x.citations) }
	default: // RELEVANT
	}
	if q.About != nil {
		s.titles.setText(*q.About)
	}
	return func(x *packedEntry) int64 {
		score := 0.0
		if topics != nil {
			score = float64(s.sharedBy(x, topics))
		}
		if q.About != nil {
			score += s.titles.similarityTo(s.title(x))
		}
		return det.QuantiseInt(score)
	}
}

// grade is the score of an entry for a query, and the first 8 bytes of its id, which decide most ties.
type grade struct {
	score int64
	id    uint64
}

func (s *entries) gradeOf(x *packedEntry, score int64) grade {
	return grade{score, binary.BigEndian.Uint64(s.ids.id(x.number)[:])}
}

func (g grade) compare(o grade) int {
	if g.score != o.score {
		return cmp.Compare(o.score, g.score)
	}
	return cmp.Compare(g.id, o.id)
}

// hit is an entry and its grade.
type hit struct {
	*packedEntry
	grade
}

// ranking keeps the k best hits: once it has twice as many, it drops the worse half.
type ranking struct {
	ids  *idNumbers
	k    int
	hits []hit
	last hit // the k-th best so far, once there are as many
}

// compare is the order of hits, the best first.
func (r *ranking) compare(a, b hit) int {
	if c := a.grade.compare(b.grade); c != 0 {
		return c // without reading the full ids
	}
	return r.ids.id(a.number).Compare(*r.ids.id(b.number))
}

func (r *ranking) add(h hit) {
	if r.last.packedEntry != nil && r.compare(h, r.last) > 0 {
		return
	}
	if r.hits = append(r.hits, h); len(r.hits) >= 2*r.k {
		r.cut()
		r.last = r.hits[r.k-1]
	}
}

func (r *ranking) cut() {
	slices.SortFunc(r.hits, r.compare)
	r.hits = r.hits[:min(r.k, len(r.hits))]
}

func (r *ranking) sorted() []*packedEntry {
	r.cut()
	out := make([]*packedEntry, len(r.hits))
	for i, h := range r.hits {
		out[i] = h.packedEntry
	}
	return out
}
