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

// Act is the content of an experience's action column.
type Act struct {
	Action      string     `kdom:"action"` // catalogue name
	Goal        *wire.Hash `kdom:"goal"`
	GoalKind    string     `kdom:"goal_kind"`
	Domain      string     `kdom:"domain"`
	Subject     *wire.Hash `kdom:"subject"`
	SubjectKind string     `kdom:"subject_kind"`
	Envelope    *wire.Hash `kdom:"envelope"` // msg_id of the request
}

var actCodec = wire.NewCodec[Act]()

// AppendAct appends the canonical bytes of an act.
func AppendAct(dst []byte, a *Act) []byte { return actCodec.Append(dst, a) }

// DecodeAct reads what AppendAct wrote.
func DecodeAct(b []byte, a *Act) error { return actCodec.DecodeCanonical(b, a) }

// Experiences is the window of the newest experiences, oldest first, and the number of
// all ever made.
type Experiences struct {
	book   *Book
	ring   []slot // grows to ExperienceWindow, then wraps
	start  int    // oldest
	total  uint64
	digest Digest
	lost   []Experience // changed rows pushed out of the window before a flush
}

type slot struct {
	Experience
	dirty bool
}

// Add remembers an experience under a new row id, which it returns.
func (x *Experiences) Add(e Experience) uint64 {
	e.ID = x.book.Next()
	x.push(slot{Experience: e, dirty: true})
	x.total++
	return e.ID
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
		x.lost = append(x.lost, old.Experience)
	}
	*old = s
	x.digest.Add(x.sum(old))
	x.start = (x.start + 1) % ExperienceWindow
}

func (x *Experiences) sum(s *slot) wire.Hash { return Sum(experienceCodec, &s.Experience) }

// Len returns the number of experiences in the window.
func (x *Experiences) Len() int { return len(x.ring) }

// Total returns the number of experiences ever made.
func (x *Experiences) Total() uint64 { return x.total }

// At returns the i-th experience of the window, 0 being the oldest.
func (x *Experiences) At(i int) *Experience { return &x.at(i).Experience }

func (x *Experiences) at(i int) *slot { return &x.ring[(x.start+i)%len(x.ring)] }

// Recent returns the i-th newest experience, 0 being the last, or nil.
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
		if s.ID != id {
			continue
		}
		x.digest.Sub(x.sum(s))
		s.Outcome, s.Lesson, s.dirty = o, lesson, true
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
	out := x.lost
	x.lost = nil
	for i := range x.ring {
		if s := x.at(i); s.dirty {
			s.dirty = false
			out = append(out, s.Experience)
		}
	}
	return out
}

// Restore puts back rows of a store, in ascending id order, of which the newest stay in
// the window, and the count of all.
func (x *Experiences) Restore(rows []Experience, total uint64) {
	x.ring, x.start, x.lost, x.digest, x.total = nil, 0, nil, Digest{}, total
	for _, e := range rows {
		x.push(slot{Experience: e})
	}
}
