package agora

import (
	"slices"

	"kingdom/wire"
)

// enoughAnswers is the number of authors whose answers close a question.
const enoughAnswers = 3

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

// closed reports whether a question has the answers of enoughAnswers authors. Other messages are never closed.
func (x *archive) closed(e *entry) (s wire.SubjectView, closed bool) {
	if e.kind != wire.MessageKindQuestion {
		return s, false
	}
	n := x.reactions.get(e).answers
	return wire.SubjectView{ID: e.id, Kind: "question", Status: "ANSWERED"}, n != 0 && x.reactions.answers.At(n - 1)[enoughAnswers-1] != 0
}

// noteAnswer adds the author of an answer to the answerers of the first question of its channel that m refers to. If an
// answer counted for all its references, or where those who asked do not read it, three friends would close all questions
// of the world with one message each.
func (x *archive) noteAnswer(m *wire.Message, author uint32) {
	if m.Kind != wire.MessageKindAnswer {
		return
	}
	for _, ref := range m.References {
		if e := x.find(ref); e != nil && e.kind == wire.MessageKindQuestion && x.logOf(e).id == m.Channel {
			x.reactions.addAnswerer(e, author)
			return
		}
	}
}

// addAnswerer adds an author to the answerers of e, if there are fewer than enoughAnswers.
func (x *reactionIndex) addAnswerer(e *entry, author uint32) {
	h := x.edit(e)
	if h.answers == 0 {
		h.answers = x.answers.Add(answerers{}) + 1
	}
	list := x.answers.At(h.answers - 1)
	for i, a := range list {
		if a == 0 {
			list[i] = author + 1
		}
		if a == 0 || a == author+1 {
			break
		}
	}
}
