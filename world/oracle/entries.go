package oracle

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// entries are all entries, without their bodies, and the ways to find the published ones
// by what queries and the cycle end ask for. The ways are rebuilt on restore and not hashed.
// They name entries by number.
type entries struct {
	*cards
	links *citations

	order    []uint32 // published, in order of publication
	fresh    []uint32 // the same, as RECENT sorts them, last first
	grades   []grade  // what QUALITY sorts by, of the newest Window of order: by place modulo Window
	byKind   map[wire.EntryKind][]uint32
	byAuthor map[uint32][]uint32 // by number of the author
	like     likeness
	updated  map[wire.Cycle][]uint32 // by cycle of an update; an entry may be in several
	pending  world.Dues              // entries with an update of another, by the cycle at whose end it takes effect
}

// topic is a tag and the published entries under it.
type topic struct {
	number uint32
	name   []byte
	cards  []uint32
}

func newEntries(s *world.State, n *names, p *world.Numbering[wire.AgentID], v *votes, links *citations) *entries {
	return &entries{
		cards:    newCards(s, n, p, v),
		links:    links,
		byKind:   map[wire.EntryKind][]uint32{},
		byAuthor: map[uint32][]uint32{},
		updated:  map[wire.Cycle][]uint32{},
		grades:   make([]grade, Window),
	}
}

// place puts a published entry where it can be found.
func (s *entries) place(x *card, cal wire.Calendar) {
	s.order = append(s.order, x.number)
	var few [8]uint32
	for _, n := range s.topics(few[:0], x) {
		t := s.byNumber[n]
		t.cards = append(t.cards, x.number)
	}
	s.byKind[x.kind] = append(s.byKind[x.kind], x.number)
	s.byAuthor[x.author] = append(s.byAuthor[x.author], x.number)
	if old := s.text(x).Supersedes; old != nil {
		if o := s.find(*old); o != nil && o.author == x.author { // a stranger's word hides no entry
			o.replaced = true
		}
	}
	s.touch(x, cal)
}

// under lists the published entries with a tag, in order of publication.
func (s *entries) under(tag []byte) []uint32 {
	if t := s.byTag[string(tag)]; t != nil {
		return t.cards
	}
	return nil
}

// by lists the published entries of an author, in order of publication.
func (s *entries) by(a wire.AgentID) []uint32 {
	if n, ok := s.people.Find(a); ok {
		return s.byAuthor[n]
	}
	return nil
}

// touch notes when an entry last changed, after untouch if it changed before.
func (s *entries) touch(x *card, cal wire.Calendar) {
	cycle := cal.Cycle(x.updated.Tick())
	s.updated[cycle] = append(s.updated[cycle], x.number)
	i, _ := slices.BinarySearchFunc(s.fresh, x, s.staler)
	s.fresh = slices.Insert(s.fresh, i, x.number)
	s.rate(x)
}

// rate notes the grade of a published entry, after every change of what quality is made of.
func (s *entries) rate(x *card) {
	if int(x.place)+Window > len(s.order) {
		s.grades[x.place%Window] = s.grade(x, quality(x))
	}
}

// untouch forgets when an entry changed; it must come before the change.
func (s *entries) untouch(x *card, cal wire.Calendar) {
	cycle := cal.Cycle(x.updated.Tick())
	s.updated[cycle] = slices.DeleteFunc(s.updated[cycle], func(n uint32) bool { return n == x.number })
	i, ok := slices.BinarySearchFunc(s.fresh, x, s.staler)
	if !ok {
		panic("oracle: entry " + s.idOf(x).String() + " is not published")
	}
	s.fresh = slices.Delete(s.fresh, i, i+1)
}

// staler is the order of RECENT, backwards: by update, the highest id first.
func (s *entries) staler(n uint32, y *card) int {
	x := s.at(n)
	return cmp.Or(cmp.Compare(x.updated, y.updated), s.names.id(y.number).Compare(*s.names.id(n)))
}

// restored rebuilds the ways to find entries.
func (s *entries) restored(cal wire.Calendar) {
	var live []*card
	for x := range s.all.All() {
		if x.kept && x.live() {
			live = append(live, x)
		}
		if p := s.others[x.number].pending; x.kept && p != nil {
			s.pending.Schedule(cal.Cycle(p.Due), s.idOf(x))
		}
	}
	slices.SortFunc(live, func(a, b *card) int { return cmp.Compare(a.place, b.place) })
	for _, x := range live {
		s.place(x, cal)
	}
}
