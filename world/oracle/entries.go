package oracle

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// entries holds all entries without their bodies, and the indexes of the published ones for queries and the cycle
// end. The indexes hold numbers of entries, are rebuilt on restore, and are not hashed.
type entries struct {
	*packedEntries
	links *citations

	order    []uint32 // published, in order of publication
	byUpdate []uint32 // the same in reverse order of RECENT: the entry that it shows first is last
	grades   []grade  // for QUALITY, of the newest Window entries of order, by place modulo Window
	byKind   map[wire.EntryKind][]uint32
	byAuthor map[uint32][]uint32 // by number of the author
	titles   titleMatcher
	updated  map[wire.Cycle][]uint32 // by the cycle of the last update
	pending  world.Dues              // entries with a pending update, by the cycle at whose end it takes effect
	hidden   world.Dues              // entries under peer review, by the cycle at whose end it is over
}

// topic is a tag and the published entries under it.
type topic struct {
	number  uint32
	name    []byte
	entries []uint32
}

func newEntries(s *world.State, ids *idNumbers, people *world.Numbering[wire.AgentID], v *votes, links *citations) *entries {
	return &entries{
		packedEntries: newPackedEntries(s, ids, people, v),
		links:         links,
		byKind:        map[wire.EntryKind][]uint32{},
		byAuthor:      map[uint32][]uint32{},
		updated:       map[wire.Cycle][]uint32{},
		grades:        make([]grade, Window),
	}
}

// indexPublished adds a published entry to the indexes.
func (s *entries) indexPublished(x *packedEntry, cal wire.Calendar) {
	s.order = append(s.order, x.number)
	var buf [8]uint32
	for _, n := range s.topicNumbers(buf[:0], x) {
		t := s.byNumber[n]
		t.entries = append(t.entries, x.number)
	}
	s.byKind[x.kind] = append(s.byKind[x.kind], x.number)
	s.byAuthor[x.author] = append(s.byAuthor[x.author], x.number)
	if old := s.textOf(x).Supersedes; old != nil {
		if o := s.find(*old); o.author == x.author { // only the author can replace an entry
			o.replaced = true
		}
	}
	s.indexUpdate(x, cal)
}

// taggedWith returns the published entries with a tag, in order of publication.
func (s *entries) taggedWith(tag []byte) []uint32 {
	if t := s.byTag[string(tag)]; t != nil {
		return t.entries
	}
	return nil
}

// publishedBy returns the published entries of an author, in order of publication.
func (s *entries) publishedBy(a wire.AgentID) []uint32 {
	if n, ok := s.people.Find(a); ok {
		return s.byAuthor[n]
	}
	return nil
}

// indexUpdate adds a published entry to the indexes by time of update, and updates its grade.
func (s *entries) indexUpdate(x *packedEntry, cal wire.Calendar) {
	cycle := cal.Cycle(x.updated.Tick())
	s.updated[cycle] = append(s.updated[cycle], x.number)
	i, _ := slices.BinarySearchFunc(s.byUpdate, x, s.compareUpdates)
	s.byUpdate = slices.Insert(s.byUpdate, i, x.number)
	s.updateGrade(x)
}

// updateGrade stores the grade of a published entry. It must be called after each change of its accuracy,
// completeness or freshness.
func (s *entries) updateGrade(x *packedEntry) {
	if int(x.place)+Window > len(s.order) {
		s.grades[x.place%Window] = s.gradeOf(x, quality(x))
	}
}

// unindexUpdate removes an entry from the indexes by time of update. It must be called before the time changes.
func (s *entries) unindexUpdate(x *packedEntry, cal wire.Calendar) {
	cycle := cal.Cycle(x.updated.Tick())
	s.updated[cycle] = slices.DeleteFunc(s.updated[cycle], func(n uint32) bool { return n == x.number })
	i, ok := slices.BinarySearchFunc(s.byUpdate, x, s.compareUpdates)
	if !ok {
		panic("oracle: entry " + s.idOf(x).String() + " is not published")
	}
	s.byUpdate = slices.Delete(s.byUpdate, i, i+1)
}

// compareUpdates is the reverse order of RECENT: by time of update, and of equal ones the highest id first.
func (s *entries) compareUpdates(n uint32, y *packedEntry) int {
	x := s.at(n)
	return cmp.Or(cmp.Compare(x.updated, y.updated), s.ids.id(y.number).Compare(*s.ids.id(n)))
}

// hide notes when the peer review of a hidden entry is over.
func (s *entries) hide(x *packedEntry, cal wire.Calendar) {
	s.hidden.Schedule(cal.Cycle(x.created.Tick())+reviewCycles, s.idOf(x))
}

// restored rebuilds the indexes.
func (s *entries) restored(cal wire.Calendar) {
	var live []*packedEntry
	for x := range s.all.All() {
		if x.exists && x.live() {
			live = append(live, x)
		}
		if x.exists && !x.live() {
			s.hide(x, cal)
		}
		if p := s.foreignEdits[x.number].pending; x.exists && p != nil {
			s.pending.Schedule(cal.Cycle(p.Due), s.idOf(x))
		}
	}
	slices.SortFunc(live, func(a, b *packedEntry) int { return cmp.Compare(a.place, b.place) })
	for _, x := range live {
		s.indexPublished(x, cal)
	}
}
