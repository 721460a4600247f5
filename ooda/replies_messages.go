package ooda

import (
	"slices"

	"kingdom/memory"
	"kingdom/wire"
)

// messageReader learns from the messages that a reply shows.
type messageReader struct{ *replyReader }

// notePosted counts and notes a message that the agent posted.
func (rr *replyReader) notePosted(q *wire.MsgPost, r *wire.Reply) {
	rr.notes.Posts++
	rr.noteCalled(q)
	advocate{rr}.noteArgued(q)
	if q.Kind == wire.MessageKindQuestion {
		rr.notes.Asked++
		messageReader{rr}.noteAsked(contentText(q.Content))
	}
	if len(q.References) > 0 {
		if n := rr.notes.Message(q.References[0]); n != nil && q.Kind == wire.MessageKindAnswer {
			n.Answered, n.Signed = true, true
			if rr.isPeer(n.Author) {
				rr.agent.Memory.Peers.Help(n.Author, rr.seen.tick)
			}
			n.ForgetText()
		}
	}
	if ack, ok := r.Body.(*wire.MsgPostAck); ok {
		if q.Kind == wire.MessageKindQuestion {
			rr.regs.asked(ack.MessageID, q.Channel)
		}
		rr.notes.SeeMessage(memory.MessageNote{
			ID: ack.MessageID, Channel: q.Channel, Author: rr.agent.ID, Kind: q.Kind, At: rr.seen.tick, Signed: true, Answered: true,
		})
		if q.Kind == wire.MessageKindQuestion {
			rr.payer().wantAnswer(ack.MessageID, q)
		}
	}
}

// noteCalled removes the sleepers that a post called from the list: each is called once.
func (rr *replyReader) noteCalled(q *wire.MsgPost) {
	for _, h := range q.References {
		rr.agent.Memory.Dealings.RemoveSleeper(wire.AgentID(h))
	}
}

// noteMessage notes a message that was read and learns from what a peer says in it. The author of an answer to an own
// question has served the agent.
func (rr messageReader) noteMessage(m *wire.Message) {
	own := m.Author == rr.agent.ID
	if m.Kind == wire.MessageKindAnswer && !own && rr.notes.Message(m.ID) == nil {
		for _, h := range m.References {
			rr.relations().countAnswer(h, m.Author)
		}
	}
	n := rr.notes.SeeMessage(memory.MessageNote{
		ID: m.ID, Channel: m.Channel, Author: m.Author, Kind: m.Kind, At: m.Tick, Signed: own, Answered: own,
	})
	if n.Read || own {
		n.Read = true
		return
	}
	n.Read = true
	rr.fresh++
	said := rr.quote(m)
	n.Text = said.Text
	beside := m.Kind == wire.MessageKindAnswer && rr.offTopic(m, said.Text)
	switch m.Kind {
	case wire.MessageKindQuestion:
		rr.noteAsked(n.Text)
		rr.countQuestion(n.Text)
	case wire.MessageKindStatement:
		rr.noteInvited(m)
	default: // an answer is taken in below
	}
	if !rr.isPeer(m.Author) {
		rr.judgeReview(n, m)
		n.Signed = n.Opinion == memory.OpinionNone
		n.ForgetText()
		return
	}
	rr.judgeMessage(n, m.Kind == wire.MessageKindAnswer && rr.answersOwn(m))
	if m.Kind == wire.MessageKindStatement && rr.foundWrong(m) {
		n.Opinion = memory.OpinionDoubt
	}
	know, at := rr.agent.Memory.Knowledge, rr.seen.tick
	node := know.Learn(said.Label, said.Quote, memory.KnowledgePeerCommunication, float64(m.Confidence), at)
	if n.Opinion == memory.OpinionNone && m.Kind != wire.MessageKindQuestion {
		n.Signed = true // nothing to say to it
	}
	n.ForgetText()
	if m.Kind != wire.MessageKindAnswer {
		return
	}
	for _, h := range m.References {
		know.Relate(node, messageNode(h), relationAnswer, 1, at)
		if e := rr.agent.Memory.Effects.ByObject(h); e != nil {
			e.Answers++
		}
		if q := rr.notes.Message(h); q != nil && q.Author == rr.agent.ID && q.Kind == wire.MessageKindQuestion {
			rr.relations().interact(m.Author, memory.DealAnswer, !beside, at)
			if beside {
				continue // it goes on waiting for an answer
			}
			rr.agent.Memory.Peers.Serve(m.Author, at)
			rr.regs.remove(noteAsked, h)
			rr.payer().thank(m, q.ID)
			rr.payer().wantWritten(q.Text)
			rr.believer().returnedFor(h, returnAnswer, at)
		}
	}
}

// offTopic reports whether an answer does not say what was asked. Such an answer does not count: the question still
// waits for one, and the agent trusts the author's statements less.
func (rr messageReader) offTopic(m *wire.Message, text []byte) (beside bool) {
	heeded := rr.relations().heeds(m.Author)
	for _, h := range m.References {
		q := rr.notes.Message(h)
		if q == nil || q.Kind != wire.MessageKindQuestion || answersQuestion(q.Text, text) {
			continue
		}
		beside = true
		if heeded && q.Answers > 0 { // it was counted
			q.Answers--
		}
		rr.agent.Memory.Market.Unanswered(h)
	}
	if beside && rr.isPeer(m.Author) {
		rr.agent.Memory.Peers.StatementChecked(m.Author, false, rr.seen.tick)
	}
	return beside
}

// answersQuestion reports whether an answer states what the question asks for. For a question about something that
// agents do not count only a mind could tell, and the result is true.
func answersQuestion(question, answer []byte) bool {
	m, subject, about := memory.ReadQuestion(question)
	if !about || m == memory.MeasurePattern {
		return true
	}
	_, stated := memory.ReadStatement(m, subject, answer)
	return stated
}

// foundWrong reports whether a message refers to an entry of its author that the agent found wrong.
func (rr messageReader) foundWrong(m *wire.Message) bool {
	return slices.ContainsFunc(m.References, func(h wire.Hash) bool {
		n := rr.notes.Entry(h)
		return n != nil && n.Author == m.Author && (n.Verdict == uint8(wire.VerdictInaccurate) || n.Verdict == uint8(wire.VerdictOutdated))
	})
}

// noteInvited notes the entries that a message asks this agent by name to judge.
func (rr messageReader) noteInvited(m *wire.Message) {
	if len(m.References) == 0 || wire.AgentID(m.References[0]) != rr.agent.ID {
		return
	}
	for _, h := range m.References[1:] {
		if n := rr.notes.Entry(h); n != nil && n.Author == m.Author {
			n.Paid = true
		}
	}
}

// answersOwn reports whether a message answers an own question.
func (rr messageReader) answersOwn(m *wire.Message) bool {
	return slices.ContainsFunc(m.References, func(h wire.Hash) bool {
		q := rr.notes.Message(h)
		return q != nil && q.Author == rr.agent.ID && q.Kind == wire.MessageKindQuestion
	})
}

// noteLook notes what a look at channels showed.
func (rr messageReader) noteLook(payload any, b *wire.MsgQueryReply) {
	var channels []wire.Hash
	if q, ok := payload.(*wire.MsgQuery); ok && q.Channels != nil {
		channels = *q.Channels
	}
	around := !slices.ContainsFunc(rr.notes.Messages, func(m memory.MessageNote) bool { return !m.Read && !m.Signed })
	var room [lookChannels]uint32
	news := room[:min(len(channels), len(room))] // messages of each channel that were not known
	for i := range b.Messages {
		m := &b.Messages[i]
		if m.Tick <= rr.notes.Forgot && rr.notes.Message(m.ID) == nil {
			continue
		}
		before := rr.fresh
		rr.noteMessage(m)
		if at := slices.Index(channels, m.Channel); at >= 0 && at < len(news) {
			news[at] += rr.fresh - before
		}
	}
	if around {
		rr.notes.LookPause = lookedAround(rr.notes.LookPause, rr.fresh)
	}
	for i, channel := range channels {
		if i < len(news) {
			rr.countLook(channel, news[i])
		}
		rr.giveUpUnread(channel)
	}
}

// giveUpUnread gives up the messages of a channel that a look at it did not show because they are too old. A question
// stays unread: a look at its own tick can still show it.
func (rr messageReader) giveUpUnread(channel wire.Hash) {
	for i := range rr.notes.Messages {
		if n := &rr.notes.Messages[i]; n.Channel == channel && !n.Read && n.At < rr.seen.tick {
			n.Read = n.Kind != wire.MessageKindQuestion
			n.Signed = true
		}
	}
}
