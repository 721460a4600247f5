package ooda

import (
	"encoding/hex"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// noteEffects writes into the notebook what an action did and showed.
func (t *Turn) noteEffects(p *pending, r *wire.Reply) {
	t.noteLesson(p, r.Err == nil)
	if r.Err != nil {
		t.noteRefusal(p, r.Err)
		return
	}
	switch q := p.payload.(type) {
	case *wire.EntryPublish:
		t.notePublished(q, r)
	case *wire.EntryVerify:
		if n := t.l.Entry(q.EntryID); n != nil {
			n.Judged, n.Text = true, nil
		}
	case *wire.MsgPost:
		t.notePosted(q, r)
	case *wire.SignalSend:
		if n := t.l.Message(q.Target); n != nil {
			n.Signed = true
			n.Settle()
		}
	case *wire.BountyReview:
		t.l.Released(q.BountyID)
	case *wire.Transfer:
		if q.Kind == wire.TransferKindResourceBuy {
			t.l.Bought += q.Amount * t.r.TicksPerSpark
		}
	case *wire.Subscribe:
		t.a.Subscriptions = append(t.a.Subscriptions, *q)
	}
	switch b := r.Body.(type) {
	case *wire.EntryGetReply:
		t.noteRead(&b.Entry)
	case *wire.EntryQueryReply:
		t.l.Browsed = t.seen.tick
		for i := range b.Entries {
			if e := &b.Entries[i]; e.CreatedAt > t.l.Closed {
				t.noteEntry(e)
			}
		}
	case *wire.MsgQueryReply:
		t.l.Looked = t.seen.tick
		t.l.Turns++
		for i := range b.Messages {
			if m := &b.Messages[i]; m.Tick > t.l.Forgot || t.l.Message(m.ID) != nil {
				t.noteMessage(m)
			}
		}
		t.forgetUnread(p)
	case *wire.AgentStatusReply:
		if b.AgentID != t.a.ID {
			t.l.SeePeer(b.AgentID, b.Reputation, t.seen.tick)
		}
	}
}

// noteLesson makes the mind's own lesson about an action a piece of knowledge, under the
// action's name.
func (t *Turn) noteLesson(p *pending, worked bool) {
	if p.memory == nil || p.memory.Lesson == "" {
		return
	}
	sure := 0.0
	if worked {
		sure = 1
	}
	t.a.Memory.Knowledge.Learn(actionSubjects[p.row.Name], []byte(p.memory.Lesson), memory.KnowledgeExperience, sure, t.seen.tick)
}

// noteRefusal learns from a refusal what is no longer worth trying.
func (t *Turn) noteRefusal(p *pending, err *wire.ErrorBody) {
	switch q := p.payload.(type) {
	case *wire.EntryGet:
		if n := t.l.Entry(q.EntryID); n != nil {
			n.Judged, n.Text = true, nil
		}
	case *wire.EntryVerify:
		if n := t.l.Entry(q.EntryID); n != nil {
			n.Judged, n.Text = true, nil
		}
	case *wire.SignalSend:
		if n := t.l.Message(q.Target); n != nil {
			n.Signed = true
			n.Settle()
		}
	case *wire.BountyReview:
		t.l.Released(q.BountyID)
	case *wire.MsgPost:
		if string(err.Message) == "rate" {
			t.l.Posts = t.r.MaxPosts
		} else {
			t.called(q) // it would be refused again
		}
	}
}

func (t *Turn) notePublished(q *wire.EntryPublish, r *wire.Reply) {
	ack, ok := r.Body.(*wire.EntryPublishAck)
	if !ok {
		return
	}
	t.l.Published++
	t.a.Learning.Publish(ack.EntryID, q.Entry.Kind)
	t.l.SeeEntry(memory.EntryNote{
		ID: ack.EntryID, Author: t.a.ID, Kind: q.Entry.Kind, At: t.seen.tick, Title: memory.Clip(q.Entry.Title), Own: true, Judged: true,
	})
}

func (t *Turn) notePosted(q *wire.MsgPost, r *wire.Reply) {
	t.l.Posts++
	t.called(q)
	if q.Kind == wire.MessageKindQuestion {
		t.l.Asked++
	}
	if len(q.References) > 0 {
		if n := t.l.Message(q.References[0]); n != nil && q.Kind == wire.MessageKindAnswer {
			n.Answered = true
			n.Settle()
		}
	}
	if ack, ok := r.Body.(*wire.MsgPostAck); ok {
		t.l.SeeMessage(memory.MessageNote{
			ID: ack.MessageID, Channel: q.Channel, Author: t.a.ID, Kind: q.Kind, At: t.seen.tick, Signed: true, Answered: true,
		})
	}
}

// called strikes out the sleepers that a post called: each is called once.
func (t *Turn) called(q *wire.MsgPost) {
	for _, h := range q.References {
		t.a.Memory.Dealings.AwakeOrCalled(wire.AgentID(h))
	}
}

// noteRead takes in an entry that was read: its words until they are judged, and
// what it teaches.
func (t *Turn) noteRead(e *wire.OracleEntry) {
	n := t.noteEntry(e)
	n.Read = true
	words := textOf(e.Body)
	quoted := codec.Borrow()
	quoted.B = llm.AppendQuote(quoted.B, e.Author.Alias(), words)
	know, at := t.a.Memory.Knowledge, t.seen.tick
	title := know.Learn(e.Title, quoted.Take(), memory.KnowledgeOracle, float64(e.Accuracy), at).ID
	for _, name := range e.Tags {
		tag := know.Learn(name, nil, memory.KnowledgeOracle, float64(e.Accuracy), at).ID
		know.Relate(tag, title, relationTag, 1, at)
	}
	if !n.Judged {
		n.Text = words
	}
}

var relationTag = []byte("tags")

// noteEntry notes an entry that a reply showed.
func (t *Turn) noteEntry(e *wire.OracleEntry) *memory.EntryNote {
	if t.isPeer(e.Author) {
		for _, tag := range e.Tags {
			t.a.Memory.Peers.Interest(e.Author, tag, t.seen.tick)
		}
	}
	if n := t.l.Entry(e.ID); n != nil {
		return n
	}
	own := e.Author == t.a.ID
	founding := e.Author == wire.SystemID(wire.SystemOracle) // entry #0 takes no verdicts
	return t.l.SeeEntry(memory.EntryNote{
		ID: e.ID, Author: e.Author, Kind: e.Kind, At: e.CreatedAt, Title: memory.Clip(e.Title), Own: own,
		Judged: own || founding || t.mine(e.VerifiedBy),
	})
}

func (t *Turn) mine(ids []wire.AgentID) bool {
	for _, id := range ids {
		if id == t.a.ID {
			return true
		}
	}
	return false
}

// noteMessage notes a message that was read; what a peer says teaches. An answer to an own
// question is a service of its author.
func (t *Turn) noteMessage(m *wire.Message) {
	own := m.Author == t.a.ID
	n := t.l.SeeMessage(memory.MessageNote{
		ID: m.ID, Channel: m.Channel, Author: m.Author, Kind: m.Kind, At: m.Tick, Signed: own, Answered: own,
	})
	if n.Read || own {
		n.Read = true
		return
	}
	n.Read = true
	n.Text = messageText(m.Content)
	if !t.isPeer(m.Author) {
		n.Settle()
		return
	}
	quoted := codec.Borrow()
	quoted.B = llm.AppendQuote(quoted.B, m.Author.Alias(), n.Text)
	know, at := t.a.Memory.Knowledge, t.seen.tick
	said := know.Learn(messageLabel(m.ID), quoted.Take(), memory.KnowledgePeerCommunication, float64(m.Confidence), at).ID
	n.Settle()
	if m.Kind != wire.MessageKindAnswer {
		return
	}
	for _, h := range m.References {
		know.Relate(said, messageNode(h), relationAnswer, 1, at)
		if q := t.l.Message(h); q != nil && q.Author == t.a.ID && q.Kind == wire.MessageKindQuestion {
			t.interact(m.Author, true, at)
		}
	}
}

// messageLabel is the label under which a message that was read is known.
func messageLabel(id wire.Hash) []byte { return shortLabel(messageWord, id) }

// messageNode is the id of the node that would have that label.
func messageNode(id wire.Hash) wire.Hash {
	var room [32]byte
	return memory.NodeID(appendLabel(room[:0], messageWord, id))
}

const messageWord = "message "

// shortLabel is a label made of a word and the first 8 hex digits of an id.
func shortLabel(word string, id wire.Hash) []byte {
	return appendLabel(make([]byte, 0, len(word)+8), word, id)
}

func appendLabel(dst []byte, word string, id wire.Hash) []byte {
	return hex.AppendEncode(append(dst, word...), id[:4])
}

var relationAnswer = []byte("answers")

// forgetUnread gives up on messages that a look at their channel did not show:
// they are too far back.
func (t *Turn) forgetUnread(p *pending) {
	for i := range t.l.Messages {
		if n := &t.l.Messages[i]; n.Channel == p.subject && !n.Read && n.At < t.seen.tick {
			n.Read = n.Kind != wire.MessageKindQuestion
			n.Signed = true
		}
	}
}

// messageText returns the words of a message's content.
func messageText(content []byte) []byte {
	if text, ok := wire.ContentText(content); ok {
		return memory.Clip(text)
	}
	if c, err := wire.ReadContent(content); err == nil && c.Text != nil {
		return memory.Clip([]byte(*c.Text))
	}
	return nil
}

// textOf joins the words of an entry's blocks, what a reader would see of it, as far as
// the notebook keeps them.
func textOf(body []byte) []byte {
	var blocks []wire.ContentBlock
	if wire.BlocksCodec.Decode(body, &blocks) != nil {
		return nil
	}
	s := codec.Borrow()
	defer s.Return()
	for i := range blocks {
		s.B = appendBlock(s.B, &blocks[i])
		if len(s.B) >= memory.NotebookText {
			break
		}
	}
	return memory.Clip(s.B)
}

func appendBlock(dst []byte, b *wire.ContentBlock) []byte {
	switch {
	case b.Section != nil:
		dst = append(dst, b.Section.Heading...)
		for i := range b.Section.Children {
			dst = appendBlock(append(dst, '\n'), &b.Section.Children[i])
		}
	case b.Paragraph != nil:
		dst = append(dst, b.Paragraph.Text...)
	case b.Code != nil:
		dst = append(dst, b.Code.Source...)
	case b.Definition != nil:
		dst = append(append(append(dst, b.Definition.Term...), ": "...), b.Definition.Meaning...)
	case b.Assertion != nil:
		dst = append(dst, b.Assertion.Claim...)
	case b.Warning != nil:
		dst = append(dst, b.Warning.Text...)
	case b.Example != nil:
		dst = append(append(append(dst, b.Example.Input...), " = "...), b.Example.ExpectedOutput...)
	case b.Reference != nil:
		dst = append(dst, b.Reference.Context...)
	}
	return append(dst, '\n')
}
