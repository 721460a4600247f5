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
	order    []wire.Hash              // published, in order of publication
	byTag    map[string][]wire.Hash
	byKind   map[wire.EntryKind][]wire.Hash
	byAuthor map[wire.AgentID][]wire.Hash
	updated  map[wire.Cycle][]wire.Hash   // by cycle of an update; an entry may be in several
	waiting  map[wire.Hash]struct{}       // entries with a pending update
	desk     map[wire.Hash][]wire.AgentID // reviewers of hidden entries, ids ascending
}

func (s *shelf) clear() {
	*s = shelf{
		bodies:   map[wire.Hash][]*Version{},
		byTag:    map[string][]wire.Hash{},
		byKind:   map[wire.EntryKind][]wire.Hash{},
		byAuthor: map[wire.AgentID][]wire.Hash{},
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
	s.order = append(s.order, h.ID)
	for _, t := range h.Tags {
		s.byTag[string(t)] = append(s.byTag[string(t)], h.ID)
	}
	s.byKind[h.Kind] = append(s.byKind[h.Kind], h.ID)
	s.byAuthor[h.Author] = append(s.byAuthor[h.Author], h.ID)
	s.touch(h, cal)
}

// seat adds a reviewer of a hidden entry.
func (s *shelf) seat(id wire.Hash, a wire.AgentID) {
	i, _ := slices.BinarySearchFunc(s.desk[id], a, wire.AgentID.Compare)
	s.desk[id] = slices.Insert(s.desk[id], i, a)
}

// touch notes when an entry last changed.
func (s *shelf) touch(h *wire.OracleEntry, cal wire.Calendar) {
	cycle := cal.Cycle(h.UpdatedAt)
	s.updated[cycle] = append(s.updated[cycle], h.ID)
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
