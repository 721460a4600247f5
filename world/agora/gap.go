package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// maxQuestion is the maximum length of a question that a bounty quotes, in bytes; the rest is cut off.
const maxQuestion = 8192

// Questions returns up to limit questions that enough agents want answered, for which done returns false and
// wanted returns true, oldest first. Questions in INVITE_ONLY channels are left out, because the bounty is announced to everybody.
// Once a question is done or private, it is not looked at again unless somebody signals on it.
func (d *Daemon) Questions(limit int, done func(msg wire.Hash) bool, wanted func(q *world.Question) bool) []world.Question {
	return d.archive.questions(limit, done, wanted)
}

func (x *archive) questions(limit int, done func(msg wire.Hash) bool, wanted func(q *world.Question) bool) (out []world.Question) {
	list := x.wantedQuestions
	left := list[:0]
	for i, n := range list {
		if len(out) == limit {
			left = append(left, list[i:]...)
			break
		}
		e := x.all.At(n)
		t := x.logOf(e)
		if t.channel.Access.InviteOnly != nil || done(e.id) {
			continue
		}
		left = append(left, n)
		q := world.Question{Message: e.id, Asker: x.author(e), Wanting: x.wanting(e)}
		if !wanted(&q) {
			continue
		}
		if x.fetch(&q.Missing, e); q.Missing == nil {
			q.Topic = x.text(e)
			q.Tags = topicTags(q.Topic, maxTags)
		}
		out = append(out, q)
	}
	x.wantedQuestions = left
	return out
}

// noteQuestion adds a question to wantedQuestions once enough agents other than its author want an answer.
func (x *archive) noteQuestion(e *entry) {
	if e.kind != wire.MessageKindQuestion {
		return
	}
	if len(x.wanting(e)) < manyAuthors {
		return
	}
	if i, ok := slices.BinarySearch(x.wantedQuestions, e.number); !ok {
		x.wantedQuestions = slices.Insert(x.wantedQuestions, i, e.number)
	}
}

// maxWanting is the maximum length of the list of agents that want an answer.
const maxWanting = 64

// wanting returns the first agents, in order, that support e by a signal; its author does not count.
func (x *archive) wanting(e *entry) (out []wire.AgentID) {
	author := x.author(e)
	for by, kind := range x.reactions.signallers(e) {
		if positive(kind) && by != author && !slices.Contains(out, by) {
			out = append(out, by)
		}
		if len(out) == maxWanting {
			break
		}
	}
	return out
}

// OpenGapBounty posts "Document: …" for a question, paid by the treasury. The asker may not claim it. It is fulfilled
// by an entry that answers the question and that two others found accurate, so nobody has to approve it. If there are
// too many open bounties or the treasury cannot pay, ok is false and nothing has happened.
func (d *Daemon) OpenGapBounty(c *world.Context, q world.Question, reward uint64) (bounty wire.Hash, ok bool) {
	if d.board.full() {
		return wire.Hash{}, false
	}
	asker, message, prefix := q.Asker, q.Message, "Document: "
	b := &Bounty{
		ID: world.Derived("gap:", q.Message), Creator: me,
		Title: []byte(prefix + clip(q.Topic, action.MaxTitle-len(prefix))),
		Specification: []byte("Publish an Oracle entry that answers this question and has its id among its references. " +
			"When two others have found it ACCURATE, submit with a zero snap. The question:\n\n" + clip(q.Topic, maxQuestion)),
		Reward: reward, Difficulty: wire.DifficultyEasy, Asker: &asker,
		Requirements: []wire.BountyRequirement{{
			Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
				Check: wire.CheckOracleAnswered, Question: &message,
			}),
		}},
	}
	if d.board.fund(c, b, wire.SystemID(wire.SystemMint), 0) != nil {
		return wire.Hash{}, false
	}
	d.board.publish(c, me, b)
	return b.ID, true
}
