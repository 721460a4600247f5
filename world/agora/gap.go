package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// Questions returns up to limit questions that enough agents want answered and for
// which done says false, oldest first. Questions behind an invitation are left out:
// a gap is announced to everybody. What is done or private stays so and is not looked
// at again, unless somebody signals on it.
func (d *Daemon) Questions(limit int, done func(msg wire.Hash) bool) []world.Question {
	return d.archive.questions(limit, done)
}

func (x *archive) questions(limit int, done func(msg wire.Hash) bool) (out []world.Question) {
	list := x.asked
	left := list[:0]
	for i, n := range list {
		if len(out) == limit {
			left = append(left, list[i:]...)
			break
		}
		e := x.all[n]
		if e.talk.room.Access.InviteOnly != nil || done(e.msg.ID) {
			continue
		}
		left = append(left, n)
		q := world.Question{Message: e.msg.ID, Channel: e.msg.Channel, Asker: e.msg.Author}
		if x.fetch(&q.Missing, e); q.Missing == nil {
			q.Topic = x.text(e)
			q.Tags = topicTags(q.Topic, maxTags)
		}
		out = append(out, q)
	}
	x.asked = left
	return out
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

// OpenGapBounty posts "Document: …" for a question, paid from the treasury; the
// asker may not claim it. The zero hash means that the board is full or the
// treasury cannot pay, and nothing happened.
func (d *Daemon) OpenGapBounty(c *world.Context, q world.Question, reward uint64) (bounty wire.Hash, ok bool) {
	if d.board.full() {
		return wire.Hash{}, false
	}
	asker, prefix := q.Asker, "Document: "
	b := &Bounty{
		ID: world.Derived("gap:", q.Message), Creator: me,
		Title:         []byte(prefix + clip(q.Topic, maxTitle-len(prefix))),
		Specification: []byte("Publish an Oracle entry that answers this question:\n\n" + clip(q.Topic, maxExcerpt)),
		Reward:        reward, Difficulty: wire.DifficultyEasy, Asker: &asker,
		Requirements: []wire.BountyRequirement{{
			Kind: wire.RequirementKindMustBeReviewed, Params: wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{}),
		}},
	}
	if d.board.fund(c, b, wire.SystemID(wire.SystemMint), 0) != nil {
		return wire.Hash{}, false
	}
	d.offer(c, me, b)
	return b.ID, true
}
