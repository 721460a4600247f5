package memory

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

const (
	// ExperienceWindow is how many experiences an agent's state covers; older ones are in
	// the store.
	ExperienceWindow = 512
	// experienceRecent is how many of them can always be looked at.
	experienceRecent = 32
)

// Experience is one action and its result.
type Experience struct {
	ID      uint64    `kdom:"id"` // row id
	Tick    wire.Tick `kdom:"tick"`
	Action  []byte    `kdom:"action"` // canonical map, see Act
	Outcome Outcome   `kdom:"outcome"`
	Lesson  []byte    `kdom:"lesson"` // UTF-8
}

// Experiences has the newest experiences (the window), oldest first, and the number ever made. Of the window it keeps
// the content of those that are still needed: the newest experienceRecent, those without a known outcome, and those
// made or changed since the last Changed or Forget. Of the others it keeps the hash.
type Experiences struct {
	ids    *RowIDs
	words  wordTable
	kept   []keptExperience // oldest first
	hashes []halfHash       // the hash of the n-th row ever made is at n mod ExperienceWindow
	total  uint64
	digest Digest // of hashes
	stale  bool   // some row is not in hashes yet

	act Act // scratch
}

// keptExperience is an experience of the window whose content is kept, with a packed act.
type keptExperience struct {
	nth     uint64 // of all ever made, from 0
	id      uint64
	tick    wire.Tick
	act     packedAct
	lesson  []byte
	outcome Outcome
	dirty   bool // not stored yet
	stale   bool // not in hashes yet
}

// Add adds an experience under a new row id, which it returns.
func (x *Experiences) Add(e Experience) uint64 {
	e.ID = x.ids.Next()
	return x.push(x.pack(&e), true)
}

// AddAct is Add for an act that is not encoded yet.
func (x *Experiences) AddAct(at wire.Tick, a *Act, o Outcome, lesson []byte) uint64 {
	s := keptExperience{id: x.ids.Next(), tick: at, outcome: o, lesson: lesson}
	if !x.words.pack(&s.act, a) {
		raw := actCodec.Bytes(a)
		s.act = packedAct{raw: &raw}
	}
	return x.push(s, true)
}

func (x *Experiences) pack(e *Experience) keptExperience {
	s := keptExperience{id: e.ID, tick: e.Tick, outcome: e.Outcome, lesson: e.Lesson}
	if DecodeAct(e.Action, &x.act) != nil || !x.words.pack(&s.act, &x.act) {
		s.act = packedAct{raw: &e.Action}
	}
	return s
}

// push puts a row into the window. Digest hashes it later, because a result may still change it.
func (x *Experiences) push(s keptExperience, dirty bool) (id uint64) {
	s.nth, s.dirty, s.stale = x.total, dirty, true
	x.total++
	x.stale = true
	x.kept = append(grow(x.kept, ExperienceWindow), s)
	return s.id
}

// row returns the stored form of an experience.
func (x *Experiences) row(s *keptExperience) Experience {
	b := codec.Borrow()
	b.B = x.words.appendTo(b.B, &s.act)
	return Experience{ID: s.id, Tick: s.tick, Action: b.Take(), Outcome: s.outcome, Lesson: s.lesson}
}

// hashRow returns the hash of a row, over the bytes that the codec would write.
func (x *Experiences) hashRow(s *keptExperience) halfHash {
	b := codec.Borrow()
	defer b.Return()
	act := x.words.appendTo(b.B, &s.act)
	dst := append(act, "\x85\xa2id"...)
	dst = codec.AppendUint(dst, s.id)
	dst = codec.AppendUint(append(dst, "\xa4tick"...), uint64(s.tick))
	dst = codec.AppendBytes(append(dst, "\xa6action"...), act)
	dst = codec.AppendString(append(dst, "\xa7outcome"...), s.outcome.String())
	b.B = codec.AppendBytes(append(dst, "\xa6lesson"...), s.lesson)
	h := sha256.Sum256(b.B[len(act):])
	return halfHash(h[len(h)/2:])
}

// halfHash is the second half of a hash. An agent keeps 512 of them, and 16 bytes are enough to tell two rows apart.
type halfHash [16]byte

// padded returns the hash in the form that a Digest takes, with zeros in front.
func (h halfHash) padded() (w wire.Hash) {
	copy(w[len(w)/2:], h[:])
	return w
}

// Len returns the number of experiences in the window.
func (x *Experiences) Len() int { return int(min(x.total, ExperienceWindow)) }

// At returns a copy of the i-th experience of the window, 0 being the oldest, or nil when
// only its hash is left.
func (x *Experiences) At(i int) *Experience {
	s := x.find(i)
	if s == nil {
		return nil
	}
	e := x.row(s)
	return &e
}

// Recent returns a copy of the i-th newest experience, 0 being the last. It is nil when
// there are fewer, or from experienceRecent on when only its hash is left.
func (x *Experiences) Recent(i int) *Experience {
	if i >= x.Len() {
		return nil
	}
	return x.At(x.Len() - 1 - i)
}

// RecentAct returns the act of the i-th newest experience, with its row id, tick, outcome and
// lesson; ok is false where Recent is nil, and for a row that holds no act.
func (x *Experiences) RecentAct(i int) (a Act, e Experience, ok bool) {
	n := x.Len() - 1 - i
	if n < 0 {
		return a, e, false
	}
	s := x.find(n)
	if s == nil {
		return a, e, false
	}
	e = Experience{ID: s.id, Tick: s.tick, Outcome: s.outcome, Lesson: s.lesson}
	if s.act.raw != nil {
		return a, e, DecodeAct(*s.act.raw, &a) == nil
	}
	x.words.unpack(&a, &s.act)
	return a, e, true
}

// RecentOutcome returns the outcome of the i-th newest experience; ok is false if Recent is nil.
func (x *Experiences) RecentOutcome(i int) (o Outcome, ok bool) {
	n := x.Len() - 1 - i
	if n < 0 {
		return 0, false
	}
	s := x.find(n)
	if s == nil {
		return 0, false
	}
	return s.outcome, true
}

// Failed reports whether the newest act with this action and subject failed or succeeded only in part, and returns its
// lesson. It looks at the newest experienceRecent acts since a tick. subject is the zero hash for an act without a
// subject.
func (x *Experiences) Failed(action string, subject *wire.Hash, since wire.Tick) (lesson []byte, failed bool) {
	word := slices.Index(x.words, action)
	for i := len(x.kept) - 1; word >= 0 && i >= 0; i-- {
		s := &x.kept[i]
		if s.tick < since || x.total-s.nth > experienceRecent {
			return nil, false
		}
		if s.act.raw == nil && int(s.act.words[0]) == word && s.act.subject == *subject {
			return s.lesson, s.outcome == OutcomeFailure || s.outcome == OutcomePartial
		}
	}
	return nil, false
}

// find returns the i-th experience of the window, 0 being the oldest, or nil when only its hash is left.
func (x *Experiences) find(i int) *keptExperience {
	nth := x.total - uint64(x.Len()) + uint64(i)
	if j := len(x.kept) - x.Len() + i; j >= 0 && x.kept[j].nth == nth {
		return &x.kept[j] // true if no row between it and the newest was dropped
	}
	j, ok := slices.BinarySearchFunc(x.kept, nth, func(s keptExperience, nth uint64) int { return cmp.Compare(s.nth, nth) })
	if !ok {
		return nil
	}
	return &x.kept[j]
}

// Resolve replaces outcome and lesson of a row, for example when a result arrives after the acknowledgement. It
// reports whether the row is still in the window. A row whose outcome is known can be resolved again while its
// content is kept.
func (x *Experiences) Resolve(id uint64, o Outcome, lesson []byte) bool {
	for i := len(x.kept) - 1; i >= 0 && x.kept[i].id >= id; i-- {
		s := &x.kept[i]
		if s.id != id || s.nth+ExperienceWindow < x.total {
			continue
		}
		s.outcome, s.lesson, s.dirty, s.stale = o, lesson, true, true
		x.stale = true
		return true
	}
	return false
}

// Lesson returns the lesson of a row, nil if its content is not kept.
func (x *Experiences) Lesson(id uint64) []byte {
	for i := len(x.kept) - 1; i >= 0 && x.kept[i].id >= id; i-- {
		if x.kept[i].id == id {
			return x.kept[i].lesson
		}
	}
	return nil
}

// Digest returns a hash over the rows of the window. Its cost depends on how many were made or changed since the last call.
func (x *Experiences) Digest() wire.Hash {
	if !x.stale {
		return x.digest.Hash()
	}
	x.stale = false
	for i := range x.kept {
		s := &x.kept[i]
		if !s.stale {
			continue
		}
		s.stale = false
		// The entry is the old hash of this row, or that of the row that it replaces.
		at := int(s.nth % ExperienceWindow)
		if at == len(x.hashes) {
			x.hashes = append(grow(x.hashes, ExperienceWindow), halfHash{})
		}
		x.digest.Sub(x.hashes[at].padded())
		x.hashes[at] = x.hashRow(s)
		x.digest.Add(x.hashes[at].padded())
	}
	return x.digest.Hash()
}

// Changed returns the rows made or changed since the last call, by id, and marks them as
// unchanged.
func (x *Experiences) Changed() []Experience {
	n := 0
	for i := range x.kept {
		if x.kept[i].dirty {
			n++
		}
	}
	out := make([]Experience, 0, n)
	for i := range x.kept {
		if s := &x.kept[i]; s.dirty {
			out = append(out, x.row(s))
		}
	}
	x.Forget()
	return out
}

// Forget is Changed for a caller that does not need the rows.
func (x *Experiences) Forget() {
	x.Digest()
	kept := x.kept[:0]
	for _, s := range x.kept {
		age := x.total - s.nth // 1 is the newest
		if s.dirty = false; age <= experienceRecent || age <= ExperienceWindow && s.outcome == OutcomeUnknown {
			kept = append(kept, s)
		}
	}
	clear(x.kept[len(kept):])
	x.kept = kept
}

// Restore puts back rows of a store, in ascending id order, of which the newest stay in
// the window, and the count of all.
func (x *Experiences) Restore(rows []Experience, total uint64) {
	rows = rows[len(rows)-int(min(uint64(len(rows)), total, ExperienceWindow)):]
	x.kept, x.hashes, x.digest, x.words = nil, nil, Digest{}, nil
	x.total = total - uint64(len(rows))
	x.hashes = make([]halfHash, min(x.total, ExperienceWindow))
	for i := range rows {
		x.push(x.pack(&rows[i]), false)
	}
	x.Forget()
}
