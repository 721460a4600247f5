package oracle

import (
	"cmp"
	"slices"

	"kingdom/wire"
)

// shelf is how entries are found: their bodies, and the published ones by what queries
// and the cycle end ask for. It is rebuilt on restore and not hashed.
type shelf struct {
	bodies   map[wire.Hash][]*Version // by number − 1
	order    []*card                  // published, in order of publication
	fresh    []*card                  // the same, as RECENT sorts them, last first
	grades   []grade                  // of order, what QUALITY sorts by
	byTag    map[string]*topic
	byKind   map[wire.EntryKind][]*card
	byAuthor map[wire.AgentID][]*card
	round    uint64                       // of comparison
	updated  map[wire.Cycle][]wire.Hash   // by cycle of an update; an entry may be in several
	waiting  map[wire.Hash]struct{}       // entries with a pending update
	desk     map[wire.Hash][]wire.AgentID // reviewers of hidden entries, ids ascending
}

// topic is a tag and the published entries under it.
type topic struct {
	number uint32
	cards  []*card
}

func (s *shelf) clear() {
	*s = shelf{
		bodies:   map[wire.Hash][]*Version{},
		byTag:    map[string]*topic{},
		byKind:   map[wire.EntryKind][]*card{},
		byAuthor: map[wire.AgentID][]*card{},
		updated:  map[wire.Cycle][]wire.Hash{},
		waiting:  map[wire.Hash]struct{}{},
		desk:     map[wire.Hash][]wire.AgentID{},
	}
}

func (s *shelf) keep(v *Version) { s.bodies[v.EntryID] = append(s.bodies[v.EntryID], v) }

// body is the version of an entry, or nil.
func (s *shelf) body(id wire.Hash, version uint32) *Version {
	if all := s.bodies[id]; version >= 1 && int(version) <= len(all) {
		return all[version-1]
	}
	return nil
}

// place puts a published entry where it can be found.
func (s *shelf) place(e *Entry, cal wire.Calendar) {
	h := &e.Head
	x := &card{Entry: e, title: piecesOf(h.Title)}
	s.order, s.grades = append(s.order, x), append(s.grades, grade{})
	for _, tag := range h.Tags {
		t := s.byTag[string(tag)]
		if t == nil {
			t = &topic{number: uint32(len(s.byTag))}
			s.byTag[string(tag)] = t
		}
		t.cards = append(t.cards, x)
		x.topics = append(x.topics, t.number)
	}
	slices.Sort(x.topics)
	s.byKind[h.Kind] = append(s.byKind[h.Kind], x)
	s.byAuthor[h.Author] = append(s.byAuthor[h.Author], x)
	s.touch(x, cal)
}

// under lists the published entries with a tag, in order of publication.
func (s *shelf) under(tag []byte) []*card {
	if t := s.byTag[string(tag)]; t != nil {
		return t.cards
	}
	return nil
}

// seat adds a reviewer of a hidden entry.
func (s *shelf) seat(id wire.Hash, a wire.AgentID) {
	i, _ := slices.BinarySearchFunc(s.desk[id], a, wire.AgentID.Compare)
	s.desk[id] = slices.Insert(s.desk[id], i, a)
}

// touch notes when an entry last changed, after untouch if it changed before.
func (s *shelf) touch(x *card, cal wire.Calendar) {
	cycle := cal.Cycle(x.Head.UpdatedAt)
	s.updated[cycle] = append(s.updated[cycle], x.Head.ID)
	i, _ := slices.BinarySearchFunc(s.fresh, x, (*card).staler)
	s.fresh = slices.Insert(s.fresh, i, x)
	s.rate(x.Entry)
}

// rate notes the grade of a published entry, after every change of what quality is made of.
func (s *shelf) rate(e *Entry) { s.grades[e.Place-1] = gradeAs(&e.Head, quality(&e.Head)) }

// untouch forgets when an entry changed and returns its card; it must come before the change.
func (s *shelf) untouch(e *Entry) *card {
	i, ok := slices.BinarySearchFunc(s.fresh, &card{Entry: e}, (*card).staler)
	if !ok {
		panic("oracle: entry " + e.Head.ID.String() + " is not on the shelf")
	}
	x := s.fresh[i]
	s.fresh = slices.Delete(s.fresh, i, i+1)
	return x
}

// staler is the order of RECENT, backwards: by update, the highest id first.
func (x *card) staler(y *card) int {
	return cmp.Or(cmp.Compare(x.Head.UpdatedAt, y.Head.UpdatedAt), y.Head.ID.Compare(x.Head.ID))
}

// Restored rebuilds what is not in the chains' callbacks.
func (d *Daemon) Restored() {
	bodies := d.shelf.bodies
	d.shelf.clear()
	d.shelf.bodies = bodies
	var live []*Entry
	d.entries.Each(func(id wire.Hash, e *Entry) {
		if e.live() {
			live = append(live, e)
		}
		if e.Pending != nil {
			d.waiting[id] = struct{}{}
		}
	})
	d.approvals.Each(func(k string, _ *Approval) {
		id := wire.Hash([]byte(k[:32]))
		d.seat(id, wire.AgentID([]byte(k[32:])))
	})
	slices.SortFunc(live, func(a, b *Entry) int { return cmp.Compare(a.Place, b.Place) })
	for _, e := range live {
		d.shelf.place(e, d.rules.Calendar)
	}
}

// Entry is the entry with its newest body; ok is false for unknown ones.
func (d *Daemon) Entry(id wire.Hash) (h wire.OracleEntry, ok bool) {
	e := d.entries.Get(id)
	if e == nil {
		return wire.OracleEntry{}, false
	}
	return d.full(e), true
}

// Entries counts the published entries.
func (d *Daemon) Entries() int { return len(d.order) }

func (d *Daemon) full(e *Entry) wire.OracleEntry {
	h := e.Head
	h.Body = d.body(h.ID, h.Version).Body
	return h
}
