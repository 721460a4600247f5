package agora

import (
	"crypto/sha256"
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// archive is the index over the message and signal chains: every message with
// what was signalled on it, and the ways to find it. It is filled record by
// record, when appended and when restored alike.
type archive struct {
	all      []*entry
	byID     map[wire.Hash]uint32
	byAuthor map[wire.AgentID][]uint32
	byKind   map[wire.MessageKind][]uint32
	byRef    map[wire.Hash][]uint32
	private  []uint32               // messages in INVITE_ONLY channels, ascending
	talks    map[wire.Hash]*talk    // by channel
	contents map[sameness]struct{}  // for the duplicate rule
	asked    []uint32               // questions that enough agents want answered, ascending, without some that are done
	ripe     map[wire.Hash]struct{} // channels whose HELPFUL weight reached the threshold
	early    []*Signal              // restored before their messages, in order
}

// entry is one message and what was signalled on it. Weights are integers of
// 2^-20, so that their sums do not depend on any order.
type entry struct {
	number   uint32 // in commit order, from 0
	msg      *wire.Message
	talk     *talk
	marks    []mark
	positive uint32 // AGREE + HELPFUL + ACTIONABLE
	weight   int64  // of those
	agree    int64
	disagree int64
	helpful  int64
}

// mark is one signal's sender and kind: each pair occurs once per message.
type mark struct {
	agent wire.AgentID
	kind  wire.SignalKind
}

// talk is what was said in one channel.
type talk struct {
	room     *Channel // nil while the channel is not restored
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

func newArchive() archive {
	return archive{
		byID:     map[wire.Hash]uint32{},
		byAuthor: map[wire.AgentID][]uint32{},
		byKind:   map[wire.MessageKind][]uint32{},
		byRef:    map[wire.Hash][]uint32{},
		talks:    map[wire.Hash]*talk{},
		contents: map[sameness]struct{}{},
		ripe:     map[wire.Hash]struct{}{},
	}
}

// admits says whether a may read what was said here.
func (t *talk) admits(a wire.AgentID) bool { return t.room != nil && t.room.admits(a) }

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

func sameAs(channel wire.Hash, content []byte) sameness {
	return sameness{channel, sha256.Sum256(content)}
}

// seeMessage indexes a record of the message chain.
func (d *Daemon) seeMessage(n uint64, m *wire.Message) {
	x, at := &d.archive, uint32(n)
	t := x.talk(m.Channel)
	e := &entry{number: at, msg: m, talk: t}
	x.all = append(x.all, e)
	x.byID[m.ID] = at
	x.byAuthor[m.Author] = append(x.byAuthor[m.Author], at)
	x.byKind[m.Kind] = append(x.byKind[m.Kind], at)
	for i, ref := range m.References {
		if !slices.Contains(m.References[:i], ref) {
			x.byRef[ref] = append(x.byRef[ref], at)
		}
	}
	x.seclude(e)
	x.contents[sameAs(m.Channel, m.Content)] = struct{}{}
	t.numbers = append(t.numbers, at)
	if m.Author != me && len(t.authors) < manyAuthors && !slices.Contains(t.authors, m.Author) {
		t.authors = append(t.authors, m.Author)
	}
	switch {
	case t.proposal == nil && m.Kind == wire.MessageKindProposal:
		t.proposal = e
	case t.proposal != nil && m.Author == t.proposal.msg.Author && typeOf(m.Content) == wire.ContentCallVote:
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
	for i := len(x.private) - 1; i >= 0 && first > 0 && x.private[i] >= uint32(first); i-- {
		if !x.all[x.private[i]].talk.admits(a) {
			first--
		}
	}
	return uint32(first)
}

// seeSignal indexes a record of the signal chain.
func (d *Daemon) seeSignal(_ uint64, s *Signal) {
	x := &d.archive
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

// noteQuestion lists e once as many agents other than its author want an answer.
func (x *archive) noteQuestion(e *entry) {
	if e.msg.Kind != wire.MessageKindQuestion {
		return
	}
	var wanting []wire.AgentID
	for _, m := range e.marks {
		if positive(m.kind) && m.agent != e.msg.Author && !slices.Contains(wanting, m.agent) {
			wanting = append(wanting, m.agent)
		}
		if len(wanting) == manyAuthors {
			break
		}
	}
	if len(wanting) < manyAuthors {
		return
	}
	if i, ok := slices.BinarySearch(x.asked, e.number); !ok {
		x.asked = slices.Insert(x.asked, i, e.number)
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
