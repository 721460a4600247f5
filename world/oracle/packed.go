package oracle

import (
	"bytes"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// packedEntry is what is kept of an entry, beside its text and what agents other than its author did to it.
// There may be hundreds of thousands, most of which nobody looks at any more: it is small, has no
// pointers and names other things by number. An Entry, the form in which it is hashed, stored and
// shown, is made from it when one is needed.
type packedEntry struct {
	msg                               wire.Hash
	created, updated, published       world.Stamp // published: when it got its place
	number                            uint32      // of its id among names
	author                            uint32      // number among people
	text                              uint32      // place of its text among texts
	place                             uint32      // in order of publication, from 1; 0 = hidden, under peer review
	version                           uint32      // the one that is shown
	versions                          uint32      // highest version number recorded so far
	citations                         uint32
	accuracy, completeness, freshness float32
	comparedIn                        uint32 // of comparison in which it was last looked at
	kind                              wire.EntryKind
	verified                          uint8 // how many it names that found this version accurate
	exists                            bool  // false: peer review discarded it, or there is no entry of this number
	valued, rewarded                  bool  // as in Entry
	answers, fulfilled                bool  // as in Entry
	replaced                          bool  // an entry of the same author supersedes it
}

// packedEntries are all entries, as the table "entries" whose records are made from them.
type packedEntries struct {
	*world.Packed[wire.Hash, Entry]
	ids    *idNumbers
	people *world.Numbering[wire.AgentID]
	votes  *votes

	all          world.Slab[packedEntry] // by number; some numbers have no entry
	texts        world.ByteSlab
	foreignEdits map[uint32]foreignEdits // by number of the entry
	count        int
	byTag        map[string]*topic
	byNumber     []*topic

	packBuffer []byte      // scratch of a text
	scratch    listBuffers // of a record that is hashed
}

// foreignEdits is what agents other than its author did to an entry.
type foreignEdits struct {
	contributors []wire.AgentID // whose updates took effect; only ever replaced
	pending      *Pending
}

func newCards(s *world.State, ids *idNumbers, people *world.Numbering[wire.AgentID], v *votes) *packedEntries {
	x := &packedEntries{ids: ids, people: people, votes: v, foreignEdits: map[uint32]foreignEdits{}, byTag: map[string]*topic{}}
	x.Packed = world.NewPacked[wire.Hash, Entry](s, "entries", entryCodec, x)
	return x
}

// Len counts the entries, hidden ones too.
func (s *packedEntries) Len() int { return s.count }

// at is the entry of a number.
func (s *packedEntries) at(n uint32) *packedEntry { return s.all.At(n) }

// find is an entry, or nil; who changes it calls change.
func (s *packedEntries) find(id wire.Hash) *packedEntry {
	n, ok := s.ids.find(id)
	if !ok || int(n) >= s.all.Len() || !s.at(n).exists {
		return nil
	}
	return s.at(n)
}

// idOf is the id of an entry.
func (s *packedEntries) idOf(x *packedEntry) wire.Hash { return *s.ids.id(x.number) }

// author is who wrote an entry.
func (s *packedEntries) author(x *packedEntry) wire.AgentID { return s.people.Key(x.author) }

// markChanged notes that an entry is another than before.
func (s *packedEntries) markChanged(x *packedEntry) { s.Changed(s.idOf(x)) }

// remove forgets a hidden entry.
func (s *packedEntries) remove(x *packedEntry) {
	x.exists = false
	s.count--
	delete(s.foreignEdits, x.number)
	s.markChanged(x)
}

// topicNumber is the number of a tag, which gets one if it has none.
func (s *packedEntries) topicNumber(tag []byte) uint32 {
	t := s.byTag[string(tag)]
	if t == nil {
		t = &topic{number: uint32(len(s.byTag)), name: bytes.Clone(tag)}
		s.byTag[string(tag)] = t
		s.byNumber = append(s.byNumber, t)
	}
	return t.number
}

// live says whether queries find the entry.
func (x *packedEntry) live() bool { return x.place > 0 }

// packedText are what an entry never changes, packed: its title, the numbers of its tags, its references, the
// entry that it supersedes and the proof of its examples.
type packedText []byte

// packText appends the text of an entry.
func (s *packedEntries) packText(dst []byte, h *wire.OracleEntry) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(h.Title))), h.Title...)
	dst = binary.AppendUvarint(dst, uint64(len(h.Tags)))
	for _, tag := range h.Tags {
		dst = binary.AppendUvarint(dst, uint64(s.topicNumber(tag)))
	}
	dst = binary.AppendUvarint(dst, uint64(len(h.References)))
	for i := range h.References {
		dst = s.packID(dst, &h.References[i])
	}
	for _, id := range []*wire.Hash{h.Supersedes, h.ProofHash} {
		if id == nil {
			dst = append(dst, 0)
		} else {
			dst = s.packID(append(dst, 1), id)
		}
	}
	return dst
}

// packID appends an id: the number of an entry, from 1, or 0 and the id of something else.
func (s *packedEntries) packID(dst []byte, id *wire.Hash) []byte {
	if n, ok := s.ids.find(*id); ok {
		return binary.AppendUvarint(dst, uint64(n)+1)
	}
	return append(append(dst, 0), id[:]...)
}

// readUint reads the next number.
func (t *packedText) readUint() uint32 {
	if b := *t; b[0] < 0x80 { // most are
		*t = b[1:]
		return uint32(b[0])
	}
	n, size := binary.Uvarint(*t)
	*t = (*t)[size:]
	return uint32(n)
}

// readBytes reads the next n bytes.
func (t *packedText) readBytes(n uint32) []byte {
	b := (*t)[:n:n]
	*t = (*t)[n:]
	return b
}

// readID reads the next id.
func (s *packedEntries) readID(t *packedText) wire.Hash {
	if n := t.readUint(); n > 0 {
		return *s.ids.id(n - 1)
	}
	return wire.Hash(t.readBytes(32))
}

// readOptionalID reads the next id that may not be there.
func (s *packedEntries) readOptionalID(t *packedText) *wire.Hash {
	if t.readUint() == 0 {
		return nil
	}
	id := s.readID(t)
	return &id
}

// title is that of an entry.
func (s *packedEntries) title(x *packedEntry) []byte {
	t := packedText(s.texts.At(x.text))
	return t.readBytes(t.readUint())
}

// topicNumbers appends the numbers of an entry's tags, in the order of the tags.
func (s *packedEntries) topicNumbers(dst []uint32, x *packedEntry) []uint32 {
	t := packedText(s.texts.At(x.text))
	t.readBytes(t.readUint())
	return t.topicNumbers(dst)
}

func (t *packedText) topicNumbers(dst []uint32) []uint32 {
	for range t.readUint() {
		dst = append(dst, t.readUint())
	}
	return dst
}

// textOf is a head of which only the text is filled in.
func (s *packedEntries) textOf(x *packedEntry) (h wire.OracleEntry) {
	s.unpackText(x, &h, &listBuffers{})
	return h
}

// listBuffers are where the lists of heads lie: one after the other, so that those of a long reply do not
// each take an allocation of their own.
type listBuffers struct {
	tags   [][]byte
	ids    []wire.Hash
	agents []wire.AgentID
}

// appendedSince is what was appended to a list since it had n elements; never nil.
func appendedSince[T any](list []T, n int) []T {
	if n == len(list) {
		return []T{}
	}
	return slices.Clip(list[n:])
}

// unpackText fills in the text of a head.
func (s *packedEntries) unpackText(x *packedEntry, h *wire.OracleEntry, in *listBuffers) {
	t := packedText(s.texts.At(x.text))
	h.Title = t.readBytes(t.readUint())
	tags, ids := len(in.tags), len(in.ids)
	for range t.readUint() {
		in.tags = append(in.tags, s.byNumber[t.readUint()].name)
	}
	for range t.readUint() {
		in.ids = append(in.ids, s.readID(&t))
	}
	h.Tags, h.References = appendedSince(in.tags, tags), appendedSince(in.ids, ids)
	h.Supersedes, h.ProofHash = s.readOptionalID(&t), s.readOptionalID(&t)
}

// fillHead fills in the head of an entry, without its body.
func (s *packedEntries) fillHead(x *packedEntry, h *wire.OracleEntry, in *listBuffers) {
	s.unpackText(x, h, in)
	h.ID, h.MsgID, h.Kind, h.Author = *s.ids.id(x.number), x.msg, x.kind, s.people.Key(x.author)
	h.Version, h.CreatedAt, h.UpdatedAt, h.Citations = x.version, x.created.Tick(), x.updated.Tick(), x.citations
	h.Accuracy, h.Completeness, h.Freshness = x.accuracy, x.completeness, x.freshness
	n := len(in.agents)
	in.agents = append(in.agents, s.foreignEdits[x.number].contributors...)
	h.Contributors, n = appendedSince(in.agents, n), len(in.agents)
	in.agents = s.verifiers(in.agents, x)
	h.VerifiedBy = appendedSince(in.agents, n)
}

// verifiers appends those whom an entry names as having found it accurate.
func (s *packedEntries) verifiers(dst []wire.AgentID, x *packedEntry) []wire.AgentID {
	switch {
	case x.verified == 0:
	case *s.ids.id(x.number) == EntryZero: // nobody gives a verdict on it
		dst = append(dst, wire.SystemID(wire.SystemNexus))
	default:
		dst = s.votes.agreed(dst, x.number)
	}
	return dst
}

// Unpack makes the record of an entry, with lists that are used again for the next.
func (s *packedEntries) Unpack(id wire.Hash, e *Entry) bool {
	x := s.find(id)
	if x == nil {
		return false
	}
	in := &s.scratch
	in.tags, in.ids, in.agents = in.tags[:0], in.ids[:0], in.agents[:0]
	s.fillRecord(x, e, in)
	return true
}

// fillRecord makes the record of an entry.
func (s *packedEntries) fillRecord(x *packedEntry, e *Entry, in *listBuffers) {
	s.fillHead(x, &e.Head, in)
	e.Place, e.PublishedAt, e.Versions, e.Pending = uint64(x.place), x.published.Tick(), x.versions, s.foreignEdits[x.number].pending
	e.Valued, e.Rewarded, e.Answers, e.Fulfilled = x.valued, x.rewarded, x.answers, x.fulfilled
}

// Pack keeps the record of an entry.
func (s *packedEntries) Pack(id wire.Hash, e *Entry) {
	n, h := s.ids.assign(id), &e.Head
	for uint32(s.all.Len()) <= n {
		s.all.Add(packedEntry{})
	}
	x := s.all.At(n)
	if !x.exists {
		s.count++
	}
	s.packBuffer = s.packText(s.packBuffer[:0], h)
	*x = packedEntry{
		msg: h.MsgID, created: world.StampOf(h.CreatedAt), updated: world.StampOf(h.UpdatedAt), published: world.StampOf(e.PublishedAt),
		number: n, author: s.people.Assign(h.Author), text: s.texts.Add(s.packBuffer), place: uint32(e.Place),
		version: h.Version, versions: e.Versions, citations: h.Citations,
		accuracy: h.Accuracy, completeness: h.Completeness, freshness: h.Freshness,
		kind: h.Kind, verified: uint8(len(h.VerifiedBy)), exists: true,
		valued: e.Valued, rewarded: e.Rewarded, answers: e.Answers, fulfilled: e.Fulfilled,
	}
	if len(h.Contributors) > 0 || e.Pending != nil {
		s.foreignEdits[n] = foreignEdits{contributors: h.Contributors, pending: e.Pending}
	}
}

// Keys lists the ids of all entries.
func (s *packedEntries) Keys() (ids []wire.Hash) {
	for x := range s.all.All() {
		if x.exists {
			ids = append(ids, *s.ids.id(x.number))
		}
	}
	return ids
}

// setPending notes an update of another agent's that waits for its time.
func (s *packedEntries) setPending(x *packedEntry, p *Pending) {
	s.markChanged(x)
	o := s.foreignEdits[x.number]
	if o.pending = p; p == nil && o.contributors == nil {
		delete(s.foreignEdits, x.number)
		return
	}
	s.foreignEdits[x.number] = o
}

// takePending is the update that waits for its time, which does so no more.
func (s *packedEntries) takePending(x *packedEntry) *Pending {
	p := s.foreignEdits[x.number].pending
	s.setPending(x, nil)
	return p
}

// addContributor notes that an update of another agent's took effect.
func (s *packedEntries) addContributor(x *packedEntry, a wire.AgentID) {
	o := s.foreignEdits[x.number]
	if len(o.contributors) < maxNamed && !slices.Contains(o.contributors, a) {
		o.contributors = append(slices.Clip(o.contributors), a)
		s.foreignEdits[x.number] = o
	}
}
