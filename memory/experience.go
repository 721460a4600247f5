package memory

import "kingdom/wire"

// ExperienceWindow is how many experiences stay in memory; older ones are in the store.
const ExperienceWindow = 512

// Experience is one action and what came of it.
type Experience struct {
	ID      uint64    `kdom:"id"` // row id
	Tick    wire.Tick `kdom:"tick"`
	Action  []byte    `kdom:"action"` // canonical map, see Act
	Outcome Outcome   `kdom:"outcome"`
	Lesson  []byte    `kdom:"lesson"` // UTF-8
}

var experienceCodec = wire.NewCodec[Experience]()

// Experiences is the window of the newest experiences, oldest first, and the number of
// all ever made.
type Experiences struct {
	book   *Book
	words  words
	ring   []slot // grows to ExperienceWindow, then wraps
	start  int    // oldest
	total  uint64
	digest Digest
	lost   []slot // changed rows pushed out of the window before a flush

	act Act        // scratch
	exp Experience // scratch
}

// slot is an experience as the window keeps it, see pack.
type slot struct {
	id      uint64
	tick    wire.Tick
	act     packed
	lesson  []byte
	outcome Outcome
	dirty   bool
}

// Add remembers an experience under a new row id, which it returns.
func (x *Experiences) Add(e Experience) uint64 {
	e.ID = x.book.Next()
	x.push(x.slotOf(&e, true))
	x.total++
	return e.ID
}

// AddAct is Add of an action that is not encoded yet.
func (x *Experiences) AddAct(at wire.Tick, a *Act, o Outcome, lesson []byte) uint64 {
	s := slot{id: x.book.Next(), tick: at, outcome: o, lesson: lesson, dirty: true}
	if !x.words.pack(&s.act, a) {
		raw := actCodec.Bytes(a)
		s.act = packed{raw: &raw}
	}
	x.push(s)
	x.total++
	return s.id
}

func (x *Experiences) slotOf(e *Experience, dirty bool) slot {
	s := slot{id: e.ID, tick: e.Tick, outcome: e.Outcome, lesson: e.Lesson, dirty: dirty}
	if DecodeAct(e.Action, &x.act) != nil || !x.words.pack(&s.act, &x.act) {
		s.act = packed{raw: &e.Action}
	}
	return s
}

func (x *Experiences) push(s slot) {
	if len(x.ring) < ExperienceWindow {
		x.ring = append(x.ring, s)
		x.digest.Add(x.sum(&x.ring[len(x.ring)-1]))
		return
	}
	old := &x.ring[x.start]
	x.digest.Sub(x.sum(old))
	if old.dirty {
		x.lost = append(x.lost, *old)
	}
	*old = s
	x.digest.Add(x.sum(old))
	x.start = (x.start + 1) % ExperienceWindow
}

// row is a slot as it is stored.
func (x *Experiences) row(s *slot) Experience {
	b := wire.Borrow()
	b.B = x.words.unpack(b.B, &s.act, &x.act)
	return Experience{ID: s.id, Tick: s.tick, Action: b.Take(), Outcome: s.outcome, Lesson: s.lesson}
}

// sum is the hash of a slot's row.
func (x *Experiences) sum(s *slot) wire.Hash {
	b := wire.Borrow()
	defer b.Return()
	b.B = x.words.unpack(b.B, &s.act, &x.act)
	x.exp = Experience{ID: s.id, Tick: s.tick, Action: b.B, Outcome: s.outcome, Lesson: s.lesson}
	sum := Sum(experienceCodec, &x.exp)
	x.exp = Experience{}
	return sum
}

// Len returns the number of experiences in the window.
func (x *Experiences) Len() int { return len(x.ring) }

// Total returns the number of experiences ever made.
func (x *Experiences) Total() uint64 { return x.total }

// At returns a copy of the i-th experience of the window, 0 being the oldest.
func (x *Experiences) At(i int) *Experience {
	e := x.row(x.at(i))
	return &e
}

func (x *Experiences) at(i int) *slot { return &x.ring[(x.start+i)%len(x.ring)] }

// Recent returns a copy of the i-th newest experience, 0 being the last, or nil.
func (x *Experiences) Recent(i int) *Experience {
	if i >= len(x.ring) {
		return nil
	}
	return x.At(len(x.ring) - 1 - i)
}

// Resolve replaces outcome and lesson of a row, as when a result arrives after the
// acknowledgement; it reports whether the row is still in the window.
func (x *Experiences) Resolve(id uint64, o Outcome, lesson []byte) bool {
	for i := len(x.ring) - 1; i >= 0; i-- {
		s := x.at(i)
		if s.id != id {
			continue
		}
		x.digest.Sub(x.sum(s))
		s.outcome, s.lesson, s.dirty = o, lesson, true
		x.digest.Add(x.sum(s))
		return true
	}
	return false
}

// Digest covers the rows of the window.
func (x *Experiences) Digest() wire.Hash { return x.digest.Hash() }

// Changed returns the rows made or changed since the last call, by id, and forgets
// them as changed.
func (x *Experiences) Changed() []Experience {
	var out []Experience
	for i := range x.lost {
		out = append(out, x.row(&x.lost[i]))
	}
	x.lost = nil
	for i := range x.ring {
		if s := x.at(i); s.dirty {
			s.dirty = false
			out = append(out, x.row(s))
		}
	}
	return out
}

// Restore puts back rows of a store, in ascending id order, of which the newest stay in
// the window, and the count of all.
func (x *Experiences) Restore(rows []Experience, total uint64) {
	x.ring, x.start, x.lost, x.digest, x.total, x.words = nil, 0, nil, Digest{}, total, nil
	for i := range rows {
		x.push(x.slotOf(&rows[i], false))
	}
}
