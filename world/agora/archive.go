package agora

import (
	"crypto/sha256"
	"slices"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
)

// archive holds all messages and the signals on them, without the messages' contents,
// which lie in the store (docs/decisions/0010). It is filled record by record, when
// appended and when restored alike.
type archive struct {
	messages *world.Chain[wire.Message]
	signals  *world.Chain[Signal]

	all      []*entry
	byID     map[wire.Hash]uint32
	byAuthor map[wire.AgentID][]uint32
	byKind   map[wire.MessageKind][]uint32
	byRef    map[wire.Hash][]uint32
	private  []uint32               // messages in INVITE_ONLY channels, ascending
	talks    map[wire.Hash]*talk    // by channel
	contents map[sameness]struct{}  // for the duplicate rule
	openings [][]byte               // of the newest textWindow messages, the newest last
	asked    []uint32               // questions that enough agents want answered, ascending, without some that are done
	ripe     map[wire.Hash]struct{} // channels whose HELPFUL weight reached the threshold
	early    []*Signal              // restored before their messages, in order
}

// entry is one message and what was signalled on it. Weights are integers of
// 2^-20, so that their sums do not depend on any order.
type entry struct {
	number    uint32       // in commit order, from 0
	msg       wire.Message // without its content
	hash      wire.Hash    // SHA-256 of the content
	length    uint32       // of the content, in bytes
	bugReport bool
	talk      *talk
	marks     []mark
	positive  uint32 // AGREE + HELPFUL + ACTIONABLE
	weight    int64  // of those
	agree     int64
	disagree  int64
	helpful   int64
	answered  []wire.AgentID // the first three who answered it with an ANSWER
}

// mark is one signal's sender and kind: each pair occurs once per message.
type mark struct {
	agent wire.AgentID
	kind  wire.SignalKind
}

// talk is what was said in one channel.
type talk struct {
	room     *Channel       // nil while the channel is not restored
	members  []wire.AgentID // of an INVITE_ONLY room, ascending
	numbers  []uint32
	authors  []wire.AgentID // the first three distinct ones, AGORA_0 left out
	proposal *entry         // the first PROPOSAL message
	called   bool           // its author called the vote
	helpful  int64          // Σ HELPFUL weight
}

// sameness says when two messages are one: same channel, same content.
type sameness struct{ channel, content wire.Hash }

const (
	// manyAuthors is how many take part in a discussion before it is refined, and
	// how many agents want an answer before a question is a gap.
	manyAuthors = 3
	// crystalWeight is the Σ HELPFUL weight at which a channel crystallizes: 5.0.
	crystalWeight = 5 << det.QuantumBits
)

func newArchive(s *world.State) *archive {
	x := &archive{
		byID:     map[wire.Hash]uint32{},
		byAuthor: map[wire.AgentID][]uint32{},
		byKind:   map[wire.MessageKind][]uint32{},
		byRef:    map[wire.Hash][]uint32{},
		talks:    map[wire.Hash]*talk{},
		contents: map[sameness]struct{}{},
		ripe:     map[wire.Hash]struct{}{},
	}
	x.messages = world.NewChain(s, "messages", messageCodec, x.seeMessage).ReadAgain()
	x.signals = world.NewChain(s, "signals", signalCodec, x.seeSignal)
	return x
}

// admits says whether a may read what was said here. A query asks it of every message it
// looks at, so members are looked up.
func (t *talk) admits(a wire.AgentID) bool {
	if t.room == nil || t.room.Access.InviteOnly == nil {
		return t.room != nil
	}
	_, member := slices.BinarySearchFunc(t.members, a, wire.AgentID.Compare)
	return member || a == t.room.Creator || a == me
}

// settle says which channel the talk is in.
func (t *talk) settle(ch *Channel) {
	t.room = ch
	if list := ch.Access.InviteOnly; list != nil {
		t.members = slices.SortedFunc(slices.Values(*list), wire.AgentID.Compare)
	}
}

// find returns the message id's entry or nil.
func (x *archive) find(id wire.Hash) *entry {
	if n, ok := x.byID[id]; ok {
		return x.all[n]
	}
	return nil
}

// talk returns what was said in a channel; it may be empty, never nil.
func (x *archive) talk(channel wire.Hash) *talk {
	t := x.talks[channel]
	if t == nil {
		t = &talk{}
		x.talks[channel] = t
	}
	return t
}

// said reports whether content was posted in channel before.
func (x *archive) said(channel wire.Hash, content []byte) bool {
	_, ok := x.contents[sameness{channel, sha256.Sum256(content)}]
	return ok
}

// seeMessage indexes a record of the message chain.
func (x *archive) seeMessage(n uint64, m *wire.Message) {
	at, t := uint32(n), x.talk(m.Channel)
	e := &entry{number: at, msg: *m, hash: sha256.Sum256(m.Content), length: uint32(len(m.Content)), talk: t}
	e.msg.Content = nil
	says := typeOf(m.Content)
	e.bugReport = says == wire.ContentBugReport
	x.all = append(x.all, e)
	x.byID[m.ID] = at
	x.byAuthor[m.Author] = append(x.byAuthor[m.Author], at)
	x.byKind[m.Kind] = append(x.byKind[m.Kind], at)
	for i, ref := range m.References {
		if !slices.Contains(m.References[:i], ref) {
			x.byRef[ref] = append(x.byRef[ref], at)
		}
	}
	x.noteAnswer(m)
	x.seclude(e)
	x.contents[sameness{m.Channel, e.hash}] = struct{}{}
	x.addOpening(m.Content)
	t.numbers = append(t.numbers, at)
	if m.Author != me && len(t.authors) < manyAuthors && !slices.Contains(t.authors, m.Author) {
		t.authors = append(t.authors, m.Author)
	}
	switch {
	case t.proposal == nil && m.Kind == wire.MessageKindProposal:
		t.proposal = e
	case t.proposal != nil && m.Author == t.proposal.msg.Author && says == wire.ContentCallVote:
		t.called = true
	}
}

// seclude notes a message that not everybody may read; a restored one once its channel
// is there.
func (x *archive) seclude(e *entry) {
	if e.talk.room != nil && e.talk.room.Access.InviteOnly != nil {
		x.private = append(x.private, e.number)
	}
}

// oldest is the number of the first message among the n newest that a may read.
func (x *archive) oldest(a wire.AgentID, n int) uint32 {
	first := max(0, len(x.all)-n)
	least := max(0, len(x.private)-searchSteps)
	for i := len(x.private) - 1; i >= least && first > 0 && x.private[i] >= uint32(first); i-- {
		if !x.all[x.private[i]].talk.admits(a) {
			first--
		}
	}
	return uint32(first)
}

// seeSignal indexes a record of the signal chain.
func (x *archive) seeSignal(_ uint64, s *Signal) {
	e := x.find(s.Target)
	if e == nil || len(x.early) > 0 {
		x.early = append(x.early, s)
		return
	}
	e.marks = append(e.marks, mark{s.Author, s.Kind})
	w := det.QuantiseInt(float64(s.Weight))
	if positive(s.Kind) {
		e.positive++
		e.weight += w
	}
	switch s.Kind {
	case wire.SignalKindAgree:
		e.agree += w
	case wire.SignalKindDisagree:
		if s.Reference == nil { // an objection without a reason weighs a tenth
			w = det.QuantiseInt(float64(float64(s.Weight) * 0.1))
		}
		e.disagree += w
	case wire.SignalKindHelpful:
		e.helpful += w
		e.talk.helpful += w
		if e.talk.helpful >= crystalWeight {
			x.ripe[e.msg.Channel] = struct{}{}
		}
	default: // the others have no sum of their own
	}
	x.noteQuestion(e)
}

// restored indexes the signals that came before their messages, and what depends on
// channels.
func (x *archive) restored() {
	early := x.early
	x.early = nil
	for i, s := range early {
		x.seeSignal(uint64(i), s)
	}
	if len(x.early) > 0 {
		panic("agora: a restored signal is on message " + x.early[0].Target.String() + ", which was not restored")
	}
	for _, e := range x.all {
		x.seclude(e)
	}
}

// positive says whether a signal speaks for a message.
func positive(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful || k == wire.SignalKindActionable
}

// marked says whether a gave a signal of this kind.
func (e *entry) marked(a wire.AgentID, k wire.SignalKind) bool {
	return slices.Contains(e.marks, mark{a, k})
}
