package agora

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// archive holds all messages and the signals on them, without the messages' contents,
// which lie in the store (docs/decisions/0010). It is filled record by record, when
// appended and when restored alike. There may be millions of messages, so what is kept of
// one is small and without pointers, and each id is there once: all else names messages,
// agents and channels by number.
type archive struct {
	messages *world.Chain[wire.Message]
	signals  *world.Chain[Signal]

	all             world.Slab[entry]
	byID            *world.Index
	contents        *world.Index // by channel and content, for the duplicate rule
	byAuthor        [][]uint32   // by number of the author
	byKind          [wire.MessageKindSignal + 1]recentList
	refs            references
	reactions       reactionIndex
	private         []uint32                  // messages in INVITE_ONLY channels, ascending
	logsByChannel   map[wire.Hash]*channelLog // by channel
	logs            []*channelLog             // the same by number
	recentTexts     [][]byte                  // of the newest textWindow messages, the newest last
	wantedQuestions []uint32                  // questions that enough agents want answered, ascending, without some that are done
	ready           map[wire.Hash]struct{}    // channels whose HELPFUL weight reached the threshold
	pendingSignals  []*Signal                 // restored before their messages, in order
}

// entry is what is kept of one message.
type entry struct {
	id         wire.Hash
	hash       hashPrefix // of the content
	tick       world.Stamp
	number     uint32 // in commit order, from 0
	channel    uint32 // number of its talk
	author     uint32 // number among those who wrote or signalled
	length     uint32 // of the content, in bytes
	refs       uint32 // its first reference
	reactions  uint32 // number + 1 of what others said about it; 0 is nothing
	confidence float32
	refCount   uint8
	kind       wire.MessageKind
	bugReport  bool
}

// hashPrefix is the beginning of a content's SHA-256. It tells apart what one channel holds: a million contents have two with the
// same sum once in 30 million worlds, and then the later one is refused as said before.
type hashPrefix [8]byte

func hashPrefixOf(content []byte) hashPrefix {
	h := sha256.Sum256(content)
	return hashPrefix(h[:])
}

// channelLog is what was said in one channel.
type channelLog struct {
	id         wire.Hash
	number     uint32
	channel    *Channel       // nil while the channel is not restored
	members    []wire.AgentID // of an INVITE_ONLY room, ascending
	messages   []uint32
	authors    []wire.AgentID // the first three distinct ones, AGORA_0 left out
	proposal   *entry         // the first PROPOSAL message
	voteCalled bool           // its author called the vote
	helpful    int64          // Σ weight of those who found something in it HELPFUL
	helpfulBy  []uint32       // numbers of those agents, until the sum suffices
}

const (
	// manyAuthors is how many take part in a discussion before it is refined, and
	// how many agents want an answer before a question is a gap.
	manyAuthors = 3
	// crystalWeight is the weight of those who signal HELPFUL at which a channel crystallizes: 5.0.
	crystalWeight = 5 << det.QuantumBits
)

func newArchive(s *world.State) *archive {
	x := &archive{
		logsByChannel: map[wire.Hash]*channelLog{},
		ready:         map[wire.Hash]struct{}{},
	}
	x.byID = world.NewIndex(func(n uint32) uint64 { return world.IndexKey(&x.all.At(n).id) })
	x.contents = world.NewIndex(func(n uint32) uint64 {
		e := x.all.At(n)
		return contentKey(e.channel, &e.hash)
	})
	x.messages = world.NewChain(s, "messages", messageCodec, x.indexMessage).KeepRecent()
	x.signals = world.NewChain(s, "signals", signalCodec, x.indexSignal)
	return x
}

// mayRead says whether a may read what was said here. A query asks it of every message it
// looks at, so members are looked up.
func (t *channelLog) mayRead(a wire.AgentID) bool {
	if t.channel == nil || t.channel.Access.InviteOnly == nil {
		return t.channel != nil
	}
	_, member := slices.BinarySearchFunc(t.members, a, wire.AgentID.Compare)
	return member || a == t.channel.Creator || a == me
}

// setChannel says which channel the talk is in.
func (t *channelLog) setChannel(ch *Channel) {
	t.channel = ch
	if list := ch.Access.InviteOnly; list != nil {
		t.members = slices.SortedFunc(slices.Values(*list), wire.AgentID.Compare)
	}
}

// find returns the message id's entry or nil.
func (x *archive) find(id wire.Hash) *entry {
	n, ok := x.byID.Find(world.IndexKey(&id), func(n uint32) bool { return x.all.At(n).id == id })
	if !ok {
		return nil
	}
	return x.all.At(n)
}

// log returns what was said in a channel; it may be empty, never nil.
func (x *archive) log(channel wire.Hash) *channelLog {
	t := x.logsByChannel[channel]
	if t == nil {
		t = &channelLog{id: channel, number: uint32(len(x.logs))}
		x.logsByChannel[channel], x.logs = t, append(x.logs, t)
	}
	return t
}

// logOf is what was said in the channel of e.
func (x *archive) logOf(e *entry) *channelLog { return x.logs[e.channel] }

// author is who wrote e.
func (x *archive) author(e *entry) wire.AgentID { return x.reactions.people.Key(e.author) }

// message is e as it was posted, without its content.
func (x *archive) message(e *entry) wire.Message {
	return wire.Message{
		ID: e.id, Channel: x.logOf(e).id, Author: x.author(e), Tick: e.tick.Tick(), Kind: e.kind,
		References: x.references(e), Confidence: e.confidence,
	}
}

// contentKey is what a content said in a channel is found by.
func contentKey(channel uint32, hash *hashPrefix) uint64 {
	return binary.BigEndian.Uint64(hash[:]) ^ uint64(channel+1)*0x9E3779B97F4A7C15 // other channels, other places
}

// posted reports whether content was posted in channel before.
func (x *archive) posted(channel wire.Hash, content []byte) bool {
	t, hash := x.log(channel), hashPrefixOf(content)
	_, ok := x.contents.Find(contentKey(t.number, &hash), func(n uint32) bool {
		e := x.all.At(n)
		return e.channel == t.number && e.hash == hash
	})
	return ok
}

// indexMessage indexes a record of the message chain.
func (x *archive) indexMessage(_ uint64, m *wire.Message) {
	t, author := x.log(m.Channel), x.reactions.people.Assign(m.Author)
	contentType := typeOf(m.Content)
	at := x.all.Add(entry{
		id: m.ID, hash: hashPrefixOf(m.Content), tick: world.StampOf(m.Tick), channel: t.number, author: author,
		length: uint32(len(m.Content)), confidence: m.Confidence, kind: m.Kind,
		bugReport: contentType == wire.ContentBugReport,
	})
	e := x.all.At(at)
	e.number = at
	x.addReferences(e, m.References)
	x.byID.Add(at)
	x.contents.Add(at)
	for uint32(len(x.byAuthor)) <= author {
		x.byAuthor = append(x.byAuthor, nil)
	}
	x.byAuthor[author] = append(x.byAuthor[author], at)
	x.byKind[m.Kind].add(at)
	x.noteAnswer(m, author)
	x.notePrivate(e)
	x.addRecentText(m.Content)
	t.messages = append(t.messages, at)
	if m.Author != me && len(t.authors) < manyAuthors && !slices.Contains(t.authors, m.Author) {
		t.authors = append(t.authors, m.Author)
	}
	switch {
	case t.proposal == nil && m.Kind == wire.MessageKindProposal:
		t.proposal = e
	case t.proposal != nil && author == t.proposal.author && contentType == wire.ContentCallVote:
		t.voteCalled = true
	}
}

// notePrivate notes a message that not everybody may read; a restored one once its channel
// is there.
func (x *archive) notePrivate(e *entry) {
	if room := x.logOf(e).channel; room != nil && room.Access.InviteOnly != nil {
		x.private = append(x.private, e.number)
	}
}

// oldestVisible is the number of the first message among the n newest that a may read.
func (x *archive) oldestVisible(a wire.AgentID, n int) uint32 {
	first := max(0, x.all.Len()-n)
	least := max(0, len(x.private)-searchSteps)
	for i := len(x.private) - 1; i >= least && first > 0 && x.private[i] >= uint32(first); i-- {
		if !x.logOf(x.all.At(x.private[i])).mayRead(a) {
			first--
		}
	}
	return uint32(first)
}

// indexSignal indexes a record of the signal chain.
func (x *archive) indexSignal(_ uint64, s *Signal) {
	e := x.find(s.Target)
	if e == nil || len(x.pendingSignals) > 0 {
		x.pendingSignals = append(x.pendingSignals, s)
		return
	}
	w := det.QuantiseInt(float64(s.Weight))
	if s.Kind == wire.SignalKindDisagree && s.Reference == nil { // an objection without a reason weighs a tenth
		w = det.QuantiseInt(float64(float64(s.Weight) * 0.1))
	}
	x.reactions.addSignal(e, s.Author, s.Kind, w)
	if s.Kind == wire.SignalKindHelpful {
		x.countHelpful(x.logOf(e), x.reactions.people.Assign(s.Author), w)
	}
	x.noteQuestion(e)
}

// countHelpful adds a HELPFUL signal of weight w to those in a channel. An agent counts once, however
// many messages it praises, with the weight that it had then: two friends with ten posts each make no
// entry of the world's.
func (x *archive) countHelpful(t *channelLog, by uint32, w int64) {
	if t.helpful >= crystalWeight || slices.Contains(t.helpfulBy, by) {
		return
	}
	t.helpful += w
	if t.helpfulBy = append(t.helpfulBy, by); t.helpful >= crystalWeight {
		t.helpfulBy = nil
		x.ready[t.id] = struct{}{}
	}
}

// restored indexes the signals that came before their messages, and what depends on
// channels.
func (x *archive) restored() {
	pending := x.pendingSignals
	x.pendingSignals = nil
	for i, s := range pending {
		x.indexSignal(uint64(i), s)
	}
	if len(x.pendingSignals) > 0 {
		panic("agora: a restored signal is on message " + x.pendingSignals[0].Target.String() + ", which was not restored")
	}
	for e := range x.all.All() {
		x.notePrivate(e)
	}
}

// positive says whether a signal speaks for a message.
func positive(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful || k == wire.SignalKindActionable
}
