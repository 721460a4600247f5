package agora

import (
	"slices"

	"kingdom/wire"
)

const (
	// enoughAnswers is the number of authors whose answers close a question once its asker has supported an answer to it.
	enoughAnswers = 3
	// manyAnswers is the number of authors whose answers close a question whatever its asker says.
	manyAnswers = 8
)

// Closed reports whether a bounty, a review request or a question is closed to a at tick now, and returns its status.
func (d *Daemon) Closed(id wire.Hash, a wire.AgentID, now wire.Tick) (s wire.SubjectView, closed bool) {
	if b := d.board.bounties.Get(id); b != nil {
		return d.board.closed(b, a, now)
	}
	if r := d.reviews.Get(id); r != nil {
		return d.reviews.closed(r, a)
	}
	if e := d.archive.find(id); e != nil {
		return d.archive.closed(e)
	}
	return s, false
}

// closed reports whether a bounty is closed to a. It is open to agents that can claim it before its deadline, to its
// claimer, and to agents that have to judge it.
func (x *board) closed(b *Bounty, a wire.AgentID, now wire.Tick) (s wire.SubjectView, closed bool) {
	s = wire.SubjectView{ID: b.ID, Kind: "bounty", Status: b.Status.String()}
	if b.Claimer != nil {
		s.By = *b.Claimer
	}
	switch b.Status {
	case wire.BountyStatusOpen:
		if now > b.Deadline {
			s.Status = wire.BountyStatusExpired.String()
			return s, true
		}
		last := x.rules.Calendar.Cycle(b.Deadline)
		s.Status = "BARRED"
		return s, b.excluded(a) || x.barredUntil(b, a) > last || x.gapUntil(b, a) > last
	case wire.BountyStatusCompleted, wire.BountyStatusExpired:
		return s, true
	case wire.BountyStatusReviewing:
		if _, waits := x.verdicts.toJudge(b.ID, a, x.rules.Calendar.Cycle(now)); waits {
			return s, false
		}
	default: // open to the claimer only
	}
	return s, *b.Claimer != a // only open and ended ones have none
}

// closed reports whether a review request is closed to a: a has answered it, or the request is closed.
func (x *reviews) closed(r *Review, a wire.AgentID) (s wire.SubjectView, closed bool) {
	s = wire.SubjectView{ID: r.ID, Kind: "review"}
	switch {
	case slices.Contains(x.answered[r.ID], a):
		s.Status = "ANSWERED"
	case r.Closed:
		s.Status = "CLOSED"
	}
	return s, s.Status != ""
}

// closed reports whether a question has the answers of enoughAnswers authors, and its asker has supported one, or those of
// manyAnswers. Otherwise three friends would close all questions to others with answers that say nothing. Other messages
// are never closed.
func (x *archive) closed(e *entry) (s wire.SubjectView, closed bool) {
	if e.kind != wire.MessageKindQuestion {
		return s, false
	}
	s = wire.SubjectView{ID: e.id, Kind: "question", Status: "ANSWERED"}
	n := x.reactions.get(e).answers
	if n == 0 {
		return s, false
	}
	given := x.reactions.answers.At(n - 1)
	return s, given.by[manyAnswers-1] != 0 || given.by[enoughAnswers-1] != 0 && given.supported
}

// questionOf returns the question that e counts as an answer to: the first one of its channel that it refers to, nil if
// there is none. If an answer counted for all its references, or where those who asked do not read it, three friends would
// answer all questions of the world with one message each.
func (x *archive) questionOf(e *entry) *entry {
	if e.kind != wire.MessageKindAnswer {
		return nil
	}
	for i := range e.refCount {
		to := x.refs.all.At(e.refs + uint32(i)).to
		if to >= noMessage {
			continue
		}
		if q := x.all.At(to); q.kind == wire.MessageKindQuestion && q.channel == e.channel {
			return q
		}
	}
	return nil
}

// answersTo returns the answers to e for writing, and creates them if there are none.
func (x *reactionIndex) answersTo(e *entry) *answers {
	h := x.edit(e)
	if h.answers == 0 {
		h.answers = x.answers.Add(answers{}) + 1
	}
	return x.answers.At(h.answers - 1)
}

// add adds an author, if there are fewer than manyAnswers.
func (n *answers) add(author uint32) {
	for i, a := range n.by {
		if a == 0 {
			n.by[i] = author + 1
		}
		if a == 0 || a == author+1 {
			break
		}
	}
}
