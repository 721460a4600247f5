package oracle

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// entries are all entries, without their bodies, and the ways to find the published ones
// by what queries and the cycle end ask for. The ways are rebuilt on restore and not hashed.
type entries struct {
	*world.Table[wire.Hash, Entry]
	links *citations

	order    []*card // published, in order of publication
	fresh    []*card // the same, as RECENT sorts them, last first
	grades   []grade // of order, what QUALITY sorts by
	byTag    map[string]*topic
	byKind   map[wire.EntryKind][]*card
	byAuthor map[wire.AgentID][]*card
	like     likeness
	updated  map[wire.Cycle][]wire.Hash // by cycle of an update; an entry may be in several
	pending  world.Dues                 // entries with an update of another, by the cycle at whose end it takes effect
	replaced map[wire.Hash]struct{}     // those that an entry of their own author supersedes
}

// topic is a tag and the published entries under it.
type topic struct {
	number uint32
	name   []byte
	cards  []*card
}

func newEntries(s *world.State, links *citations) *entries {
	return &entries{
		Table:    world.NewTable[wire.Hash](s, "entries", entryCodec),
		links:    links,
		byTag:    map[string]*topic{},
		byKind:   map[wire.EntryKind][]*card{},
		byAuthor: map[wire.AgentID][]*card{},
		updated:  map[wire.Cycle][]wire.Hash{},
		replaced: map[wire.Hash]struct{}{},
	}
}

// place puts a published entry where it can be found.
func (s *entries) place(e *Entry, cal wire.Calendar) {
	h := &e.Head
	x := &card{Entry: e}
	s.order, s.grades = append(s.order, x), append(s.grades, grade{})
	for i, tag := range h.Tags {
		t := s.byTag[string(tag)]
		if t == nil {
			t = &topic{number: uint32(len(s.byTag)), name: tag}
			s.byTag[string(tag)] = t
		}
		h.Tags[i] = t.name // the same bytes, in memory once
		t.cards = append(t.cards, x)
		x.topics = append(x.topics, t.number)
	}
	slices.Sort(x.topics)
	s.byKind[h.Kind] = append(s.byKind[h.Kind], x)
	s.byAuthor[h.Author] = append(s.byAuthor[h.Author], x)
	if old := h.Supersedes; old != nil {
		if o := s.Get(*old); o != nil && o.Head.Author == h.Author { // a stranger's word hides no entry
			s.replaced[*old] = struct{}{}
		}
	}
	s.touch(x, cal)
}

// under lists the published entries with a tag, in order of publication.
func (s *entries) under(tag []byte) []*card {
	if t := s.byTag[string(tag)]; t != nil {
		return t.cards
	}
	return nil
}

// touch notes when an entry last changed, after untouch if it changed before.
func (s *entries) touch(x *card, cal wire.Calendar) {
	cycle := cal.Cycle(x.Head.UpdatedAt)
	s.updated[cycle] = append(s.updated[cycle], x.Head.ID)
	i, _ := slices.BinarySearchFunc(s.fresh, x, (*card).staler)
	s.fresh = slices.Insert(s.fresh, i, x)
	s.rate(x.Entry)
}

// rate notes the grade of a published entry, after every change of what quality is made of.
func (s *entries) rate(e *Entry) { s.grades[e.Place-1] = gradeAs(&e.Head, quality(&e.Head)) }

// untouch forgets when an entry changed and returns its card; it must come before the change.
func (s *entries) untouch(e *Entry, cal wire.Calendar) *card {
	cycle := cal.Cycle(e.Head.UpdatedAt)
	s.updated[cycle] = slices.DeleteFunc(s.updated[cycle], func(id wire.Hash) bool { return id == e.Head.ID })
	i, ok := slices.BinarySearchFunc(s.fresh, &card{Entry: e}, (*card).staler)
	if !ok {
		panic("oracle: entry " + e.Head.ID.String() + " is not published")
	}
	x := s.fresh[i]
	s.fresh = slices.Delete(s.fresh, i, i+1)
	return x
}

// staler is the order of RECENT, backwards: by update, the highest id first.
func (x *card) staler(y *card) int {
	return cmp.Or(cmp.Compare(x.Head.UpdatedAt, y.Head.UpdatedAt), y.Head.ID.Compare(x.Head.ID))
}

// restored rebuilds the ways to find entries.
func (s *entries) restored(cal wire.Calendar) {
	var live []*Entry
	s.Each(func(id wire.Hash, e *Entry) {
		if e.live() {
			live = append(live, e)
		}
		if e.Pending != nil {
			s.pending.Add(cal.Cycle(e.Pending.Due), id)
		}
	})
	slices.SortFunc(live, func(a, b *Entry) int { return cmp.Compare(a.Place, b.Place) })
	for _, e := range live {
		s.place(e, cal)
	}
}
