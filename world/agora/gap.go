package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// Questions returns up to limit questions that enough agents want answered and for
// which done says false, oldest first. Questions behind an invitation are left out:
// a gap is announced to everybody. What is done or private stays so and is not looked
// at again, unless somebody signals on it.
func (d *Daemon) Questions(limit int, done func(msg wire.Hash) bool) []world.Question {
	var out []world.Question
	list := d.archive.asked
	left := list[:0]
	for i, n := range list {
		if len(out) == limit {
			left = append(left, list[i:]...)
			break
		}
		m := d.archive.all[n].msg
		if d.channels.Get(m.Channel).Access.InviteOnly != nil || done(m.ID) {
			continue
		}
		left = append(left, n)
		text := Text(m.Content)
		out = append(out, world.Question{
			Message: m.ID, Channel: m.Channel, Asker: m.Author, Topic: text, Tags: topicTags(text, maxTags),
		})
	}
	d.archive.asked = left
	return out
}

// OpenGapBounty posts "Document: …" for a question, paid from the treasury; the
// asker may not claim it. The zero hash means that the board is full or the
// treasury cannot pay, and nothing happened.
func (d *Daemon) OpenGapBounty(c *world.Context, q world.Question, reward uint64) (bounty wire.Hash, ok bool) {
	if d.full() {
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
	if d.fund(c, b, wire.SystemID(wire.SystemMint), 0) != nil {
		return wire.Hash{}, false
	}
	d.offer(c, me, b)
	return b.ID, true
}
