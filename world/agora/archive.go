package agora

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// archive indexes all messages and the signals on them. The contents of messages are in the store
// (docs/decisions/0010). The chains call it for every record, both when it is appended and when it is restored. There
// may be millions of messages, so an entry is small and has no pointers; messages, agents and channels are referred to
// by number.
type archive struct {
	messages *world.Chain[wire.Message]
	signals  *world.Chain[Signal]

	all             world.Slab[entry]
	byID            *world.Index
	contents        *world.Index // by channel, author and content, for the duplicate rule
	byAuthor        [][]uint32   // by number of the author
	byKind          [wire.MessageKindSignal + 1]recentList
	refs            references
	reactions       reactionIndex
	private         []uint32                  // messages in INVITE_ONLY channels, ascending
	logsByChannel   map[wire.Hash]*channelLog // by id of the channel
	logs            []*channelLog             // by number
	recentTexts     [][]byte                  // beginnings of the contents of the newest textWindow messages, the newest last
	wantedQuestions []uint32                  // questions that enough agents want answered, ascending; those that are done are removed when they are looked at
	ready           map[wire.Hash]struct{}    // channels to crystallize: they reached a decision or crystalWeight
	pendingSignals  []*Signal                 // signals restored before their messages, in order
}

// entry is the in-memory form of a message.
type entry struct {
	id         wire.Hash
	hash       hashPrefix // of the content
	tick       world.Stamp
	number     uint32 // in commit order, from 0
	channel    uint32 // number of its channelLog
	author     uint32 // number among those who wrote or signalled
	length     uint32 // of the content, in bytes
	refs       uint32 // index of its first reference
	reactions  uint32 // number + 1 of its reactions; 0: none
	confidence float32
	refCount   uint8
	kind       wire.MessageKind
	bugReport  bool
}

// hashPrefix is the first 8 bytes of a content's SHA-256. It identifies the contents of an agent in a channel: among a
// million contents two have the same prefix once in 30 million worlds, and then the later one is refused as a duplicate.
type hashPrefix [8]byte

func hashPrefixOf(content []byte) hashPrefix {
	h := sha256.Sum256(content)
	return hashPrefix(h[:])
}

// channelLog is the index of the messages in one channel.
type channelLog struct {
	id         wire.Hash
	number     uint32
	channel    *Channel       // nil while the channel is not restored
	members    []wire.AgentID // of an INVITE_ONLY channel, ascending
	messages   []uint32
	authors    []wire.AgentID // the first manyAuthors distinct ones, without systems
	early      []step         // of messages that were restored before the channel
	proposal   *entry         // of a discussion: the first PROPOSAL message of the channel's creator
	voteCalled bool           // whether the author of the proposal called the vote
	helpful    int64          // Σ weight of the agents that signalled HELPFUL in it, up to crystalWeight
	helpfulBy  []uint32       // numbers of these agents; nil once the sum reaches crystalWeight
}

const (
	// manyAuthors is the number of authors after which a discussion is refined, of voters after which it is decided,
	// and of agents that must want an answer before a question is a gap.
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
		return contentKey(e.channel, e.author, &e.hash)
	})
	x.messages = world.NewChain(s, "messages", messageCodec, x.indexMessage).KeepRecent()
	x.signals = world.NewChain(s, "signals", signalCodec, x.indexSignal)
	return x
}

// mayRead reports whether a may read the messages of the channel. Queries call it for every message, so members are
// searched in a sorted list.
func (t *channelLog) mayRead(a wire.AgentID) bool {
	if t.channel.Access.InviteOnly == nil {
		return true
	}
	_, member := slices.BinarySearchFunc(t.members, a, wire.AgentID.Compare)
	return member || a == t.channel.Creator || a == me
}

// setChannel sets the channel of the log.
func (t *channelLog) setChannel(x *archive, ch *Channel) {
	t.channel = ch
	for _, s := range t.early {
		t.advance(x, s)
	}
	t.early = nil
	if list := ch.Access.InviteOnly; list != nil {
		t.members = slices.SortedFunc(slices.Values(*list), wire.AgentID.Compare)
	}
}

// find returns the entry of a message, or nil if there is none.
func (x *archive) find(id wire.Hash) *entry {
	n, ok := x.byID.Find(world.IndexKey(&id), func(n uint32) bool { return x.all.At(n).id == id })
	if !ok {
		return nil
	}
	return x.all.At(n)
}

// log returns the log of a channel, and creates it if there is none.
func (x *archive) log(channel wire.Hash) *channelLog {
	t := x.logsByChannel[channel]
	if t == nil {
		t = &channelLog{id: channel, number: uint32(len(x.logs))}
		x.logsByChannel[channel], x.logs = t, append(x.logs, t)
	}
	return t
}

// logOf returns the log of the channel of e.
func (x *archive) logOf(e *entry) *channelLog { return x.logs[e.channel] }

// author returns the author of e.
func (x *archive) author(e *entry) wire.AgentID { return x.reactions.people.Key(e.author) }

// message returns the message of e without its content.
func (x *archive) message(e *entry) wire.Message {
	return wire.Message{
		ID: e.id, Channel: x.logOf(e).id, Author: x.author(e), Tick: e.tick.Tick(), Kind: e.kind,
		References: x.references(e), Confidence: e.confidence,
	}
}

// contentKey is the key of a content, its channel and its author in archive.contents.
func contentKey(channel, author uint32, hash *hashPrefix) uint64 {
	by := uint64(channel+1)<<32 | uint64(author)
	return binary.BigEndian.Uint64(hash[:]) ^ by*0x9E3779B97F4A7C15 // the same content has other keys in other channels and by other agents
}

// posted reports whether an agent posted content in channel before. Others may have: an answer of one word must not be
// anybody's for good.
func (x *archive) posted(by wire.AgentID, channel wire.Hash, content []byte) bool {
	author, known := x.reactions.people.Find(by)
	if !known {
		return false
	}
	t, hash := x.log(channel), hashPrefixOf(content)
	_, ok := x.contents.Find(contentKey(t.number, author, &hash), func(n uint32) bool {
		e := x.all.At(n)
		return e.channel == t.number && e.author == author && e.hash == hash
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
	if q := x.questionOf(e); q != nil {
		x.reactions.answersTo(q).add(author)
	}
	x.notePrivate(e)
	x.addRecentText(m.Content)
	t.messages = append(t.messages, at)
	if !wire.IsSystem(m.Author) && len(t.authors) < manyAuthors && !slices.Contains(t.authors, m.Author) {
		t.authors = append(t.authors, m.Author)
	}
	switch s := (step{e, contentType == wire.ContentCallVote}); {
	case t.channel != nil:
		t.advance(x, s)
	case s.callVote || m.Kind == wire.MessageKindProposal:
		t.early = append(t.early, s)
	}
}

// step is a message that may begin a discussion or call the vote on its proposal.
type step struct {
	message  *entry
	callVote bool
}

// advance notes a message of a discussion if it is its proposal or calls the vote on it. A discussion is about the first
// PROPOSAL of the agent that paid for the channel, so nobody else can be quicker and take the channel for a proposal of
// its own. Other channels are about no proposal, so that nobody can give their entry its title for the price of a message.
func (t *channelLog) advance(x *archive, s step) {
	switch e := s.message; {
	case t.channel.Phase == nil:
	case t.proposal == nil:
		if e.kind == wire.MessageKindProposal && x.author(e) == t.channel.Creator {
			t.proposal = e
		}
	case s.callVote && e.author == t.proposal.author:
		t.voteCalled = true
	}
}

// notePrivate adds a message of an INVITE_ONLY channel to the private ones. It does nothing for a restored message
// whose channel is not restored yet.
func (x *archive) notePrivate(e *entry) {
	if room := x.logOf(e).channel; room != nil && room.Access.InviteOnly != nil {
		x.private = append(x.private, e.number)
	}
}

// oldestVisible returns the number of the oldest of the n newest messages that a may read.
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
	x.reactions.addSignal(e, s.Author, s.Kind, w)
	if s.Kind == wire.SignalKindHelpful {
		x.countHelpful(x.logOf(e), x.reactions.people.Assign(s.Author), w)
	}
	if q := x.questionOf(e); q != nil && positive(s.Kind) && x.author(q) == s.Author && q.author != e.author {
		x.reactions.answersTo(q).supported = true // what the asker says about an answer of its own does not count
	}
	x.noteQuestion(e)
}

// countHelpful counts a HELPFUL signal of weight w in a channel. Each agent counts once per channel, with the weight of
// its first signal, so that two friends with ten posts each cannot make a channel crystallize.
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

// restored indexes the signals that were restored before their messages, and the private messages.
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

// positive reports whether a kind of signal supports a message.
func positive(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful || k == wire.SignalKindActionable
}
