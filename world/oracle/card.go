package oracle

import (
	"bytes"
	"encoding/binary"
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// card is what is kept of an entry, beside its text and what agents other than its author did to it.
// There may be hundreds of thousands, most of which nobody looks at any more: it is small, has no
// pointers and names other things by number. An Entry, the form in which it is hashed, stored and
// shown, is made from it when one is needed.
type card struct {
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
	round                             uint32 // of comparison in which it was last looked at
	kind                              wire.EntryKind
	verified                          uint8 // how many it names that found this version accurate
	kept                              bool  // false: peer review discarded it, or there is no entry of this number
	valued, rewarded                  bool  // as in Entry
	answers, fulfilled                bool  // as in Entry
	replaced                          bool  // an entry of the same author supersedes it
}

// cards are all entries, as the table "entries" whose records are made from them.
type cards struct {
	*world.Packed[wire.Hash, Entry]
	names  *names
	people *world.Numbering[wire.AgentID]
	votes  *votes

	all      world.Slab[card] // by number; some numbers have no entry
	texts    world.ByteSlab
	others   map[uint32]others // by number of the entry
	count    int
	byTag    map[string]*topic
	byNumber []*topic

	packed  []byte // scratch of a text
	scratch lists  // of a record that is hashed
}

// others is what agents other than its author did to an entry.
type others struct {
	contributors []wire.AgentID // whose updates took effect; only ever replaced
	pending      *Pending
}

func newCards(s *world.State, n *names, p *world.Numbering[wire.AgentID], v *votes) *cards {
	x := &cards{names: n, people: p, votes: v, others: map[uint32]others{}, byTag: map[string]*topic{}}
	x.Packed = world.NewPacked[wire.Hash, Entry](s, "entries", entryCodec, x)
	return x
}

// Len counts the entries, hidden ones too.
func (s *cards) Len() int { return s.count }

// at is the entry of a number.
func (s *cards) at(n uint32) *card { return s.all.At(n) }

// find is an entry, or nil; who changes it calls change.
func (s *cards) find(id wire.Hash) *card {
	n, ok := s.names.find(id)
	if !ok || int(n) >= s.all.Len() || !s.at(n).kept {
		return nil
	}
	return s.at(n)
}

// idOf is the id of an entry.
func (s *cards) idOf(x *card) wire.Hash { return *s.names.id(x.number) }

// author is who wrote an entry.
func (s *cards) author(x *card) wire.AgentID { return s.people.Key(x.author) }

// change notes that an entry is another than before.
func (s *cards) change(x *card) { s.Changed(s.idOf(x)) }

// drop forgets a hidden entry.
func (s *cards) drop(x *card) {
	x.kept = false
	s.count--
	delete(s.others, x.number)
	s.change(x)
}

// topic is the number of a tag, which gets one if it has none.
func (s *cards) topic(tag []byte) uint32 {
	t := s.byTag[string(tag)]
	if t == nil {
		t = &topic{number: uint32(len(s.byTag)), name: bytes.Clone(tag)}
		s.byTag[string(tag)] = t
		s.byNumber = append(s.byNumber, t)
	}
	return t.number
}

// live says whether queries find the entry.
func (x *card) live() bool { return x.place > 0 }

// words are what an entry never changes, packed: its title, the numbers of its tags, its references, the
// entry that it supersedes and the proof of its examples.
type words []byte

// packText appends the text of an entry.
func (s *cards) packText(dst []byte, h *wire.OracleEntry) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(h.Title))), h.Title...)
	dst = binary.AppendUvarint(dst, uint64(len(h.Tags)))
	for _, tag := range h.Tags {
		dst = binary.AppendUvarint(dst, uint64(s.topic(tag)))
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
func (s *cards) packID(dst []byte, id *wire.Hash) []byte {
	if n, ok := s.names.find(*id); ok {
		return binary.AppendUvarint(dst, uint64(n)+1)
	}
	return append(append(dst, 0), id[:]...)
}

// uint reads the next number.
func (t *words) uint() uint32 {
	if b := *t; b[0] < 0x80 { // most are
		*t = b[1:]
		return uint32(b[0])
	}
	n, size := binary.Uvarint(*t)
	*t = (*t)[size:]
	return uint32(n)
}

// bytes reads the next n bytes.
func (t *words) bytes(n uint32) []byte {
	b := (*t)[:n:n]
	*t = (*t)[n:]
	return b
}

// id reads the next id.
func (s *cards) id(t *words) wire.Hash {
	if n := t.uint(); n > 0 {
		return *s.names.id(n - 1)
	}
	return wire.Hash(t.bytes(32))
}

// option reads the next id that may not be there.
func (s *cards) option(t *words) *wire.Hash {
	if t.uint() == 0 {
		return nil
	}
	id := s.id(t)
	return &id
}

// title is that of an entry.
func (s *cards) title(x *card) []byte {
	t := words(s.texts.At(x.text))
	return t.bytes(t.uint())
}

// topics appends the numbers of an entry's tags, in the order of the tags.
func (s *cards) topics(dst []uint32, x *card) []uint32 {
	t := words(s.texts.At(x.text))
	t.bytes(t.uint())
	return t.topics(dst)
}

func (t *words) topics(dst []uint32) []uint32 {
	for range t.uint() {
		dst = append(dst, t.uint())
	}
	return dst
}

// text is a head of which only the text is filled in.
func (s *cards) text(x *card) (h wire.OracleEntry) {
	s.unpackText(x, &h, &lists{})
	return h
}

// lists are where the lists of heads lie: one after the other, so that those of a long reply do not
// each take an allocation of their own.
type lists struct {
	tags   [][]byte
	ids    []wire.Hash
	agents []wire.AgentID
}

// since is what was appended to a list since it had n elements; never nil.
func since[T any](list []T, n int) []T {
	if n == len(list) {
		return []T{}
	}
	return slices.Clip(list[n:])
}

// unpackText fills in the text of a head.
func (s *cards) unpackText(x *card, h *wire.OracleEntry, in *lists) {
	t := words(s.texts.At(x.text))
	h.Title = t.bytes(t.uint())
	tags, ids := len(in.tags), len(in.ids)
	for range t.uint() {
		in.tags = append(in.tags, s.byNumber[t.uint()].name)
	}
	for range t.uint() {
		in.ids = append(in.ids, s.id(&t))
	}
	h.Tags, h.References = since(in.tags, tags), since(in.ids, ids)
	h.Supersedes, h.ProofHash = s.option(&t), s.option(&t)
}

// head fills in the head of an entry, without its body.
func (s *cards) head(x *card, h *wire.OracleEntry, in *lists) {
	s.unpackText(x, h, in)
	h.ID, h.MsgID, h.Kind, h.Author = *s.names.id(x.number), x.msg, x.kind, s.people.Key(x.author)
	h.Version, h.CreatedAt, h.UpdatedAt, h.Citations = x.version, x.created.Tick(), x.updated.Tick(), x.citations
	h.Accuracy, h.Completeness, h.Freshness = x.accuracy, x.completeness, x.freshness
	n := len(in.agents)
	in.agents = append(in.agents, s.others[x.number].contributors...)
	h.Contributors, n = since(in.agents, n), len(in.agents)
	in.agents = s.verifiers(in.agents, x)
	h.VerifiedBy = since(in.agents, n)
}

// verifiers appends those whom an entry names as having found it accurate.
func (s *cards) verifiers(dst []wire.AgentID, x *card) []wire.AgentID {
	switch {
	case x.verified == 0:
	case *s.names.id(x.number) == EntryZero: // nobody gives a verdict on it
		dst = append(dst, wire.SystemID(wire.SystemNexus))
	default:
		dst = s.votes.agreed(dst, x.number)
	}
	return dst
}

// Unpack makes the record of an entry, with lists that are used again for the next.
func (s *cards) Unpack(id wire.Hash, e *Entry) bool {
	x := s.find(id)
	if x == nil {
		return false
	}
	in := &s.scratch
	in.tags, in.ids, in.agents = in.tags[:0], in.ids[:0], in.agents[:0]
	s.record(x, e, in)
	return true
}

// record makes the record of an entry.
func (s *cards) record(x *card, e *Entry, in *lists) {
	s.head(x, &e.Head, in)
	e.Place, e.PublishedAt, e.Versions, e.Pending = uint64(x.place), x.published.Tick(), x.versions, s.others[x.number].pending
	e.Valued, e.Rewarded, e.Answers, e.Fulfilled = x.valued, x.rewarded, x.answers, x.fulfilled
}

// Pack keeps the record of an entry.
func (s *cards) Pack(id wire.Hash, e *Entry) {
	n, h := s.names.of(id), &e.Head
	for uint32(s.all.Len()) <= n {
		s.all.Add(card{})
	}
	x := s.all.At(n)
	if !x.kept {
		s.count++
	}
	s.packed = s.packText(s.packed[:0], h)
	*x = card{
		msg: h.MsgID, created: world.StampOf(h.CreatedAt), updated: world.StampOf(h.UpdatedAt), published: world.StampOf(e.PublishedAt),
		number: n, author: s.people.Assign(h.Author), text: s.texts.Add(s.packed), place: uint32(e.Place),
		version: h.Version, versions: e.Versions, citations: h.Citations,
		accuracy: h.Accuracy, completeness: h.Completeness, freshness: h.Freshness,
		kind: h.Kind, verified: uint8(len(h.VerifiedBy)), kept: true,
		valued: e.Valued, rewarded: e.Rewarded, answers: e.Answers, fulfilled: e.Fulfilled,
	}
	if len(h.Contributors) > 0 || e.Pending != nil {
		s.others[n] = others{contributors: h.Contributors, pending: e.Pending}
	}
}

// Keys lists the ids of all entries.
func (s *cards) Keys() (ids []wire.Hash) {
	for x := range s.all.All() {
		if x.kept {
			ids = append(ids, *s.names.id(x.number))
		}
	}
	return ids
}

// await notes an update of another agent's that waits for its time.
func (s *cards) await(x *card, p *Pending) {
	s.change(x)
	o := s.others[x.number]
	if o.pending = p; p == nil && o.contributors == nil {
		delete(s.others, x.number)
		return
	}
	s.others[x.number] = o
}

// awaited is the update that waits for its time, which does so no more.
func (s *cards) awaited(x *card) *Pending {
	p := s.others[x.number].pending
	s.await(x, nil)
	return p
}

// contributed notes that an update of another agent's took effect.
func (s *cards) contributed(x *card, a wire.AgentID) {
	o := s.others[x.number]
	if len(o.contributors) < maxNamed && !slices.Contains(o.contributors, a) {
		o.contributors = append(slices.Clip(o.contributors), a)
		s.others[x.number] = o
	}
}
