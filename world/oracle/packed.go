package oracle

import (
	"bytes"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// packedEntry is the in-memory form of an entry, without its text and without the edits of other agents. A world has
// hundreds of thousands of entries, most of them rarely read, so it is small, has no pointers, and names other things
// by number. An Entry, the form in which it is hashed, stored and shown, is built from it when one is needed.
type packedEntry struct {
	msg                               wire.Hash
	created, updated, published       world.Stamp // published: when its place was assigned
	number                            uint32      // of its id in packedEntries.ids
	author                            uint32      // number in packedEntries.people
	text                              uint32      // index of its text in packedEntries.texts
	place                             uint32      // position in order of publication, from 1; 0: hidden, under peer review
	version                           uint32      // the one that is shown
	versions                          uint32      // highest version number recorded so far
	citations                         uint32
	accuracy, completeness, freshness float32
	comparedIn                        uint32 // last round of duplicates in which it was compared
	kind                              wire.EntryKind
	verified                          uint8 // number of verifiers named in the entry, for this version
	exists                            bool  // false: peer review discarded it, or there is no entry of this number
	valued, rewarded                  bool  // as in Entry
	answers, fulfilled                bool  // as in Entry
	replaced                          bool  // an entry of the same author supersedes it
}

// packedEntries holds all entries. It is the form behind the table "entries": records are packed when they are put
// and unpacked when they are hashed or written.
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

	packBuffer []byte      // reused by Pack
	scratch    listBuffers // reused by Unpack
}

// foreignEdits are the edits of an entry by agents other than its author.
type foreignEdits struct {
	contributors []wire.AgentID // agents whose updates took effect; the slice is replaced, never changed in place
	pending      *Pending
}

func newPackedEntries(s *world.State, ids *idNumbers, people *world.Numbering[wire.AgentID], v *votes) *packedEntries {
	x := &packedEntries{ids: ids, people: people, votes: v, foreignEdits: map[uint32]foreignEdits{}, byTag: map[string]*topic{}}
	x.Packed = world.NewPacked[wire.Hash, Entry](s, "entries", entryCodec, x)
	return x
}

// Len returns the number of entries, hidden ones included.
func (s *packedEntries) Len() int { return s.count }

// at returns the entry with a number.
func (s *packedEntries) at(n uint32) *packedEntry { return s.all.At(n) }

// find returns an entry, or nil if there is none. A caller that changes it must call markChanged.
func (s *packedEntries) find(id wire.Hash) *packedEntry {
	n, ok := s.ids.find(id)
	if !ok || int(n) >= s.all.Len() || !s.at(n).exists {
		return nil
	}
	return s.at(n)
}

// idOf returns the id of an entry.
func (s *packedEntries) idOf(x *packedEntry) wire.Hash { return *s.ids.id(x.number) }

// author returns the author of an entry.
func (s *packedEntries) author(x *packedEntry) wire.AgentID { return s.people.Key(x.author) }

// markChanged marks the record of an entry as changed, so that it is hashed and written again.
func (s *packedEntries) markChanged(x *packedEntry) { s.Changed(s.idOf(x)) }

// remove deletes a hidden entry, which nobody else has edited.
func (s *packedEntries) remove(x *packedEntry) {
	x.exists = false
	s.count--
	s.markChanged(x)
}

// topicNumber returns the number of a tag, and assigns one to a new tag.
func (s *packedEntries) topicNumber(tag []byte) uint32 {
	t := s.byTag[string(tag)]
	if t == nil {
		t = &topic{number: uint32(len(s.byTag)), name: bytes.Clone(tag)}
		s.byTag[string(tag)] = t
		s.byNumber = append(s.byNumber, t)
	}
	return t.number
}

// live reports whether the entry is published, so that queries find it.
func (x *packedEntry) live() bool { return x.place > 0 }

// packedText is the encoding of what never changes in an entry: its title, the numbers of its tags, its references,
// the entry that it supersedes, and the proof of its examples. The read methods consume it from the front.
type packedText []byte

// packText appends the packedText of an entry.
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

// packID appends an id: number + 1 if it has a number in ids, else 0 and the 32 bytes of the id.
func (s *packedEntries) packID(dst []byte, id *wire.Hash) []byte {
	if n, ok := s.ids.find(*id); ok {
		return binary.AppendUvarint(dst, uint64(n)+1)
	}
	return append(append(dst, 0), id[:]...)
}

// readUint reads the next number.
func (t *packedText) readUint() uint32 {
	if b := *t; b[0] < 0x80 { // one byte, the common case
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

// readOptionalID reads an optional id; nil if it is absent.
func (s *packedEntries) readOptionalID(t *packedText) *wire.Hash {
	if t.readUint() == 0 {
		return nil
	}
	id := s.readID(t)
	return &id
}

// title returns the title of an entry.
func (s *packedEntries) title(x *packedEntry) []byte {
	t := packedText(s.texts.At(x.text))
	return t.readBytes(t.readUint())
}

// topicNumbers appends the numbers of an entry's tags, in their order in the entry.
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

// textOf returns a head in which only the fields of the packedText are set.
func (s *packedEntries) textOf(x *packedEntry) (h wire.OracleEntry) {
	s.unpackText(x, &h, &listBuffers{})
	return h
}

// listBuffers are shared backing arrays for the lists in heads, so that a long reply does not need an allocation for
// each list.
type listBuffers struct {
	tags   [][]byte
	ids    []wire.Hash
	agents []wire.AgentID
}

// appendedSince returns the elements appended to a list since its length was n; never nil.
func appendedSince[T any](list []T, n int) []T {
	if n == len(list) {
		return []T{}
	}
	return slices.Clip(list[n:])
}

// unpackText sets the fields of h that the packedText holds.
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

// fillHead sets all fields of h except the body.
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

// verifiers appends the verifiers that an entry names: agents that found it accurate.
func (s *packedEntries) verifiers(dst []wire.AgentID, x *packedEntry) []wire.AgentID {
	switch {
	case x.verified == 0:
	case *s.ids.id(x.number) == EntryZero: // agents cannot give a verdict on it
		dst = append(dst, wire.SystemID(wire.SystemNexus))
	default:
		dst = s.votes.agreed(dst, x.number)
	}
	return dst
}

// Unpack fills in the record of an entry. Its lists are valid until the next call.
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

// fillRecord sets all fields of a record.
func (s *packedEntries) fillRecord(x *packedEntry, e *Entry, in *listBuffers) {
	s.fillHead(x, &e.Head, in)
	e.Place, e.PublishedAt, e.Versions, e.Pending = uint64(x.place), x.published.Tick(), x.versions, s.foreignEdits[x.number].pending
	e.Valued, e.Rewarded, e.Answers, e.Fulfilled = x.valued, x.rewarded, x.answers, x.fulfilled
}

// Pack stores the record of an entry in packed form.
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

// setPending sets or, with nil, clears the pending update of an entry.
func (s *packedEntries) setPending(x *packedEntry, p *Pending) {
	s.markChanged(x)
	o := s.foreignEdits[x.number]
	if o.pending = p; p == nil && o.contributors == nil {
		delete(s.foreignEdits, x.number)
		return
	}
	s.foreignEdits[x.number] = o
}

// takePending clears the pending update of an entry and returns it.
func (s *packedEntries) takePending(x *packedEntry) *Pending {
	p := s.foreignEdits[x.number].pending
	s.setPending(x, nil)
	return p
}

// addContributor records that an update of another agent took effect.
func (s *packedEntries) addContributor(x *packedEntry, a wire.AgentID) {
	o := s.foreignEdits[x.number]
	if len(o.contributors) < maxNamed && !slices.Contains(o.contributors, a) {
		o.contributors = append(slices.Clip(o.contributors), a)
		s.foreignEdits[x.number] = o
	}
}
